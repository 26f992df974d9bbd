//! Rows, value by value, into Arrow record batches, and back.

use std::borrow::Cow;
use std::sync::Arc;

use duckdb::Connection;
use duckdb::arrow::array::{
    Array, ArrayRef, BooleanArray, BooleanBuilder, Date32Array, Date32Builder, Float64Array,
    Float64Builder, ListArray, ListBuilder, RecordBatch, StringArray, StringBuilder,
    TimestampMicrosecondArray, TimestampMicrosecondBuilder, UInt32Array, UInt32Builder,
    UInt64Array, UInt64Builder,
};
use duckdb::arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};
use duckdb::arrow::error::ArrowError;
use plantune_domain::event::Text;

use crate::error::Error;

/// Rows in a batch, at most: DuckDB's vector size.
pub(crate) const BATCH_ROWS: usize = 2048;

/// Bytes of texts in a batch, at most, but for those of its last row.
const BATCH_BYTES: usize = 4 * 1024 * 1024;

/// A column's name and type.
pub(crate) type Column = (&'static str, Type);

/// Defines the types of columns, the values they hold, and how Arrow builds and reads them. Texts and lists of
/// texts are written out.
macro_rules! types {
    ($($type:ident($value:ty): $data_type:expr, $sql:literal, $builder:ident, $array:ident;)+) => {
        /// The type of a column.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Type { Text, Texts, $($type,)+ }

        /// One value of a row. Null comes before all others.
        #[derive(Clone, Debug, PartialEq, PartialOrd)]
        pub(crate) enum Value<'a> {
            Null,
            Text(Cow<'a, str>),
            Texts(Cow<'a, [Text<'a>]>),
            $($type($value),)+
        }

        impl Type {
            /// The type's name in SQL.
            pub(crate) fn sql(self) -> &'static str {
                match self {
                    Self::Text => "VARCHAR",
                    Self::Texts => "VARCHAR[]",
                    $(Self::$type => $sql,)+
                }
            }

            fn data_type(self) -> DataType {
                match self {
                    Self::Text => DataType::Utf8,
                    Self::Texts => DataType::new_list(DataType::Utf8, true),
                    $(Self::$type => $data_type,)+
                }
            }
        }

        enum Builder {
            Text(StringBuilder),
            Texts(ListBuilder<StringBuilder>),
            $($type($builder),)+
        }

        impl Builder {
            fn new(r#type: Type) -> Self {
                match r#type {
                    Type::Text => Self::Text(StringBuilder::new()),
                    Type::Texts => Self::Texts(ListBuilder::new(StringBuilder::new())),
                    $(Type::$type => Self::$type($builder::new()),)+
                }
            }

            fn push(&mut self, value: &Value<'_>) -> Result<(), ArrowError> {
                match (self, value) {
                    (Self::Text(builder), Value::Text(text)) => builder.append_value(text),
                    (Self::Text(builder), Value::Null) => builder.append_null(),
                    (Self::Texts(builder), Value::Texts(texts)) => {
                        builder.append_value(texts.iter().map(|text| Some(&**text)));
                    }
                    (Self::Texts(builder), Value::Null) => builder.append_null(),
                    $(
                        (Self::$type(builder), Value::$type(value)) => builder.append_value(*value),
                        (Self::$type(builder), Value::Null) => builder.append_null(),
                    )+
                    _ => return Err(wrong("a value is not of its column's type")),
                }
                Ok(())
            }

            fn finish(&mut self) -> ArrayRef {
                match self {
                    Self::Text(builder) => Arc::new(builder.finish()),
                    Self::Texts(builder) => Arc::new(builder.finish()),
                    $(Self::$type(builder) => Arc::new(builder.finish()),)+
                }
            }
        }

        /// A column of a batch that is read.
        enum Reader<'b> {
            Text(&'b StringArray),
            Texts(&'b ListArray, &'b StringArray),
            $($type(&'b $array),)+
        }

        impl<'b> Reader<'b> {
            fn new(r#type: Type, array: &'b dyn Array) -> Option<Self> {
                let array = array.as_any();
                Some(match r#type {
                    Type::Text => Self::Text(array.downcast_ref()?),
                    Type::Texts => {
                        let lists: &ListArray = array.downcast_ref()?;
                        Self::Texts(lists, lists.values().as_any().downcast_ref()?)
                    }
                    $(Type::$type => Self::$type(array.downcast_ref()?),)+
                })
            }

            fn value(&self, row: usize) -> Value<'b> {
                match self {
                    Self::Text(texts) if texts.is_valid(row) => texts.value(row).into(),
                    Self::Texts(lists, texts) if lists.is_valid(row) => {
                        let start = lists.value_offsets().get(row).map_or(0, |start| *start as usize);
                        let items = start..start + lists.value_length(row) as usize;
                        Value::Texts(items.map(|item| texts.value(item).into()).collect())
                    }
                    $(Self::$type(array) if array.is_valid(row) => Value::$type(array.value(row)),)+
                    _ => Value::Null,
                }
            }
        }
    };
}

types! {
    // Microseconds since 1970, UTC.
    Time(i64): DataType::Timestamp(TimeUnit::Microsecond, None), "TIMESTAMP",
        TimestampMicrosecondBuilder, TimestampMicrosecondArray;
    // Days since 1970.
    Day(i32): DataType::Date32, "DATE", Date32Builder, Date32Array;
    U32(u32): DataType::UInt32, "UINTEGER", UInt32Builder, UInt32Array;
    U64(u64): DataType::UInt64, "UBIGINT", UInt64Builder, UInt64Array;
    F64(f64): DataType::Float64, "DOUBLE", Float64Builder, Float64Array;
    Bool(bool): DataType::Boolean, "BOOLEAN", BooleanBuilder, BooleanArray;
}

fn wrong(words: &str) -> ArrowError {
    ArrowError::SchemaError(words.to_owned())
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl<'a> From<&'a Text<'_>> for Value<'a> {
    fn from(text: &'a Text<'_>) -> Self {
        Self::from(&**text)
    }
}

impl From<String> for Value<'_> {
    fn from(text: String) -> Self {
        Self::Text(Cow::Owned(text))
    }
}

impl<'a> From<&'a Vec<Text<'a>>> for Value<'a> {
    fn from(texts: &'a Vec<Text<'a>>) -> Self {
        Self::Texts(Cow::Borrowed(texts))
    }
}

impl From<u32> for Value<'_> {
    fn from(number: u32) -> Self {
        Self::U32(number)
    }
}

impl From<bool> for Value<'_> {
    fn from(flag: bool) -> Self {
        Self::Bool(flag)
    }
}

impl<'a, T: Into<Value<'a>>> From<Option<T>> for Value<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl Value<'_> {
    /// The text, if it is one.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The time, if it is one.
    pub(crate) fn time(&self) -> Option<i64> {
        match self {
            Self::Time(time) => Some(*time),
            _ => None,
        }
    }

    /// How many bytes its texts have.
    fn text_bytes(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Texts(texts) => texts.iter().map(|text| text.len()).sum(),
            _ => 0,
        }
    }
}

/// The Arrow schema of `columns`.
pub(crate) fn schema(columns: &[Column]) -> SchemaRef {
    let fields = columns
        .iter()
        .map(|(name, r#type)| Field::new(*name, r#type.data_type(), true));
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

/// Builds record batches of at most [`BATCH_ROWS`] rows and some megabytes.
pub(crate) struct BatchBuilder {
    schema: SchemaRef,
    builders: Vec<Builder>,
    rows: usize,
    bytes: usize,
    finished: Vec<RecordBatch>,
}

impl BatchBuilder {
    pub(crate) fn new(columns: &[Column]) -> Self {
        Self {
            schema: schema(columns),
            builders: columns
                .iter()
                .map(|column| Builder::new(column.1))
                .collect(),
            rows: 0,
            bytes: 0,
            finished: Vec::new(),
        }
    }

    /// Adds a row: a value for each column, in their order, in one or several parts.
    ///
    /// # Errors
    /// When a value is not of its column's type, or one is missing.
    pub(crate) fn push(&mut self, parts: &[&[Value<'_>]]) -> Result<(), ArrowError> {
        let mut builders = self.builders.iter_mut();
        for part in parts {
            for (value, builder) in part.iter().zip(&mut builders) {
                self.bytes += value.text_bytes();
                builder.push(value)?;
            }
        }
        self.rows += 1;
        if self.rows == BATCH_ROWS || self.bytes >= BATCH_BYTES {
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
        (self.rows, self.bytes) = (0, 0);
        let arrays = self.builders.iter_mut().map(Builder::finish);
        let batch = RecordBatch::try_new(self.schema.clone(), arrays.collect())?;
        self.finished.push(batch);
        Ok(())
    }
}

/// The rows of a batch that has `columns`, in their order.
///
/// # Errors
/// When a column is missing or of another type.
pub(crate) fn rows<'b>(
    batch: &'b RecordBatch,
    columns: &[Column],
) -> Result<impl Iterator<Item = Vec<Value<'b>>> + use<'b>, ArrowError> {
    let readers = columns.iter().zip(batch.columns());
    let readers: Option<Vec<Reader<'_>>> = readers
        .map(|((_, r#type), array)| Reader::new(*r#type, array))
        .collect();
    let readers = readers.filter(|readers| readers.len() == columns.len());
    let readers = readers.ok_or_else(|| wrong("the columns are not those that are expected"))?;
    let row = move |row| readers.iter().map(|reader| reader.value(row)).collect();
    Ok((0..batch.num_rows()).map(row))
}

/// How many bytes the values of `batches` take.
pub(crate) fn bytes(batches: &[RecordBatch]) -> usize {
    let columns = batches.iter().flat_map(RecordBatch::columns);
    columns
        .map(|column| column.to_data().get_slice_memory_size().unwrap_or_default())
        .sum()
}

/// Appends `batches` to a table with the same columns.
///
/// # Errors
/// DuckDB's.
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

    pub(crate) fn add(&mut self, batches: &[RecordBatch]) {
        self.rows += batches.iter().map(RecordBatch::num_rows).sum::<usize>();
        self.bytes += bytes(batches);
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

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: &[Column] = &[("n", Type::U32), ("t", Type::Text)];

    #[test]
    fn batches_are_bounded() {
        let mut builder = BatchBuilder::new(COLUMNS);
        for n in 0..(BATCH_ROWS as u32 + 1) {
            builder.push(&[&[n.into(), Value::Null]]).unwrap();
        }
        assert!(builder.push(&[&[Value::Bool(true)]]).is_err());
        let sizes = |builder: BatchBuilder| -> Vec<usize> {
            let batches = builder.finish().unwrap();
            batches.iter().map(RecordBatch::num_rows).collect()
        };
        assert_eq!(sizes(builder), [BATCH_ROWS, 1]);
        let mut builder = BatchBuilder::new(COLUMNS);
        let long = "x".repeat(BATCH_BYTES / 2);
        for _ in 0..3 {
            builder.push(&[&[1.into(), long.as_str().into()]]).unwrap();
        }
        assert_eq!(sizes(builder), [2, 1]);
    }
}
