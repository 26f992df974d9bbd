//! What `suggest` proposes, for questions and for permission prompts: the document for scripts, a table, and the
//! evidence of one proposal in sentences.

mod document;
mod entry;
mod evidence;
mod left_out;
mod list;
mod rules;
mod terminal;
#[cfg(test)]
mod tests;

use crate::inert::one_line;

pub use document::{Document, Found};
pub use entry::{Entry, entries, title};
pub use terminal::Screen;

/// How much of a label is shown, in columns.
const SHOWN_NAME: usize = 60;

/// The answer of a policy, in words.
pub fn answer_in_words(answer: Option<&str>) -> String {
    answer.map_or_else(
        || "what is recommended".to_owned(),
        |label| format!("\"{}\"", one_line(label, SHOWN_NAME)),
    )
}
