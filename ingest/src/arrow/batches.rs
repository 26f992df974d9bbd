//! What record batches hold, and appending them to tables.

use duckdb::Connection;
use duckdb::arrow::array::{Array, ArrayRef, RecordBatch, StringArray};
use duckdb::arrow::error::ArrowError;

use crate::error::Error;

/// A column of `batch`.
pub(crate) fn column<'b, A: Array + 'static>(
    batch: &'b RecordBatch,
    name: &str,
) -> Result<&'b A, ArrowError> {
    let column = array(batch, name)?.as_any().downcast_ref();
    column.ok_or_else(|| unexpected(name))
}

/// A column of any type.
pub(crate) fn array<'b>(batch: &'b RecordBatch, name: &str) -> Result<&'b ArrayRef, ArrowError> {
    batch.column_by_name(name).ok_or_else(|| unexpected(name))
}

/// That a batch has not the column `name`, or has it with another type.
pub(crate) fn unexpected(name: &str) -> ArrowError {
    ArrowError::SchemaError(format!("the columns are not those expected: {name}"))
}

/// A column of texts.
pub(crate) fn texts<'b>(batch: &'b RecordBatch, name: &str) -> Result<&'b StringArray, ArrowError> {
    column(batch, name)
}

/// How many bytes the values of `batch` take.
pub(crate) fn bytes(batch: &RecordBatch) -> usize {
    let size = |column: &dyn Array| column.to_data().get_slice_memory_size();
    let sizes = batch.columns().iter().map(|column| size(column));
    sizes.map(Result::unwrap_or_default).sum()
}

/// Appends `batches` to a table with the same columns.
pub(crate) fn append(
    connection: &Connection,
    table: &str,
    batches: Vec<RecordBatch>,
) -> Result<(), Error> {
    let mut appender = connection.appender(table)?;
    for batch in batches {
        appender.append_record_batch(batch)?;
    }
    // An appender that is dropped would swallow the error of its last flush.
    Ok(appender.flush()?)
}

/// What was inserted and is not in its file yet.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Unsaved {
    rows: usize,
    bytes: usize,
}

impl Unsaved {
    /// From how many bytes on a row is long, on average.
    const LONG_ROW: usize = 4096;

    /// How many bytes of long rows are enough for a row group.
    const ENOUGH: usize = 16 * 1024 * 1024;

    pub(crate) fn add(&mut self, batch: &RecordBatch) {
        self.rows += batch.num_rows();
        self.bytes += bytes(batch);
    }

    /// True when the rows should be committed and a new row group begin: DuckDB compresses, sorts and writes
    /// 2048 rows of a row group at a time, however long they are.
    pub(crate) fn is_enough(self) -> bool {
        self.bytes > Self::ENOUGH && self.has_long_rows()
    }

    pub(crate) fn has_long_rows(self) -> bool {
        self.bytes > self.rows * Self::LONG_ROW
    }
}
