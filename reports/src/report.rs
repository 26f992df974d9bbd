//! The weekly report: where the questions came from, who answered them, and what it cost.

mod by;
mod document;
mod explained;
mod markdown;
mod permissions;
mod proposal;
mod stands_out;
mod stopped;
mod summary;
mod terminal;

pub use crate::json::Json;
pub(crate) use by::name as group_name;
pub use document::{Document, Heading};
pub use explained::Explanation;
pub use markdown::Markdown;
pub(crate) use markdown::part as markdown_part;
pub use proposal::{Evidence, Proposal, proposals};
pub use stands_out::Line;
pub(crate) use stands_out::{Piece, TITLE};
pub(crate) use stopped::Part;
pub(crate) use summary::{listing, nothing, rows_hint};
pub use terminal::Terminal;
