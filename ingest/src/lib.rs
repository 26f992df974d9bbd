//! The log (segments that hooks and imports append to, and sealed segments) → Arrow → the store, which is a function of
//! the log. The only crate that writes the store.

mod arrow;
mod checksum;
pub mod claude_code;
mod encode;
mod error;
mod export;
mod histories;
mod import;
mod in_order;
mod lines;
mod parquet;
mod progress;
mod projection;
mod reader;
mod restore;
mod retention;
mod sealed;
mod segment;
mod store;
#[cfg(test)]
mod tests;
mod unpacked;
mod whole_log;

pub use arrow::{fields as event_columns, with_event_columns};
pub use error::Error;
pub use export::{Export, LeftOut};
pub use histories::{
    files as history_files, read as read_history, read_paths as read_history_files,
};
pub use import::{Followed, Import, TranscriptMark, follow, has_undecided};
pub use in_order::Range;
pub use progress::Progress;
pub use restore::Restored;
pub use retention::{Collected, KeepReason, Planned, RetentionStep, plan};
pub use sealed::check_sealed;
pub use segment::{Format, SegmentName, pattern as parquet_pattern};
pub use store::lost::{LostMonth, lost_months};
pub use store::open::{RebuildReason, is_current, was_killed};
pub use store::{Difference, Summary, Writer, compare};
pub use whole_log::{UnreadSegment, define_whole_log, read_events};
