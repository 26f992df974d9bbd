//! The weekly report: where the questions came from, who answered them, and what it cost.

mod by;
mod document;
mod heading;
mod markdown;
mod permissions;
mod proposal;
mod section;
mod stands_out;
mod stopped;
mod summary;
mod terminal;

pub use crate::json::Json;
pub(crate) use by::{NOBODY, name as group_name};
pub use document::Document;
pub use heading::{Heading, Span};
pub use markdown::Markdown;
pub(crate) use markdown::part as markdown_part;
pub use proposal::{Evidence, Proposal, proposals};
pub(crate) use section::Section;
pub use stands_out::Line;
pub(crate) use stands_out::{Piece, TITLE};
pub(crate) use summary::{incomparable, listing, nothing};
pub use terminal::Terminal;
