//! What a chosen label makes the agent do, and which of the texts say so.
//!
//! A label *leaves things as they are* ("Skip", "Next area"), *names its own act, whole* ("Write CONTEXT.md"),
//! *is a value* ("Balanced"), or *refers to the question* ("Yes", "Delete them"); unsure is the last. Only
//! what says what will be done is held against the door rules: a word in a topic is no act.

mod act;
mod label;
mod outward;
mod sentences;
mod words;

pub use act::Act;
pub use label::{Commitment, commitment, stands_alone};
pub use outward::outward_act;

#[cfg(test)]
mod tests;
