//! Behind `plantune quarantine list`: the lines of the spool that could not become events.

use chrono::{DateTime, NaiveDateTime, Utc};
use duckdb::params;

use crate::store::{Error, Store};

/// What is in quarantine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Quarantine {
    /// How many lines there are.
    pub total: u64,
    /// The latest of them, the newest first.
    pub lines: Vec<Line>,
}

/// A line in quarantine. Its bytes, and the reason, which may quote them, are untrusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What identifies it.
    pub id: String,
    /// When it was found.
    pub seen_at: DateTime<Utc>,
    /// The segment of the spool that it stood in.
    pub segment: String,
    /// Where it began in the segment, in bytes.
    pub offset: u64,
    /// Its length in bytes.
    pub length: u64,
    /// Why it is no event.
    pub reason: String,
    /// Its first 400 bytes.
    pub start: Vec<u8>,
}

impl Store {
    /// The quarantine with its latest `limit` lines; all of them without a limit.
    ///
    /// # Errors
    /// DuckDB's.
    pub fn quarantine(&self, limit: Option<u32>) -> Result<Quarantine, Error> {
        let count = include_str!("../sql/quarantine/count.sql");
        let total = self.connection.query_row(count, [], |row| row.get(0))?;
        let lines = include_str!("../sql/quarantine/lines.sql");
        let mut statement = self.connection.prepare(lines)?;
        let limit = limit.map_or(i64::MAX, i64::from);
        let lines = statement.query_map(params![limit], |row| {
            let seen_at: NaiveDateTime = row.get("seen_at")?;
            Ok(Line {
                id: row.get("id")?,
                seen_at: seen_at.and_utc(),
                segment: row.get("segment")?,
                offset: row.get("offset")?,
                length: row.get("length")?,
                reason: row.get("reason")?,
                start: row.get("start")?,
            })
        })?;
        Ok(Quarantine {
            total,
            lines: lines.collect::<duckdb::Result<_>>()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use duckdb::AccessMode;

    #[test]
    fn the_latest_come_first() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("plantune.duckdb");
        let mut connection = plantune_migrations::open(&path, AccessMode::ReadWrite).unwrap();
        plantune_migrations::apply(&mut connection).unwrap();
        connection
            .execute_batch(
                "INSERT INTO quarantine
                 SELECT 'q' || n, '2026-11-18.jsonl', 10 * n, 'not JSON: expected value', 'x'::BLOB, 1,
                        TIMESTAMP '2026-11-18 10:00:00'
                 FROM range(1, 9) AS numbers (n);
                 INSERT INTO quarantine VALUES ('long', 'a.jsonl', 5, 'line of 900 bytes',
                 repeat('x', 500)::BLOB, 900, TIMESTAMP '2026-12-01 10:00:00')",
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
            Line {
                id: "long".to_owned(),
                seen_at: "2026-12-01T10:00:00Z".parse().unwrap(),
                segment: "a.jsonl".to_owned(),
                offset: 5,
                length: 900,
                reason: "line of 900 bytes".to_owned(),
                start: vec![b'x'; 400],
            }
        );
        assert_eq!((found.lines[1].offset, found.lines[1].start.len()), (80, 1));
    }
}
