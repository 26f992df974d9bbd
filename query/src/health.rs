//! Behind `plantune doctor`: whether the store can be read, what it holds, and which lines
//! of the log could not become events.

use std::path::Path;
use std::time::Duration;

use chrono::{DateTime, NaiveDate, Utc};
use duckdb::Connection;
use plantune_domain::sanitize::visible;
use serde::{Deserialize, Serialize, Serializer};

use crate::store::{Store, StoreError, any_utc};

/// The contents of a store.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Contents {
    /// Events in the log, those that it holds twice counted twice.
    pub events: u64,
    /// Questions.
    pub questions: u64,
    /// Those of them whose answer by a preference did not reach the agent.
    pub withdrawn: u64,
    /// The time of the latest event that a hook logged; imported ones are left out.
    #[serde(with = "any_utc")]
    pub last_hook_at: Option<DateTime<Utc>>,
    /// How far each segment has been read, in the order of names.
    #[serde(skip)]
    pub segments: Vec<SegmentRead>,
    /// The lines in quarantine by kind, the most frequent first.
    #[serde(skip)]
    pub quarantine: Vec<QuarantineCount>,
}

/// How far one segment of the log has been read.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct SegmentRead {
    /// The file's name.
    pub segment: String,
    /// Bytes read.
    pub offset: u64,
    /// Events read.
    pub events: u64,
    /// Why the rest of it cannot be read, if it is damaged.
    pub damage: Option<String>,
}

/// The lines that were refused for one kind of reason.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct QuarantineCount {
    /// `torn`, `not_utf8`, `not_json`, `schema_version`, `not_an_event`, `too_long` or `other`.
    pub kind: String,
    /// How many there are.
    pub lines: u64,
    /// The latest day of them ([`QuarantinedLine::day`]).
    pub last_day: NaiveDate,
}

/// The contents of the store in `path`, which is opened read-only, and closed again.
///
/// # Errors
/// [`StoreError::Missing`] without a file, [`StoreError::Version`] for a store of another version, [`StoreError::Held`] when another
/// process writes to it, [`StoreError::Broken`] for a file that is no store, and DuckDB's own.
pub fn health(path: &Path) -> Result<Contents, StoreError> {
    let store = Store::open_within(path, Duration::ZERO)?;
    let segments = include_str!("../sql/health/segments.sql");
    let kinds = include_str!("../sql/health/quarantine_kinds.sql");
    Ok(Contents {
        segments: store.rows(segments, [])?,
        quarantine: store.rows(kinds, [])?,
        ..store.row(include_str!("../sql/health/contents.sql"), [])?
    })
}

/// How much of a line is kept, in characters: more than any terminal has columns.
const MOST_EXCERPT: usize = 400;

/// The lines in quarantine. Serialised, it is the document of `doctor --quarantine --json`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Quarantine {
    /// How many lines there are.
    pub total: u64,
    /// The latest of them, the newest first.
    pub lines: Vec<QuarantinedLine>,
}

/// A line in quarantine. Its bytes, and the reason, which may quote them, are untrusted.
#[derive(Clone, Debug, PartialEq, Eq, Default, Deserialize, Serialize)]
pub struct QuarantinedLine {
    /// The segment's day, else the day the segment was last changed.
    pub day: NaiveDate,
    /// The segment of the log that holds it.
    pub segment: String,
    /// Its position in the segment, in bytes.
    pub offset: u64,
    /// Its length in bytes.
    pub length: u64,
    /// Why it is no event.
    pub reason: String,
    /// Its first 400 bytes.
    #[serde(rename(serialize = "excerpt"), serialize_with = "as_text")]
    pub start: Vec<u8>,
}

impl QuarantinedLine {
    /// Its beginning as a text, at most 400 characters.
    pub fn excerpt(&self) -> String {
        excerpt(&self.start)
    }
}

fn excerpt(start: &[u8]) -> String {
    visible(start).chars().take(MOST_EXCERPT).collect()
}

fn as_text<S: Serializer>(start: &[u8], to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&excerpt(start))
}

impl Store {
    /// The quarantine with its latest `limit` lines; all of them without a limit.
    ///
    /// # Errors
    /// The errors of DuckDB.
    pub fn quarantine(&self, limit: Option<u32>) -> Result<Quarantine, StoreError> {
        let count = include_str!("../sql/quarantine/count.sql");
        let (total,) = self.row(count, [])?;
        let lines = include_str!("../sql/quarantine/lines.sql");
        let lines = self.rows(lines, [limit.map_or(i64::MAX, i64::from)])?;
        Ok(Quarantine { total, lines })
    }
}

/// The version of the DuckDB library that is linked, such as `v1.5.2`.
///
/// # Errors
/// The errors of DuckDB.
pub fn duckdb() -> Result<String, StoreError> {
    let connection = Connection::open_in_memory()?;
    let version = connection.query_row(include_str!("../sql/duckdb_version.sql"), [], |row| {
        row.get(0)
    });
    Ok(version?)
}

/// The schema version of the stores that this plantune makes.
pub fn store_schema() -> u32 {
    plantune_migrations::newest()
}

#[cfg(test)]
mod tests {
    use duckdb::AccessMode;

    use super::*;

    #[test]
    fn the_latest_come_first() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("plantune.duckdb");
        let connection = plantune_migrations::open(&path, AccessMode::ReadWrite).unwrap();
        plantune_migrations::create(&connection).unwrap();
        connection
            .execute_batch(
                "INSERT INTO quarantine
                 SELECT '2026-11-18.jsonl', 10 * n, 1, DATE '2026-11-18', 'not JSON: expected value',
                        'x'::BLOB
                 FROM range(1, 9) AS numbers (n);
                 INSERT INTO quarantine VALUES
                 ('a.jsonl', 5, 900, DATE '2026-12-01', 'line of 900 bytes', repeat('x', 500)::BLOB)",
            )
            .unwrap();
        connection.close().unwrap();
        let store = Store::open(&path).unwrap();
        let all = store.quarantine(None).unwrap();
        assert_eq!((all.total, all.lines.len()), (9, 9));
        let found = store.quarantine(Some(2)).unwrap();
        assert_eq!((found.total, found.lines.len()), (9, 2));
        assert_eq!(
            found.lines[0],
            QuarantinedLine {
                segment: "a.jsonl".to_owned(),
                offset: 5,
                length: 900,
                day: "2026-12-01".parse().unwrap(),
                reason: "line of 900 bytes".to_owned(),
                start: vec![b'x'; 400],
            }
        );
        assert_eq!((found.lines[1].offset, found.lines[1].start.len()), (80, 1));
    }

    fn store(sql: &str) -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("plantune.duckdb");
        let connection = plantune_migrations::open(&path, AccessMode::ReadWrite).unwrap();
        plantune_migrations::create(&connection).unwrap();
        connection.execute_batch(sql).unwrap();
        (folder, path)
    }

    #[test]
    fn an_empty_store() {
        let (_folder, path) = store("");
        assert_eq!(health(&path).unwrap(), Contents::default());
    }

    #[test]
    fn what_a_store_holds() {
        let (_folder, path) = store(concat!(
            include_str!("../tests/sql/defaults.sql"),
            include_str!("../tests/health.sql")
        ));
        let contents = health(&path).unwrap();
        assert_eq!((contents.events, contents.questions), (3, 1));
        let day = |time: Option<DateTime<Utc>>| time.unwrap().to_rfc3339();
        assert_eq!(day(contents.last_hook_at), "2026-11-18T10:00:00+00:00");
        assert_eq!(
            contents.segments,
            [
                SegmentRead {
                    segment: "2026-11-18.jsonl".to_owned(),
                    offset: 900,
                    events: 2,
                    damage: None
                },
                SegmentRead {
                    segment: "2026-11.parquet".to_owned(),
                    offset: 70,
                    events: 1,
                    damage: Some("events were changed".to_owned())
                }
            ]
        );
        let kinds: Vec<_> = contents
            .quarantine
            .iter()
            .map(|found| (found.kind.as_str(), found.lines))
            .collect();
        assert_eq!(
            kinds,
            [
                ("torn", 2),
                ("not_an_event", 1),
                ("not_json", 1),
                ("not_utf8", 1),
                ("other", 1),
                ("schema_version", 1),
                ("too_long", 1),
            ]
        );
        assert_eq!(contents.quarantine[0].last_day.to_string(), "2026-11-18");
    }

    #[test]
    fn another_version_is_named() {
        let (_folder, path) = store("INSERT INTO migrations VALUES (99, TIMESTAMP '2026-11-20')");
        let error = health(&path).unwrap_err();
        assert!(matches!(error, StoreError::Version { found: 99, .. }));
    }

    #[test]
    fn no_store_and_no_database() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("plantune.duckdb");
        assert!(matches!(health(&path), Err(StoreError::Missing(_))));
        std::io::Write::write_all(
            &mut std::fs::File::create(&path).unwrap(),
            b"no database, and longer than an empty file",
        )
        .unwrap();
        let error = health(&path).unwrap_err();
        assert!(matches!(error, StoreError::Broken(_)));
    }
}
