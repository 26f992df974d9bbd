//! Rows, cell by cell, into Arrow record batches.

use std::sync::Arc;

use duckdb::arrow::array::{
    ArrayRef, BinaryBuilder, BooleanBuilder, Date32Builder, FixedSizeBinaryBuilder, Float64Builder,
    ListBuilder, RecordBatch, StringBuilder, TimestampMicrosecondBuilder, UInt8Builder,
    UInt32Builder, UInt64Builder,
};
use duckdb::arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};
use duckdb::arrow::error::ArrowError;
use plantune_domain::event::Text;

/// Rows in a batch: DuckDB's vector size, so that one batch fills one chunk.
pub(crate) const ROWS: usize = 2048;

/// What a column holds.
#[derive(Clone, Copy)]
pub(crate) enum Holds {
    Id,
    Time,
    Day,
    Text,
    Bytes,
    Small,
    Number,
    Big,
    Real,
    Flag,
    List,
}

/// One value of a row.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Cell<'a> {
    /// 128 bits, big endian.
    Id([u8; 16]),
    /// Microseconds since 1970, UTC.
    Time(Option<i64>),
    /// Days since 1970.
    Day(i32),
    Text(Option<&'a str>),
    Bytes(&'a [u8]),
    Small(u8),
    Number(Option<u32>),
    Big(u64),
    Real(Option<f64>),
    Flag(Option<bool>),
    List(Option<&'a [Text<'a>]>),
}

/// The Arrow schema of named columns.
pub(crate) fn schema(columns: &[(&str, Holds)]) -> SchemaRef {
    let fields = columns.iter().map(|(name, holds)| match holds {
        Holds::Id => {
            // Arrow's canonical extension type for UUIDs.
            let metadata = [("ARROW:extension:name".to_owned(), "arrow.uuid".to_owned())];
            Field::new(*name, DataType::FixedSizeBinary(16), false).with_metadata(metadata.into())
        }
        Holds::Time => Field::new(
            *name,
            DataType::Timestamp(TimeUnit::Microsecond, None),
            true,
        ),
        Holds::Day => Field::new(*name, DataType::Date32, true),
        Holds::Text => Field::new(*name, DataType::Utf8, true),
        Holds::Bytes => Field::new(*name, DataType::Binary, false),
        Holds::Small => Field::new(*name, DataType::UInt8, true),
        Holds::Number => Field::new(*name, DataType::UInt32, true),
        Holds::Big => Field::new(*name, DataType::UInt64, true),
        Holds::Real => Field::new(*name, DataType::Float64, true),
        Holds::Flag => Field::new(*name, DataType::Boolean, true),
        Holds::List => Field::new_list(*name, Field::new("item", DataType::Utf8, true), true),
    });
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

enum Column {
    Id(FixedSizeBinaryBuilder),
    Time(TimestampMicrosecondBuilder),
    Day(Date32Builder),
    Text(StringBuilder),
    Bytes(BinaryBuilder),
    Small(UInt8Builder),
    Number(UInt32Builder),
    Big(UInt64Builder),
    Real(Float64Builder),
    Flag(BooleanBuilder),
    List(ListBuilder<StringBuilder>),
}

/// Gathers rows column by column, in batches of [`ROWS`].
pub(crate) struct Columns {
    schema: SchemaRef,
    columns: Vec<Column>,
    rows: usize,
    full: Vec<RecordBatch>,
    is_kept: bool,
}

impl Columns {
    pub(crate) fn new(schema: SchemaRef, columns: &[(&str, Holds)]) -> Self {
        let columns = columns.iter().map(|(_, holds)| match holds {
            Holds::Id => Column::Id(FixedSizeBinaryBuilder::new(16)),
            Holds::Time => Column::Time(TimestampMicrosecondBuilder::new()),
            Holds::Day => Column::Day(Date32Builder::new()),
            Holds::Text => Column::Text(StringBuilder::new()),
            Holds::Bytes => Column::Bytes(BinaryBuilder::new()),
            Holds::Small => Column::Small(UInt8Builder::new()),
            Holds::Number => Column::Number(UInt32Builder::new()),
            Holds::Big => Column::Big(UInt64Builder::new()),
            Holds::Real => Column::Real(Float64Builder::new()),
            Holds::Flag => Column::Flag(BooleanBuilder::new()),
            Holds::List => Column::List(ListBuilder::new(StringBuilder::new())),
        });
        Self {
            schema,
            columns: columns.collect(),
            rows: 0,
            full: Vec::new(),
            is_kept: false,
        }
    }

    /// Makes batches that take no more memory than they need, as they are kept for a while.
    pub(crate) fn kept(mut self) -> Self {
        self.is_kept = true;
        self
    }

    /// Adds a row; its cells are in the order of the columns, and of what these hold.
    ///
    /// # Errors
    /// Arrow's; none is known for these columns.
    pub(crate) fn push<'a>(
        &mut self,
        cells: impl IntoIterator<Item = Cell<'a>>,
    ) -> Result<(), ArrowError> {
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            match (column, cell) {
                (Column::Id(column), Cell::Id(id)) => column.append_value(id)?,
                (Column::Time(column), Cell::Time(time)) => column.append_option(time),
                (Column::Text(column), Cell::Text(text)) => column.append_option(text),
                (Column::Bytes(column), Cell::Bytes(bytes)) => column.append_value(bytes),
                (Column::Day(column), Cell::Day(day)) => column.append_value(day),
                (Column::Small(column), Cell::Small(number)) => column.append_value(number),
                (Column::Number(column), Cell::Number(number)) => column.append_option(number),
                (Column::Big(column), Cell::Big(number)) => column.append_value(number),
                (Column::Real(column), Cell::Real(number)) => column.append_option(number),
                (Column::Flag(column), Cell::Flag(flag)) => column.append_option(flag),
                (Column::List(column), Cell::List(list)) => append_list(column, list),
                _ => {
                    return Err(ArrowError::SchemaError(
                        "a cell is not of its column's type".to_owned(),
                    ));
                }
            }
        }
        self.rows += 1;
        if self.rows == ROWS {
            self.close_batch()?;
        }
        Ok(())
    }

    /// The batches so far.
    ///
    /// # Errors
    /// Arrow's; none is known for these columns.
    pub(crate) fn finish(mut self) -> Result<Vec<RecordBatch>, ArrowError> {
        self.take()
    }

    /// The batches so far; rows go on being gathered.
    ///
    /// # Errors
    /// Arrow's; none is known for these columns.
    pub(crate) fn take(&mut self) -> Result<Vec<RecordBatch>, ArrowError> {
        if self.rows > 0 {
            self.close_batch()?;
        }
        Ok(std::mem::take(&mut self.full))
    }

    fn close_batch(&mut self) -> Result<(), ArrowError> {
        self.rows = 0;
        let columns = self.columns.iter_mut().map(|column| {
            let mut array = match column {
                Column::Id(column) => Arc::new(column.finish()) as ArrayRef,
                Column::Time(column) => Arc::new(column.finish()),
                Column::Day(column) => Arc::new(column.finish()),
                Column::Text(column) => Arc::new(column.finish()),
                Column::Bytes(column) => Arc::new(column.finish()),
                Column::Small(column) => Arc::new(column.finish()),
                Column::Number(column) => Arc::new(column.finish()),
                Column::Big(column) => Arc::new(column.finish()),
                Column::Real(column) => Arc::new(column.finish()),
                Column::Flag(column) => Arc::new(column.finish()),
                Column::List(column) => Arc::new(column.finish()),
            };
            if self.is_kept
                && let Some(array) = Arc::get_mut(&mut array)
            {
                array.shrink_to_fit();
            }
            array
        });
        let batch = RecordBatch::try_new(self.schema.clone(), columns.collect())?;
        self.full.push(batch);
        Ok(())
    }
}

fn append_list(column: &mut ListBuilder<StringBuilder>, list: Option<&[Text<'_>]>) {
    if let Some(items) = list {
        items
            .iter()
            .for_each(|item| column.values().append_value(&**item));
    }
    column.append(list.is_some());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_out_in_batches() {
        const COLUMNS: [(&str, Holds); 2] = [("n", Holds::Number), ("l", Holds::List)];
        let mut columns = Columns::new(schema(&COLUMNS), &COLUMNS);
        let list = [Text::from("one"), Text::from("two")];
        for n in 0..(ROWS as u32 + 1) {
            columns
                .push([Cell::Number(Some(n)), Cell::List(Some(&list))])
                .unwrap();
        }
        assert!(columns.push([Cell::Flag(None)]).is_err());
        let rows: Vec<usize> = columns
            .finish()
            .unwrap()
            .iter()
            .map(RecordBatch::num_rows)
            .collect();
        assert_eq!(rows, [ROWS, 1]);
    }
}
