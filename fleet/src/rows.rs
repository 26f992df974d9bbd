//! Events as rows of the lake: what leaves the machine of each, and nothing else. `fields.tsv` says it field by field,
//! and docs/development/fleet.md column by column.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use Treatment::{Full, Hash, Kept, Key, Labels, Name, Subject, Words};
use plantune_domain::event::QuestionOutcome;
use plantune_domain::keys::{is_id, is_made_up};
use plantune_domain::recommended::strip_mark;
use plantune_domain::session_kind::is_known;
use plantune_ingest::event_columns;
use serde_json::{Map, Value};

use crate::config::{OrganisationKey, ProjectNames, SharingLevel};
use crate::member::Member;

/// An event of the log, or a row of the lake: what stands in the columns. Times are microseconds since 1970, UTC.
pub(crate) type EventFields = Map<String, Value>;

/// The treatment of a field, as `fields.tsv` explains.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Treatment {
    Kept,
    Words(Vec<&'static str>),
    Hash(&'static str),
    Key,
    Name,
    Labels,
    Subject,
    Full,
}

static TREATMENTS: LazyLock<BTreeMap<&str, Treatment>> = LazyLock::new(|| {
    let lines = include_str!("fields.tsv").lines();
    let treatment = |line: &'static str| {
        let (name, rest) = line.split_once('\t')?;
        let (how, words) = rest.split_once('\t').unwrap_or((rest, ""));
        let treatment = match how {
            "kept" => Kept,
            "word" => Words(words.split(' ').collect()),
            "hash" => Hash(words),
            "key" => Key,
            "name" => Name,
            "labels" => Labels,
            "subject" => Subject,
            _ => Full,
        };
        Some((name, treatment))
    };
    lines
        .filter(|line| !line.starts_with('#'))
        .filter_map(treatment)
        .collect()
});

fn treatment(name: &str) -> &Treatment {
    TREATMENTS.get(name).unwrap_or(&Full)
}

/// True for a kind of events that is pushed; of what a later version logs, this one cannot know what it holds.
pub(crate) fn is_pushed(kind: &str) -> bool {
    matches!(treatment("kind"), Words(kinds) if kinds.contains(&kind))
}

/// The row of `event`.
pub(crate) fn row(member: &Member<'_>, event: &EventFields) -> EventFields {
    let (level, key) = (member.config.level, &member.key);
    let columns = event_columns().iter();
    let mut row: EventFields = columns
        .map(|(name, _)| (name.clone(), treated(member, event, name)))
        .collect();
    let answer = answer_name(event);
    // "(typed)" and "(noted)" are counted as they are: they are not labels.
    let hash = answer.as_deref().map(|name| match name {
        "(typed)" | "(noted)" => name.to_owned(),
        name => key.hash("label", name),
    });
    let is_project_named =
        member.config.projects == ProjectNames::Name || level == SharingLevel::Full;
    let project = text(event, "project").filter(|_| is_project_named);
    for (column, value) in [
        ("ts_us", event.get("ts").cloned().into()),
        ("project_name", project.into()),
        ("key_name", key_name(level, event).into()),
        ("answer_hash", hash.into()),
        (
            "answer_name",
            answer.filter(|_| shows_labels(level, event)).into(),
        ),
    ] {
        row.insert(column.to_owned(), value);
    }
    row
}

/// The part of the field `name` that leaves.
fn treated(member: &Member<'_>, event: &EventFields, name: &str) -> Value {
    let (level, key) = (member.config.level, &member.key);
    let value = event.get(name).unwrap_or(&Value::Null);
    // What is empty says nothing.
    let changed = |change: &dyn Fn(&str) -> String| match value {
        Value::String(text) if !text.is_empty() => change(text).into(),
        _ => value.clone(),
    };
    // As in the store: of an entrypoint that nobody knows it is not known who answers.
    if name == "session_kind" && value == "interactive" && !is_known(text(event, "entrypoint")) {
        return "spawned".into();
    }
    match treatment(name) {
        Kept => value.clone(),
        Full | Subject if level == SharingLevel::Full => value.clone(),
        Full => Value::Null,
        Words(words) => changed(&|text| {
            // Behind a reason may stand the word that was new, which is the person's.
            let text = text.split_once(": ").map_or(text, |(reason, _)| reason);
            let known = words.iter().find(|word| **word == text);
            known.copied().unwrap_or("other").to_owned()
        }),
        Hash(what) => changed(&|text| key.hash(what, text)),
        Subject => changed(&|text| key.hash("subject", text)),
        Key => text(event, name)
            .map(|question| published_key(key, question, text(event, "key_source")))
            .into(),
        Name => changed(&|text| {
            // A skill, and the command of its name, are one.
            let name = text.strip_prefix('/').unwrap_or(text);
            let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"-_:.".contains(&b);
            match name.len() <= 64 && name.bytes().all(is_plain) {
                true => name.to_owned(),
                false => key.hash("name", name),
            }
        }),
        Labels if shows_labels(level, event) => value.clone(),
        Labels => match value {
            Value::String(label) => label_hash(key, label).into(),
            _ => {
                let hashes = |labels: Vec<&str>| {
                    labels
                        .iter()
                        .map(|one| label_hash(key, one))
                        .collect::<Vec<_>>()
                };
                list(event, name).map(hashes).into()
            }
        },
    }
}

fn shows_labels(level: SharingLevel, event: &EventFields) -> bool {
    level == SharingLevel::Full || (level == SharingLevel::KeysAndLabels && is_of_question(event))
}

/// A question's name if its key is not one: the name that a rule gives, or for a hash its labels, without
/// marks and in one order.
fn key_name(level: SharingLevel, event: &EventFields) -> Option<String> {
    let key = text(event, "question_key").filter(|_| level != SharingLevel::None)?;
    let source = text(event, "key_source");
    if !names_itself(key, source) {
        return Some(key.to_owned());
    }
    let is_hash = source != Some("marker") && is_of_question(event);
    let labels = list(event, "options").filter(|labels| is_hash && !labels.is_empty())?;
    let mut labels: Vec<&str> = labels.iter().map(|label| strip_mark(label).0).collect();
    labels.sort_unstable();
    Some(labels.join(" | "))
}

/// A text of an event.
pub(crate) fn text<'e>(event: &'e EventFields, name: &str) -> Option<&'e str> {
    event.get(name)?.as_str()
}

/// The texts of a list of an event; `None` for a null.
fn list<'e>(event: &'e EventFields, name: &str) -> Option<Vec<&'e str>> {
    let items = event.get(name)?.as_array()?;
    Some(items.iter().filter_map(Value::as_str).collect())
}

/// True for an event about a question.
fn is_of_question(event: &EventFields) -> bool {
    text(event, "kind").is_some_and(|kind| {
        kind == "asked" || (QuestionOutcome::parse(kind).is_some() && kind != "open")
    })
}

/// True for a key that says nothing of a question's text: a marker's, that its author chose, and hashes.
fn names_itself(key: &str, source: Option<&str>) -> bool {
    let is_hash = |digits: &str| digits.bytes().all(|b| b.is_ascii_hexdigit());
    let hashed = key.split_once('-').filter(|_| is_made_up(key));
    match source {
        Some("registry") => false,
        Some("marker") => is_id(key),
        _ => hashed.is_some_and(|(_, digits)| digits.len() == 16 && is_hash(digits)),
    }
}

/// The beginning of a key that is pushed as a keyed hash.
pub(crate) const HASHED: &str = "key-";

/// As what a question's key is pushed.
pub(crate) fn published_key(
    organisation: &OrganisationKey,
    key: &str,
    source: Option<&str>,
) -> String {
    match names_itself(key, source) {
        true => key.to_owned(),
        false => format!("{HASHED}{:.16}", organisation.hash("key", key)),
    }
}

/// As what a label is pushed where it is not in clear.
pub(crate) fn label_hash(organisation: &OrganisationKey, label: &str) -> String {
    organisation.hash("label", strip_mark(label).0)
}

/// The text by which answers are counted: the labels without marks of recommendation, joined, or `(typed)`, `(noted)`.
fn answer_name(event: &EventFields) -> Option<String> {
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
    use plantune_domain::agreement::agreement::NoveltyKind;
    use plantune_domain::event::AskReason;
    use plantune_domain::keys::KeySource;
    use plantune_ingest::with_event_columns;

    use super::*;
    use crate::engine::push;

    /// The content of a column at a level, in a word.
    fn at(treatment: &Treatment, level: SharingLevel) -> &'static str {
        match (treatment, level) {
            (Kept, _) => "as it is",
            (Words(_), _) => "a known word",
            (Hash(_), _) => "keyed hash",
            (Key, _) => "key, or keyed hash",
            (Name, _) => "plain name",
            (Labels, SharingLevel::None)
            | (Subject, SharingLevel::None | SharingLevel::KeysAndLabels) => "keyed hash",
            (Labels, _) | (Subject | Full, SharingLevel::Full) => "in clear",
            (Full, _) => "nothing",
        }
    }

    #[test]
    fn the_document_has_every_column_and_what_leaves_of_it() {
        let connection = duckdb::Connection::open_in_memory().unwrap();
        let table = with_event_columns(push::DUE);
        connection.execute_batch(&table).unwrap();
        let sql = "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = 'due' AND column_name <> 'v' ORDER BY column_index";
        let mut statement = connection.prepare(sql).unwrap();
        let columns = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
        let of_events = event_columns().len();
        let mut by_type: Vec<(String, Vec<String>)> = Vec::new();
        let mut by_level: Vec<(String, Vec<String>)> = Vec::new();
        for (number, column) in columns.unwrap().enumerate() {
            let (name, sql_type): (String, String) = column.unwrap();
            let at = match name.as_str() {
                "ts_us" => ["as it is"; 3],
                "project_name" => ["by `projects`", "by `projects`", "in clear"],
                "answer_hash" => ["keyed hash"; 3],
                "key_name" | "answer_name" => ["nothing", "in clear", "in clear"],
                name => {
                    assert!(number < of_events, "{name}");
                    let treatment = treatment(name);
                    [
                        SharingLevel::None,
                        SharingLevel::KeysAndLabels,
                        SharingLevel::Full,
                    ]
                    .map(|level| at(treatment, level))
                }
            };
            if sql_type != "VARCHAR" {
                add(&mut by_type, &sql_type, &name);
            }
            add(&mut by_level, &at.join(" | "), &name);
        }
        let docs = include_str!("../../docs/development/fleet.md");
        for table in [by_type, by_level] {
            let lines = table
                .iter()
                .map(|(group, names)| format!("| {group} | {} |\n", names.join(", ")));
            let table: String = lines.collect();
            assert!(
                docs.contains(&table),
                "docs/development/fleet.md lacks:\n{table}"
            );
        }
    }

    /// Adds `name` to the columns of `group`, which come in the order in which a group is met first.
    fn add(groups: &mut Vec<(String, Vec<String>)>, group: &str, name: &str) {
        let name = format!("`{name}`");
        match groups.iter_mut().find(|(known, _)| known == group) {
            Some((_, names)) => names.push(name),
            None => groups.push((group.to_owned(), vec![name])),
        }
    }

    #[test]
    fn every_word_that_is_logged_today_may_leave() {
        let sources = KeySource::ALL.iter().map(|one| one.as_str());
        let new = NoveltyKind::ALL
            .iter()
            .filter(|one| **one != NoveltyKind::Never);
        let reasons = new.map(|one| one.as_str());
        let asked = AskReason::ALL.iter().map(|one| one.as_str());
        for (name, word) in sources
            .map(|word| ("key_source", word))
            .chain(reasons.map(|word| ("reason", word)))
            .chain(asked.map(|word| ("ask_reason", word)))
        {
            let is_known = matches!(treatment(name), Words(words) if words.contains(&word));
            assert!(is_known, "{name} {word}");
        }
    }

    #[test]
    fn keys_of_markers_and_hashes_are_published_and_names_made_of_texts_are_not() {
        for (key, source, expected) in [
            ("ship-todos-create", Some("marker"), true),
            ("Not an id", Some("marker"), false),
            ("txt-0123456789abcdef", Some("text"), true),
            ("opt-0123456789abcdef", Some("options"), true),
            ("opt-0123456789abcdef", None, true),
            ("shall-i-drop-the-payments-table", Some("registry"), false),
            ("shall-i-drop-the-payments-table", None, false),
            ("txt-shall-i-drop-it", Some("text"), false),
        ] {
            assert_eq!(names_itself(key, source), expected, "{key} {source:?}");
        }
    }
}
