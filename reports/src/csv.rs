//! CSV (RFC 4180), one table each, for spreadsheets: texts are on one line, in quotes, and none is a formula.

mod decisions;
mod fleet;
mod report;
mod sql;
mod table;

pub use decisions::write_decisions;
pub use sql::Rows;

/// The report's questions as CSV: the fields of `questions` in `report --json`, or of `groups` where the document
/// has them.
#[derive(Clone, Copy, Debug)]
pub struct Csv;
