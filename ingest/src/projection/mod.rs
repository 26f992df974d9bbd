//! Projections: what events say about questions and sessions, put together so that neither the order of
//! events nor an event that comes twice matters.

mod chunk;
pub(crate) mod other_events;
mod question;
mod row;
pub(crate) mod session;
#[cfg(test)]
mod tests;
mod words;

pub(crate) use chunk::{Projected, project};
pub(crate) use question::{KINDS, Question, row_id};
pub(crate) use row::{COLUMNS, Rows, day, values};
