//! The questions there are: the documents, and how a terminal shows them.

mod document;
mod terminal;

pub(crate) use document::asked_once;
pub use document::{Asking, List, Question, Shown, Unmarked, UnmarkedFamily};
pub use terminal::Terminal;
