//! The questions there are: the documents, and how a terminal shows them.

mod document;
mod terminal;

pub use document::{Question, Shown, Unmarked, UnmarkedFamily};
