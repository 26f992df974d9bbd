//! Projections: what events say about questions and sessions, put together so that neither the order of
//! events nor an event that comes twice matters.

mod fields;
mod others;
mod question;
#[cfg(test)]
mod tests;

pub(crate) use others::{others, rows};
pub(crate) use question::{KINDS, merge, project, row_id};
