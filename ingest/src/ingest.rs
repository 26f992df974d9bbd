//! Spool → store, exactly once: rows, checkpoint, quarantine and projections of a stretch of the
//! spool commit in one DuckDB transaction. A run that is killed at any moment leaves the store as
//! the last commit did, and the next run goes on from there; an event that is read again is known
//! by its id.

use std::collections::HashSet;
use std::sync::Arc;
use std::thread;

use ahash::RandomState;
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use duckdb::arrow::array::RecordBatch;
use duckdb::{Connection, Row, params};
use plantune_domain::paths::Paths;

use crate::dimensions::Dimensions;
use crate::error::Error;
use crate::feed::Source as _;
use crate::feeds::Feeds;
use crate::piece::BadLine;
use crate::progress::Progress;
use crate::project::Projector;
use crate::seen::Seen;
use crate::stream::{EndOnDrop, Gathered, Stream};
use crate::trace;
use crate::work::Work;

/// In the order of the feeds.
const APPEND_DIMENSIONS: [&str; 4] = [
    include_str!("../sql/append_contexts.sql"),
    include_str!("../sql/append_forms.sql"),
    include_str!("../sql/append_wordings.sql"),
    include_str!("../sql/append_details.sql"),
];

/// How much of the spool one transaction takes, in bytes: bounds what a kill can undo. While many are left
/// two of them are one, and they end earlier where row groups are full, or memory would be
/// (`stream/supply.rs`).
pub(crate) const TRANSACTION_BYTES: u64 = 192 * 1024 * 1024;

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

/// How much has to be new for the store's ids to be read beforehand, in bytes, instead of each being
/// looked up.
const MUCH: u64 = 16 * 1024 * 1024;

/// How much of the spool brings an id, at least mostly, in bytes: an event's, and every other time a
/// question's.
const BYTES_AN_ID: u64 = 256;

/// About how many of the store's ids are read in one go.
const IDS_AT_ONCE: u64 = 1_000_000;

/// How many lines may go to quarantine before a transaction ends: what DuckDB keeps of each until then
/// may be more than the line.
const BAD_LINES_AT_ONCE: u64 = 100_000;

/// What a run is given.
pub(crate) struct Run<'r> {
    pub(crate) feeds: &'r Feeds,
    pub(crate) now: DateTime<Utc>,
    pub(crate) zone: Tz,
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
    let seen = if !has_events(connection)? {
        // In a store that was empty, whatever is known was brought by this run.
        Some(Seen::new(total / BYTES_AN_ID))
    } else if total > MUCH {
        Some(seen_before(connection, total / BYTES_AN_ID)?)
    } else {
        None
    };
    let dimensions = Dimensions::of(connection)?;
    let reads_ahead = seen.is_some() && total > MUCH;
    let stream = Arc::new(Stream::new(
        work,
        run.transaction_bytes,
        seen,
        dimensions,
        progress.clone(),
    ));
    thread::scope(|scope| {
        let _end = EndOnDrop(&stream);
        if reads_ahead {
            scope.spawn(|| stream.run_ahead());
        }
        loop {
            let transaction = connection.transaction()?;
            let done = run.fill(&transaction, &stream, reads_ahead)?;
            if done.bytes == 0 {
                // Only torn lines are left, if anything; they wait for their end.
                return Ok(());
            }
            trace::step("commit", || transaction.commit())?;
            summary.add(&done);
            stream.stop_ahead();
            if reads_ahead {
                connection.execute_batch(include_str!("../sql/all_threads.sql"))?;
            }
        }
    })
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
    fn fill(
        &self,
        transaction: &Connection,
        stream: &Arc<Stream>,
        reads_ahead: bool,
    ) -> Result<Summary, Error> {
        let batch: u32 =
            transaction.query_row(include_str!("../sql/next_batch.sql"), [], |row| row.get(0))?;
        let mut done = Summary::default();
        loop {
            let most = stream.supply().most();
            stream.supply().allow(most - done.bytes);
            let stretch = trace::step("append", || self.append(transaction, batch, stream))?;
            done.add(&stretch);
            if stretch.bytes == 0
                || done.bytes >= most
                || done.quarantined >= BAD_LINES_AT_ONCE
                || stream.supply().is_full()
            {
                break;
            }
        }
        if done.bytes == 0 {
            return Ok(done);
        }
        // Both say what this transaction read, and are taken before anything is read ahead.
        let gathered = stream.take_gathered();
        let rows = stream.intake().take_rows()?;
        let is_more = trace::step("checkpoints", || {
            let work = &mut stream.supply().work;
            for (segment, events) in &gathered.given {
                work.add_events(*segment, *events);
            }
            work.save_checkpoints(transaction, self.feeds, self.now)?;
            Ok::<_, Error>(work.bytes_left() > 0)
        })?;
        if reads_ahead && is_more {
            transaction.execute_batch(include_str!("../sql/one_thread.sql"))?;
            stream.read_ahead();
        }
        if done.events > 0 {
            self.append_dimensions(transaction, rows)?;
            self.project(transaction, gathered, stream.names())?;
        }
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

    /// Writes what the events appended refer to.
    fn append_dimensions(
        &self,
        transaction: &Connection,
        rows: [Vec<RecordBatch>; 4],
    ) -> Result<(), Error> {
        trace::step("dimensions", || {
            let feeds = self.feeds.dimensions.iter();
            for ((feed, rows), sql) in feeds.zip(rows).zip(APPEND_DIMENSIONS) {
                feed.fill(rows);
                trace::step("d", || transaction.execute(sql, []))?;
            }
            Ok(())
        })
    }

    /// Applies what the events appended say.
    fn project(
        &self,
        transaction: &Connection,
        mut gathered: Gathered,
        names: &RandomState,
    ) -> Result<(), Error> {
        trace::step("ids", || {
            gathered.ids.sort_unstable();
            self.feeds.bare_ids(gathered.ids);
            transaction.execute(include_str!("../sql/append_event_ids.sql"), [])
        })?;
        let projector = Projector {
            store: transaction,
            feeds: self.feeds,
            zone: self.zone,
            names,
        };
        Ok(projector.project(gathered.told, &gathered.doubtful)?)
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
            loop {
                stream.begin_rows();
                self.feeds.events.connect(stream.clone());
                connection.execute(include_str!("../sql/append_events.sql"), params![batch])?;
                // A thread leaves rows to one that has begun a row group, and that one comes for them, as
                // far as is known of DuckDB. An event must not depend on that.
                if stream.are_rows_taken() {
                    return Ok(());
                }
            }
        };
        let all_are_doubtful = stream.intake().all_are_doubtful();
        if all_are_doubtful {
            drain(stream)?;
        } else {
            append()?;
        }
        let found = stream.take_found();
        let quarantined = self.quarantine(connection, stream, found.bad_lines)?;
        let mut events = found.given;
        if !found.doubtful.is_empty() {
            let ids: HashSet<_> = found.doubtful.iter().map(|line| line.id).collect();
            let mut known = stream.intake().given_of(&ids);
            known.extend(known_ids(connection, self.feeds, ids)?);
            let cleared = stream.supply().clear(found.doubtful, &known);
            if cleared > 0 {
                stream.supply().allow(0);
                append()?;
                events += stream.take_found().given;
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
        bad_lines: Vec<(usize, BadLine)>,
    ) -> Result<u64, Error> {
        if bad_lines.is_empty() {
            return Ok(0);
        }
        let supply = stream.supply();
        let rows = bad_lines.into_iter().filter_map(|(segment, line)| {
            let segment = supply.work.segment(segment)?;
            let id = line.id(segment.head.as_deref().unwrap_or_default());
            Some((id, segment.name.clone(), line))
        });
        self.feeds.bad_lines(rows.collect());
        drop(supply);
        let sql = include_str!("../sql/put_quarantine.sql");
        let added = connection.execute(sql, params![self.now.naive_utc()])?;
        Ok(added as u64)
    }
}

/// Which of `ids` the log holds already.
///
/// # Errors
/// DuckDB's.
pub(crate) fn known_ids(
    connection: &Connection,
    feeds: &Feeds,
    ids: HashSet<[u8; 16]>,
) -> Result<HashSet<[u8; 16]>, Error> {
    feeds.bare_ids(ids.into_iter().map(u128::from_be_bytes).collect());
    let mut statement = connection.prepare(include_str!("../sql/known_ids.sql"))?;
    let rows = statement.query_map([], id)?;
    let known = rows.map(|id| Ok(id?.to_be_bytes()));
    known.collect()
}

/// An id in its two halves, the first columns of a row.
fn id(row: &Row<'_>) -> duckdb::Result<u128> {
    let (hi, lo): (u64, u64) = (row.get(0)?, row.get(1)?);
    Ok(u128::from(hi) << 64 | u128::from(lo))
}

fn has_events(connection: &Connection) -> duckdb::Result<bool> {
    connection.query_row(include_str!("../sql/has_events.sql"), [], |row| row.get(0))
}

/// What the store holds, with room for `more` ids. Ids are spread evenly, and are read a share of their
/// range at a time: a result in one piece would be as large as the store's history is long.
fn seen_before(connection: &Connection, more: u64) -> duckdb::Result<Seen> {
    let count: u64 =
        connection.query_row(include_str!("../sql/count_ids.sql"), [], |row| row.get(0))?;
    let mut seen = Seen::new(count.saturating_add(more));
    let width = u64::MAX / (count / IDS_AT_ONCE + 1);
    let mut statement = connection.prepare(include_str!("../sql/ids_between.sql"))?;
    let mut first = 0_u64;
    loop {
        let last = first.saturating_add(width);
        for id in statement.query_map([first, last], id)? {
            seen.insert(id?);
        }
        match last.checked_add(1) {
            Some(next) => first = next,
            None => return Ok(seen),
        }
    }
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
