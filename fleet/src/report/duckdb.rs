//! The report on DuckDB: the lake's events, or its projection, in a database of its own on this machine.

use std::path::Path;

use duckdb::{Connection, params, params_from_iter};
use plantune_ingest::{parquet_pattern, with_event_columns};
use plantune_reports::fleet::{LakeState, SkippedFile};

use super::engine::{Engine, Scope};
use super::rows::Row;
use super::source::{MOST_ATTEMPTS, too_fast};
use crate::database;
use crate::failure::Failure;
use crate::lake::Lake;
use crate::lake::files::{Listing, Read, Reader, missing};
use crate::lake::tombstones;
use crate::projection::write::{Origin, check_rows};
use crate::projection::{Projection, Table};
use crate::workspace::Workspace;

/// A database with what the queries read.
pub(crate) struct DuckDb(pub(crate) Connection);

impl Engine for DuckDb {
    fn keep(&mut self, name: &str, sql: &str) -> Result<(), Failure> {
        // In the database's file, compressed: a temporary table would lie in memory as it is.
        let statement = format!("CREATE OR REPLACE TABLE {name} AS\n{sql}");
        Ok(self.0.execute_batch(&statement)?)
    }

    fn define(&mut self, name: &str, sql: &str) -> Result<(), Failure> {
        let statement = format!("CREATE OR REPLACE VIEW {name} AS\n{sql}");
        Ok(self.0.execute_batch(&statement)?)
    }

    fn rows(&mut self, sql: &str) -> Result<Vec<Row>, Failure> {
        let mut statement = self.0.prepare(sql)?;
        let mut rows = Vec::new();
        for batch in statement.query_arrow([])? {
            rows.append(&mut Row::all(&batch)?);
        }
        Ok(rows)
    }
}

impl DuckDb {
    /// Sets what a report is about.
    ///
    /// # Errors
    /// DuckDB's.
    pub(super) fn set(&self, scope: &Scope) -> Result<(), Failure> {
        let settings = params_from_iter(scope.settings().map(|(_, value)| value));
        self.0
            .execute(include_str!("../../sql/duckdb/settings.sql"), settings)?;
        Ok(())
    }
}

/// The events of the lake in a database in `folder`, and what was read. DuckDB uses `memory`, as it writes sizes.
///
/// # Errors
/// Refused for another organisation's lake; those of the lake and DuckDB.
pub(crate) fn load(
    workspace: &Workspace,
    lake: &Lake,
    folder: &Path,
    memory: Option<&str>,
) -> Result<(DuckDb, Origin), Failure> {
    for attempt in 0..MOST_ATTEMPTS {
        let listing = Listing::read(lake)?;
        let connection = database::open(folder, &attempt.to_string(), memory)?;
        connection.execute_batch(&with_event_columns(include_str!(
            "../../sql/lake/columns.sql"
        )))?;
        connection.execute_batch(include_str!("../../sql/duckdb/events.sql"))?;
        let tombstones = tombstones::all(lake)?;
        for tombstone in &tombstones {
            let sql = include_str!("../../sql/lake/tombstone.sql");
            connection.execute(sql, params![tombstone.publisher, tombstone.project])?;
        }
        let mut reader = Reader {
            lake,
            connection: &connection,
            key_check: workspace.key.check_value(),
            skipped: listing.skipped.clone(),
            footers_only: false,
        };
        let Read::Done(readable) = reader.readable(&listing.files)? else {
            continue;
        };
        let load = include_str!("../../sql/duckdb/load.sql");
        let Read::Done(read) = reader.read(&readable, load)? else {
            continue;
        };
        let skipped = reader.skipped.into_iter().map(SkippedFile::from).collect();
        let missing_files = missing(&listing, &read);
        let mut engine = DuckDb(connection);
        let contents = engine.rows(include_str!("../../sql/fleet/contents.sql"))?;
        let contents = contents.first().cloned().unwrap_or_default();
        let state = LakeState {
            address: lake.address.clone(),
            files: read.len() as u64,
            rows: contents.count("rows_read")?,
            events: contents.count("events")?,
            publishers: contents.count("publishers")?,
            missing_files,
            skipped,
            computed_at: None,
            files_since: None,
            not_used: None,
        };
        let origin = Origin {
            read,
            tombstones,
            state,
        };
        return Ok((engine, origin));
    }
    Err(too_fast(lake))
}

/// What `projection` holds of the days of `scope`, in a database in `folder`.
///
/// # Errors
/// Those of the lake and DuckDB; failed for files that are gone or damaged.
pub(super) fn load_projection(
    lake: &Lake,
    projection: &Projection,
    scope: &Scope,
    folder: &Path,
    memory: Option<&str>,
) -> Result<DuckDb, Failure> {
    let connection = database::open(folder, &format!("projection-{}", projection.id), memory)?;
    connection.execute_batch(include_str!("../../sql/projection/columns.sql"))?;
    let engine = DuckDb(connection);
    engine.set(scope)?;
    let (first_us, end_us) = scope.micros();
    for table in Table::ALL {
        let mut files = Vec::new();
        for file in &projection.manifest.tables {
            if file.table() != Some(table) || !file.is_about(first_us, end_us) {
                continue;
            }
            let entry = projection.entry(file);
            let Some(path) = lake.local(&entry)? else {
                return Err(Failure::failed(format!("{} is gone", entry.path)));
            };
            files.push((parquet_pattern(&path)?, file.rows));
        }
        if !files.is_empty() {
            check_rows(&engine.0, &files)?;
            engine.0.execute_batch(match table {
                Table::Questions => include_str!("../../sql/projection/load_questions.sql"),
                Table::Prompts => include_str!("../../sql/projection/load_prompts.sql"),
                Table::Barred => include_str!("../../sql/projection/load_barred.sql"),
            })?;
        }
    }
    Ok(engine)
}
