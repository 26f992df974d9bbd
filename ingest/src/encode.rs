//! Events of batches as the lines that they were read from.

use chrono::{DateTime, SecondsFormat};
use duckdb::arrow::array::{Array as _, AsArray as _, RecordBatch, TimestampMicrosecondArray};
use duckdb::arrow::datatypes::{DataType, Float64Type, TimestampMicrosecondType, UInt32Type};

use crate::Error;
use crate::arrow::{column, texts};
use crate::lines::{Decoded, decode_id, decode_lines};
use crate::reader::Part;

/// An event as a line, without its newline. Ordered by time, then by id.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct EventLine {
    /// Microseconds since 1970, UTC.
    pub(crate) micros: i64,
    pub(crate) id: [u8; 16],
    pub(crate) line: Box<str>,
}

impl EventLine {
    /// About how much memory it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.line.len() + size_of::<Self>()
    }
}

/// The events of a part of the log. Bad lines are left out.
///
/// # Errors
/// The errors of [`Part::events`].
pub(crate) fn lines_of(part: &Part) -> Result<Vec<EventLine>, Error> {
    if let Part::Lines(chunk) = part {
        let events = decode_lines(chunk).events.into_iter();
        let line = |event: Decoded<'_>| EventLine {
            micros: event.micros,
            id: event.id,
            line: event.json.into(),
        };
        return Ok(events.map(line).collect());
    }
    lines_of_batch(&part.events(true)?.0)
}

/// The events of `batch`, which has every field.
///
/// # Errors
/// When it lacks one.
pub(crate) fn lines_of_batch(batch: &RecordBatch) -> Result<Vec<EventLine>, Error> {
    let times: &TimestampMicrosecondArray = column(batch, "ts")?;
    let ids = texts(batch, "id")?;
    let line = |row: usize| {
        Ok(EventLine {
            micros: times.value(row),
            id: decode_id(ids.value(row)).unwrap_or_default(),
            line: line(batch, row).into(),
        })
    };
    (0..batch.num_rows()).map(line).collect()
}

/// The event in `row` as a JSON object without what is null. The fields that this version does not know come last, as
/// they were written.
fn line(batch: &RecordBatch, row: usize) -> String {
    let mut line = String::from("{");
    for (field, values) in batch.schema().fields().iter().zip(batch.columns()) {
        if values.is_null(row) {
            continue;
        }
        let json = match field.data_type() {
            DataType::Utf8 if field.name() == "extra" => {
                let members = values.as_string::<i32>().value(row);
                let members = members
                    .strip_prefix('{')
                    .and_then(|it| it.strip_suffix('}'));
                if let Some(members) = members.filter(|members| !members.is_empty()) {
                    line.push(',');
                    line += members;
                }
                continue;
            }
            DataType::Utf8 => text(values.as_string::<i32>().value(row)),
            DataType::List(_) => {
                let items = values.as_list::<i32>().value(row);
                let items = items.as_string::<i32>().iter().flatten().map(text);
                format!("[{}]", items.collect::<Vec<_>>().join(","))
            }
            DataType::UInt32 => values.as_primitive::<UInt32Type>().value(row).to_string(),
            DataType::Float64 => {
                serde_json::Value::from(values.as_primitive::<Float64Type>().value(row)).to_string()
            }
            DataType::Boolean => values.as_boolean().value(row).to_string(),
            _ => {
                let times = values.as_primitive::<TimestampMicrosecondType>();
                text(&timestamp(times.value(row)))
            }
        };
        if line.len() > 1 {
            line.push(',');
        }
        line += &text(field.name());
        line.push(':');
        line += &json;
    }
    line.push('}');
    line
}

fn text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Microseconds since 1970 as RFC 3339, to the millisecond where that is exact.
fn timestamp(micros: i64) -> String {
    let digits = match micros % 1000 {
        0 => SecondsFormat::Millis,
        _ => SecondsFormat::Micros,
    };
    let time = DateTime::from_timestamp_micros(micros).unwrap_or_default();
    time.to_rfc3339_opts(digits, true)
}
