//! The weekly report: where the questions came from, who answered them, and what it cost.

mod by;
mod document;
mod markdown;
mod permissions;
mod proposal;
mod stopped;
mod summary;
mod terminal;

pub use crate::json::Json;
pub(crate) use by::name as group_name;
pub use document::{Document, Heading};
pub use markdown::Markdown;
pub use proposal::{Evidence, Proposal, proposals};
pub(crate) use summary::{listing, nothing};
pub use terminal::Terminal;
