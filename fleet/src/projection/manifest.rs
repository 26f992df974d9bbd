//! What makes files a projection: the manifest, which says what they were computed from, and how.

use std::collections::{BTreeMap, BTreeSet};

use plantune_domain::hash;
use plantune_reports::fleet::SkippedFile;
use serde::{Deserialize, Serialize};

use super::table::{FOLDER, Table};
use crate::lake::Entry;
use crate::lake::files::{Readable, by_publisher};
use crate::lake::name::is_random;
use crate::lake::tombstones::Tombstone;

/// The format that this version writes and reads.
pub(crate) const FORMAT: u32 = 1;

/// A projection's manifest.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Manifest {
    /// [`FORMAT`].
    pub(crate) plantune_projection: u32,
    pub(crate) key_check: String,
    /// The fingerprint of the queries that computed it: [`queries`].
    pub(crate) queries: String,
    /// When the lake's files were listed.
    pub(crate) computed_at: String,
    /// What was passed over.
    pub(crate) tombstones: Vec<Tombstone>,
    /// Rows of the events that were read, events (each once) and their publishers.
    pub(crate) rows: u64,
    pub(crate) events: u64,
    pub(crate) publishers: u64,
    pub(crate) missing_files: u64,
    pub(crate) skipped: Vec<SkippedFile>,
    /// The files of events that were read.
    pub(crate) files: BTreeSet<String>,
    /// The publishers' files that these are or hold: of each publisher the first and the last number of each row of
    /// files without a gap.
    pub(crate) covered: BTreeMap<String, Vec<(u64, u64)>>,
    pub(crate) tables: Vec<TableFile>,
}

/// A file of a projection.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct TableFile {
    /// Below the projection's folder: the table's name, a slash and the file's name.
    pub(crate) path: String,
    pub(crate) bytes: u64,
    pub(crate) rows: u64,
    /// Of questions and prompts, when the first and the last came up, in microseconds since 1970.
    pub(crate) first_us: Option<i64>,
    pub(crate) last_us: Option<i64>,
}

impl TableFile {
    /// Where it lies, of the projection `id`.
    pub(crate) fn entry(&self, id: &str) -> Entry {
        Entry {
            path: format!("{FOLDER}/{id}/{}", self.path),
            size: self.bytes,
        }
    }

    /// Its table; `None` for a path that plantune does not give.
    pub(crate) fn table(&self) -> Option<Table> {
        let (table, name) = self.path.split_once('/')?;
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        let is_name = name.chars().all(is_plain) && name.starts_with(char::is_alphanumeric);
        let mut tables = Table::ALL.into_iter();
        tables.find(|one| one.name() == table && is_name)
    }

    /// True when it may hold rows from `first_us` on and before `end_us`.
    pub(crate) fn is_about(&self, first_us: i64, end_us: i64) -> bool {
        self.first_us.is_none_or(|first| first < end_us)
            && self.last_us.is_none_or(|last| last >= first_us)
    }
}

impl Manifest {
    /// True when it covers the publisher's file of this number.
    pub(crate) fn covers(&self, publisher: &str, sequence: u64) -> bool {
        let ranges = self.covered.get(publisher).into_iter().flatten();
        ranges
            .into_iter()
            .any(|(first, last)| (*first..=*last).contains(&sequence))
    }
}

/// The publishers' files that `read` are or hold, as in a manifest.
pub(crate) fn covered(read: &[Readable]) -> BTreeMap<String, Vec<(u64, u64)>> {
    let files = read.iter();
    let numbers = files.flat_map(|file| file.file.numbered().into_iter().chain(file.merged()));
    let ranges = by_publisher(numbers)
        .into_iter()
        .map(|(publisher, numbers)| {
            let mut ranges: Vec<(u64, u64)> = Vec::new();
            for number in numbers {
                match ranges.last_mut() {
                    Some((_, last)) if *last + 1 == number => *last = number,
                    _ => ranges.push((number, number)),
                }
            }
            (publisher.to_owned(), ranges)
        });
    ranges.collect()
}

/// The fingerprint of the queries that make the tables of events.
pub(crate) fn queries() -> String {
    hash::hex(&[
        include_str!("../../sql/fleet/copied.sql"),
        include_str!("../../sql/fleet/each_event.sql"),
        include_str!("../../sql/fleet/questions.sql"),
        include_str!("../../sql/fleet/barred.sql"),
        include_str!("../../sql/fleet/prompts.sql"),
    ])
}

/// Where the manifest of the projection `id` lies.
pub(crate) fn path(id: &str) -> String {
    format!("{FOLDER}/{id}.json")
}

/// The projection whose manifest lies there; `None` for a path that plantune does not give.
pub(crate) fn id_of(path: &str) -> Option<&str> {
    let id = path.strip_prefix(FOLDER)?.strip_prefix('/')?;
    id.strip_suffix(".json").filter(|id| is_random(id))
}

/// How many rows of `table` are in `files`.
pub(crate) fn row_count(files: &[TableFile], table: Table) -> u64 {
    let files = files.iter().filter(|file| file.table() == Some(table));
    files.map(|file| file.rows).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str) -> TableFile {
        TableFile {
            path: path.to_owned(),
            bytes: 1,
            rows: 1,
            first_us: Some(10),
            last_us: Some(20),
        }
    }

    #[test]
    fn names_of_strangers_are_none() {
        let table = |path: &str| file(path).table();
        assert_eq!(
            table("questions/week-2026-11-16.parquet"),
            Some(Table::Questions)
        );
        assert_eq!(
            table("prompts/part-00000-a1_b.c000.zstd.parquet"),
            Some(Table::Prompts)
        );
        for path in [
            "questions/../../../events/v1/a.parquet",
            "questions/a/b.parquet",
            "questions/.hidden",
            "questions/*.parquet",
            "questions/a'b",
            "questions/",
            "events/a.parquet",
            "/etc/passwd",
            "questions",
        ] {
            assert_eq!(table(path), None, "{path}");
        }
        assert_eq!(
            id_of("projections/v1/0123456789abcdef.json"),
            Some("0123456789abcdef")
        );
        for path in [
            "projections/v1/a.json",
            "projections/v1/0123456789abcdef/a.json",
            "x.json",
        ] {
            assert_eq!(id_of(path), None, "{path}");
        }
    }

    /// The columns of a table or view: name and type.
    fn columns(connection: &duckdb::Connection, name: &str) -> Vec<(String, String)> {
        let sql = "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = ? ORDER BY column_index";
        let mut statement = connection.prepare(sql).unwrap();
        let rows = statement.query_map([name], |row| Ok((row.get(0)?, row.get(1)?)));
        rows.unwrap().map(Result::unwrap).collect()
    }

    #[test]
    fn what_is_computed_written_read_and_described_are_the_same_columns() {
        let (stored, computed) = (
            duckdb::Connection::open_in_memory().unwrap(),
            duckdb::Connection::open_in_memory().unwrap(),
        );
        stored
            .execute_batch(include_str!("../../sql/projection/columns.sql"))
            .unwrap();
        let events = include_str!("../../sql/duckdb/events.sql");
        computed.execute_batch(events).unwrap();
        let docs = include_str!("../../../docs/development/fleet-lake.md");
        for (name, sql) in [
            ("copied", include_str!("../../sql/fleet/copied.sql")),
            ("each_event", include_str!("../../sql/fleet/each_event.sql")),
            ("questions", include_str!("../../sql/fleet/questions.sql")),
            ("prompts", include_str!("../../sql/fleet/prompts.sql")),
            ("barred", include_str!("../../sql/fleet/barred.sql")),
        ] {
            computed
                .execute_batch(&format!("CREATE VIEW {name} AS {sql}"))
                .unwrap();
        }
        for (table, spark) in [
            ("questions", include_str!("../../sql/spark/questions.sql")),
            ("prompts", include_str!("../../sql/spark/prompts.sql")),
            ("barred", include_str!("../../sql/spark/barred.sql")),
        ] {
            let columns_of_files = columns(&stored, table);
            assert_eq!(columns(&computed, table), columns_of_files);
            let lines = spark.lines().filter(|line| !line.starts_with("--"));
            let of_spark: Vec<String> = lines.map(|line| line.replace(',', "")).collect();
            let expected = columns_of_files.iter().map(|(name, kind)| {
                let kind = kind.replace("VARCHAR", "STRING").replace("INTEGER", "INT");
                format!("{name} {kind}")
            });
            assert_eq!(of_spark, expected.collect::<Vec<_>>());
            let (_, described) = docs.split_once(&format!("| `{table}` | type | |")).unwrap();
            let described: Vec<(String, String)> = described
                .lines()
                .skip(2)
                .take_while(|line| line.starts_with('|'))
                .map(|line| {
                    let mut cells = line.split('|').map(str::trim).skip(1);
                    let name = cells.next().unwrap().replace('`', "");
                    (name, cells.next().unwrap().to_owned())
                })
                .collect();
            assert_eq!(
                described, columns_of_files,
                "docs/development/fleet-lake.md"
            );
        }
    }

    #[test]
    fn a_file_is_read_for_the_days_that_it_is_about() {
        let file = file("questions/a");
        for (days, expected) in [
            ((0, 10), false),
            ((0, 11), true),
            ((20, 21), true),
            ((21, 30), false),
        ] {
            assert_eq!(file.is_about(days.0, days.1), expected, "{days:?}");
        }
    }
}
