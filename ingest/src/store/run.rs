//! One run: new events of the log become rows and the checkpoints are updated, in the caller's transaction.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono_tz::Tz;
use duckdb::Connection;
use duckdb::arrow::array::RecordBatch;
use duckdb::arrow::compute::concat_batches;
use duckdb::arrow::error::ArrowError;

use super::log_reader::{LogReader, Slot};
use super::open::{RebuildReason, Work, save_checkpoints};
use crate::arrow::{append, bytes};
use crate::progress::step;
use crate::projection::fields::rows;
use crate::projection::merge;
use crate::{Error, Progress};

/// The most questions with several rows that are merged at a time, and how many at first or when rows are long. Each
/// time, DuckDB reads all columns of all rows.
const MERGED_AT_ONCE: usize = 20_000;
const MERGED_FIRST: usize = 2000;
const MERGED_FIRST_LONG: usize = 250;

/// The approximate number of bytes of these rows.
const MERGED_BYTES: usize = 16 * 1024 * 1024;

/// Counts of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Events that were read.
    pub events: u64,
    /// Lines that are not events.
    pub quarantined: u64,
    /// Why the store was computed again, if it was.
    pub computed: Option<RebuildReason>,
}

/// The store, open for writing.
pub(crate) struct OpenStore {
    pub(crate) connection: Connection,
    pub(crate) slot: Slot,
    pub(crate) zone: Tz,
}

impl OpenStore {
    /// Inserts the new events of the segments `work`, merges rows of the same question or session, and dismisses
    /// questions whose sessions went on. `is_new`: the store was empty before, so every row is new.
    pub(crate) fn apply(
        &self,
        is_new: bool,
        work: Vec<Work>,
        progress: &Progress,
    ) -> Result<Summary, Error> {
        let mut transaction = self.connection.unchecked_transaction()?;
        let (summary, has_long_rows) = self.insert(is_new, work, progress)?;
        progress.begin("updating the store", 0);
        if is_new {
            // Nobody sees a new store before it is whole. Rows that are not committed yet are expensive
            // to delete.
            step("commit", || transaction.commit())?;
            transaction = self.connection.unchecked_transaction()?;
        } else {
            self.step("find", is_new, include_str!("../../sql/run/find.sql"))?;
        }
        step("merge", || self.merge_repeated(is_new, has_long_rows))?;
        self.step("index", is_new, include_str!("../../sql/run/index.sql"))?;
        if !is_new {
            let sql = include_str!("../../sql/run/add_questions.sql");
            self.step("add", is_new, sql)?;
        }
        let sql = include_str!("../../sql/run/dismiss_passed.sql");
        self.step("dismiss", is_new, sql)?;
        step("commit", || transaction.commit())?;
        Ok(summary)
    }

    fn step(&self, name: &str, is_new: bool, sql: &str) -> Result<(), Error> {
        let sql = of_questions(sql, is_new);
        Ok(step(name, || self.connection.execute_batch(&sql))?)
    }

    /// Inserts the rows of `work`, and also returns whether they are long.
    fn insert(
        &self,
        is_new: bool,
        work: Vec<Work>,
        progress: &Progress,
    ) -> Result<(Summary, bool), Error> {
        progress.begin("loading the log", work.iter().map(Work::bytes).sum());
        self.step("begin", is_new, include_str!("../../sql/run/begin.sql"))?;
        let reader = Arc::new(LogReader::new(work, self.zone, progress.clone()));
        let mut summary = Summary::default();
        let mut has_long_rows = false;
        loop {
            step("insert", || self.insert_questions(is_new, &reader))?;
            let (read, is_more) = reader.take_rows();
            summary.events += read.events;
            summary.quarantined += read.quarantined;
            has_long_rows |= read.questions.has_long_rows();
            step("other tables", || self.insert_others(read.rows))?;
            if !is_more {
                break;
            }
            self.save_part(is_new)?;
        }
        let checkpoints = reader.take_checkpoints();
        step("checkpoints", || {
            save_checkpoints(&self.connection, &checkpoints)
        })?;
        Ok((summary, has_long_rows))
    }

    fn insert_questions(&self, is_new: bool, reader: &Arc<LogReader>) -> Result<(), Error> {
        self.slot.set(Some(reader.clone()));
        let sql = of_questions(include_str!("../../sql/run/insert_questions.sql"), is_new);
        let inserted = self.connection.execute_batch(&sql);
        self.slot.set(None);
        inserted.map_err(|error| reader.take_failure().unwrap_or_else(|| error.into()))
    }

    fn insert_others(&self, rows: BTreeMap<&str, Vec<RecordBatch>>) -> Result<(), Error> {
        for (table, batches) in rows {
            let batches = match table {
                "quarantine" => batches,
                _ => self.project_others(table, &batches)?,
            };
            let run = |sql: &str| {
                self.connection
                    .execute_batch(&sql.replace("{table}", table))
            };
            run(include_str!("../../sql/run/first_row.sql"))?;
            append(&self.connection, table, batches)?;
            run(match table {
                "sessions" => include_str!("../../sql/run/merge_sessions.sql"),
                "quarantine" => include_str!("../../sql/run/merge_quarantine.sql"),
                _ => include_str!("../../sql/run/merge_events.sql"),
            })?;
        }
        Ok(())
    }

    fn project_others(
        &self,
        table: &str,
        events: &[RecordBatch],
    ) -> Result<Vec<RecordBatch>, Error> {
        let sql = include_str!("../../sql/run/columns.sql");
        let mut statement = self.connection.prepare(sql)?;
        let columns = statement.query_map([table], |row| row.get(0))?;
        let columns = columns.collect::<duckdb::Result<Vec<String>>>()?;
        let project = |events| rows(events, &columns, self.zone);
        Ok(events
            .iter()
            .map(project)
            .collect::<Result<_, ArrowError>>()?)
    }

    /// Commits the inserted rows to the file of a new store, which nobody reads before it is complete. The next rows
    /// begin new row groups.
    fn save_part(&self, is_new: bool) -> Result<(), Error> {
        if is_new {
            self.step("save part", is_new, include_str!("../../sql/save_part.sql"))?;
        }
        Ok(())
    }

    fn merge_repeated(&self, is_new: bool, has_long_rows: bool) -> Result<(), Error> {
        let sql = of_questions(include_str!("../../sql/run/repeated.sql"), is_new);
        let mut statement = self.connection.prepare(&sql)?;
        let repeated = statement.query_map([], |row| row.get(0))?;
        let repeated: Vec<u64> = repeated.collect::<duckdb::Result<_>>()?;
        let mut left = &*repeated;
        let mut count = if has_long_rows {
            MERGED_FIRST_LONG
        } else {
            MERGED_FIRST
        };
        while !left.is_empty() {
            let (ids, rest) = left.split_at(count.min(left.len()));
            left = rest;
            let bytes = self.merge_questions(is_new, ids)?;
            count = (MERGED_BYTES * ids.len() / bytes.max(1)).clamp(1, MERGED_AT_ONCE);
            if count < MERGED_FIRST_LONG {
                self.save_part(is_new)?;
            }
        }
        Ok(())
    }

    /// Merges the rows of each of the questions `ids`. Returns how many bytes the rows had.
    fn merge_questions(&self, is_new: bool, ids: &[u64]) -> Result<usize, Error> {
        let ids = serde_json::to_string(ids).unwrap_or_default();
        let sql = of_questions(include_str!("../../sql/run/questions_by_id.sql"), is_new);
        let mut statement = self.connection.prepare(&sql)?;
        let batches = statement.query_arrow([&ids])?;
        let schema = batches.get_schema();
        let repeated = concat_batches(&schema, &batches.collect::<Vec<_>>())?;
        let merged = merge(&repeated, self.zone)?;
        let sql = of_questions(include_str!("../../sql/run/delete_questions.sql"), is_new);
        self.connection.execute(&sql, [&ids])?;
        append(&self.connection, questions(is_new), vec![merged])?;
        Ok(bytes(&repeated))
    }
}

/// The table for incoming questions. In a store that already has some, they are first collected in a separate table.
fn questions(is_new: bool) -> &'static str {
    if is_new { "questions" } else { "new_questions" }
}

/// `sql` for the table of incoming questions.
fn of_questions(sql: &str, is_new: bool) -> String {
    sql.replace("{questions}", questions(is_new))
}
