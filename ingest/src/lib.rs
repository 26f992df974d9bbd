//! The log (what hooks and imports append, and what was sealed of it) → Arrow → the store, which is a
//! function of the log. The only crate that writes the store.

mod arrow;
pub mod claude_code;
mod error;
#[cfg(test)]
mod fuzz_corpus;
pub mod gstack;
mod histories;
mod import;
mod inspect;
mod log;
mod progress;
mod projection;
mod reader;
mod retention;
mod sealed;
mod spool;
mod sqlite;
mod store;
mod trace;
mod transcripts;

pub use arrow::{fields as event_columns, with_event_columns};
pub use error::Error;
pub use histories::read as read_history;
pub use import::{GstackImport, Import};
pub use inspect::{Difference, compare};
pub use log::{UnreadSegment, read_events};
pub use progress::Progress;
pub use retention::{Collected, Planned, Step, Why, plan};
pub use sealed::{check_sealed, pattern as parquet_pattern};
pub use spool::{Format, SegmentName};
pub use store::{Reason, Summary, Writer, is_current, was_killed};
pub use transcripts::{Followed, Mark, follow, has_undecided};
