//! One run: what is new in the log becomes rows, and the checkpoints say so, in the caller's transaction.

use std::collections::HashSet;
use std::sync::Arc;

use chrono::NaiveDate;
use chrono_tz::Tz;
use duckdb::Connection;
use duckdb::arrow::array::RecordBatch;
use duckdb::params;

use super::columns::{BatchBuilder, Columns, Type, Value};
use super::feed::{Feed, Gathered};
use super::segments::{self, Work};
use super::table_function::Slot;
use super::temporary::{IDS, Table, Temporary, append};
use super::writer::Summary;
use crate::error::Error;
use crate::progress::Progress;
use crate::projection;
use crate::projection::{Question, Rows, session, values};
use crate::spool::SegmentName;
use crate::trace;

/// How many questions with several rows are merged at a time.
const MERGED_AT_ONCE: usize = 20_000;

const QUARANTINE: Columns = &[
    ("segment", Type::Text),
    ("offset", Type::U64),
    ("length", Type::U64),
    ("day", Type::Day),
    ("reason", Type::Text),
    ("bytes", Type::Bytes),
];

const SESSION_IDS: Columns = &[("session_id", Type::Text)];

/// What a run works on.
pub(crate) struct Run<'r> {
    pub(crate) connection: &'r Connection,
    pub(crate) slot: &'r Slot,
    pub(crate) zone: Tz,
    /// True when the store was empty before: then every row is one that came.
    pub(crate) is_new: bool,
}

/// What was inserted, as far as the rest of a run needs it.
#[derive(Debug, Default)]
pub(crate) struct Inserted {
    summary: Summary,
    /// The ids of the questions and the sessions that came; not of a new store, where all are new.
    ids: Vec<u64>,
    sessions: HashSet<String>,
}

impl Run<'_> {
    /// Inserts what is new in the segments `work`.
    ///
    /// # Errors
    /// Of the log, and DuckDB's; the transaction is to be rolled back then.
    pub(crate) fn insert(&self, work: Vec<Work>, progress: &Progress) -> Result<Inserted, Error> {
        progress.begin(work.iter().map(Work::bytes).sum());
        let days = days(&work);
        let feed = Arc::new(Feed::new(work, self.zone, !self.is_new, progress.clone()));
        let mut inserted = Inserted::default();
        loop {
            trace::step("insert", || self.insert_questions(&feed))?;
            let (mut gathered, is_more) = feed.take_gathered();
            inserted.summary.events += gathered.events;
            inserted.summary.quarantined += gathered.bad_lines.len() as u64;
            inserted.ids.append(&mut gathered.ids);
            inserted.sessions.extend(gathered.question_sessions.drain());
            inserted.sessions.extend(gathered.sessions.keys().cloned());
            trace::step("other tables", || self.save(gathered, &days))?;
            if !is_more {
                break;
            }
        }
        trace::step("checkpoints", || {
            segments::save(self.connection, &feed.take_checkpoints())
        })?;
        Ok(inserted)
    }

    /// Makes one row of several of a question, and dismisses questions whose sessions went on.
    ///
    /// # Errors
    /// DuckDB's; the transaction is to be rolled back then.
    pub(crate) fn settle(&self, inserted: Inserted) -> Result<Summary, Error> {
        let Inserted {
            summary,
            ids,
            mut sessions,
        } = inserted;
        trace::step("merge", || self.merge_repeated(&ids, &mut sessions))?;
        trace::step("dismiss", || self.dismiss_passed(&sessions))?;
        Ok(summary)
    }

    fn insert_questions(&self, feed: &Arc<Feed>) -> Result<(), Error> {
        self.slot.set(Some(feed.clone()));
        let inserted = self
            .connection
            .execute_batch(include_str!("../../sql/insert_questions.sql"));
        self.slot.set(None);
        // What went wrong in the feed came through DuckDB as words.
        inserted.map_err(|error| feed.take_failure().unwrap_or_else(|| error.into()))
    }

    /// Writes what is not in the table `questions`.
    fn save(&self, gathered: Gathered, days: &dyn Fn(&str) -> i32) -> Result<(), Error> {
        let mut sessions = BatchBuilder::new(session::COLUMNS);
        for (id, session) in &gathered.sessions {
            sessions.push(session.values(id))?;
        }
        let mut bad_lines = BatchBuilder::new(QUARANTINE);
        for (segment, line) in &gathered.bad_lines {
            bad_lines.push([
                Value::Text(Some(segment)),
                Value::U64(line.offset),
                Value::U64(line.length),
                Value::Day(days(segment)),
                Value::Text(Some(&line.reason)),
                Value::Bytes(&line.bytes),
            ])?;
        }
        for (table, batches, sql) in [
            (
                Table::Sessions,
                sessions.finish()?,
                include_str!("../../sql/save_sessions.sql"),
            ),
            (
                Table::PreferenceChanges,
                gathered.changes,
                include_str!("../../sql/save_preference_changes.sql"),
            ),
            (
                Table::HookErrors,
                gathered.errors,
                include_str!("../../sql/save_hook_errors.sql"),
            ),
            (
                Table::Quarantine,
                bad_lines.finish()?,
                include_str!("../../sql/save_quarantine.sql"),
            ),
        ] {
            if !batches.is_empty() {
                let incoming = Temporary::like(self.connection, table, batches)?;
                self.connection.execute_batch(sql)?;
                incoming.drop()?;
            }
        }
        Ok(())
    }

    /// Makes one row of several of the same question: of `ids`, or of all in a new store. Adds the sessions
    /// of the merged questions to `sessions`.
    fn merge_repeated(&self, ids: &[u64], sessions: &mut HashSet<String>) -> Result<(), Error> {
        let repeated = if self.is_new {
            self.ids(include_str!("../../sql/repeated_ids.sql"))?
        } else if ids.is_empty() {
            return Ok(());
        } else {
            let incoming = self.incoming_ids(ids)?;
            let repeated = self.ids(include_str!("../../sql/repeated_incoming_ids.sql"))?;
            incoming.drop()?;
            repeated
        };
        for ids in repeated.chunks(MERGED_AT_ONCE) {
            let incoming = self.incoming_ids(ids)?;
            let mut statement = self
                .connection
                .prepare(include_str!("../../sql/questions_by_id.sql"))?;
            let batches: Vec<RecordBatch> = statement.query_arrow([])?.collect();
            let merged = merge(&batches, self.zone, sessions)?;
            self.connection
                .execute_batch(include_str!("../../sql/delete_questions.sql"))?;
            incoming.drop()?;
            append(self.connection, "questions", merged)?;
        }
        Ok(())
    }

    /// Dismisses open questions whose sessions went on: of `sessions`, or of all in a new store.
    fn dismiss_passed(&self, sessions: &HashSet<String>) -> Result<(), Error> {
        let mut rows = BatchBuilder::new(SESSION_IDS);
        for session in sessions.iter().filter(|_| !self.is_new) {
            rows.push([Value::Text(Some(session))])?;
        }
        let incoming = Temporary::like(self.connection, Table::SessionIds, rows.finish()?)?;
        let first: Option<chrono::NaiveDateTime> = self.connection.query_row(
            include_str!("../../sql/first_open.sql"),
            [self.is_new],
            |row| row.get(0),
        )?;
        if let Some(first) = first {
            let since = first - chrono::TimeDelta::days(1);
            self.connection.execute(
                include_str!("../../sql/dismiss_passed.sql"),
                params![self.is_new, since],
            )?;
        }
        incoming.drop()
    }

    fn incoming_ids(&self, ids: &[u64]) -> Result<Temporary<'_>, Error> {
        let mut rows = BatchBuilder::new(IDS);
        for id in ids {
            rows.push([Value::U64(*id)])?;
        }
        Temporary::like(self.connection, Table::Ids, rows.finish()?)
    }

    fn ids(&self, sql: &str) -> duckdb::Result<Vec<u64>> {
        let mut statement = self.connection.prepare(sql)?;
        statement.query_map([], |row| row.get(0))?.collect()
    }
}

/// One row a question, of rows of which several may be about one. Adds the sessions of all to `sessions`.
fn merge(
    batches: &[RecordBatch],
    zone: Tz,
    sessions: &mut HashSet<String>,
) -> Result<Vec<RecordBatch>, Error> {
    let mut questions: Vec<Question<'_>> = Vec::new();
    for batch in batches {
        questions.extend(Rows::new(batch).questions()?);
    }
    questions
        .sort_by(|one, other| (one.tool_use_id, one.index).cmp(&(other.tool_use_id, other.index)));
    let mut merged: Vec<Question<'_>> = Vec::new();
    for question in questions {
        sessions.insert(question.description.session_id.to_owned());
        match merged.last_mut() {
            Some(last)
                if (last.tool_use_id, last.index) == (question.tool_use_id, question.index) =>
            {
                last.merge(question);
            }
            _ => merged.push(question),
        }
    }
    let mut rows = BatchBuilder::new(projection::COLUMNS);
    for question in &merged {
        rows.push(values(question, zone))?;
    }
    Ok(rows.finish()?)
}

/// The day of a segment by its file name: the one it is named for, else that of its last change.
fn days(work: &[Work]) -> impl Fn(&str) -> i32 + use<> {
    let of = |work: &Work| {
        let changed = projection::day(work.segment.modified_ns / 1000, Tz::UTC);
        let name: &SegmentName = &work.segment.name;
        let named = name
            .day()
            .map(|day| (day - NaiveDate::default()).num_days());
        let day = named.and_then(|days| i32::try_from(days).ok());
        (name.file_name(), day.unwrap_or(changed))
    };
    let days: std::collections::HashMap<String, i32> = work.iter().map(of).collect();
    move |segment| days.get(segment).copied().unwrap_or_default()
}
