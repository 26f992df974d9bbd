//! Rows, value by value, into Arrow record batches.

use std::sync::Arc;

use duckdb::arrow::array::{
    ArrayRef, BinaryBuilder, BooleanBuilder, Date32Builder, FixedSizeBinaryBuilder, Float64Builder,
    Int64Builder, ListBuilder, RecordBatch, StringBuilder, TimestampMicrosecondBuilder,
    UInt32Builder, UInt64Builder,
};
use duckdb::arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};
use duckdb::arrow::error::ArrowError;
use plantune_domain::event::Text;

/// Rows in a batch, at most: DuckDB's vector size.
pub(crate) const BATCH_ROWS: usize = 2048;

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    /// 16 bytes, a UUID.
    Id,
    Time,
    Day,
    Text,
    /// A list of texts.
    Texts,
    Bytes,
    U32,
    U64,
    I64,
    F64,
    Bool,
}

/// One value of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value<'a> {
    /// 128 bits, big endian.
    Id([u8; 16]),
    /// Microseconds since 1970, UTC.
    Time(Option<i64>),
    /// Days since 1970.
    Day(i32),
    Text(Option<&'a str>),
    Texts(Option<&'a [Text<'a>]>),
    Bytes(&'a [u8]),
    U32(Option<u32>),
    U64(u64),
    I64(i64),
    F64(Option<f64>),
    Bool(Option<bool>),
}

/// The names and types of a table's columns, in order.
pub(crate) type Columns = &'static [(&'static str, Type)];

/// The Arrow schema of `columns`.
pub(crate) fn schema(columns: Columns) -> SchemaRef {
    let fields = columns.iter().map(|(name, r#type)| {
        let data_type = match r#type {
            Type::Id => {
                // Arrow's canonical extension type for UUIDs.
                let metadata = [("ARROW:extension:name".to_owned(), "arrow.uuid".to_owned())];
                return Field::new(*name, DataType::FixedSizeBinary(16), true)
                    .with_metadata(metadata.into());
            }
            Type::Time => DataType::Timestamp(TimeUnit::Microsecond, None),
            Type::Day => DataType::Date32,
            Type::Text => DataType::Utf8,
            Type::Texts => DataType::new_list(DataType::Utf8, true),
            Type::Bytes => DataType::Binary,
            Type::U32 => DataType::UInt32,
            Type::U64 => DataType::UInt64,
            Type::I64 => DataType::Int64,
            Type::F64 => DataType::Float64,
            Type::Bool => DataType::Boolean,
        };
        Field::new(*name, data_type, true)
    });
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

enum Builder {
    Id(FixedSizeBinaryBuilder),
    Time(TimestampMicrosecondBuilder),
    Day(Date32Builder),
    Text(StringBuilder),
    Texts(ListBuilder<StringBuilder>),
    Bytes(BinaryBuilder),
    U32(UInt32Builder),
    U64(UInt64Builder),
    I64(Int64Builder),
    F64(Float64Builder),
    Bool(BooleanBuilder),
}

impl Builder {
    fn new(r#type: Type) -> Self {
        match r#type {
            Type::Id => Self::Id(FixedSizeBinaryBuilder::new(16)),
            Type::Time => Self::Time(TimestampMicrosecondBuilder::new()),
            Type::Day => Self::Day(Date32Builder::new()),
            Type::Text => Self::Text(StringBuilder::new()),
            Type::Texts => Self::Texts(ListBuilder::new(StringBuilder::new())),
            Type::Bytes => Self::Bytes(BinaryBuilder::new()),
            Type::U32 => Self::U32(UInt32Builder::new()),
            Type::U64 => Self::U64(UInt64Builder::new()),
            Type::I64 => Self::I64(Int64Builder::new()),
            Type::F64 => Self::F64(Float64Builder::new()),
            Type::Bool => Self::Bool(BooleanBuilder::new()),
        }
    }

    fn push(&mut self, value: Value<'_>) -> Result<(), ArrowError> {
        match (self, value) {
            (Self::Id(builder), Value::Id(id)) => builder.append_value(id)?,
            (Self::Time(builder), Value::Time(time)) => builder.append_option(time),
            (Self::Day(builder), Value::Day(day)) => builder.append_value(day),
            (Self::Text(builder), Value::Text(text)) => builder.append_option(text),
            (Self::Texts(builder), Value::Texts(texts)) => {
                let items = texts.map(|texts| texts.iter().map(|text| Some(&**text)));
                builder.append_option(items);
            }
            (Self::Bytes(builder), Value::Bytes(bytes)) => builder.append_value(bytes),
            (Self::U32(builder), Value::U32(number)) => builder.append_option(number),
            (Self::U64(builder), Value::U64(number)) => builder.append_value(number),
            (Self::I64(builder), Value::I64(number)) => builder.append_value(number),
            (Self::F64(builder), Value::F64(number)) => builder.append_option(number),
            (Self::Bool(builder), Value::Bool(flag)) => builder.append_option(flag),
            _ => {
                let message = "a value is not of its column's type".to_owned();
                return Err(ArrowError::SchemaError(message));
            }
        }
        Ok(())
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Id(builder) => Arc::new(builder.finish()),
            Self::Time(builder) => Arc::new(builder.finish()),
            Self::Day(builder) => Arc::new(builder.finish()),
            Self::Text(builder) => Arc::new(builder.finish()),
            Self::Texts(builder) => Arc::new(builder.finish()),
            Self::Bytes(builder) => Arc::new(builder.finish()),
            Self::U32(builder) => Arc::new(builder.finish()),
            Self::U64(builder) => Arc::new(builder.finish()),
            Self::I64(builder) => Arc::new(builder.finish()),
            Self::F64(builder) => Arc::new(builder.finish()),
            Self::Bool(builder) => Arc::new(builder.finish()),
        }
    }
}

/// Builds record batches of at most [`BATCH_ROWS`] rows.
pub(crate) struct BatchBuilder {
    schema: SchemaRef,
    builders: Vec<Builder>,
    rows: usize,
    finished: Vec<RecordBatch>,
}

impl BatchBuilder {
    pub(crate) fn new(columns: Columns) -> Self {
        Self {
            schema: schema(columns),
            builders: columns
                .iter()
                .map(|(_, r#type)| Builder::new(*r#type))
                .collect(),
            rows: 0,
            finished: Vec::new(),
        }
    }

    /// Adds a row: a value for each column, in their order.
    ///
    /// # Errors
    /// When a value is not of its column's type, or one is missing.
    pub(crate) fn push<'a>(
        &mut self,
        values: impl IntoIterator<Item = Value<'a>>,
    ) -> Result<(), ArrowError> {
        for (builder, value) in self.builders.iter_mut().zip(values) {
            builder.push(value)?;
        }
        self.rows += 1;
        if self.rows == BATCH_ROWS {
            self.finish_batch()?;
        }
        Ok(())
    }

    /// The batches.
    ///
    /// # Errors
    /// When a row had too few values.
    pub(crate) fn finish(mut self) -> Result<Vec<RecordBatch>, ArrowError> {
        if self.rows > 0 {
            self.finish_batch()?;
        }
        Ok(self.finished)
    }

    fn finish_batch(&mut self) -> Result<(), ArrowError> {
        self.rows = 0;
        let arrays = self.builders.iter_mut().map(Builder::finish);
        let batch = RecordBatch::try_new(self.schema.clone(), arrays.collect())?;
        self.finished.push(batch);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_hold_at_most_a_vector_of_rows() {
        const COLUMNS: Columns = &[("n", Type::U32), ("t", Type::Text)];
        let mut builder = BatchBuilder::new(COLUMNS);
        for n in 0..(BATCH_ROWS as u32 + 1) {
            builder
                .push([Value::U32(Some(n)), Value::Text(None)])
                .unwrap();
        }
        assert!(builder.push([Value::Bool(None)]).is_err());
        let rows: Vec<usize> = builder
            .finish()
            .unwrap()
            .iter()
            .map(RecordBatch::num_rows)
            .collect();
        assert_eq!(rows, [BATCH_ROWS, 1]);
    }
}
