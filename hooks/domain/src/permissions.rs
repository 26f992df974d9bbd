//! Prompts for permission: what one is about, what makes two the same, and how far a call reaches.

mod mask;
mod request;
mod rule;
mod tier;

pub use mask::{MASK, masked};
pub use request::{Described, describe, digest, event_id};
pub use rule::Rule;
pub use tier::Tier;
