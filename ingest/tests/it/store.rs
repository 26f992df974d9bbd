//! After a killed run, a full disk or a change by another program, the next run gives the tables of an
//! undisturbed one, and leaves nothing beside the store.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use duckdb::AccessMode;
use plantune_domain::event::Kind;
use plantune_ingest::{Error, RebuildReason, Writer, compare, is_current};

use crate::home::{Dump, Home, TestEvent, assert_same, ingest, put};

const ZONE: &str = "Europe/Berlin";

/// Some hundred questions in sessions, a few bad lines; all of it is in the store.
fn filled() -> (Home, Dump) {
    let home = Home::new();
    let asked = |call: u32| {
        let time = format!("2026-11-19T{:02}:{:02}:00Z", call / 60, call % 60);
        let session = format!("session-{}", call / 9);
        let of = |kind| TestEvent::new(kind, call, &time).in_session(&session);
        if call.is_multiple_of(4) {
            vec![of(Kind::Asked)]
        } else {
            vec![of(Kind::Asked), of(Kind::Answered)]
        }
    };
    let events: Vec<_> = (0..600).flat_map(asked).collect();
    home.log("2026-11-19.jsonl", &events);
    home.append("2026-11-19.jsonl", b"bad\n{\"v\":2}\n");
    home.ingest(ZONE);
    let dump = home.dump();
    (home, dump)
}

/// The next run repairs the store, for `reason` if any is named.
fn assert_repaired(home: &Home, expected: &Dump, reason: Option<&RebuildReason>, what: &str) {
    let mut writer = Writer::open(&home.paths(), ZONE).unwrap();
    match (writer.reason(), reason) {
        (Some(RebuildReason::Damaged(words)), Some(RebuildReason::Damaged(_))) => {
            assert!(!words.is_empty(), "{what}");
        }
        (found, expected) => assert_eq!(found, expected, "{what}"),
    }
    ingest(&mut writer);
    drop(writer);
    assert_same(&home.dump(), expected);
    assert_eq!(home.files(), ["plantune.duckdb"], "{what}");
    assert_eq!(home.ingest(ZONE).events, 0, "{what}");
}

fn beside(home: &Home, suffix: &str) -> PathBuf {
    let store = home.paths().store();
    store.with_extension(format!("duckdb.{suffix}"))
}

/// The store and its write-ahead log as a writer has them that was killed behind its commit.
fn kill_writer(home: &Home, sql: &str) -> (Vec<u8>, Vec<u8>) {
    let path = home.paths().store();
    let connection = plantune_migrations::open(&path, AccessMode::ReadWrite).unwrap();
    connection.execute_batch(sql).unwrap();
    let left = (
        fs::read(&path).unwrap(),
        fs::read(beside(home, "wal")).unwrap(),
    );
    connection.close().unwrap();
    left
}

#[test]
#[ignore = "takes long: make test-long"]
fn a_write_ahead_log_left_behind() {
    let (home, expected) = filled();
    let (store, log) = kill_writer(
        &home,
        "DELETE FROM questions WHERE question_index = 0; UPDATE sessions SET ended_at = now(); DELETE FROM segments",
    );
    let mut flipped = log.clone();
    flipped[log.len() / 2] ^= 0xff;
    for (what, log) in [
        ("whole", &log[..]),
        ("cut by a byte", &log[..log.len() - 1]),
        ("cut in the middle", &log[..log.len() / 2]),
        ("flipped", &flipped),
        ("empty", b""),
        ("no log", &[7; 5000]),
    ] {
        put(&home.paths().store(), &store);
        put(&beside(&home, "wal"), log);
        assert_repaired(&home, &expected, Some(&RebuildReason::Unfinished), what);
    }
    // Alone, without its store.
    fs::remove_file(home.paths().store()).unwrap();
    put(&beside(&home, "wal"), &log);
    assert_repaired(&home, &expected, Some(&RebuildReason::Missing), "alone");
}

#[test]
fn a_store_half_computed() {
    let (home, expected) = filled();
    let store = fs::read(home.paths().store()).unwrap();
    let leave = || {
        put(&beside(&home, "new"), &store[..store.len() / 2]);
        put(&beside(&home, "new.wal"), &[7; 5000]);
        for folder in ["new.tmp", "tmp"] {
            fs::create_dir(beside(&home, folder)).unwrap();
            put(&beside(&home, folder).join("block"), b"x");
        }
    };
    leave();
    // A reader leaves it to a writer, unless one is at work.
    let is_current = || is_current(&home.store(), &home.paths(), ZONE).unwrap();
    assert!(!is_current());
    let lock = fs::File::open(home.paths().events()).unwrap();
    lock.lock().unwrap();
    assert!(is_current());
    drop(lock);
    assert_repaired(&home, &expected, None, "beside a store");
    leave();
    fs::remove_file(home.paths().store()).unwrap();
    assert_repaired(&home, &expected, Some(&RebuildReason::Missing), "alone");
}

#[test]
fn a_damaged_store() {
    let (home, expected) = filled();
    let store = fs::read(home.paths().store()).unwrap();
    let flipped = |range: std::ops::Range<usize>| {
        let mut bytes = store.clone();
        bytes[range].iter_mut().for_each(|byte| *byte ^= 0x5a);
        bytes
    };
    let sqlite = b"SQLite format 3\0".repeat(500);
    for (what, bytes) in [
        ("empty", vec![]),
        ("text", b"text\n".to_vec()),
        ("zeros", vec![0; store.len()]),
        ("another database", sqlite),
        ("a header's part", store[..100].to_vec()),
        ("headers alone", store[..12288].to_vec()),
        ("half", store[..store.len() / 2].to_vec()),
        ("short by a block", store[..store.len() - 262_144].to_vec()),
        ("first header", flipped(0..4096)),
        ("other headers", flipped(4096..12288)),
        ("everything behind the headers", flipped(12288..store.len())),
    ] {
        put(&home.paths().store(), &bytes);
        let damaged = RebuildReason::Damaged(String::new());
        assert_repaired(&home, &expected, Some(&damaged), what);
    }
}

#[test]
fn a_log_that_changed() {
    let (home, _) = filled();
    let mut writer = home.writer(ZONE);
    home.put("2026-11-19.jsonl", b"bad\n");
    // It changed under an open writer, which says so, and before the next.
    let computed = ingest(&mut writer).computed;
    let changed = RebuildReason::LogChanged("2026-11-19.jsonl".to_owned());
    assert_eq!(computed.as_ref(), Some(&changed));
    drop(writer);
    home.put("2026-11-19.jsonl", b"\n");
    let mut writer = home.writer(ZONE);
    assert_eq!(writer.reason(), Some(&changed));
    assert_eq!(ingest(&mut writer).quarantined, 0);
}

#[test]
#[ignore = "takes long: make test-long"]
fn something_else_in_the_way() {
    let (home, expected) = filled();
    let path = home.paths().store();
    let store = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    let damaged = RebuildReason::Damaged(String::new());
    assert_repaired(&home, &expected, Some(&damaged), "a folder");
    for suffix in ["new", "new.wal"] {
        fs::create_dir(beside(&home, suffix)).unwrap();
        assert_repaired(&home, &expected, None, suffix);
    }
    fs::create_dir(beside(&home, "wal")).unwrap();
    assert_repaired(&home, &expected, Some(&RebuildReason::Unfinished), "wal");
    put(&beside(&home, "tmp"), b"no folder");
    assert_repaired(&home, &expected, None, "tmp");
    // A link that leads nowhere, and one to another's file, which stays as it is.
    fs::remove_file(&path).unwrap();
    symlink("/nowhere/plantune.duckdb", &path).unwrap();
    assert_repaired(&home, &expected, Some(&RebuildReason::Missing), "a link");
    let other = tempfile::tempdir().unwrap();
    let other = other.path().join("other");
    for suffix in ["new", "wal"] {
        put(&other, b"of somebody else");
        symlink(&other, beside(&home, suffix)).unwrap();
        let left = (suffix == "wal").then_some(RebuildReason::Unfinished);
        assert_repaired(&home, &expected, left.as_ref(), suffix);
        assert_eq!(fs::read(&other).unwrap(), b"of somebody else");
    }
    // A store that lies elsewhere is gone on with.
    put(&other, &store);
    fs::remove_file(&path).unwrap();
    symlink(&other, &path).unwrap();
    assert_repaired(&home, &expected, None, "a store elsewhere");
}

#[test]
fn a_folder_with_files_in_the_way_is_not_removed() {
    let home = Home::new();
    let path = home.paths().store();
    fs::create_dir(&path).unwrap();
    put(&path.join("file"), b"of somebody else");
    let mut writer = home.writer(ZONE);
    let refused = writer.ingest(&plantune_ingest::Progress::default()).err();
    assert!(
        matches!(&refused, Some(Error::Folder { path, .. }) if *path == home.paths().store()),
        "{refused:?}"
    );
    assert!(Path::exists(&path.join("file")));
}

#[test]
fn two_writers_take_turns() {
    let (home, expected) = filled();
    let writer = home.writer(ZONE);
    let refused = Writer::open(&home.paths(), ZONE).err();
    assert!(matches!(refused, Some(Error::Held { .. })), "{refused:?}");
    drop(writer);
    assert_repaired(&home, &expected, None, "later");
}

// Stores of other versions: an earlier one is computed again from the log, a newer one is left as it is.
// See `migrations/tests/frozen/README.md`.

const SEGMENT: &str = "2026-11-20.jsonl";

/// The tables computed from the log, with the columns that depend on it alone.
const TABLES: [(&str, &str); 8] = [
    ("questions", "*"),
    ("sessions", "*"),
    ("preference_changes", "*"),
    ("permission_events", "*"),
    ("hook_errors", "*"),
    ("segments", "* EXCLUDE (modified_ns)"),
    ("quarantine", "*"),
    ("settings", "*"),
];

const LOG: &str = include_str!("../../../migrations/tests/frozen/spool.jsonl");

const EXPECTED: &str = include_str!("../../../migrations/tests/frozen/expected.txt");

/// A home with the log.
fn home() -> Home {
    let home = Home::new();
    home.put(SEGMENT, LOG.as_bytes());
    home
}

fn text(home: &Home) -> String {
    let mut text = String::new();
    for (table, columns) in TABLES {
        writeln!(text, "== {table}").unwrap();
        let sql = format!("SELECT t::VARCHAR FROM (SELECT {columns} FROM {table}) AS t ORDER BY 1");
        for row in home.texts(&sql) {
            writeln!(text, "{row}").unwrap();
        }
    }
    text
}

fn assert_expected(home: &Home) {
    let found = text(home);
    for (found, expected) in found.lines().zip(EXPECTED.lines()) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.lines().count(), EXPECTED.lines().count());
}

#[test]
fn frozen_events_give_the_rows_they_always_gave() {
    let home = home();
    let done = home.ingest(ZONE);
    assert_eq!((done.events, done.quarantined), (75, 4));
    assert_expected(&home);
}

#[test]
fn an_earlier_store_is_computed_again() {
    let home = home();
    home.ingest(ZONE);
    home.tamper("UPDATE migrations SET version = 2; DROP TABLE questions");
    let mut writer = home.writer(ZONE);
    assert_eq!(writer.reason(), Some(&RebuildReason::Schema));
    assert_eq!(ingest(&mut writer).events, 75);
    drop(writer);
    assert_expected(&home);
    assert_eq!(home.files(), ["plantune.duckdb"]);
    // And it goes on with what is logged then.
    let line = LOG.lines().next().unwrap();
    home.append(SEGMENT, format!("{line}\n").as_bytes());
    assert_eq!(home.ingest(ZONE).events, 1);
    home.assert_computed(ZONE);
}

#[test]
fn a_newer_store_is_left_as_it_is() {
    let home = home();
    home.ingest(ZONE);
    home.tamper("INSERT INTO migrations VALUES (99, TIMESTAMP '2026-11-20')");
    home.append(SEGMENT, b"bad\n");
    let path = home.paths().store();
    let store = fs::read(&path).unwrap();
    let refused = Writer::open(&home.paths(), ZONE).err();
    assert!(matches!(refused, Some(Error::Newer(_))), "{refused:?}");
    assert!(fs::read(&path).unwrap() == store);
    assert_eq!(home.files(), ["plantune.duckdb"]);
}

#[test]
fn a_newer_store_that_its_writer_left_open_is_left_as_it_is() {
    let home = home();
    home.ingest(ZONE);
    let path = home.paths().store();
    let log = path.with_extension("duckdb.wal");
    let connection = plantune_migrations::open(&path, AccessMode::ReadWrite).unwrap();
    connection
        .execute_batch("INSERT INTO migrations VALUES (99, TIMESTAMP '2026-11-20')")
        .unwrap();
    let (store, rest) = (fs::read(&path).unwrap(), fs::read(&log).unwrap());
    connection.close().unwrap();
    put(&path, &store);
    put(&log, &rest);
    let refused = Writer::open(&home.paths(), ZONE).err();
    assert!(matches!(refused, Some(Error::Newer(_))), "{refused:?}");
    assert!(fs::read(&path).unwrap() == store && fs::read(&log).unwrap() == rest);
}

// `compare`: a store that somebody changed. What differs from the log is found and named, nothing is
// changed by looking, and computing the store again repairs it.

/// Three questions: answered, failed, and one whose session went on. A row at least in every table.
fn home_with_a_store() -> Home {
    let home = Home::new();
    home.log(
        "2026-11-19.jsonl",
        &[
            TestEvent::new(Kind::SessionStarted, 0, "2026-11-19T09:00:00Z"),
            TestEvent::new(Kind::Asked, 1, "2026-11-19T10:00:00Z"),
            TestEvent::new(Kind::Answered, 1, "2026-11-19T10:00:08Z"),
            TestEvent::new(Kind::Asked, 2, "2026-11-19T11:00:00Z"),
            TestEvent::new(Kind::Failed, 2, "2026-11-19T11:00:01Z"),
            TestEvent::new(Kind::HookError, 0, "2026-11-19T11:30:00Z"),
            TestEvent::new(Kind::PreferenceChanged, 0, "2026-11-19T11:40:00Z"),
        ],
    );
    home.append("2026-11-19.jsonl", b"no event\n");
    home.ingest("UTC");
    home.log(
        "2026-11-20.jsonl",
        &[
            TestEvent::new(Kind::Asked, 3, "2026-11-20T08:00:00Z"),
            TestEvent::new(Kind::SessionEnded, 0, "2026-11-20T09:00:00Z"),
        ],
    );
    home.ingest("UTC");
    home
}

#[test]
#[ignore = "takes long: make test-long"]
fn a_changed_row_is_named_with_its_column() {
    let home = home_with_a_store();
    let before = home.dump();
    let store = fs::read(home.paths().store()).unwrap();
    let offset = fs::metadata(home.segment("2026-11-19.jsonl"))
        .unwrap()
        .len()
        - 9;
    let id = |table: &str| {
        home.texts(&format!("SELECT id::VARCHAR FROM {table}"))
            .remove(0)
    };
    let (change, error) = (id("preference_changes"), id("hook_errors"));
    for (sql, relation, rows) in [
        (
            "UPDATE questions SET outcome = 'open' WHERE tool_use_id = 'toolu_3'",
            "questions",
            r#"toolu_3 0: outcome is "open", not "dismissed""#.to_owned(),
        ),
        (
            "UPDATE questions SET answer_name = 'No', header = NULL WHERE tool_use_id = 'toolu_1'",
            "questions",
            r#"toolu_1 0: answer_name is "No", not "Yes"; header is null, not "Header""#.to_owned(),
        ),
        (
            "UPDATE sessions SET ended_at = NULL",
            "sessions",
            r#"session: ended_at is null, not "2026-11-20 09:00:00""#.to_owned(),
        ),
        (
            "UPDATE preference_changes SET project = 'mine'",
            "preference_changes",
            format!(r#"{change}: project is "mine", not "shop""#),
        ),
        (
            "UPDATE hook_errors SET day = DATE '2026-11-18'",
            "hook_errors",
            format!(r#"{error}: day is "2026-11-18", not "2026-11-19""#),
        ),
        (
            "UPDATE quarantine SET reason = 'none'",
            "quarantine",
            format!(
                r#"2026-11-19.jsonl {offset}: reason is "none", not "not JSON: expected ident (column 2)""#
            ),
        ),
    ] {
        home.tamper(sql);
        let tampered = home.dump();
        let found = home.differences();
        assert_same(&home.dump(), &tampered);
        assert_eq!(home.files(), ["plantune.duckdb"]);
        let [found] = &found[..] else {
            panic!("{sql}: {found:?}");
        };
        assert_eq!(
            (found.relation.as_str(), found.rows.join("\n")),
            (relation, rows),
            "{sql}"
        );
        assert_eq!(found.stored, found.computed);
        let mut writer = home.writer("UTC");
        writer.discard();
        ingest(&mut writer);
        drop(writer);
        assert_same(&home.dump(), &before);
        put(&home.paths().store(), &store);
    }
}

#[test]
fn rows_too_many_and_too_few_are_counted() {
    let tables = [
        ("questions", 3),
        ("sessions", 1),
        ("preference_changes", 1),
        ("hook_errors", 1),
        ("quarantine", 1),
    ];
    let home = home_with_a_store();
    let store = fs::read(home.paths().store()).unwrap();
    for (table, rows) in tables {
        for (sql, stored, words) in [
            (
                format!("DELETE FROM {table} WHERE rowid = (SELECT max(rowid) FROM {table})"),
                rows - 1,
                "a row that only the log makes",
            ),
            (
                format!(
                    "INSERT INTO {table} FROM {table} WHERE rowid = (SELECT max(rowid) FROM {table})"
                ),
                rows + 1,
                "rows: 2 instead of 1",
            ),
        ] {
            home.tamper(&sql);
            let found = home.differences();
            let [found] = &found[..] else {
                panic!("{sql}: {found:?}");
            };
            assert_eq!(
                (found.relation.as_str(), found.stored, found.computed),
                (table, stored, rows)
            );
            assert!(
                found.rows.len() == 1 && found.rows.concat().ends_with(words),
                "{found:?}"
            );
            put(&home.paths().store(), &store);
        }
    }
}

#[test]
fn a_good_store_has_no_differences() {
    let home = Home::new();
    home.ingest("Europe/Berlin");
    assert_eq!(home.differences(), []);
    let home = home_with_a_store();
    assert_eq!(home.differences(), []);
    // What was logged since is not missing.
    home.log(
        "2026-11-20.jsonl",
        &[TestEvent::new(Kind::Answered, 3, "2026-11-20T09:10:00Z")],
    );
    home.log(
        "2026-11-21.jsonl",
        &[TestEvent::new(Kind::Asked, 4, "2026-11-21T09:00:00Z")],
    );
    home.append("2026-11-21.jsonl", b"bad\n");
    assert_eq!(home.differences(), []);
    home.ingest("UTC");
    home.assert_computed("UTC");
}

#[test]
fn a_bad_line_has_the_day_of_its_segment() {
    let home = Home::new();
    let day = |text: &str| {
        let time: chrono::DateTime<chrono::Utc> = text.parse().unwrap();
        let file = fs::File::open(home.segment("other.jsonl")).unwrap();
        file.set_modified(time.into()).unwrap();
    };
    home.append("2026-11-19.jsonl", b"bad\n");
    home.append("other.jsonl", b"bad\n");
    day("2026-11-01T23:59:00Z");
    home.ingest("Europe/Berlin");
    let days = "SELECT concat(segment, ' ', day) FROM quarantine ORDER BY ALL";
    let expected = ["2026-11-19.jsonl 2026-11-19", "other.jsonl 2026-11-01"];
    assert_eq!(home.texts(days), expected);
    // Its line is as old as it was, when the file has grown.
    home.append("other.jsonl", b"\n\n");
    day("2026-11-02T10:00:00Z");
    home.ingest("Europe/Berlin");
    assert_eq!(home.texts(days), expected);
    assert_eq!(home.differences(), []);
}

#[test]
fn only_a_store_of_this_version_is_compared() {
    let home = Home::new();
    assert!(compare(&home.paths()).unwrap().is_none());
    let home = home_with_a_store();
    home.tamper("INSERT INTO migrations VALUES (99, TIMESTAMP '2026-11-20')");
    let newer = compare(&home.paths()).err();
    assert!(matches!(newer, Some(Error::Newer(_))), "{newer:?}");
    home.tamper(
        "DELETE FROM migrations; INSERT INTO migrations VALUES (4, TIMESTAMP '2026-11-20')",
    );
    assert!(compare(&home.paths()).unwrap().is_none());
    put(&home.paths().store(), &[7; 40_000]);
    let broken = compare(&home.paths()).err();
    assert!(matches!(broken, Some(Error::Broken(_))), "{broken:?}");
}

// A store that many runs added little to.

/// How many row groups a store of few rows may have.
const MOST_ROW_GROUPS: i64 = 33;

fn row_groups(home: &Home) -> i64 {
    let sql = "SELECT count(DISTINCT row_group_id) FROM pragma_storage_info('questions')";
    home.store().query_row(sql, [], |row| row.get(0)).unwrap()
}

#[test]
#[ignore = "takes long: make test-long"]
fn many_small_parts_are_computed_as_one() {
    let home = Home::new();
    let mut reasons = Vec::new();
    for call in 0..40 {
        let at = format!("2026-11-20T10:00:{call:02}Z");
        home.log(
            "2026-11-20.jsonl",
            &[TestEvent::new(Kind::Asked, call, &at)],
        );
        reasons.extend(home.ingest("UTC").computed);
        // Each adds one at most.
        if i64::from(call) >= MOST_ROW_GROUPS - 3 {
            assert!(row_groups(&home) <= MOST_ROW_GROUPS);
        }
    }
    assert_eq!(reasons, [RebuildReason::Missing, RebuildReason::Scattered]);
    home.assert_computed("UTC");
}
