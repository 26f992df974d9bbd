//! Writing a projection: its files, and last of all the manifest that makes them one.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use duckdb::Connection;
use plantune_domain::clock;
use plantune_ingest::parquet_pattern;
use plantune_reports::fleet::LakeState;

use super::manifest::{self, FORMAT, Manifest, TableFile, covered, rows};
use super::table::{FOLDER, Table};
use crate::failure::Failure;
use crate::key::random_hex;
use crate::lake::files::{Readable, Skipped};
use crate::lake::tombstones::Tombstone;
use crate::lake::{Lake, Put};
use crate::workspace::Workspace;

/// A week, in microseconds.
const WEEK: i64 = 7 * 86_400_000_000;

/// What was read of the lake, which a projection was computed from.
pub(crate) struct Origin {
    pub(crate) read: Vec<Readable>,
    pub(crate) tombstones: Vec<Tombstone>,
    pub(crate) state: LakeState,
}

/// A projection that was written.
pub(crate) struct Written {
    pub(crate) id: String,
    pub(crate) tables: Vec<TableFile>,
    pub(crate) origin: Origin,
}

/// A projection that is being written.
pub(crate) struct Unfinished<'a> {
    pub(crate) lake: &'a Lake,
    pub(crate) id: String,
    pub(crate) tables: Vec<TableFile>,
}

impl<'a> Unfinished<'a> {
    /// A new one, of which there is nothing yet.
    ///
    /// # Errors
    /// When the system has no random bytes.
    pub(crate) fn new(lake: &'a Lake) -> Result<Self, Failure> {
        Ok(Self {
            lake,
            id: random_hex::<8>()?,
            tables: Vec::new(),
        })
    }

    /// Writes the tables of `connection`, by way of a file in `folder`: questions and prompts a week a file.
    ///
    /// # Errors
    /// DuckDB's and the store's; failed when a file does not hold what was to be written.
    pub(crate) fn write(&mut self, connection: &Connection, folder: &Path) -> Result<(), Failure> {
        let local = folder.join("table.parquet");
        let pattern = parquet_pattern(&local)?;
        let set = |sql: &str, value: &str| connection.execute(sql, [value]);
        set("SET VARIABLE path = ?", &local.to_string_lossy())?;
        let patterns = serde_json::to_string(&[pattern])?;
        set(include_str!("../../sql/lake/choose.sql"), &patterns)?;
        let mut statement = connection.prepare(include_str!("../../sql/projection/weeks.sql"))?;
        let weeks = statement.query_map([], |row| row.get(0))?;
        let weeks: Vec<i64> = weeks.collect::<Result<_, _>>()?;
        for week in weeks {
            let bound = |sql: &str, value: i64| connection.execute(sql, [value]);
            bound("SET VARIABLE first_us = ?::BIGINT", week)?;
            bound("SET VARIABLE end_us = ?::BIGINT", week.saturating_add(WEEK))?;
            let monday = chrono::DateTime::from_timestamp_micros(week).unwrap_or_default();
            let name = format!("week-{}.parquet", monday.date_naive());
            for (table, sql) in [
                (
                    Table::Questions,
                    include_str!("../../sql/projection/write_questions.sql"),
                ),
                (
                    Table::Prompts,
                    include_str!("../../sql/projection/write_prompts.sql"),
                ),
            ] {
                connection.execute_batch(sql)?;
                let sql = include_str!("../../sql/projection/times.sql");
                let (rows, first_us, last_us): (u64, Option<i64>, Option<i64>) = connection
                    .query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
                if rows > 0 {
                    self.put(table, &name, &local, rows, first_us.zip(last_us))?;
                }
            }
        }
        connection.execute_batch(include_str!("../../sql/projection/write_barred.sql"))?;
        let sql = include_str!("../../sql/projection/rows.sql");
        let rows = connection.query_row(sql, [], |row| row.get(0))?;
        self.put(Table::Barred, "all.parquet", &local, rows, None)?;
        let sql = include_str!("../../sql/projection/counts.sql");
        let counts: [u64; 3] =
            connection.query_row(sql, [], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?]))?;
        self.check(counts)
    }

    /// Puts a file of `table` into the lake.
    fn put(
        &mut self,
        table: Table,
        name: &str,
        local: &Path,
        rows: u64,
        times: Option<(i64, i64)>,
    ) -> Result<(), Failure> {
        let content = fs::read(local)?;
        let path = format!("{}/{name}", table.name());
        let place = format!("{FOLDER}/{}/{path}", self.id);
        if self.lake.put_if_absent(&place, &content)? == Put::Other {
            return Err(Failure::failed(format!("{place}: is there already")));
        }
        self.tables.push(TableFile {
            path,
            bytes: content.len() as u64,
            rows,
            first_us: times.map(|(first, _)| first),
            last_us: times.map(|(_, last)| last),
        });
        Ok(())
    }

    /// Makes sure that the files hold as many rows of questions, prompts and barred keys as there are.
    ///
    /// # Errors
    /// Failed when they do not.
    pub(crate) fn check(&self, counts: [u64; 3]) -> Result<(), Failure> {
        for (table, expected) in Table::ALL.into_iter().zip(counts) {
            let written = rows(&self.tables, table);
            if written != expected {
                let words = format!(
                    "{FOLDER}/{}: {written} of {expected} rows of {} were written",
                    self.id,
                    table.name()
                );
                return Err(Failure::failed(words).hint("look at the lake's storage"));
            }
        }
        Ok(())
    }

    /// Puts the manifest: from now on it is a projection.
    ///
    /// # Errors
    /// The store's.
    pub(crate) fn finish(self, workspace: &Workspace, origin: Origin) -> Result<Written, Failure> {
        let state = &origin.state;
        let skipped = state.skipped.iter().map(|skipped| Skipped {
            path: skipped.path.clone(),
            why: skipped.why.clone(),
        });
        let manifest = Manifest {
            plantune_projection: FORMAT,
            key_check: workspace.key.check_value(),
            queries: manifest::queries(),
            computed_at: clock::timestamp(workspace.environment.now),
            tombstones: origin.tombstones.clone(),
            rows: state.rows,
            events: state.events,
            publishers: state.publishers,
            missing_files: state.missing_files,
            skipped: skipped.collect(),
            files: origin
                .read
                .iter()
                .map(|file| file.entry.path.clone())
                .collect(),
            covered: covered(&origin.read),
            tables: self.tables.clone(),
        };
        let mut text = serde_json::to_vec(&manifest)?;
        text.push(b'\n');
        let path = manifest::path(&self.id);
        match self.lake.put_if_absent(&path, &text)? {
            Put::Done | Put::Same => Ok(Written {
                id: self.id,
                tables: self.tables,
                origin,
            }),
            Put::Other => Err(Failure::failed(format!("{path}: is there already"))),
        }
    }
}

/// Makes sure that files on this machine have as many rows as a manifest says; `files` of `connection` are chosen
/// afterwards.
///
/// # Errors
/// DuckDB's; failed when one has not.
pub(crate) fn check_rows(connection: &Connection, files: &[(String, u64)]) -> Result<(), Failure> {
    let patterns: Vec<&str> = files.iter().map(|(pattern, _)| pattern.as_str()).collect();
    let patterns = serde_json::to_string(&patterns)?;
    connection.execute(include_str!("../../sql/lake/choose.sql"), [patterns])?;
    let mut statement = connection.prepare(include_str!("../../sql/lake/row_counts.sql"))?;
    let found = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let found: BTreeMap<String, u64> = found.collect::<Result<_, _>>()?;
    let (found, expected): (u64, u64) = (
        found.values().sum(),
        files.iter().map(|(_, rows)| rows).sum(),
    );
    match found == expected {
        true => Ok(()),
        false => Err(Failure::failed(format!(
            "its files have {found} rows of {expected}"
        ))),
    }
}
