//! Events as rows of the lake: what leaves the machine of each, and nothing else.

use plantune_domain::event::QuestionOutcome;
use plantune_domain::host::is_known;
use plantune_domain::keys::is_id;
use plantune_domain::recommended::strip_mark;
use plantune_ingest::event_columns;
use serde_json::{Map, Value};

use super::config::{Level, ProjectNames};
use super::fields::{Treatment, treatment};
use super::key::OrganisationKey;

/// An event of the log, or a row of the lake: what stands in the columns. Times are microseconds since 1970, UTC.
pub(super) type Event = Map<String, Value>;

/// How events become rows.
pub(super) struct Rules<'a> {
    pub(super) key: &'a OrganisationKey,
    pub(super) level: Level,
    pub(super) projects: ProjectNames,
}

impl Rules<'_> {
    /// The row of `event`.
    pub(super) fn row(&self, event: &Event) -> Event {
        let treated = event_columns().iter().map(|(name, _)| {
            let value = self.treated(event, name, treatment(name));
            (name.clone(), value)
        });
        let mut row: Event = treated.collect();
        let name = answer_name(event);
        let hash = name.as_deref().map(|name| match is_placeholder(name) {
            true => name.to_owned(),
            false => self.key.hash("label", name),
        });
        let is_project_named = self.projects == ProjectNames::Name || self.level == Level::Full;
        let project = text(event, "project").filter(|_| is_project_named);
        for (column, value) in [
            ("ts_us", event.get("ts").cloned().into()),
            ("project_name", project.into()),
            ("key_name", self.key_name(event).into()),
            ("answer_hash", hash.into()),
            (
                "answer_name",
                name.filter(|_| self.shows_labels(event)).into(),
            ),
        ] {
            row.insert(column.to_owned(), value);
        }
        row
    }

    fn shows_labels(&self, event: &Event) -> bool {
        match self.level {
            Level::None => false,
            Level::KeysAndLabels => is_of_question(event),
            Level::Full => true,
        }
    }

    fn treated(&self, event: &Event, name: &str, treatment: Treatment) -> Value {
        let value = event.get(name).unwrap_or(&Value::Null);
        // What is empty says nothing.
        let changed = |change: &dyn Fn(&str) -> String| match value {
            Value::String(text) if !text.is_empty() => change(text).into(),
            _ => value.clone(),
        };
        // As in the store: of an entrypoint that nobody knows it is not known who answers.
        let is_unknown = || !is_known(text(event, "entrypoint"));
        if name == "session_kind" && value == "interactive" && is_unknown() {
            return "spawned".into();
        }
        match treatment {
            Treatment::Kept => value.clone(),
            Treatment::Full | Treatment::Subject if self.level == Level::Full => value.clone(),
            Treatment::Full => Value::Null,
            Treatment::Word(words) => changed(&|text| {
                // Behind a reason may stand the word that was new, which is the person's.
                let text = text.split_once(": ").map_or(text, |(reason, _)| reason);
                let known = words.iter().find(|word| **word == text);
                known.copied().unwrap_or("other").to_owned()
            }),
            Treatment::Identity(what) => changed(&|text| self.key.hash(what, text)),
            Treatment::Subject => changed(&|text| self.key.hash("subject", text)),
            Treatment::Key => {
                let key = text(event, name);
                key.map(|key| published_key(self.key, key, text(event, "key_source")))
                    .into()
            }
            Treatment::Name => changed(&|text| {
                // A skill, and the command of its name, are one.
                let name = text.strip_prefix('/').unwrap_or(text);
                match is_plain_name(name) {
                    true => name.to_owned(),
                    false => self.key.hash("name", name),
                }
            }),
            Treatment::Labels if self.shows_labels(event) => value.clone(),
            Treatment::Labels => match value {
                Value::String(label) => label_hash(self.key, label).into(),
                _ => {
                    let hashed = |label: &&str| label_hash(self.key, label);
                    let labels = list(event, name);
                    let hashes = labels.map(|labels| labels.iter().map(hashed).collect::<Vec<_>>());
                    hashes.into()
                }
            },
        }
    }

    fn key_name(&self, event: &Event) -> Option<String> {
        let key = text(event, "question_key").filter(|_| self.level != Level::None)?;
        let source = text(event, "key_source");
        match names_itself(key, source) {
            false => Some(key.to_owned()),
            true if source == Some("marker") => None,
            // A hash has no name but the labels, which leave in clear at these levels.
            true if is_of_question(event) => labels_name(event),
            true => None,
        }
    }
}

/// A text of an event.
pub(super) fn text<'e>(event: &'e Event, name: &str) -> Option<&'e str> {
    event.get(name)?.as_str()
}

/// The texts of a list of an event; `None` for a null.
fn list<'e>(event: &'e Event, name: &str) -> Option<Vec<&'e str>> {
    let items = event.get(name)?.as_array()?;
    Some(items.iter().filter_map(Value::as_str).collect())
}

/// True for an event about a question.
fn is_of_question(event: &Event) -> bool {
    text(event, "kind").is_some_and(|kind| {
        kind == "asked" || (QuestionOutcome::parse(kind).is_some() && kind != "open")
    })
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
pub(super) fn published_key(
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
pub(super) fn label_hash(organisation: &OrganisationKey, label: &str) -> String {
    organisation.hash("label", strip_mark(label).0)
}

fn is_plain_name(name: &str) -> bool {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"-_:.".contains(&b);
    name.len() <= 64 && name.bytes().all(is_plain)
}

/// What a question without a name is called: its labels, without marks and in one order.
fn labels_name(event: &Event) -> Option<String> {
    let labels = list(event, "options")?;
    let mut labels: Vec<&str> = labels.iter().map(|label| strip_mark(label).0).collect();
    labels.sort_unstable();
    (!labels.is_empty()).then(|| labels.join(" | "))
}

/// True for what an answer is counted by that is no label.
fn is_placeholder(name: &str) -> bool {
    matches!(name, "(typed)" | "(noted)")
}

/// What answers are counted by: the labels without marks of recommendation, joined, or `(typed)`, `(noted)`.
fn answer_name(event: &Event) -> Option<String> {
    match list(event, "answer") {
        Some(labels) if !labels.is_empty() => {
            let labels: Vec<&str> = labels.iter().map(|label| strip_mark(label).0).collect();
            Some(labels.join(", "))
        }
        _ if text(event, "free_text").is_some() => Some("(typed)".to_owned()),
        labels => labels.map(|_| "(noted)".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use plantune_ingest::with_event_columns;
    use plantune_query::fleet::push;

    use super::*;

    #[test]
    fn the_document_has_every_column_and_what_leaves_of_it() {
        let connection = duckdb::Connection::open_in_memory().unwrap();
        let table = with_event_columns(push::DUE);
        connection.execute_batch(&table).unwrap();
        let sql = "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = 'due' AND column_name NOT IN ('v', 'day') ORDER BY column_index";
        let mut statement = connection.prepare(sql).unwrap();
        let columns = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
        let of_events = event_columns().len();
        let lines = columns.unwrap().enumerate().map(|(number, column)| {
            let (name, sql_type): (String, String) = column.unwrap();
            let at = match name.as_str() {
                "ts_us" => ["as it is"; 3],
                "project_name" => ["by `projects`", "by `projects`", "in clear"],
                "answer_hash" => ["keyed hash"; 3],
                "key_name" | "answer_name" => ["nothing", "in clear", "in clear"],
                name => {
                    assert!(number < of_events, "{name}");
                    let treatment = treatment(name);
                    [Level::None, Level::KeysAndLabels, Level::Full]
                        .map(|level| treatment.at(level))
                }
            };
            format!("| `{name}` | {sql_type} | {} |\n", at.join(" | "))
        });
        let table: String = lines.collect();
        let docs = include_str!("../../../docs/development/fleet.md");
        assert!(
            docs.contains(&table),
            "docs/development/fleet.md lacks:\n{table}"
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
