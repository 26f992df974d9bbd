//! A log of some months, and what is done to it.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::Path;

use crate::segments::{age, append, day, names, others, questions, tables};
use chrono::{DateTime, Utc};
use duckdb::AccessMode;
use plantune_domain::config::Retention;
use plantune_domain::paths::Paths;
use plantune_ingest::{Collected, Progress, Step, Summary, Writer};
use tempfile::TempDir;

pub(crate) const OLD: &str = "2026-10-01";
pub(crate) const SEALED: &str = "2026-10.parquet";

pub(crate) fn now() -> DateTime<Utc> {
    "2026-11-20T10:00:00Z".parse().unwrap()
}

pub(crate) fn paths(home: &Path) -> Paths {
    Paths::below(home.to_owned())
}

pub(crate) fn writer(home: &Path) -> Writer {
    Writer::open(&paths(home), "UTC").unwrap()
}

pub(crate) fn ingest(home: &Path) -> Summary {
    writer(home).ingest(&Progress::default()).unwrap()
}

pub(crate) fn collect(writer: &mut Writer, retention: &Retention) -> Vec<Collected> {
    writer.gc(retention, now(), &Progress::default()).unwrap()
}

pub(crate) fn gc(home: &Path, retention: &Retention) -> Vec<Collected> {
    let mut writer = writer(home);
    writer.ingest(&Progress::default()).unwrap();
    collect(&mut writer, retention)
}

/// Seals everything that may be, and returns how many segments that were.
pub(crate) fn seal(home: &Path) -> usize {
    let collected = gc(home, &Retention::default());
    let done = collected
        .iter()
        .filter(|one| one.planned.step == Step::Seal);
    done.inspect(|one| assert!(one.freed.is_ok(), "{one:?}"))
        .count()
}

pub(crate) fn retention(seal_after_days: Option<u32>, drop_after_days: Option<u32>) -> Retention {
    Retention {
        seal_after_days,
        drop_after_days,
    }
}

pub(crate) fn stored(home: &Path) -> BTreeMap<String, Vec<String>> {
    tables(&paths(home).store())
}

/// What a store holds that is computed from the log as it is now.
pub(crate) fn computed(home: &Path) -> BTreeMap<String, Vec<String>> {
    let other = tempfile::tempdir().unwrap();
    fs::create_dir(other.path().join("events")).unwrap();
    for name in names(home) {
        let from = home.join("events").join(&name);
        fs::copy(from, other.path().join("events").join(&name)).unwrap();
    }
    ingest(other.path());
    stored(other.path())
}

pub(crate) fn query(home: &Path, sql: &str) -> u64 {
    let store = plantune_migrations::open(&paths(home).store(), AccessMode::ReadOnly).unwrap();
    store.query_row(sql, [], |row| row.get(0)).unwrap()
}

pub(crate) fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// A home with three old days, one of them compressed, an import that holds the first of them again, and
/// yesterday.
pub(crate) fn home() -> TempDir {
    let home = tempfile::tempdir().unwrap();
    day(home.path(), OLD, 40);
    day(home.path(), "2026-10-02", 30);
    append(
        home.path(),
        "2026-10-02.jsonl",
        others("2026-10-02").as_bytes(),
    );
    age(home.path(), "2026-10-02.jsonl", "2026-10-02T23:00:00Z");
    let packed = "2026-10-31.jsonl.gz";
    append(
        home.path(),
        packed,
        &gzip(questions("2026-10-31", 20).as_bytes()),
    );
    age(home.path(), packed, "2026-10-31T23:00:00Z");
    let import = "import-claude-code-2026-10-03.jsonl";
    // As transcripts have them: a second later.
    let imported = questions(OLD, 20)
        .replace("\"hook\"", "\"import:claude-code\"")
        .replace(":00.000Z", ":01.000Z");
    append(home.path(), import, imported.as_bytes());
    append(home.path(), import, questions("2025-03-01", 20).as_bytes());
    age(home.path(), import, "2026-10-03T12:00:00Z");
    day(home.path(), "2026-11-19", 10);
    home
}
