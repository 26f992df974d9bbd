//! The report over a lake, and what follows from it.

pub(crate) mod duckdb;
pub(crate) mod starters;

pub(crate) use plantune_reports::fleet as document;
