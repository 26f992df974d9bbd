//! A home whose log the tests write, and what its store holds then.

mod event;
mod random;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use chrono::{DateTime, NaiveDate, Utc};
use duckdb::{AccessMode, Connection};
use plantune_domain::paths::Paths;
use plantune_domain::session_kind::SessionKind;
use plantune_hooks::hook::Environment;
use plantune_ingest::{Difference, Progress, Summary, Writer, compare};
use tempfile::TempDir;

use crate::support::dump;
pub(crate) use event::TestEvent;
pub(crate) use random::Random;

/// The rows of each table as text, in order.
pub(crate) type Dump = BTreeMap<String, Vec<String>>;

/// When a test runs.
pub(crate) fn now() -> DateTime<Utc> {
    "2026-11-20T10:00:00Z".parse().unwrap()
}

/// A data folder of its own.
pub(crate) struct Home(TempDir);

impl Home {
    pub(crate) fn new() -> Self {
        let home = Self(tempfile::tempdir().unwrap());
        fs::create_dir(home.paths().events()).unwrap();
        home
    }

    /// Another home with the same log and no store.
    pub(crate) fn without_store(&self) -> Self {
        let copy = Self::new();
        for entry in fs::read_dir(self.paths().events()).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            // A link has the same modification time.
            fs::hard_link(entry.path(), copy.segment(&name)).unwrap();
        }
        copy
    }

    pub(crate) fn paths(&self) -> Paths {
        Paths::below(self.0.path().to_owned())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// A hook that is called at `now` in a terminal, and logs here.
    pub(crate) fn environment(&self, now: DateTime<Utc>) -> Environment {
        Environment {
            agent: &plantune_agents::claude_code::ClaudeCode,
            paths: self.paths(),
            now,
            session_kind: SessionKind::Interactive,
            entrypoint: Some("cli".to_owned()),
            project_root: None,
            disabled: false,
            by_plugin: false,
        }
    }

    pub(crate) fn segment(&self, name: &str) -> PathBuf {
        self.paths().events().join(name)
    }

    /// What lies beside the log, by name.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.filter(|name| name != "events").collect();
        names.sort();
        names
    }

    /// Overwrites a segment.
    pub(crate) fn put(&self, segment: &str, bytes: &[u8]) {
        put(&self.segment(segment), bytes);
    }

    pub(crate) fn append(&self, segment: &str, bytes: &[u8]) {
        let mut options = File::options();
        let file = options
            .create(true)
            .append(true)
            .open(self.segment(segment));
        file.unwrap().write_all(bytes).unwrap();
    }

    pub(crate) fn log(&self, segment: &str, events: &[TestEvent]) {
        let lines: Vec<_> = events.iter().flat_map(TestEvent::line).collect();
        self.append(segment, &lines);
    }

    pub(crate) fn writer(&self, zone: &str) -> Writer {
        Writer::open(&self.paths(), zone).unwrap()
    }

    pub(crate) fn ingest(&self, zone: &str) -> Summary {
        ingest(&mut self.writer(zone))
    }

    pub(crate) fn store(&self) -> Connection {
        plantune_migrations::open(&self.paths().store(), AccessMode::ReadOnly).unwrap()
    }

    /// Changes the store as no writer does.
    pub(crate) fn tamper(&self, sql: &str) {
        let store =
            plantune_migrations::open(&self.paths().store(), AccessMode::ReadWrite).unwrap();
        store.execute_batch(sql).unwrap();
        store.close().unwrap();
    }

    pub(crate) fn differences(&self) -> Vec<Difference> {
        compare(&self.paths()).unwrap().unwrap()
    }

    /// The store is the one that is computed from the whole log at once.
    pub(crate) fn assert_computed(&self, zone: &str) {
        let other = self.without_store();
        other.ingest(zone);
        assert_same(&self.dump(), &other.dump());
        let segments =
            "SELECT (segment, \"offset\", length, events, tail, last_hook_at, damage)::VARCHAR
                        FROM segments ORDER BY ALL";
        assert_eq!(self.texts(segments), other.texts(segments));
        // By these rows it is found again what to merge and what to dismiss.
        let unlisted = "SELECT tool_use_id FROM questions
            WHERE ((id >> 32)::UINTEGER, ts::DATE) NOT IN (FROM question_days)
            OR (
                (outcome = 'open' OR (outcome = 'dismissed' AND dismissed_at IS NULL))
                AND (session_id, ts) NOT IN (FROM endless_questions)
            )";
        assert_eq!(self.texts(unlisted), [""; 0]);
    }

    pub(crate) fn dump(&self) -> Dump {
        dump::dump(&self.paths().store(), &dump::COMPUTED)
    }

    /// A column of text.
    pub(crate) fn texts(&self, sql: &str) -> Vec<String> {
        let store = self.store();
        let mut statement = store.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| row.get(0)).unwrap();
        rows.map(Result::unwrap).collect()
    }

    /// Of each day, how its questions ended: answered, auto-decided, failed, dismissed, open.
    pub(crate) fn days(&self) -> BTreeMap<NaiveDate, [u64; 5]> {
        let store = self.store();
        let sql = "SELECT
                day,
                count(*) FILTER (outcome = 'answered'),
                count(*) FILTER (outcome = 'auto_decided'),
                count(*) FILTER (outcome = 'failed'),
                count(*) FILTER (outcome = 'dismissed'),
                count(*) FILTER (outcome = 'open')
            FROM questions GROUP BY day";
        let mut statement = store.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| {
            let mut counts = [0; 5];
            for (column, count) in counts.iter_mut().enumerate() {
                *count = row.get(column + 1)?;
            }
            Ok((row.get(0)?, counts))
        });
        rows.unwrap().map(Result::unwrap).collect()
    }
}

pub(crate) fn ingest(writer: &mut Writer) -> Summary {
    writer.ingest(&Progress::default()).unwrap()
}

/// Overwrites a file. Nothing has to last, so nothing is synced.
pub(crate) fn put(path: &Path, bytes: &[u8]) {
    File::create(path).unwrap().write_all(bytes).unwrap();
}

/// Names the first rows that differ: all of them would be unreadable.
pub(crate) fn assert_same(found: &Dump, expected: &Dump) {
    for (table, rows) in expected {
        let found = &found[table];
        let differ = found.iter().zip(rows).find(|(one, other)| one != other);
        assert_eq!((differ, found.len()), (None, rows.len()), "{table}");
    }
}
