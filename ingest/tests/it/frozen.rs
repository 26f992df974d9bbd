//! Stores of other versions: an earlier one is computed again from the log, a newer one is left as it is.
//! See `migrations/tests/frozen/README.md`.

use std::fmt::Write as _;
use std::fs;

use duckdb::AccessMode;
use plantune_ingest::{Error, Reason, Writer};

use crate::home::{Home, ingest, put};

const ZONE: &str = "Europe/Berlin";

const SEGMENT: &str = "2026-11-20.jsonl";

/// What the store holds of the log, with the columns that depend on it alone.
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
    assert_eq!(writer.reason(), Some(&Reason::Schema));
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
