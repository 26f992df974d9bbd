//! Stores of earlier versions, as they were written then: brought up to date, they hold what they
//! held. See `migrations/tests/frozen/README.md`.
#![allow(
    clippy::string_slice,
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test may panic, its helpers too"
)]

#[path = "support/dump.rs"]
mod dump;

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use chrono::{DateTime, Utc};
use duckdb::AccessMode;
use dump::{COMPUTED, dump};
use flate2::read::GzDecoder;
use plantune_domain::paths::Paths;
use plantune_domain::spool;
use plantune_ingest::{Progress, Summary, Writer};
use tempfile::TempDir;

const ZONE: &str = "Europe/Berlin";

/// What every version holds, with the columns that readers know it by. Rows are compared as sets.
const RELATIONS: [(&str, &str); 11] = [
    (
        "events",
        "id, ts, kind, session_id, session_kind, project, cwd, permission_mode, entrypoint, \
         agent_id, source, tool_name, tool_use_id, question_index, question_count, \
         question_key, key_source, question, header, options, recommended, multi_select, \
         door, door_reason, skill, ask_reason, answer, free_text, notes, was_auto_decided, \
         followed_recommendation, preference, preference_scope, mechanism, error, error_kind, \
         reason, detail, truncated, answer_name",
    ),
    ("segments", "segment, head, \"offset\", events, read_at"),
    (
        "quarantine",
        "id, segment, \"offset\", reason, bytes, length, seen_at",
    ),
    ("batches", "read_at, events, duplicates, quarantined"),
    ("settings", "name, value"),
    (
        "questions",
        "day, put_at, tool_use_id, question_index, question_count, described_by, session_id, \
         session_kind, project, tool_name, question_key, key_source, question, header, \
         options, recommended, multi_select, door, door_reason, skill, outcome, asked_at, \
         auto_decided_at, answered_at, dismissed_at, failed_at, ask_reason, answer, \
         free_text, notes, answer_name, was_auto_decided, followed_recommendation, \
         auto_answer, auto_answer_name, preference, preference_scope, mechanism, reason, \
         error_kind, error, human_seconds",
    ),
    (
        "sessions",
        "session_id, session_kind, first_at, last_at, ended_at",
    ),
    (
        "daily",
        "day, project, question_key, session_kind, key_source, question, header, options, \
         door, last_at, calls, asked, answered, auto_decided, failed, dismissed, open, \
         followed, overrode, unrecommended, list_sort(human_seconds) AS human_seconds",
    ),
    ("daily_answers", "day, project, question_key, answer, times"),
    ("daily_sessions", "day, project, session_id, session_kind"),
    ("daily_errors", "day, project, error_kind, times"),
];

const SPOOL: &str = include_str!("../../migrations/tests/frozen/spool.jsonl");

const EXPECTED: &str = include_str!("../../migrations/tests/frozen/expected.txt");

const STORES: [(u32, &[u8]); 2] = [
    (
        1,
        include_bytes!("../../migrations/tests/frozen/v1.duckdb.gz"),
    ),
    (
        2,
        include_bytes!("../../migrations/tests/frozen/v2.duckdb.gz"),
    ),
];

fn now() -> DateTime<Utc> {
    "2026-11-20T11:00:00Z".parse().unwrap()
}

fn paths(home: &Path) -> Paths {
    Paths::below(home.to_owned())
}

/// A home with the frozen store and the spool it was filled from.
fn home(version: u32, store: &[u8]) -> TempDir {
    let home = tempfile::tempdir().unwrap();
    let path = paths(home.path()).store();
    io::copy(
        &mut GzDecoder::new(store),
        &mut File::create(&path).unwrap(),
    )
    .unwrap();
    let found = plantune_migrations::open(&path, AccessMode::ReadOnly).unwrap();
    assert_eq!(plantune_migrations::version(&found).unwrap(), version);
    put_spool(home.path());
    home
}

fn put_spool(home: &Path) {
    fs::create_dir(home.join("events")).unwrap();
    let segment = home.join("events/2026-11-20.jsonl");
    File::create(segment)
        .unwrap()
        .write_all(SPOOL.as_bytes())
        .unwrap();
}

fn text(home: &Path) -> String {
    let store = plantune_migrations::open(&paths(home).store(), AccessMode::ReadOnly).unwrap();
    let mut text = String::new();
    for (relation, columns) in RELATIONS {
        writeln!(text, "== {relation}").unwrap();
        let sql =
            format!("SELECT t::VARCHAR FROM (SELECT {columns} FROM {relation}) AS t ORDER BY 1");
        let mut statement = store.prepare(&sql).unwrap();
        let rows = statement
            .query_map([], |row| row.get::<_, String>(0))
            .unwrap();
        for row in rows {
            writeln!(text, "{}", row.unwrap()).unwrap();
        }
    }
    text
}

fn assert_expected(home: &Path, what: &str) {
    let found = text(home);
    let lines = found.lines().zip(EXPECTED.lines());
    for (found, expected) in lines {
        assert_eq!(found, expected, "{what}");
    }
    assert_eq!(found.lines().count(), EXPECTED.lines().count(), "{what}");
}

fn ingest(home: &Path) -> Summary {
    let mut writer = Writer::open(&paths(home), ZONE).unwrap();
    writer.ingest(now(), &Progress::default()).unwrap()
}

#[test]
fn older_stores_keep_everything() {
    for (version, store) in STORES {
        let home = home(version, store);
        drop(Writer::open(&paths(home.path()), ZONE).unwrap());
        let path = paths(home.path()).store();
        let store = plantune_migrations::open(&path, AccessMode::ReadOnly).unwrap();
        assert_eq!(
            plantune_migrations::version(&store).unwrap(),
            plantune_migrations::newest()
        );
        drop(store);
        assert_expected(home.path(), &format!("version {version}"));
        Writer::open(&paths(home.path()), ZONE)
            .unwrap()
            .rebuild()
            .unwrap();
        assert_expected(home.path(), &format!("version {version}, computed anew"));
    }
}

/// A run that is killed between the migrations and the projections leaves the work to the next.
#[test]
fn projections_are_computed_in_the_end() {
    let (version, store) = STORES[0];
    let home = home(version, store);
    let path = paths(home.path()).store();
    let mut store = plantune_migrations::open(&path, AccessMode::ReadWrite).unwrap();
    store
        .execute(include_str!("../sql/forget_setting.sql"), ["time_zone"])
        .unwrap();
    plantune_migrations::apply(&mut store).unwrap();
    store.close().unwrap();
    drop(Writer::open(&paths(home.path()), ZONE).unwrap());
    assert_expected(home.path(), "interrupted");
}

/// What comes after the migration meets what was there before it.
#[test]
fn older_stores_go_on() {
    let event = |line: &str, id: u32, rest: &str| {
        format!(
            r#"{{"v":1,"id":"{id:032x}","ts":"2026-03-30T13:10:00.000Z","kind":"{line}","session_id":"h2","session_kind":"headless","project":"github.com/acme/shop","cwd":"/home/dev/shop","source":"hook",{rest}}}"#
        ) + "\n"
    };
    let late = event(
        "answered",
        1,
        r#""tool_use_id":"h_open","question_index":0,"question_count":1,"question_key":"test-scope","key_source":"marker","answer":["Only this"],"was_auto_decided":false,"followed_recommendation":false"#,
    );
    let new = event(
        "asked",
        2,
        r#""tool_use_id":"h_new","question_index":0,"question_count":1,"question_key":"test-scope","key_source":"marker","question":"Which now?","options":["A","B"],"door":"two-way","ask_reason":"no_preference""#,
    );
    let known = SPOOL.lines().next().unwrap();
    let more = format!("{late}{new}{known}\nno JSON either\n");
    let fresh = tempfile::tempdir().unwrap();
    put_spool(fresh.path());
    let segment = |home: &Path| home.join("events/2026-11-20.jsonl");
    spool::append_to(&segment(fresh.path()), more.as_bytes()).unwrap();
    ingest(fresh.path());
    let expected = dump(&paths(fresh.path()).store(), &COMPUTED);
    for (version, store) in STORES {
        let home = home(version, store);
        assert_eq!(ingest(home.path()), Summary::default(), "version {version}");
        spool::append_to(&segment(home.path()), more.as_bytes()).unwrap();
        let done = ingest(home.path());
        assert_eq!((done.events, done.duplicates, done.quarantined), (2, 1, 1));
        let found = dump(&paths(home.path()).store(), &COMPUTED);
        for relation in COMPUTED {
            assert_eq!(
                without_reasons(&found[relation]),
                without_reasons(&expected[relation]),
                "version {version}: {relation}"
            );
        }
    }
}

/// Why a line was refused is told in the words of the version that met it.
fn without_reasons(rows: &[String]) -> Vec<String> {
    let without = |row: &String| match (row.find("'reason'"), row.find("'bytes'")) {
        (Some(start), Some(end)) if start < end => format!("{}{}", &row[..start], &row[end..]),
        _ => row.clone(),
    };
    rows.iter().map(without).collect()
}
