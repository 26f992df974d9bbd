//! Prompts for permission: subjects, the prompts of one, and a single one explained; the documents, and how a
//! terminal shows them.

mod document;
mod entry;
mod explain;
mod list;
mod show;
mod words;

pub use document::{Groups, Shown, Subjects};
pub use entry::write as write_entry;
pub use explain::write as write_explanation;
pub use words::{although_in_words, outcome, reach_in_short, reach_in_words, what_happened};

use crate::decisions::Clock;
use crate::text::hanging;

/// Lines no wider than `width`.
#[derive(Clone, Copy)]
pub struct Terminal<'a> {
    /// Columns of the terminal.
    pub width: usize,
    /// How times are written.
    pub clock: Clock<'a>,
}

/// Says how many rows were left out, in a line that ends.
pub(crate) fn more(all: usize, shown: usize, width: usize) -> String {
    match all.checked_sub(shown) {
        None | Some(0) => String::new(),
        Some(more) => {
            let text = format!("… and {more} more; `--json` lists them");
            hanging("", "  ", &text, width)
        }
    }
}
