//! Projections: what events say about questions and sessions, put together so that neither the order of
//! events nor an event that comes twice matters.

mod other_row;
mod question;
#[cfg(test)]
mod tests;

pub(crate) use other_row::{OtherRow, needs_id, text, time};
pub(crate) use question::{COLUMNS, KINDS, Question, row_id};
