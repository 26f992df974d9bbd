//! Sealed segments: the events of a month in one Parquet file, sorted by time, each event once, with every
//! field, for DuckDB, pandas or Spark to read without plantune.

mod file;
mod path;
mod staging;

pub use file::check_sealed;
pub(crate) use file::{RowGroup, SealedFile, connect};
pub use path::pattern;
pub(crate) use path::text;
pub(crate) use staging::Staging;

#[cfg(test)]
mod tests;
