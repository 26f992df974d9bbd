//! That nothing is lost between a log of lines and a sealed segment.

use std::fs;
use std::path::Path;

use plantune_domain::event::{Event, Text};
use proptest::prelude::*;
use serde::Deserialize as _;
use serde::de::value::Error as ValueError;
use serde::de::{Deserializer, Visitor};
use serde_json::{Map, Value as Json, json};

use super::seal::Staging;
use crate::Error;
use crate::arrow::{digests, fields, is_field};
use crate::reader::{UnreadSegment, check_sealed, connect, pattern, read_events};
use crate::segment::list;

/// Notes the fields that a struct asks for.
struct Fields<'f>(&'f mut Vec<&'static str>);

impl<'de> Deserializer<'de> for Fields<'_> {
    type Error = ValueError;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, ValueError> {
        Err(serde::de::Error::custom("no struct"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, ValueError> {
        self.0.extend(fields);
        Err(serde::de::Error::custom("done"))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

#[test]
fn the_columns_are_the_fields_of_an_event_and_documented() {
    let mut expected = Vec::new();
    Event::deserialize(Fields(&mut expected)).unwrap_err();
    let columns: Vec<&str> = fields().iter().map(|(name, _)| &**name).collect();
    assert_eq!(columns[..columns.len() - 1], expected);
    assert_eq!(columns[columns.len() - 1], "extra");
    let docs = include_str!("../../../docs/development/events.md");
    let table: String = docs.lines().filter(|line| line.starts_with('|')).collect();
    for column in columns {
        assert!(table.contains(&format!("`{column}`")), "{column}");
    }
}

/// Seals `lines` in a folder of their own, with `sealed` there already; returns the events read back.
fn sealed(lines: &str, before: Option<&str>) -> Vec<Map<String, Json>> {
    let folder = tempfile::tempdir().unwrap();
    // Characters that SQL and patterns would take for more than they are.
    let events = folder.path().join("a 'b' [c]*?{files}");
    fs::create_dir(&events).unwrap();
    let path = events.join("2026-10.parquet");
    for lines in before.into_iter().chain([lines]) {
        let name = events.join("2026-10-01.jsonl");
        plantune_domain::atomic_file::replace(&name, lines.as_bytes(), 0o600).unwrap();
        let mut staging = Staging::open(&folder.path().join("it's [spilled]")).unwrap();
        if path.exists() {
            staging.add_sealed(&path).unwrap();
        }
        let segments = list(&events).unwrap();
        staging.add_lines(segments.last().unwrap()).unwrap();
        let (temporary, rows) = staging.write(&path).unwrap();
        fs::rename(temporary, &path).unwrap();
        assert_eq!(check_sealed(&path).unwrap(), rows);
    }
    read_back(&path)
}

fn read_back(path: &Path) -> Vec<Map<String, Json>> {
    let connection = connect().unwrap();
    let sql = "SELECT to_json(event) FROM (
        SELECT * REPLACE (strftime(ts, '%Y-%m-%dT%H:%M:%S.%gZ') AS ts)
        FROM read_parquet(?, file_row_number = true) ORDER BY file_row_number
    ) AS event";
    let mut statement = connection.prepare(sql).unwrap();
    let events = statement.query_map([pattern(path).unwrap()], |row| row.get(0));
    let event = |event: duckdb::Result<String>| {
        let mut event: Map<String, Json> = serde_json::from_str(&event.unwrap()).unwrap();
        event.remove("file_row_number");
        if let Some(Json::String(extra)) = event.remove("extra") {
            event.extend(serde_json::from_str::<Map<String, Json>>(&extra).unwrap());
        }
        // What an event's line leaves out.
        event.retain(|name, value| !value.is_null() || !is_field(name));
        event
    };
    events.unwrap().map(event).collect()
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), Just("\0'\"\\".to_owned()), "[a-c]{0,3}"]
}

fn option<T: std::fmt::Debug + Clone>(
    value: impl Strategy<Value = T>,
) -> impl Strategy<Value = Option<T>> {
    prop::option::of(value)
}

/// A line, as a newer version may write it.
fn line() -> impl Strategy<Value = Map<String, Json>> {
    let texts = || prop::collection::vec(text(), 0..4);
    let unknown = prop::collection::vec((text(), any::<i64>(), text()), 0..3);
    let named = (0u8..6, 0i64..5_000, text(), 0usize..5);
    let optional = (
        option(text()),
        option(texts()),
        option(any::<bool>()),
        option(any::<u32>()),
    );
    (
        named,
        optional,
        option(texts()),
        option(any::<bool>()),
        option(any::<bool>()),
        unknown,
    )
        .prop_map(
            |(
                (id, ms, session, kind),
                (text, options, flag, index),
                answer,
                followed,
                truncated,
                unknown,
            )| {
                let kind = [
                    "asked",
                    "answered",
                    "session_ended",
                    "hook_error",
                    "not known yet",
                ][kind];
                let owned = |text: &Option<String>| text.clone().map(Text::from);
                let labels = |labels: Option<Vec<String>>| {
                    labels.map(|labels| labels.into_iter().map(Text::from).collect())
                };
                let ts = chrono::DateTime::from_timestamp_millis(1_790_000_000_000 + ms).unwrap();
                let event = Event {
                    v: 1,
                    id: format!("{id:032x}").into(),
                    ts: plantune_domain::clock::timestamp(ts).into(),
                    kind: kind.into(),
                    session_id: session.into(),
                    source: "hook".into(),
                    agent_id: owned(&text),
                    tool_use_id: owned(&text),
                    question: owned(&text),
                    detail: text.map(Text::from),
                    question_index: index,
                    options: labels(options),
                    answer: labels(answer),
                    multi_select: flag,
                    followed_recommendation: followed.map(Some),
                    truncated,
                    ..Event::default()
                };
                let Json::Object(mut fields) = serde_json::to_value(&event).unwrap() else {
                    panic!("an event is an object");
                };
                for (name, number, text) in unknown {
                    if !is_field(&name) {
                        fields.insert(name, json!({ "n": [number, null], "t": text }));
                    }
                }
                fields
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    #[test]
    fn every_field_of_every_event_is_read_back(
        events in prop::collection::vec(line(), 1..40),
        split in 0usize..40,
    ) {
        let lines = |events: &[Map<String, Json>]| -> String {
            events.iter().map(|event| format!("{}\n", Json::Object(event.clone()))).collect()
        };
        let (before, after) = events.split_at(split.min(events.len() - 1));
        let before = (!before.is_empty()).then(|| lines(before));
        let found = sealed(&lines(after), before.as_deref());
        let mut expected: Vec<_> = events.into_iter().map(Json::Object).map(|e| e.to_string()).collect();
        expected.sort();
        expected.dedup();
        let order: Vec<_> = found.iter().map(|e| (e["ts"].to_string(), e["id"].to_string())).collect();
        prop_assert!(order.is_sorted());
        let mut found: Vec<_> = found.into_iter().map(Json::Object).map(|e| e.to_string()).collect();
        found.sort();
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn of_two_copies_of_a_question_event_the_one_that_counts_stays() {
    let line = |source: &str, second: u32, more: &str| {
        format!(
            "{{\"v\":1,\"id\":\"{:032x}\",\"ts\":\"2026-10-01T10:00:{second:02}.000Z\",\"kind\":\"asked\",\
             \"source\":\"{source}\",\"tool_use_id\":\"t\",\"question_index\":0,\"question_key\":\"k\"{more}}}\n",
            7
        )
    };
    let (import, hook, later) = (
        line("import:x", 1, ""),
        line("hook", 2, ""),
        line("hook", 3, ""),
    );
    let found = sealed(&format!("{later}{import}{hook}{hook}"), None);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["ts"], "2026-10-01T10:00:02.000Z");
    // At one time, neither counts more than the other.
    let found = sealed(&line("hook", 2, ",\"notes\":\"n\""), Some(&hook));
    assert_eq!(found.len(), 2);
}

#[test]
fn a_file_that_does_not_hold_what_it_says_is_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let line = "{\"v\":1,\"id\":\"0123456789abcdef0123456789abcdef\",\"ts\":\"2026-10-01T10:00:00Z\",\"kind\":\"asked\",\"door\":\"two-way\"}\n";
    plantune_domain::atomic_file::replace(&at("2026-10-01.jsonl"), line.as_bytes(), 0o600).unwrap();
    let mut staging = Staging::open(&at("spilled")).unwrap();
    staging.add_lines(&list(folder.path()).unwrap()[0]).unwrap();
    let (whole, _) = staging.write(&at("2026-10.parquet")).unwrap();
    assert_eq!(check_sealed(&whole).unwrap(), 1);
    let digest = "(SELECT max(decode(value)) FROM parquet_kv_metadata('WHOLE'))";
    for (select, metadata, words) in [
        (
            "SELECT * FROM read_parquet('WHOLE')",
            "",
            "plantune did not write",
        ),
        (
            "SELECT * REPLACE ('failed' AS kind) FROM read_parquet('WHOLE')",
            digest,
            "events were changed",
        ),
        (
            "SELECT * FROM read_parquet('WHOLE') UNION ALL FROM read_parquet('WHOLE')",
            digest,
            "events were changed",
        ),
        (
            "SELECT * REPLACE ('no id' AS id) FROM read_parquet('WHOLE')",
            digest,
            "an id that is none",
        ),
        (
            "SELECT * REPLACE (2 AS v) FROM read_parquet('WHOLE')",
            digest,
            "columns are not those",
        ),
        (
            "SELECT * EXCLUDE (door) FROM read_parquet('WHOLE')",
            digest,
            "events were changed",
        ),
        (
            "SELECT * EXCLUDE (project) FROM read_parquet('WHOLE')",
            digest,
            "project",
        ),
    ] {
        let connection = duckdb::Connection::open_in_memory().unwrap();
        let sql = match metadata {
            "" => format!("COPY ({select}) TO 'CHANGED' (FORMAT parquet)"),
            metadata => format!(
                "SET VARIABLE digest = {metadata}; COPY ({select}) TO 'CHANGED'
                 (FORMAT parquet, KV_METADATA {{plantune_digest: getvariable('digest')}})"
            ),
        };
        let changed = at("changed.parquet");
        let sql = sql
            .replace("WHOLE", whole.to_str().unwrap())
            .replace("CHANGED", changed.to_str().unwrap());
        connection.execute_batch(&sql).unwrap();
        let error = check_sealed(&changed).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    let error = check_sealed(&at("none")).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
}

/// The digests of the log's events, in order, and what could not be read.
fn read_log(events: &Path) -> (Vec<u64>, Vec<UnreadSegment>) {
    let mut found = Vec::new();
    let unread = read_events(events, |batch| {
        found.extend(digests(batch));
        Ok::<(), Error>(())
    });
    found.sort_unstable();
    (found, unread.unwrap())
}

#[test]
fn lines_and_what_was_sealed_of_them_are_the_same_events() {
    let folder = tempfile::tempdir().unwrap();
    let events = folder.path().join("events");
    assert_eq!(read_log(&events), (vec![], vec![]));
    fs::create_dir(&events).unwrap();
    let line = |id: u32| {
        format!(
            "{{\"v\":1,\"id\":\"{id:032x}\",\"ts\":\"2026-10-01T10:00:00.000Z\",\"kind\":\"asked\",\"new\":{id}}}\n"
        )
    };
    let lines = events.join("2026-10-01.jsonl");
    let write = |path: &Path, text: String| {
        plantune_domain::atomic_file::replace(path, text.as_bytes(), 0o600).unwrap();
    };
    write(&lines, line(1) + "no event\n" + &line(2));
    let (hot, unread) = read_log(&events);
    assert_eq!((hot.len(), unread.len()), (2, 0));
    write(&lines, line(1) + &line(2));
    let mut staging = Staging::open(&folder.path().join("staging")).unwrap();
    staging.add_lines(&list(&events).unwrap()[0]).unwrap();
    let (sealed, _) = staging.write(&events.join("2026-10.parquet")).unwrap();
    fs::rename(sealed, events.join("2026-10.parquet")).unwrap();
    fs::remove_file(&lines).unwrap();
    assert_eq!(read_log(&events), (hot.clone(), vec![]));
    // What is damaged is named, and the rest is read.
    write(&events.join("2026-09.parquet"), "no Parquet".to_owned());
    let (found, unread) = read_log(&events);
    assert_eq!(
        (found, unread[0].segment.as_str()),
        (hot, "2026-09.parquet")
    );
}
