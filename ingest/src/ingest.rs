//! Spool → store, exactly once: rows, checkpoint, quarantine and projections of a stretch of the
//! spool commit in one DuckDB transaction. A run that is killed at any moment leaves the store as
//! the last commit did, and the next run goes on from there; an event that is read again is known
//! by its id.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use duckdb::arrow::array::{BooleanArray, FixedSizeBinaryBuilder, RecordBatch};
use duckdb::arrow::compute::filter_record_batch;
use duckdb::arrow::datatypes::Schema;
use duckdb::{Connection, params};
use plantune_hooks::paths::Paths;

use crate::batch::{ROWS, SCHEMA, uuid};
use crate::error::Error;
use crate::feed::Feed;
use crate::piece::{DecodedPiece, decode_all};
use crate::project;
use crate::seen::Seen;
use crate::segment::{Pieces, Segment, list};

/// How much of the spool is decoded and appended at a time, in bytes: bounds the memory.
const STRETCH_BYTES: u64 = 64 * 1024 * 1024;

/// How much of the spool one transaction takes, in bytes: bounds what a kill can undo.
const TRANSACTION_BYTES: u64 = 256 * 1024 * 1024;

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

/// How far a run is: bytes done, bytes in all.
pub type Progress<'p> = &'p mut dyn FnMut(u64, u64);

/// Reads what is new in the spool into an open store, and returns what was done.
///
/// # Errors
/// Of the file system, with the segment, and DuckDB's. What was not committed is read again by
/// the next run.
pub(crate) fn ingest(
    connection: &mut Connection,
    paths: &Paths,
    now: DateTime<Utc>,
    time_zone: &str,
    progress: Progress<'_>,
) -> Result<Summary, Error> {
    let mut work = Work::find(connection, paths)?;
    let total = work.bytes_left();
    let mut summary = Summary::default();
    if total == 0 {
        return Ok(summary);
    }
    let mut run = Run {
        events: Feed::register(connection, "incoming_events", SCHEMA.clone())?,
        ids: Feed::register(
            connection,
            "incoming_ids",
            Schema::new(vec![uuid("id")]).into(),
        )?,
        // In a store that was empty, whatever is known was brought by this run.
        seen: (!query_flag(connection, include_str!("../sql/has_events.sql"))?).then(Seen::new),
        now,
    };
    while work.bytes_left() > 0 {
        let transaction = connection.transaction()?;
        let batch: u32 =
            transaction.query_row(include_str!("../sql/next_batch.sql"), [], |row| row.get(0))?;
        let mut done = Summary::default();
        while done.bytes < TRANSACTION_BYTES && work.bytes_left() > 0 {
            let stretch = run.append_stretch(&transaction, batch, &mut work)?;
            done.add(&stretch);
            progress(summary.bytes + done.bytes, total);
        }
        if done.bytes == 0 {
            // Only torn lines are left; they wait for their end.
            break;
        }
        if done.events > 0 {
            project::project(&transaction, batch, batch, time_zone)?;
        }
        work.save_checkpoints(&transaction, now)?;
        transaction.execute(
            include_str!("../sql/put_batch.sql"),
            params![
                batch,
                now.naive_utc(),
                done.events,
                done.duplicates,
                done.quarantined
            ],
        )?;
        transaction.commit()?;
        summary.add(&done);
    }
    Ok(summary)
}

impl Summary {
    fn add(&mut self, other: &Self) {
        self.events += other.events;
        self.duplicates += other.duplicates;
        self.quarantined += other.quarantined;
        self.bytes += other.bytes;
    }
}

fn query_flag(connection: &Connection, sql: &str) -> duckdb::Result<bool> {
    connection.query_row(sql, [], |row| row.get(0))
}

/// The segments with something new, and how far each has been read.
struct Work {
    segments: Vec<Segment>,
    offsets: Vec<u64>,
    events: Vec<u64>,
    current: usize,
    reader: Option<Pieces>,
}

impl Work {
    fn find(connection: &Connection, paths: &Paths) -> Result<Self, Error> {
        let mut checkpoints: HashMap<String, (String, u64, u64)> = HashMap::new();
        let mut statement = connection.prepare(include_str!("../sql/checkpoints.sql"))?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            checkpoints.insert(row.get(0)?, (row.get(1)?, row.get(2)?, row.get(3)?));
        }
        let mut work = Self {
            segments: Vec::new(),
            offsets: Vec::new(),
            events: Vec::new(),
            current: 0,
            reader: None,
        };
        for segment in list(&paths.events()).map_err(Error::Spool)? {
            let Some(head) = &segment.head else { continue };
            let (offset, events) = match checkpoints.get(&segment.name) {
                // A segment that was replaced or cut is read from its start; what is known already
                // is recognised by its ids.
                Some((known, offset, events)) if known == head && *offset <= segment.length => {
                    (*offset, *events)
                }
                _ => (0, 0),
            };
            if offset < segment.length {
                work.segments.push(segment);
                work.offsets.push(offset);
                work.events.push(events);
            }
        }
        Ok(work)
    }

    fn bytes_left(&self) -> u64 {
        let left = self.segments.iter().zip(&self.offsets).skip(self.current);
        left.map(|(segment, offset)| segment.length.saturating_sub(*offset))
            .sum()
    }

    /// The next pieces, up to [`STRETCH_BYTES`], with their segments' indexes.
    fn next_stretch(&mut self) -> Result<(Vec<(usize, crate::segment::Piece)>, u64), Error> {
        let mut pieces = Vec::new();
        let mut bytes = 0;
        while bytes < STRETCH_BYTES {
            let Some(segment) = self.segments.get(self.current) else {
                break;
            };
            let Some(offset) = self.offsets.get_mut(self.current) else {
                break;
            };
            let reader = match &mut self.reader {
                Some(reader) => reader,
                none => none.insert(Pieces::open(segment, *offset).map_err(Error::Spool)?),
            };
            match reader.next().map_err(Error::Spool)? {
                Some(piece) => {
                    bytes += reader.offset() - *offset;
                    *offset = reader.offset();
                    pieces.push((self.current, piece));
                }
                None => {
                    self.current += 1;
                    self.reader = None;
                }
            }
        }
        Ok((pieces, bytes))
    }

    fn save_checkpoints(&self, connection: &Connection, now: DateTime<Utc>) -> duckdb::Result<()> {
        let mut statement = connection.prepare(include_str!("../sql/put_checkpoint.sql"))?;
        let reached = self.segments.iter().zip(&self.offsets).zip(&self.events);
        for ((segment, offset), events) in reached.take(self.current + 1) {
            let head = segment.head.as_deref().unwrap_or_default();
            statement.execute(params![segment.name, head, offset, events, now.naive_utc()])?;
        }
        Ok(())
    }
}

struct Run {
    events: Feed,
    ids: Feed,
    seen: Option<Seen>,
    now: DateTime<Utc>,
}

impl Run {
    fn append_stretch(
        &mut self,
        connection: &Connection,
        batch: u32,
        work: &mut Work,
    ) -> Result<Summary, Error> {
        let (pieces, bytes) = work.next_stretch()?;
        let mut decoded = decode_all(pieces)?;
        let quarantined = self.quarantine(connection, work, &decoded)?;
        let read: u64 = decoded.iter().map(|piece| piece.events).sum();
        let known = self.known_ids(connection, &decoded)?;
        let (batches, kept) = self.without_duplicates(&mut decoded, &known, work)?;
        if kept > 0 {
            self.events.fill(batches);
            connection.execute(include_str!("../sql/append_events.sql"), params![batch])?;
        }
        Ok(Summary {
            events: kept,
            duplicates: read - kept,
            quarantined,
            bytes,
        })
    }

    fn quarantine(
        &self,
        connection: &Connection,
        work: &Work,
        decoded: &[DecodedPiece],
    ) -> Result<u64, Error> {
        let mut statement = connection.prepare(include_str!("../sql/put_quarantine.sql"))?;
        let mut added = 0;
        for piece in decoded {
            let Some(segment) = work.segments.get(piece.segment) else {
                continue;
            };
            for line in &piece.bad_lines {
                let id = line.id(segment.head.as_deref().unwrap_or_default());
                added += statement.execute(params![
                    id,
                    segment.name,
                    line.offset,
                    line.reason,
                    line.bytes,
                    line.length,
                    self.now.naive_utc()
                ])? as u64;
            }
        }
        Ok(added)
    }

    /// The ids among those decoded that the log holds already.
    fn known_ids(
        &mut self,
        connection: &Connection,
        decoded: &[DecodedPiece],
    ) -> Result<HashSet<[u8; 16]>, Error> {
        let ids = decoded
            .iter()
            .flat_map(|piece| &piece.batches)
            .flat_map(|(_, ids)| ids);
        let doubtful: Vec<[u8; 16]> = match &mut self.seen {
            Some(seen) => ids.filter(|id| seen.insert(**id)).copied().collect(),
            None => ids.copied().collect(),
        };
        if doubtful.is_empty() {
            return Ok(HashSet::new());
        }
        self.ids.fill(id_batches(&doubtful)?);
        let mut statement = connection.prepare(include_str!("../sql/known_ids.sql"))?;
        let rows = statement.query_map([], |row| row.get::<_, String>(0))?;
        let mut known = HashSet::new();
        for text in rows {
            let digits: String = text?.chars().filter(|c| *c != '-').collect();
            known.extend(u128::from_str_radix(&digits, 16).map(u128::to_be_bytes));
        }
        Ok(known)
    }

    /// The batches without the events that are known or stand twice in them, and how many are left.
    fn without_duplicates(
        &self,
        decoded: &mut Vec<DecodedPiece>,
        known: &HashSet<[u8; 16]>,
        work: &mut Work,
    ) -> Result<(Vec<RecordBatch>, u64), Error> {
        let mut here: HashSet<[u8; 16]> = HashSet::new();
        let mut kept = Vec::new();
        let mut count = 0;
        for piece in decoded.drain(..) {
            for (batch, ids) in piece.batches {
                let fresh: Vec<bool> = ids
                    .iter()
                    .map(|id| !known.contains(id) && here.insert(*id))
                    .collect();
                let rows = fresh.iter().filter(|fresh| **fresh).count();
                if rows == ids.len() {
                    kept.push(batch);
                } else if rows > 0 {
                    kept.push(filter_record_batch(&batch, &BooleanArray::from(fresh))?);
                }
                count += rows as u64;
                if let Some(events) = work.events.get_mut(piece.segment) {
                    *events += rows as u64;
                }
            }
        }
        // The feed gives its last batch first.
        kept.reverse();
        Ok((kept, count))
    }
}

fn id_batches(ids: &[[u8; 16]]) -> Result<Vec<RecordBatch>, Error> {
    let schema = std::sync::Arc::new(Schema::new(vec![uuid("id")]));
    ids.chunks(ROWS)
        .map(|ids| {
            let mut column = FixedSizeBinaryBuilder::with_capacity(ids.len(), 16);
            ids.iter().try_for_each(|id| column.append_value(id))?;
            Ok(RecordBatch::try_new(
                schema.clone(),
                vec![std::sync::Arc::new(column.finish())],
            )?)
        })
        .collect()
}
