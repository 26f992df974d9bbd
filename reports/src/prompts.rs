//! Prompts for permission, for a terminal: subjects, the prompts of one, and a single one explained.

mod entry;
mod explain;
mod list;
mod show;
mod words;

pub use entry::write as write_entry;
pub use explain::write as write_explanation;
pub use list::write as write_list;
pub(crate) use show::rules;
pub use show::{Shown, write as write_subject};
pub use words::{outcome, tier_in_short, tier_in_words, what_happened};

use crate::text::hanging;

/// How much of a subject, an input or a project is shown, in columns: enough to be copied.
pub(crate) const SHOWN: usize = 200;

/// Says how many rows were left out, in a line that ends.
pub(crate) fn more(all: usize, shown: usize, width: usize) -> String {
    match all.checked_sub(shown) {
        None | Some(0) => String::new(),
        Some(more) => {
            let text = format!("… and {more} more; --limit and --json list them");
            hanging("", "  ", &text, width)
        }
    }
}
