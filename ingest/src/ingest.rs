//! Spool → store, exactly once: rows, checkpoint, quarantine and projections of a stretch of the
//! spool commit in one DuckDB transaction. A run that is killed at any moment leaves the store as
//! the last commit did, and the next run goes on from there; an event that is read again is known
//! by its id.

use std::collections::HashSet;
use std::sync::Arc;
use std::thread;

use chrono::{DateTime, Utc};
use duckdb::arrow::array::RecordBatch;
use duckdb::arrow::datatypes::SchemaRef;
use duckdb::{Connection, params};
use plantune_hooks::paths::Paths;

use crate::columns::{Cell, Columns, Holds, schema};
use crate::decode::from_uuid;
use crate::error::Error;
use crate::feed::{Feed, Source as _};
use crate::part;
use crate::piece::BadLine;
use crate::progress::Progress;
use crate::project;
use crate::seen::Seen;
use crate::session;
use crate::stream::Stream;
use crate::work::Work;
use crate::{batch, trace};

/// How much of the spool one transaction takes, in bytes: bounds what a kill can undo, and the
/// memory for what is kept until the projections are computed.
pub(crate) const TRANSACTION_BYTES: u64 = 256 * 1024 * 1024;

const IDS: [(&str, Holds); 1] = [("id", Holds::Id)];

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Events added to the log.
    pub events: u64,
    /// Events that were in the log already.
    pub duplicates: u64,
    /// Lines that are no events.
    pub quarantined: u64,
    /// Bytes of the spool that were read.
    pub bytes: u64,
}

/// The table functions that bring rows in.
pub(crate) struct Feeds {
    events: Feed,
    ids: Feed,
    pub(crate) whole_questions: Feed,
    pub(crate) parts: Feed,
    pub(crate) sessions: Feed,
}

impl Feeds {
    /// # Errors
    /// DuckDB's.
    pub(crate) fn register(connection: &Connection) -> duckdb::Result<Self> {
        let register =
            |name: &str, schema: &SchemaRef| Feed::register(connection, name, schema.clone());
        Ok(Self {
            events: register("incoming_events", &batch::SCHEMA)?,
            ids: register("incoming_ids", &schema(&IDS))?,
            whole_questions: register("incoming_questions", &part::SCHEMA)?,
            parts: register("incoming_parts", &part::SCHEMA)?,
            sessions: register("incoming_sessions", &session::SCHEMA)?,
        })
    }
}

/// What a run is given.
pub(crate) struct Run<'r> {
    pub(crate) feeds: &'r Feeds,
    pub(crate) now: DateTime<Utc>,
    pub(crate) time_zone: &'r str,
    pub(crate) transaction_bytes: u64,
}

/// Reads what is new in the spool into an open store, and adds what was committed to `summary`.
///
/// # Errors
/// Of the file system, with the segment, and DuckDB's. What was not committed is read again by
/// the next run.
pub(crate) fn ingest(
    connection: &mut Connection,
    paths: &Paths,
    run: &Run<'_>,
    progress: &Progress,
    summary: &mut Summary,
) -> Result<(), Error> {
    let work = Work::find(connection, paths)?;
    let total = work.bytes_left();
    if total == 0 {
        return Ok(());
    }
    progress.begin(total);
    // In a store that was empty, whatever is known was brought by this run.
    let is_cold: bool =
        !connection.query_row(include_str!("../sql/has_events.sql"), [], |row| row.get(0))?;
    let stream = Arc::new(Stream::new(work, is_cold.then(Seen::new), progress.clone()));
    loop {
        let transaction = connection.transaction()?;
        let done = run.fill(&transaction, &stream)?;
        if done.bytes == 0 {
            // Only torn lines are left, if anything; they wait for their end.
            return Ok(());
        }
        trace::step("commit", || transaction.commit())?;
        summary.add(&done);
    }
}

impl Summary {
    fn add(&mut self, other: &Self) {
        self.events += other.events;
        self.duplicates += other.duplicates;
        self.quarantined += other.quarantined;
        self.bytes += other.bytes;
    }
}

impl Run<'_> {
    /// Does what one transaction does, short of the commit.
    fn fill(&self, transaction: &Connection, stream: &Arc<Stream>) -> Result<Summary, Error> {
        let batch: u32 =
            transaction.query_row(include_str!("../sql/next_batch.sql"), [], |row| row.get(0))?;
        let mut done = Summary::default();
        while done.bytes < self.transaction_bytes {
            stream.lock().allow(self.transaction_bytes - done.bytes);
            let stretch = trace::step("append", || self.append(transaction, batch, stream))?;
            if stretch.bytes == 0 {
                break;
            }
            done.add(&stretch);
        }
        if done.bytes == 0 {
            return Ok(done);
        }
        let mut told = stream.lock().take_told();
        if done.events > 0 {
            let (whole, others) = trace::step("split parts", || told.split_parts())?;
            self.feeds.whole_questions.fill(whole);
            self.feeds.parts.fill(others);
            self.feeds.sessions.fill(told.sessions.batches()?);
            project::project(transaction, batch, self.time_zone)?;
        }
        stream.lock().work.save_checkpoints(transaction, self.now)?;
        transaction.execute(
            include_str!("../sql/put_batch.sql"),
            params![
                batch,
                self.now.naive_utc(),
                done.events,
                done.duplicates,
                done.quarantined
            ],
        )?;
        Ok(done)
    }

    /// Appends events until the stream ends or holds too much back, and of what it held back the
    /// new ones.
    fn append(
        &self,
        connection: &Connection,
        batch: u32,
        stream: &Arc<Stream>,
    ) -> Result<Summary, Error> {
        let append = || -> Result<(), Error> {
            self.feeds.events.connect(stream.clone());
            connection.execute(include_str!("../sql/append_events.sql"), params![batch])?;
            Ok(())
        };
        let all_are_doubtful = stream.lock().all_are_doubtful();
        if all_are_doubtful {
            drain(stream)?;
        } else {
            append()?;
        }
        let found = stream.lock().take_found();
        let quarantined = self.quarantine(connection, stream, &found.bad_lines)?;
        let mut events = found.given;
        if !found.doubtful.is_empty() {
            let known = known_ids(
                connection,
                self.feeds,
                found.doubtful.iter().map(|line| line.id),
            )?;
            let cleared = stream.lock().clear(found.doubtful, &known);
            if cleared > 0 {
                stream.lock().allow(0);
                append()?;
                events += stream.lock().take_found().given;
            }
        }
        Ok(Summary {
            events,
            duplicates: found.decoded - events,
            quarantined,
            bytes: found.bytes,
        })
    }

    fn quarantine(
        &self,
        connection: &Connection,
        stream: &Stream,
        bad_lines: &[(usize, BadLine)],
    ) -> Result<u64, Error> {
        let mut statement = connection.prepare(include_str!("../sql/put_quarantine.sql"))?;
        let mut added = 0;
        let state = stream.lock();
        for (segment, line) in bad_lines {
            let Some(segment) = state.work.segment(*segment) else {
                continue;
            };
            added += statement.execute(params![
                line.id(segment.head.as_deref().unwrap_or_default()),
                segment.name,
                line.offset,
                line.reason,
                line.bytes,
                line.length,
                self.now.naive_utc()
            ])? as u64;
        }
        Ok(added)
    }
}

/// Which of `ids` the log holds already.
///
/// # Errors
/// DuckDB's.
pub(crate) fn known_ids(
    connection: &Connection,
    feeds: &Feeds,
    ids: impl Iterator<Item = [u8; 16]>,
) -> Result<HashSet<[u8; 16]>, Error> {
    feeds.ids.fill(id_batches(ids)?);
    let mut statement = connection.prepare(include_str!("../sql/known_ids.sql"))?;
    let rows = statement.query_map([], |row| row.get::<_, String>(0))?;
    let mut known = HashSet::new();
    for text in rows {
        known.extend(from_uuid(&text?));
    }
    Ok(known)
}

/// Reads on without the store: everything is held back, and no row comes out.
fn drain(stream: &Stream) -> Result<(), Error> {
    let read = || {
        let end = stream.next().map_err(|error| error.to_string())?;
        debug_assert!(end.is_none(), "a row that nobody was asked about");
        Ok::<_, String>(())
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let others: Vec<_> = (1..workers).map(|_| scope.spawn(read)).collect();
        let mut result = read();
        for other in others {
            // A worker that panics has met a defect; its panic goes on here.
            let end = other
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            result = result.and(end);
        }
        result
    })
    .map_err(|error| Error::Spool(std::io::Error::other(error)))
}

fn id_batches(ids: impl Iterator<Item = [u8; 16]>) -> Result<Vec<RecordBatch>, Error> {
    let mut columns = Columns::new(schema(&IDS), &IDS);
    for id in ids {
        columns.push([Cell::Id(id)])?;
    }
    Ok(columns.finish()?)
}
