//! Rows that are made when DuckDB asks for them, on the threads that ask.

use std::error::Error;
use std::sync::{Mutex, PoisonError};
use std::vec::IntoIter;

use duckdb::arrow::array::RecordBatch;
use duckdb::arrow::datatypes::SchemaRef;

use crate::columns::{Cell, Columns, Holds, ROWS};
use crate::feed::Source;

/// Rows of `N` cells, made of items.
pub(crate) struct Rows<T, const N: usize> {
    items: Mutex<IntoIter<T>>,
    count: u64,
    schema: SchemaRef,
    columns: &'static [(&'static str, Holds); N],
    cells: fn(&T) -> [Cell<'_>; N],
}

impl<T, const N: usize> Rows<T, N> {
    /// A row for each of `items`, its cells in the order of the columns.
    pub(crate) fn new(
        items: Vec<T>,
        schema: &SchemaRef,
        columns: &'static [(&'static str, Holds); N],
        cells: fn(&T) -> [Cell<'_>; N],
    ) -> Self {
        Self {
            count: items.len() as u64,
            items: Mutex::new(items.into_iter()),
            schema: schema.clone(),
            columns,
            cells,
        }
    }
}

impl<T: Send, const N: usize> Source for Rows<T, N> {
    fn next(&self) -> Result<Option<RecordBatch>, Box<dyn Error>> {
        let items: Vec<T> = {
            let mut left = self.items.lock().unwrap_or_else(PoisonError::into_inner);
            let items = left.by_ref().take(ROWS).collect();
            if left.len() == 0 {
                // A feed keeps its source until it gets another one, and need not keep the memory.
                *left = Vec::new().into_iter();
            }
            items
        };
        let mut columns = Columns::new(self.schema.clone(), self.columns);
        for item in &items {
            columns.push((self.cells)(item))?;
        }
        Ok(columns.finish()?.pop())
    }

    fn rows(&self) -> Option<u64> {
        Some(self.count)
    }
}
