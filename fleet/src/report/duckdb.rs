//! The report on DuckDB: the lake's events in a database of its own on this machine.

use std::path::Path;

use duckdb::{Connection, params, params_from_iter};

use super::document::{LakeState, SkippedFile};
use super::engine::{Engine, Scope};
use super::rows::Row;
use super::{MOST_ATTEMPTS, too_fast};
use crate::failure::Failure;
use crate::lake::files::{Listing, Read, Reader, missing};
use crate::lake::tombstones;
use crate::workspace::Workspace;

/// A database with the lake's events.
pub(crate) struct DuckDb(Connection);

impl Engine for DuckDb {
    fn keep(&mut self, name: &str, sql: &str) -> Result<(), Failure> {
        self.define(name, sql)
    }

    fn define(&mut self, name: &str, sql: &str) -> Result<(), Failure> {
        let statement = format!("CREATE OR REPLACE TEMP TABLE {name} AS\n{sql}");
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

/// The events of the lake in a database in `folder`, and what was read.
///
/// # Errors
/// Refused for another organisation's lake; those of the lake and DuckDB.
pub(crate) fn load(
    workspace: &Workspace,
    scope: &Scope,
    folder: &Path,
) -> Result<(DuckDb, LakeState), Failure> {
    let lake = workspace.lake()?;
    for attempt in 0..MOST_ATTEMPTS {
        let listing = Listing::read(&lake)?;
        let connection = Connection::open(folder.join(format!("{attempt}.duckdb")))?;
        connection.execute("SET VARIABLE folder = ?", [folder.to_string_lossy()])?;
        for sql in [
            include_str!("../../sql/duckdb/session.sql"),
            include_str!("../../sql/lake/columns.sql"),
            include_str!("../../sql/duckdb/events.sql"),
        ] {
            connection.execute_batch(sql)?;
        }
        for tombstone in tombstones::all(&lake)? {
            let sql = include_str!("../../sql/lake/tombstone.sql");
            connection.execute(sql, params![tombstone.publisher, tombstone.project])?;
        }
        let mut reader = Reader {
            lake: &lake,
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
        let settings = params_from_iter(scope.settings().map(|(_, value)| value));
        connection.execute(include_str!("../../sql/duckdb/settings.sql"), settings)?;
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
        };
        return Ok((engine, state));
    }
    Err(too_fast(&lake))
}
