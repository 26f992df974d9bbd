//! Prompts for permission: subjects, the prompts of one, and a single one explained; the documents, and how a
//! terminal shows them.

mod document;
mod entry;
mod explain;
mod list;
mod show;
mod words;

pub use document::{Groups, Shown, Subjects};
pub use entry::show as show_entry;
pub use explain::show as show_explanation;
pub use words::{although_in_words, outcome, reach_in_short, reach_in_words, what_happened};
