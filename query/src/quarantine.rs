//! Behind `plantune doctor --quarantine`: the lines of the log that could not become events.

use chrono::NaiveDate;
use plantune_domain::sanitize::visible;
use serde::{Deserialize, Serialize, Serializer};

use crate::store::{Error, Store};

/// How much of a line is kept, in characters: more than any terminal has columns.
const MOST_EXCERPT: usize = 400;

/// What is in quarantine. Serialised, it is what `doctor --quarantine --json` lists.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Quarantine {
    /// How many lines there are.
    pub total: u64,
    /// The latest of them, the newest first.
    pub lines: Vec<Line>,
}

/// A line in quarantine. Its bytes, and the reason, which may quote them, are untrusted.
#[derive(Clone, Debug, PartialEq, Eq, Default, Deserialize, Serialize)]
pub struct Line {
    /// The segment's day, else the day the segment was last changed.
    pub day: NaiveDate,
    /// The segment of the log that it stands in.
    pub segment: String,
    /// Where it begins in the segment, in bytes.
    pub offset: u64,
    /// Its length in bytes.
    pub length: u64,
    /// Why it is no event.
    pub reason: String,
    /// Its first 400 bytes.
    #[serde(rename(serialize = "excerpt"), serialize_with = "as_text")]
    pub start: Vec<u8>,
}

impl Line {
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
    /// DuckDB's.
    pub fn quarantine(&self, limit: Option<u32>) -> Result<Quarantine, Error> {
        let count = include_str!("../sql/quarantine/count.sql");
        let (total,) = self.row(count, [])?;
        let lines = include_str!("../sql/quarantine/lines.sql");
        let lines = self.rows(lines, [limit.map_or(i64::MAX, i64::from)])?;
        Ok(Quarantine { total, lines })
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
            Line {
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
}
