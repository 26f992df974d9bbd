//! Events and rows of the store as Arrow record batches. A batch of events, like a sealed segment, has one column per
//! event field, with the same name and in the same order, and `extra`.

use std::error::Error as StdError;
use std::io;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use duckdb::Connection;
use duckdb::arrow::array::{
    Array, ArrayRef, AsArray as _, BooleanBuilder, Float64Builder, ListBuilder, RecordBatch,
    StringArray, StringBuilder, TimestampMicrosecondBuilder, UInt32Array, UInt32Builder,
    new_null_array,
};
use duckdb::arrow::datatypes::{
    DataType, FieldRef, Float64Type, Schema, SchemaRef, TimeUnit, TimestampMicrosecondType,
    UInt32Type,
};
use duckdb::arrow::error::ArrowError;
use duckdb::core::DataChunkHandle;
use duckdb::vtab::{
    BindInfo, InitInfo, TableFunctionInfo, VTab, record_batch_to_duckdb_data_chunk,
    to_duckdb_logical_type_for_field,
};
use plantune_domain::event::{Kind, SCHEMA_VERSION, types};
use plantune_domain::hash::{self, FNV_BASIS, fnv1a};
use plantune_domain::json::{Members, Text};
use plantune_domain::permissions::Reach;

use crate::Error;
use crate::lines::{Decoded, decode_id};

/// Defines the columns by the fields of an event.
macro_rules! columns {
    ($($(#[$doc:meta])* $name:ident: $type:ident,)+) => {
        /// Builds a batch of events.
        #[derive(Default)]
        pub(crate) struct EventsBuilder {
            v: UInt32Builder,
            id: StringBuilder,
            ts: TimestampMicrosecondBuilder,
            $($name: <types::$type<'static> as EventField>::Builder,)+
            extra: StringBuilder,
        }

        impl EventsBuilder {
            /// Adds an event. Projections need the ids of only a few events, and no unknown fields. Both are left out
            /// unless `is_whole`.
            pub(crate) fn push(&mut self, decoded: &Decoded<'_>, is_whole: bool) -> io::Result<()> {
                let event = &decoded.event;
                let extra = if is_whole { unknown_fields(decoded.json)? } else { None };
                let id = (is_whole || needs_id(&event.kind)).then(|| hash::to_hex(&decoded.id));
                self.v.append_value(event.v);
                self.id.append_option(id);
                self.ts.append_value(decoded.micros);
                $(EventField::append(Some(&event.$name), &mut self.$name);)+
                self.extra.append_option(extra);
                Ok(())
            }

            /// The batch.
            pub(crate) fn finish(mut self) -> Result<RecordBatch, ArrowError> {
                let columns: Vec<(&str, ArrayRef)> = vec![
                    ("v", Arc::new(self.v.finish())),
                    ("id", Arc::new(self.id.finish())),
                    ("ts", Arc::new(self.ts.finish())),
                    $((stringify!($name), Arc::new(self.$name.finish())),)+
                    ("extra", Arc::new(self.extra.finish())),
                ];
                let columns = columns.into_iter().map(|(name, column)| (name, column, true));
                RecordBatch::try_from_iter_with_nullable(columns)
            }
        }

        /// True for the fields that every event has. The others may be missing from a sealed segment or a line: earlier
        /// versions did not have all of them.
        fn is_required(name: &str) -> bool {
            match name {
                "v" | "ts" => true,
                $(stringify!($name) => <types::$type<'_> as EventField>::IS_REQUIRED,)+
                _ => false,
            }
        }
    };
}

plantune_domain::event_fields!(columns);

static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    let empty = EventsBuilder::default().finish();
    empty.map_or_else(|_| Arc::new(Schema::empty()), |batch| batch.schema())
});

/// The columns' names and SQL types.
static FIELDS: LazyLock<Vec<(String, &str)>> = LazyLock::new(|| {
    let fields = SCHEMA.fields().iter();
    fields
        .map(|field| (field.name().clone(), sql_type(field.data_type())))
        .collect()
});

/// The names and SQL types of the columns. Each is a field of an event, except the last, `extra`: a JSON object of the
/// fields that this version does not know.
pub fn fields() -> &'static [(String, &'static str)] {
    &FIELDS
}

/// The statement `sql`, its `{columns}` replaced by the columns of a table of events.
pub fn with_event_columns(sql: &str) -> String {
    let columns = FIELDS.iter();
    let columns = columns.map(|(name, r#type)| format!("\"{name}\" {type}"));
    sql.replace("{columns}", &columns.collect::<Vec<_>>().join(", "))
}

/// True for the name of a field of an event.
pub(crate) fn is_field(name: &str) -> bool {
    name != "extra" && FIELDS.iter().any(|(field, _)| *field == name)
}

/// True for events that are a row of their own, with their id.
fn needs_id(kind: &str) -> bool {
    let is_merged = |kind: Kind| {
        kind.is_of_question() || matches!(kind, Kind::SessionStarted | Kind::SessionEnded)
    };
    Kind::parse(kind).is_some_and(|kind| !is_merged(kind))
}

fn sql_type(data_type: &DataType) -> &'static str {
    match data_type {
        DataType::Utf8 => "VARCHAR",
        DataType::UInt32 => "UINTEGER",
        DataType::Float64 => "DOUBLE",
        DataType::Boolean => "BOOLEAN",
        DataType::Timestamp(TimeUnit::Microsecond, None) => "TIMESTAMP",
        DataType::List(item) if *item.data_type() == DataType::Utf8 => "VARCHAR[]",
        _ => "",
    }
}

/// A field of an event, and how it becomes a column.
trait EventField {
    type Builder: Default;
    const IS_REQUIRED: bool = true;

    /// Appends the field to a column; null for `None`.
    fn append(field: Option<&Self>, column: &mut Self::Builder);
}

impl EventField for u32 {
    type Builder = UInt32Builder;

    fn append(field: Option<&Self>, column: &mut UInt32Builder) {
        column.append_option(field.copied());
    }
}

impl EventField for f64 {
    type Builder = Float64Builder;

    fn append(field: Option<&Self>, column: &mut Float64Builder) {
        column.append_option(field.copied());
    }
}

impl EventField for bool {
    type Builder = BooleanBuilder;

    fn append(field: Option<&Self>, column: &mut BooleanBuilder) {
        column.append_option(field.copied());
    }
}

impl EventField for Text<'_> {
    type Builder = StringBuilder;

    fn append(field: Option<&Self>, column: &mut StringBuilder) {
        column.append_option(field.map(|text| &**text));
    }
}

impl EventField for Reach {
    type Builder = StringBuilder;

    fn append(field: Option<&Self>, column: &mut StringBuilder) {
        column.append_option(field.map(|reach| reach.name()));
    }
}

impl EventField for Vec<Text<'_>> {
    type Builder = ListBuilder<StringBuilder>;

    fn append(field: Option<&Self>, column: &mut Self::Builder) {
        column.append_option(field.map(|texts| texts.iter().map(|text| Some(&**text))));
    }
}

impl<T: EventField> EventField for Option<T> {
    type Builder = T::Builder;
    const IS_REQUIRED: bool = false;

    fn append(field: Option<&Self>, column: &mut T::Builder) {
        T::append(field.and_then(Option::as_ref), column);
    }
}

/// A batch from a sealed segment as events, with nulls for missing fields; `None` when it has no ids (`has_ids`) but
/// some are needed.
pub(crate) fn complete(
    batch: &RecordBatch,
    has_ids: bool,
) -> Result<Option<RecordBatch>, ArrowError> {
    let wrong = |words: &str| Err(ArrowError::SchemaError(words.to_owned()));
    let column_of = |field: &FieldRef| {
        let (name, r#type) = (field.name().as_str(), field.data_type());
        match batch.column_by_name(name) {
            Some(column) if sql_type(column.data_type()) == sql_type(r#type) => Ok(column.clone()),
            None if !is_required(name) => Ok(new_null_array(r#type, batch.num_rows())),
            _ => Err(unexpected(name)),
        }
    };
    let columns = SCHEMA.fields().iter();
    let columns = columns.map(|field| Ok((field.name(), column_of(field)?, true)));
    let columns: Result<Vec<_>, ArrowError> = columns.collect();
    let batch = RecordBatch::try_from_iter_with_nullable(columns?)?;
    let versions: &UInt32Array = column(&batch, "v")?;
    if versions.iter().any(|v| v != Some(SCHEMA_VERSION)) {
        return wrong("a row of another schema version");
    }
    if column::<duckdb::arrow::array::TimestampMicrosecondArray>(&batch, "ts")?.null_count() > 0 {
        return wrong("a row without a time");
    }
    if has_ids {
        let is_id = |id: Option<&str>| id.and_then(decode_id).is_some();
        if !texts(&batch, "id")?.iter().all(is_id) {
            return wrong("an id that is none");
        }
    }
    let is_any_needed = texts(&batch, "kind")?.iter().flatten().any(needs_id);
    Ok((has_ids || !is_any_needed).then_some(batch))
}

/// The fields that earlier versions wrote after `level`, and their SQL types.
const FORMER: [(&str, &str); 2] = [("assisted", "BOOLEAN"), ("shown", "VARCHAR")];

/// `events` with those columns of `sealed`, the batch that they were read from, that earlier versions wrote: the digest
/// of a sealed segment covers them, and nothing else reads them.
pub(crate) fn with_former(
    events: &RecordBatch,
    sealed: &RecordBatch,
) -> Result<RecordBatch, ArrowError> {
    let schema = events.schema();
    let mut columns = Vec::new();
    for (field, column) in schema.fields().iter().zip(events.columns()) {
        columns.push((field.name().as_str(), column.clone(), true));
        if field.name() == "level" {
            columns.extend(FORMER.iter().filter_map(|(name, r#type)| {
                let column = sealed.column_by_name(name)?;
                (sql_type(column.data_type()) == *r#type).then(|| (*name, column.clone(), true))
            }));
        }
    }
    RecordBatch::try_from_iter_with_nullable(columns)
}

/// A hash of each event: FNV-1a, 64 bits, of the names and values of its non-null fields. Columns added by a later
/// version do not change it.
pub(crate) fn digests(events: &RecordBatch) -> Vec<u64> {
    let mut digests = vec![FNV_BASIS; events.num_rows()];
    for (field, values) in events.schema().fields().iter().zip(events.columns()) {
        for (row, digest) in digests.iter_mut().enumerate() {
            if values.is_null(row) {
                continue;
            }
            add_text(digest, field.name());
            match field.data_type() {
                DataType::Utf8 => add_text(digest, values.as_string::<i32>().value(row)),
                DataType::List(_) => {
                    let items = values.as_list::<i32>().value(row);
                    add_number(digest, items.len() as u64);
                    let items = items.as_string::<i32>().iter().flatten();
                    items.for_each(|item| add_text(digest, item));
                }
                DataType::UInt32 => {
                    let number = values.as_primitive::<UInt32Type>().value(row);
                    add_number(digest, u64::from(number));
                }
                DataType::Float64 => {
                    let number = values.as_primitive::<Float64Type>().value(row);
                    add_number(digest, number.to_bits());
                }
                DataType::Boolean => add_number(digest, values.as_boolean().value(row).into()),
                _ => {
                    let time = values.as_primitive::<TimestampMicrosecondType>().value(row);
                    add_number(digest, time.cast_unsigned());
                }
            }
        }
    }
    digests
}

fn add_number(digest: &mut u64, number: u64) {
    *digest = fnv1a(*digest, &number.to_le_bytes());
}

fn add_text(digest: &mut u64, text: &str) {
    add_number(digest, text.len() as u64);
    *digest = fnv1a(*digest, text.as_bytes());
}

/// The fields of the JSON object `json` that are not fields of an event, as an object; `None` when there are none.
fn unknown_fields(json: &str) -> serde_json::Result<Option<String>> {
    let members: Members<'_> = serde_json::from_str(json)?;
    let mut found: Option<String> = None;
    for (name, value) in members.0 {
        if is_field(&name) {
            continue;
        }
        let object = found.get_or_insert_default();
        object.push(if object.is_empty() { '{' } else { ',' });
        *object += &serde_json::to_string(&name)?;
        object.push(':');
        *object += value.get();
    }
    Ok(found.map(|object| object + "}"))
}

// Reading the columns of record batches, and appending batches to tables.

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

/// The error that a batch lacks the column `name`, or has it with another type.
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

/// The most rows that DuckDB takes from a table function at a time, and the approximate number of bytes.
const TAKEN_ROWS: usize = 2048;
const TAKEN_BYTES: usize = 4 * 1024 * 1024;

/// The rows of `batch` in ranges that DuckDB takes at a time.
pub(crate) fn for_duckdb(batch: &RecordBatch) -> impl Iterator<Item = Range<usize>> + use<> {
    let (rows, bytes) = (batch.num_rows(), bytes(batch));
    let most = (TAKEN_BYTES * rows / bytes.max(1)).clamp(1, TAKEN_ROWS);
    (0..rows)
        .step_by(most)
        .map(move |from| from..rows.min(from + most))
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
    // Dropping an appender would swallow the error of its last flush.
    Ok(appender.flush()?)
}

// Table functions: DuckDB's threads ask for rows, so that one query reads them in parallel. (The appender works on one
// thread.)

/// Rows for one query.
pub(crate) trait RowSource: Send + Sync {
    /// The next rows, no more than a range of [`for_duckdb`]; `None` at the end. Several threads call it at once, and a
    /// thread that gets no row does not call it again.
    ///
    /// # Errors
    /// Why the rows cannot be read. DuckDB passes on only the words.
    fn next(&self) -> Result<Option<RecordBatch>, String>;
}

/// The columns of a table function, and what makes the rows for a query.
#[derive(Clone)]
struct FunctionRows {
    schema: SchemaRef,
    open: Arc<dyn Fn() -> Option<Arc<dyn RowSource>> + Send + Sync>,
}

/// Registers the table function `name`, with the columns of `schema`. `open` makes the rows for each query; without
/// any, the query fails.
pub(crate) fn register_rows(
    connection: &Connection,
    name: &str,
    schema: SchemaRef,
    open: impl Fn() -> Option<Arc<dyn RowSource>> + Send + Sync + 'static,
) -> duckdb::Result<()> {
    let open = Arc::new(open);
    let rows = FunctionRows { schema, open };
    connection.register_table_function_with_extra_info::<RowsFunction, FunctionRows>(name, &rows)
}

struct RowsFunction;

/// The rows behind a pointer that the crate returns.
///
/// # Errors
/// When there are none.
#[allow(
    unsafe_code,
    reason = "the crate returns extra information as a raw pointer only"
)]
fn rows_at<'p>(pointer: *const FunctionRows) -> Result<&'p FunctionRows, Box<dyn StdError>> {
    // SAFETY: the pointer is to the `FunctionRows` that `register_rows` handed over for this very function; DuckDB's
    // catalog keeps it alive as long as the function exists, and nobody changes it.
    unsafe { pointer.as_ref() }.ok_or_else(|| "no rows".into())
}

impl VTab for RowsFunction {
    type InitData = Arc<dyn RowSource>;
    type BindData = ();

    fn bind(bind: &BindInfo) -> Result<(), Box<dyn StdError>> {
        for field in rows_at(bind.get_extra_info())?.schema.fields() {
            bind.add_result_column(field.name(), to_duckdb_logical_type_for_field(field)?);
        }
        Ok(())
    }

    fn init(init: &InitInfo) -> Result<Self::InitData, Box<dyn StdError>> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        init.set_max_threads(threads as u64);
        let rows = (rows_at(init.get_extra_info())?.open)();
        rows.ok_or_else(|| "no log is being read".into())
    }

    fn func(
        function: &TableFunctionInfo<Self>,
        output: &mut DataChunkHandle,
    ) -> Result<(), Box<dyn StdError>> {
        match function.get_init_data().next()? {
            Some(batch) => record_batch_to_duckdb_data_chunk(&batch, output),
            None => {
                output.set_len(0);
                Ok(())
            }
        }
    }
}

/// Rows that were inserted and are not in their file yet.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Unsaved {
    rows: usize,
    bytes: usize,
}

impl Unsaved {
    /// The average size in bytes from which rows count as long.
    const LONG_ROW: usize = 4096;

    /// The size in bytes of long rows that fills a row group.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_fields_are_kept_as_written() {
        let of = |json| unknown_fields(json).unwrap();
        assert_eq!(of("{\"v\":1,\"kind\":\"asked\"}"), None);
        let found =
            of("{\"v\":1,\"new\": { \"a\":1.0} ,\"\\u0065xtra\":null,\"kind\":\"x\",\"new\":2}");
        assert_eq!(
            found.as_deref(),
            Some("{\"new\":{ \"a\":1.0},\"extra\":null,\"new\":2}")
        );
        // Applying it again changes nothing.
        assert_eq!(of(found.as_deref().unwrap()), found);
        let deep = format!("{{\"n\":{}{}}}", "[".repeat(9999), "]".repeat(9999));
        assert_eq!(of(&deep), Some(deep.clone()));
    }
}
