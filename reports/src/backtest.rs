//! What the proposals would have got right and wrong, had they been accepted: one document, for a terminal and as
//! JSON.

mod document;
mod permissions;
mod terminal;

pub use document::Document;
