//! Events as rows of the lake: what leaves the machine of each, and nothing else.

use std::sync::Arc;

use chrono::{DateTime, NaiveDate};
use duckdb::arrow::array::{
    Array as _, ArrayRef, AsArray as _, Date32Array, Int64Array, ListArray, ListBuilder,
    RecordBatch, StringArray, StringBuilder, TimestampMicrosecondArray, new_null_array,
};
use duckdb::arrow::datatypes::TimestampMicrosecondType;
use duckdb::arrow::error::ArrowError;
use plantune_domain::event::QuestionOutcome;
use plantune_domain::keys::is_id;
use plantune_domain::recommended::strip_mark;
use plantune_ingest::event_columns;

use super::fields::{Treatment, treatment};
use crate::config::{Level, ProjectNames};
use crate::key::OrganisationKey;

/// How events become rows.
pub(crate) struct Rules<'a> {
    pub(crate) key: &'a OrganisationKey,
    pub(crate) level: Level,
    pub(crate) projects: ProjectNames,
    pub(crate) publisher: &'a str,
}

impl Rules<'_> {
    /// The rows of `events`, with their days and `journal_keys`, in the columns of the table `incoming`.
    ///
    /// # Errors
    /// When `events` are none.
    pub(crate) fn rows(
        &self,
        events: &RecordBatch,
        journal_keys: &[String],
    ) -> Result<RecordBatch, ArrowError> {
        let mut columns: Vec<(&str, ArrayRef, bool)> = Vec::new();
        let of_questions = of_questions(text(events, "kind")?);
        for (name, sql_type) in event_columns() {
            let column = match treatment(name, sql_type) {
                Treatment::Key => Arc::new(self.keys(events)?),
                treatment => self.treated(array(events, name)?, treatment, &of_questions),
            };
            columns.push((name, column, true));
        }
        let times: &TimestampMicrosecondArray =
            array(events, "ts")?.as_primitive::<TimestampMicrosecondType>();
        let times: Int64Array = times.iter().collect();
        let days: Date32Array = times.iter().map(|time| time.and_then(epoch_day)).collect();
        let names = answer_names(events)?;
        let hashes = names.iter().map(|name| match name {
            Some(name) if is_placeholder(name) => Some(name.clone()),
            name => name.as_deref().map(|name| self.key.hash("label", name)),
        });
        let hashes: StringArray = hashes.collect();
        let shown = names
            .iter()
            .zip(&of_questions)
            .map(|(name, of_question)| name.as_deref().filter(|_| self.shows_labels(*of_question)));
        let shown: StringArray = shown.collect();
        let publisher = StringArray::from(vec![self.publisher; events.num_rows()]);
        columns.push(("publisher", Arc::new(publisher), true));
        columns.push(("ts_us", Arc::new(times), true));
        columns.push(("project_name", self.project_names(events)?, true));
        columns.push(("key_name", self.key_names(events)?, true));
        columns.push(("answer_hash", Arc::new(hashes), true));
        columns.push(("answer_name", Arc::new(shown), true));
        columns.push(("day", Arc::new(days), true));
        let journal_keys: StringArray = journal_keys.iter().map(Some).collect();
        columns.push(("journal_key", Arc::new(journal_keys), true));
        RecordBatch::try_from_iter_with_nullable(columns)
    }

    fn shows_labels(&self, of_question: bool) -> bool {
        self.level == Level::Full || (self.level == Level::KeysAndLabels && of_question)
    }

    fn treated(&self, column: &ArrayRef, treatment: Treatment, of_questions: &[bool]) -> ArrayRef {
        let each = |change: &dyn Fn(&str) -> String| -> ArrayRef {
            let texts = column.as_string::<i32>().iter();
            // What is empty says nothing.
            let changed = texts.map(|text| match text {
                Some(text) if !text.is_empty() => Some(change(text)),
                text => text.map(str::to_owned),
            });
            Arc::new(changed.collect::<StringArray>())
        };
        match treatment {
            Treatment::Kept | Treatment::Key => column.clone(),
            Treatment::Full | Treatment::Subject if self.level == Level::Full => column.clone(),
            Treatment::Full => new_null_array(column.data_type(), column.len()),
            Treatment::Word(words) => each(&|text| {
                let known = words.iter().find(|word| **word == text);
                known.copied().unwrap_or("other").to_owned()
            }),
            Treatment::Identity(what) => each(&|text| self.key.hash(what, text)),
            Treatment::Subject => each(&|text| self.key.hash("subject", text)),
            Treatment::Name => each(&|text| {
                // A skill, and the command of its name, are one.
                let name = text.strip_prefix('/').unwrap_or(text);
                match is_plain_name(name) {
                    true => name.to_owned(),
                    false => self.key.hash("name", name),
                }
            }),
            Treatment::Labels => self.labels(column, of_questions),
        }
    }

    /// A label, or a list of labels, of each row.
    fn labels(&self, column: &ArrayRef, of_questions: &[bool]) -> ArrayRef {
        let treated = |row: usize, label: &str| match of_questions.get(row) {
            Some(of_question) if self.shows_labels(*of_question) => label.to_owned(),
            _ => label_hash(self.key, label),
        };
        let Some(lists) = column.as_list_opt::<i32>() else {
            let labels = column.as_string::<i32>().iter().enumerate();
            let labels = labels.map(|(row, label)| label.map(|label| treated(row, label)));
            return Arc::new(labels.collect::<StringArray>());
        };
        let mut builder = ListBuilder::new(StringBuilder::new());
        for row in 0..lists.len() {
            let labels = items(lists, row);
            builder.append_option(labels.map(|labels| {
                let treated = labels.iter().map(|label| treated(row, label));
                treated.map(Some).collect::<Vec<_>>()
            }));
        }
        Arc::new(builder.finish())
    }

    fn keys(&self, events: &RecordBatch) -> Result<StringArray, ArrowError> {
        let (keys, sources) = (text(events, "question_key")?, text(events, "key_source")?);
        let keys = keys
            .iter()
            .zip(sources)
            .map(|(key, source)| key.map(|key| published_key(self.key, key, source)));
        Ok(keys.collect())
    }

    fn key_names(&self, events: &RecordBatch) -> Result<ArrayRef, ArrowError> {
        let (keys, sources) = (text(events, "question_key")?, text(events, "key_source")?);
        let kinds = text(events, "kind")?;
        let of_questions = of_questions(kinds);
        let options = array(events, "options")?.as_list::<i32>();
        let names = keys
            .iter()
            .zip(sources)
            .enumerate()
            .map(|(row, (key, source))| {
                let key = key.filter(|_| self.level != Level::None)?;
                match names_itself(key, source) {
                    false => Some(key.to_owned()),
                    true if source == Some("marker") => None,
                    // A hash has no name but the labels, which leave in clear at these levels.
                    true => {
                        let of_question = of_questions.get(row).copied().unwrap_or_default();
                        items(options, row)
                            .filter(|_| of_question)
                            .and_then(|labels| labels_name(&labels))
                    }
                }
            });
        Ok(Arc::new(names.collect::<StringArray>()))
    }

    fn project_names(&self, events: &RecordBatch) -> Result<ArrayRef, ArrowError> {
        let column = array(events, "project")?;
        match self.projects == ProjectNames::Name || self.level == Level::Full {
            true => Ok(column.clone()),
            false => Ok(new_null_array(column.data_type(), column.len())),
        }
    }
}

/// A column of any type.
fn array<'b>(events: &'b RecordBatch, name: &str) -> Result<&'b ArrayRef, ArrowError> {
    let column = events.column_by_name(name);
    column.ok_or_else(|| ArrowError::SchemaError(format!("no column {name}")))
}

/// A column of texts.
pub(crate) fn text<'b>(events: &'b RecordBatch, name: &str) -> Result<&'b StringArray, ArrowError> {
    Ok(array(events, name)?.as_string::<i32>())
}

/// When the events happened, in microseconds since 1970, UTC.
pub(crate) fn times(events: &RecordBatch) -> Result<&TimestampMicrosecondArray, ArrowError> {
    Ok(array(events, "ts")?.as_primitive::<TimestampMicrosecondType>())
}

/// The UTC day of a time.
pub(crate) fn day(micros: i64) -> Option<NaiveDate> {
    DateTime::from_timestamp_micros(micros).map(|time| time.date_naive())
}

fn epoch_day(micros: i64) -> Option<i32> {
    i32::try_from((day(micros)? - NaiveDate::default()).num_days()).ok()
}

/// For each event, whether it is about a question.
fn of_questions(kinds: &StringArray) -> Vec<bool> {
    let is =
        |kind: &str| kind == "asked" || (QuestionOutcome::parse(kind).is_some() && kind != "open");
    kinds.iter().map(|kind| kind.is_some_and(is)).collect()
}

/// True for a key that says nothing of a question's text: a marker's, that its author chose, and hashes.
fn names_itself(key: &str, source: Option<&str>) -> bool {
    let is_hash = |digits: &str| digits.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-');
    let hashed = key.strip_prefix("fp-").or_else(|| key.strip_prefix("fam-"));
    match source {
        Some("registry") => false,
        Some("marker") => is_id(key),
        _ => hashed.is_some_and(|digits| digits.len() >= 16 && is_hash(digits)),
    }
}

/// As what a question's key is published.
pub(crate) fn published_key(
    organisation: &OrganisationKey,
    key: &str,
    source: Option<&str>,
) -> String {
    match names_itself(key, source) {
        true => key.to_owned(),
        false => {
            let hash = organisation.hash("key", key);
            format!("key-{}", hash.chars().take(16).collect::<String>())
        }
    }
}

/// As what a label is published where it is not in clear.
pub(crate) fn label_hash(organisation: &OrganisationKey, label: &str) -> String {
    organisation.hash("label", strip_mark(label).0)
}

fn is_plain_name(name: &str) -> bool {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"-_:.".contains(&b);
    name.len() <= 64 && name.bytes().all(is_plain)
}

/// What a question without a name is called: its labels, without marks and in one order.
fn labels_name(labels: &[String]) -> Option<String> {
    let mut labels: Vec<&str> = labels.iter().map(|label| strip_mark(label).0).collect();
    labels.sort_unstable();
    (!labels.is_empty()).then(|| labels.join(" | "))
}

/// True for what an answer is counted by that is no label.
fn is_placeholder(name: &str) -> bool {
    matches!(name, "(typed)" | "(noted)")
}

/// What answers are counted by: the labels without marks of recommendation, joined, or `(typed)`, `(noted)`.
fn answer_names(events: &RecordBatch) -> Result<Vec<Option<String>>, ArrowError> {
    let answers = array(events, "answer")?.as_list::<i32>();
    let typed = text(events, "free_text")?;
    let name = |row: usize| {
        let labels = items(answers, row);
        match labels.as_deref() {
            Some(labels) if !labels.is_empty() => {
                let labels: Vec<&str> = labels.iter().map(|label| strip_mark(label).0).collect();
                Some(labels.join(", "))
            }
            _ if typed.is_valid(row) => Some("(typed)".to_owned()),
            labels => labels.map(|_| "(noted)".to_owned()),
        }
    };
    Ok((0..events.num_rows()).map(name).collect())
}

/// The texts of a list; `None` for a null.
pub(crate) fn items(lists: &ListArray, row: usize) -> Option<Vec<String>> {
    lists.is_valid(row).then(|| {
        let items = lists.value(row);
        let items = items.as_string::<i32>().iter().flatten();
        items.map(str::to_owned).collect()
    })
}

#[cfg(test)]
mod tests {
    use plantune_ingest::with_event_columns;

    use super::*;

    #[test]
    fn the_document_has_every_column_and_what_leaves_of_it() {
        let connection = duckdb::Connection::open_in_memory().unwrap();
        let table = with_event_columns(include_str!("../../sql/lake/columns.sql"));
        connection.execute_batch(&table).unwrap();
        let sql = "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = 'lake_rows' ORDER BY column_index";
        let mut statement = connection.prepare(sql).unwrap();
        let columns = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
        let of_events = event_columns().len();
        let lines = columns.unwrap().enumerate().map(|(number, column)| {
            let (name, sql_type): (String, String) = column.unwrap();
            let at = match name.as_str() {
                "publisher" => ["random id"; 3],
                "ts_us" => ["as it is"; 3],
                "project_name" => ["by `projects`", "by `projects`", "in clear"],
                "answer_hash" => ["keyed hash"; 3],
                "key_name" | "answer_name" => ["nothing", "in clear", "in clear"],
                name => {
                    assert!(number < of_events, "{name}");
                    let treatment = treatment(name, &sql_type);
                    [Level::None, Level::KeysAndLabels, Level::Full]
                        .map(|level| treatment.at(level))
                }
            };
            format!("| `{name}` | {sql_type} | {} |\n", at.join(" | "))
        });
        let table: String = lines.collect();
        let docs = include_str!("../../../docs/development/fleet-lake.md");
        assert!(
            docs.contains(&table),
            "docs/development/fleet-lake.md lacks:\n{table}"
        );
    }

    #[test]
    fn keys_of_markers_and_hashes_are_published_and_names_made_of_texts_are_not() {
        for (key, source, expected) in [
            ("ship-todos-create", Some("marker"), true),
            ("Not an id", Some("marker"), false),
            ("fp-0123456789abcdef", Some("fingerprint"), true),
            ("fam-0123456789abcdef-01234567", Some("family"), true),
            ("fp-0123456789abcdef", None, true),
            ("shall-i-drop-the-payments-table", Some("registry"), false),
            ("shall-i-drop-the-payments-table", None, false),
            ("fp-shall-i-drop-it", Some("fingerprint"), false),
        ] {
            assert_eq!(names_itself(key, source), expected, "{key} {source:?}");
        }
    }
}
