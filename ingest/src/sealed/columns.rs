//! The columns of a sealed segment: an event's fields, in their order and with their names, and `extra`.

use duckdb::arrow::array::RecordBatch;
use duckdb::arrow::error::ArrowError;
use plantune_domain::event::{Event, SCHEMA_VERSION, Text};
use plantune_domain::hash;

use super::unknown_fields::unknown_fields;
use crate::spool::{Decoded, decode_id};
use crate::store::columns::{Column, Type, Value, rows};

/// Defines the columns by the fields of [`Event`], and how an event becomes values and back.
macro_rules! fields {
    ($($name:ident: $type:ident,)+) => {
        /// The columns. Each is a field of [`Event`], but for the last, `extra`: a JSON object of the fields
        /// that this version does not know.
        pub(crate) const COLUMNS: &[Column] =
            &[$((stringify!($name), Type::$type),)+ (EXTRA, Type::Text)];

        fn values_of<'a>(event: &'a Event<'_>) -> Vec<Value<'a>> {
            vec![$(Field::value(&event.$name),)+]
        }

        fn event_of<'a>(values: &mut impl Iterator<Item = Value<'a>>) -> Event<'a> {
            Event { $($name: Field::of(values.next().unwrap_or(Value::Null)),)+ }
        }
    };
}

fields! {
    v: U32,
    id: Text,
    ts: Time,
    kind: Text,
    session_id: Text,
    session_kind: Text,
    project: Text,
    cwd: Text,
    permission_mode: Text,
    entrypoint: Text,
    agent_id: Text,
    source: Text,
    tool_name: Text,
    tool_use_id: Text,
    question_index: U32,
    question_count: U32,
    question_key: Text,
    key_source: Text,
    question: Text,
    header: Text,
    options: Texts,
    descriptions: Texts,
    previews: Texts,
    recommended: Text,
    multi_select: Bool,
    door: Text,
    door_reason: Text,
    skill: Text,
    ask_reason: Text,
    answer: Texts,
    free_text: Text,
    notes: Text,
    was_auto_decided: Bool,
    followed_recommendation: Bool,
    preference: Text,
    preference_scope: Text,
    mechanism: Text,
    level: Text,
    assisted: Bool,
    shown: Text,
    error: Text,
    error_kind: Text,
    reason: Text,
    detail: Text,
    truncated: Bool,
}

const EXTRA: &str = "extra";

/// A field of an event as a value of a column, and back; the default where the value is null.
trait Field<'a>: Sized {
    fn value(&self) -> Value<'_>;
    fn of(value: Value<'a>) -> Self;
}

impl<'a> Field<'a> for u32 {
    fn value(&self) -> Value<'_> {
        (*self).into()
    }

    fn of(value: Value<'a>) -> Self {
        match value {
            Value::U32(number) => number,
            _ => 0,
        }
    }
}

impl<'a> Field<'a> for bool {
    fn value(&self) -> Value<'_> {
        (*self).into()
    }

    fn of(value: Value<'a>) -> Self {
        value == Value::Bool(true)
    }
}

impl<'a> Field<'a> for Text<'a> {
    fn value(&self) -> Value<'_> {
        self.into()
    }

    fn of(value: Value<'a>) -> Self {
        match value {
            Value::Text(text) => Self(text),
            _ => Self::default(),
        }
    }
}

impl<'a> Field<'a> for Vec<Text<'a>> {
    fn value(&self) -> Value<'_> {
        self.into()
    }

    fn of(value: Value<'a>) -> Self {
        match value {
            Value::Texts(texts) => texts.into_owned(),
            _ => Self::new(),
        }
    }
}

impl<'a, T: Field<'a>> Field<'a> for Option<T> {
    fn value(&self) -> Value<'_> {
        self.as_ref().map_or(Value::Null, Field::value)
    }

    fn of(value: Value<'a>) -> Self {
        (value != Value::Null).then(|| T::of(value))
    }
}

/// True for the name of a field of [`Event`].
pub(super) fn is_field(name: &str) -> bool {
    name != EXTRA && COLUMNS.iter().any(|(column, _)| *column == name)
}

/// The names and SQL types of the columns.
pub(crate) fn sql_types() -> impl Iterator<Item = (&'static str, &'static str)> {
    COLUMNS.iter().map(|(name, r#type)| (*name, r#type.sql()))
}

/// The values of [`COLUMNS`] for an event.
///
/// # Errors
/// None is known: what was decoded is JSON.
pub(super) fn row<'a>(decoded: &'a Decoded<'_>) -> serde_json::Result<Vec<Value<'a>>> {
    let mut values = values_of(&decoded.event);
    if let [_, id, ts, ..] = &mut *values {
        *id = hash::to_hex(&decoded.id).into();
        *ts = Value::Time(decoded.micros);
    }
    values.push(unknown_fields(&decoded.json)?.into());
    Ok(values)
}

/// A hash of the values that are not null, with their names: FNV-1a, 64 bits. Columns that a later version
/// adds do not change it.
pub(super) fn digest(values: &[Value<'_>]) -> u64 {
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    for ((name, _), value) in COLUMNS.iter().zip(values) {
        if *value != Value::Null {
            hash.text(name);
        }
        match value {
            Value::Text(text) => hash.text(text),
            Value::Texts(texts) => {
                hash.number(texts.len() as u64);
                texts.iter().for_each(|text| hash.text(text));
            }
            Value::U32(number) => hash.number(u64::from(*number)),
            Value::Bool(flag) => hash.number(u64::from(*flag)),
            Value::Time(time) => hash.number(time.cast_unsigned()),
            _ => {}
        }
    }
    hash.0
}

struct Fnv(u64);

impl Fnv {
    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn number(&mut self, number: u64) {
        self.add(&number.to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.add(text.as_bytes());
    }
}

/// The events of a batch of [`COLUMNS`]; their ids are zero when that column was not read.
///
/// # Errors
/// When a column is missing or of another type, or a row holds no event.
pub(crate) fn decode_rows(batch: &RecordBatch) -> Result<Vec<Decoded<'_>>, ArrowError> {
    rows(batch, COLUMNS)?.map(decode_row).collect()
}

fn decode_row(values: Vec<Value<'_>>) -> Result<Decoded<'_>, ArrowError> {
    let wrong = |words: &str| ArrowError::SchemaError(words.to_owned());
    let micros = values.get(2).and_then(Value::time);
    let mut values = values.into_iter();
    let mut event = event_of(&mut values);
    if event.v != SCHEMA_VERSION {
        return Err(wrong("a row of another schema version"));
    }
    let id = std::mem::take(&mut event.id);
    let id = if id.is_empty() {
        [0; 16]
    } else {
        decode_id(&id).ok_or_else(|| wrong("an id that is none"))?
    };
    Ok(Decoded {
        event,
        id,
        micros: micros.ok_or_else(|| wrong("a row without a time"))?,
        json: Text::of(values.next().unwrap_or(Value::Null)).0,
    })
}
