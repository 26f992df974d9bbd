//! Stores of other versions: an earlier one is computed again from the log, a newer one is left as it is.
//! See `migrations/tests/frozen/README.md`.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io;

use duckdb::AccessMode;
use flate2::read::GzDecoder;
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

const STORES: [(u32, &[u8]); 2] = [
    (
        1,
        include_bytes!("../../../migrations/tests/frozen/v1.duckdb.gz"),
    ),
    (
        2,
        include_bytes!("../../../migrations/tests/frozen/v2.duckdb.gz"),
    ),
];

/// A home with the log.
fn home() -> Home {
    let home = Home::new();
    home.put(SEGMENT, LOG.as_bytes());
    home
}

/// A home with a frozen store and the log that it was filled from.
fn frozen(version: u32, store: &[u8]) -> Home {
    let home = home();
    let path = home.paths().store();
    io::copy(
        &mut GzDecoder::new(store),
        &mut File::create(&path).unwrap(),
    )
    .unwrap();
    let found = plantune_migrations::open(&path, AccessMode::ReadOnly).unwrap();
    assert_eq!(plantune_migrations::version(&found).unwrap(), version);
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
fn earlier_stores_are_computed_again() {
    for (version, store) in STORES {
        let home = frozen(version, store);
        let mut writer = home.writer(ZONE);
        assert_eq!(writer.reason(), Some(&Reason::Schema), "version {version}");
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

/// Those versions kept the events of dropped segments in the store alone.
#[test]
fn an_earlier_store_with_dropped_events_is_kept() {
    for is_dropped in [false, true] {
        let (version, store) = STORES[1];
        let home = frozen(version, store);
        let before = fs::read(home.paths().store()).unwrap();
        if is_dropped {
            put(&home.paths().data().join("dropped.jsonl"), b"{}\n");
        }
        home.ingest(ZONE);
        assert_eq!(text(&home), EXPECTED);
        let earlier = home.paths().data().join("plantune.duckdb.earlier");
        assert_eq!(fs::read(earlier).ok(), is_dropped.then_some(before));
    }
}
