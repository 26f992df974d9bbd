//! The weekly report: where the questions came from, who answered them, and what it cost.

mod by;
mod content;
mod document;
mod figures;
mod heading;
mod markdown;
mod permissions;
mod proposal;
mod section;
mod sentence;
mod summary;
mod terminal;

pub(crate) use by::{NOBODY, name as group_name};
pub use document::Document;
pub(crate) use figures::{FIGURES, Figure, Value};
pub use heading::{Heading, Span};
pub use markdown::markdown;
pub use proposal::{Evidence, NotProposed, Proposal, not_proposed, proposals};
pub(crate) use section::Section;
pub(crate) use sentence::Piece;
pub use sentence::{Rules, Sentence};
pub(crate) use summary::{incomparable, listing, nothing};
pub use terminal::show;
