//! A commit that was cut short in the write-ahead log: the next writer reads again what it held.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test may panic, and writes what a killed run leaves"
)]

use std::fmt::Write as _;
use std::fs;

use duckdb::AccessMode;
use plantune_domain::paths::Paths;
use plantune_domain::spool;
use plantune_ingest::{Progress, Writer};

/// More than a full row group (122,880 rows) for each of two threads, which go straight into the file.
const EVENTS: u32 = 300_000;

fn ingest(paths: &Paths) -> u64 {
    let now = "2026-11-20T10:00:00Z".parse().unwrap();
    let mut writer = Writer::open(paths, "UTC").unwrap();
    let summary = writer.ingest(now, &Progress::default()).unwrap();
    summary.events
}

fn count(paths: &Paths, relation: &str) -> u64 {
    let store = plantune_migrations::open(&paths.store(), AccessMode::ReadOnly).unwrap();
    let sql = include_str!("sql/counts.sql");
    let mut statement = store.prepare(sql).unwrap();
    statement.query_row([relation], |row| row.get(0)).unwrap()
}

#[test]
fn a_commit_cut_short_is_made_again() {
    let home = tempfile::tempdir().unwrap();
    let paths = Paths::below(home.path().to_owned());
    let mut lines = String::new();
    for number in 0..EVENTS {
        let id = u128::from(number).wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835);
        let (session, second) = (number / 50, number % 60);
        writeln!(
            lines,
            "{{\"v\":1,\"id\":\"{id:032x}\",\"ts\":\"2026-11-19T10:00:{second:02}.000Z\",\
             \"kind\":\"session_started\",\"session_id\":\"s{session}\",\
             \"session_kind\":\"interactive\",\"project\":\"p\",\"cwd\":\"/w\",\"source\":\"hook\"}}"
        )
        .unwrap();
    }
    spool::append_to(&paths.events().join("2026-11-19.jsonl"), lines.as_bytes()).unwrap();
    assert_eq!(ingest(&paths), u64::from(EVENTS));
    let mark = paths.store().with_extension("duckdb.open");
    assert!(!mark.exists(), "a writer that ends takes its mark away");

    let log = paths.store().with_extension("duckdb.wal");
    let (whole, store) = (fs::read(&log).unwrap(), fs::read(paths.store()).unwrap());
    for cut in [1, 30] {
        fs::write(&log, &whole[..whole.len() - cut]).unwrap();
        fs::write(paths.store(), &store).unwrap();
        fs::write(&mark, "").unwrap();
        assert_eq!(ingest(&paths), u64::from(EVENTS), "{cut} bytes short");
        for relation in ["events", "log", "event_ids"] {
            assert_eq!(count(&paths, relation), u64::from(EVENTS), "{relation}");
        }
        assert!(!mark.exists());
    }
}
