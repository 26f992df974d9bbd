//! What computes a report: an engine runs the queries of `sql/fleet/` over a lake that it has loaded. It has the tables
//! `events` (those of the lake) and `settings`, or of a projection what the first of the queries would make of them.

use chrono::{NaiveDate, NaiveTime};
use duckdb::arrow::array::RecordBatch;
use plantune_domain::config::Suggest;
use plantune_reports::fleet::SkippedFile;
use serde::de::DeserializeOwned;

use super::events::Files;
use super::starters::settings;
use crate::database::in_batches;
use crate::failure::Failure;
use crate::lake::Lake;
use crate::projection::Projection;
use crate::projection::write::Unfinished;
use crate::workspace::Workspace;

/// Whether what a query finds is computed at once, and kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    Yes,
    /// Where it would cost more to compute it again: several queries read much of it.
    WhereCostly,
    No,
}

/// What runs queries. Names and queries are plantune's own, never text of others. Errors are the engine's, and the
/// lake's.
pub(crate) trait Engine {
    /// Makes what `sql` finds the table `name`, in place of the one of that name.
    fn make(&mut self, name: &str, kept: Kept, sql: &str) -> Result<(), Failure>;

    /// What `sql` finds.
    fn batches(&mut self, sql: &str) -> Result<Vec<RecordBatch>, Failure>;

    /// Sets what a report is about: the table `settings`.
    fn set(&mut self, scope: &Scope) -> Result<(), Failure>;

    /// Makes the events of `files` the table `events`; what cannot be read goes to those that are skipped.
    fn load(&mut self, lake: &Lake, files: &mut Files) -> Result<(), Failure>;

    /// After something failed, the files that cannot be read, and why.
    fn damaged(&mut self, lake: &Lake, files: &Files) -> Result<Vec<SkippedFile>, Failure>;

    /// Makes what `projection` holds of the days of `scope` its tables. Fails for files that are gone or damaged.
    fn load_projection(
        &mut self,
        lake: &Lake,
        projection: &Projection,
        scope: &Scope,
    ) -> Result<(), Failure>;

    /// Writes its tables as those of `projection`.
    fn write(&mut self, projection: &mut Unfinished<'_>) -> Result<(), Failure>;
}

/// What `sql` finds: structs or tuples that have its columns for fields.
///
/// # Errors
/// The engine's; failed for columns of other types.
pub(crate) fn rows<T: DeserializeOwned>(
    engine: &mut dyn Engine,
    sql: &str,
) -> Result<Vec<T>, Failure> {
    in_batches(&engine.batches(sql)?)
}

/// The one row that `sql` finds, or what a row has by default.
///
/// # Errors
/// As [`rows`].
pub(crate) fn row<T: DeserializeOwned + Default>(
    engine: &mut dyn Engine,
    sql: &str,
) -> Result<T, Failure> {
    Ok(rows(engine, sql)?.pop().unwrap_or_default())
}

/// The days of a report, and what the queries read in `settings`.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    /// The first and the last.
    pub(crate) days: (NaiveDate, NaiveDate),
    pub(crate) k: u32,
    open_from: NaiveDate,
    away_after_minutes: u32,
    /// When people agree.
    pub(crate) suggest: Suggest,
}

impl Scope {
    /// The days from `start` to `end`, both included, as `workspace` is configured.
    ///
    /// # Errors
    /// Conflict for a `config.toml` that is not understood.
    pub(crate) fn new(
        workspace: &Workspace,
        days: (NaiveDate, NaiveDate),
    ) -> Result<Self, Failure> {
        let today = workspace.environment.now.date_naive();
        Ok(Self {
            days,
            k: workspace.config.k,
            // What was asked more than one full day before today, and has no end, was left.
            open_from: today.pred_opt().unwrap_or(days.0),
            away_after_minutes: workspace.config.away_after_minutes,
            suggest: settings(workspace)?,
        })
    }

    /// When its days begin, and when they are over, in microseconds since 1970.
    pub(crate) fn micros(&self) -> (i64, i64) {
        let (start, end) = self.days;
        (micros(start), micros(end.succ_opt().unwrap_or(end)))
    }

    /// The columns of `settings`, in order, times in microseconds.
    pub(crate) fn settings(&self) -> [(&'static str, i64); 5] {
        let (first_us, end_us) = self.micros();
        [
            ("k", i64::from(self.k)),
            ("first_us", first_us),
            ("end_us", end_us),
            ("open_from_us", micros(self.open_from)),
            ("away_us", i64::from(self.away_after_minutes) * 60_000_000),
        ]
    }
}

fn micros(day: NaiveDate) -> i64 {
    day.and_time(NaiveTime::MIN).and_utc().timestamp_micros()
}
