//! The report over a lake.

pub(crate) mod document;
pub(crate) mod duckdb;
pub(crate) mod terminal;
