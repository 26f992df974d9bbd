//! CSV (RFC 4180), one table each, for spreadsheets: texts are on one line, in quotes, and none is a formula.

mod decisions;
mod fleet;
mod report;
mod rows;
mod table;

pub use decisions::write_decisions;
pub use rows::write_rows;

/// The report's questions as CSV: the fields of `questions` in `report --json`, or of `groups` where the document
/// has them.
#[derive(Clone, Copy, Debug)]
pub struct Csv;
