//! Writing a projection: its files, and last of all the manifest that makes them one.

use std::fs;
use std::path::Path;

use duckdb::Connection;
use plantune_domain::clock;
use plantune_ingest::parquet_pattern;
use plantune_reports::fleet::LakeState;

use super::find::Projection;
use super::manifest::{self, FORMAT, Manifest, TableFile, covered, row_count};
use super::table::{FOLDER, Table};
use crate::database::{choose, row, rows};
use crate::failure::Failure;
use crate::key::random_hex;
use crate::lake::Lake;
use crate::report::events::Files;
use crate::workspace::Workspace;

/// A week, in microseconds.
const WEEK: i64 = 7 * 86_400_000_000;

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
        connection.execute("SET VARIABLE path = ?", [local.to_string_lossy()])?;
        choose(connection, &[parquet_pattern(&local)?])?;
        let weeks = include_str!("../../sql/projection/weeks.sql");
        for (week,) in rows::<(i64,)>(connection, weeks, [])? {
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
                let (rows, first_us, last_us) = row(connection, sql)?;
                if rows > 0 {
                    self.put(table, &name, &local, (rows, first_us, last_us))?;
                }
            }
        }
        connection.execute_batch(include_str!("../../sql/projection/write_barred.sql"))?;
        let (rows,) = row(connection, include_str!("../../sql/projection/rows.sql"))?;
        self.put(Table::Barred, "all.parquet", &local, (rows, None, None))?;
        self.check(row(
            connection,
            include_str!("../../sql/projection/counts.sql"),
        )?)
    }

    /// Puts a file of `table` into the lake.
    fn put(
        &mut self,
        table: Table,
        name: &str,
        local: &Path,
        (rows, first_us, last_us): (u64, Option<i64>, Option<i64>),
    ) -> Result<(), Failure> {
        let content = fs::read(local)?;
        let path = format!("{}/{name}", table.name());
        let place = format!("{FOLDER}/{}/{path}", self.id);
        self.lake.put_new(&place, &content)?;
        self.tables.push(TableFile {
            path,
            bytes: content.len() as u64,
            rows,
            first_us,
            last_us,
        });
        Ok(())
    }

    /// Makes sure that the files hold as many rows of questions, prompts and barred keys as there are.
    ///
    /// # Errors
    /// Failed when they do not.
    pub(crate) fn check(&self, counts: [u64; 3]) -> Result<(), Failure> {
        for (table, expected) in Table::ALL.into_iter().zip(counts) {
            let written = row_count(&self.tables, table);
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
    pub(crate) fn finish(
        self,
        workspace: &Workspace,
        from: Files,
        state: LakeState,
    ) -> Result<Projection, Failure> {
        let manifest = Manifest {
            plantune_projection: FORMAT,
            key_check: workspace.key.check_value(),
            queries: manifest::queries(),
            computed_at: clock::timestamp(workspace.environment.now),
            tombstones: from.tombstones,
            rows: state.rows,
            events: state.events,
            publishers: state.publishers,
            missing_files: state.missing_files,
            skipped: state.skipped,
            covered: covered(&from.read),
            files: from.read.into_iter().map(|file| file.entry.path).collect(),
            tables: self.tables,
        };
        let mut text = serde_json::to_vec(&manifest)?;
        text.push(b'\n');
        self.lake.put_new(&manifest::path(&self.id), &text)?;
        Ok(Projection {
            id: self.id,
            manifest,
            files_since: 0,
        })
    }
}
