//! What is new in the spool, and how far it has been read.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use duckdb::{Connection, params};
use plantune_hooks::paths::Paths;

use crate::error::Error;
use crate::segment::{Piece, Pieces, Segment, list};
use crate::tail::{joined, parted};

/// The segments with something new, and how far each has been read.
pub(crate) struct Work {
    segments: Vec<Segment>,
    offsets: Vec<u64>,
    events: Vec<u64>,
    /// What stands before the offsets; `None` when that is not known.
    tails: Vec<Option<String>>,
    current: usize,
    reader: Option<Pieces>,
}

impl Work {
    /// Compares the spool with the store's checkpoints.
    ///
    /// # Errors
    /// Of the file system, and DuckDB's.
    pub(crate) fn find(connection: &Connection, paths: &Paths) -> Result<Self, Error> {
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
            tails: Vec::new(),
            current: 0,
            reader: None,
        };
        for segment in list(&paths.events()).map_err(Error::Spool)? {
            let Some(head) = &segment.head else { continue };
            let (offset, events, tail) = match checkpoints.get(&segment.name) {
                // A segment that was replaced or cut is read from its start; what is known already
                // is recognised by its ids.
                Some((known, offset, events)) if is_as_read(known, head, *offset, &segment)? => {
                    (*offset, *events, parted(known).1)
                }
                _ => (0, 0, None),
            };
            if offset < segment.length {
                work.segments.push(segment);
                work.offsets.push(offset);
                work.events.push(events);
                work.tails.push(tail.map(str::to_owned));
            }
        }
        Ok(work)
    }

    /// How many bytes have not been read.
    pub(crate) fn bytes_left(&self) -> u64 {
        let left = self.segments.iter().zip(&self.offsets).skip(self.current);
        left.map(|(segment, offset)| segment.length.saturating_sub(*offset))
            .sum()
    }

    /// The segment of an index that [`Work::next`] gave.
    pub(crate) fn segment(&self, index: usize) -> Option<&Segment> {
        self.segments.get(index)
    }

    /// Counts events that were added from a segment.
    pub(crate) fn add_events(&mut self, index: usize, events: u64) {
        if let Some(count) = self.events.get_mut(index) {
            *count += events;
        }
    }

    /// The next piece with its segment's index and the bytes it took; `None` when no complete line
    /// is left.
    ///
    /// # Errors
    /// Those of the file system, with the path.
    pub(crate) fn next(&mut self) -> Result<Option<(usize, Piece, u64)>, Error> {
        while let (Some(segment), Some(offset)) = (
            self.segments.get(self.current),
            self.offsets.get_mut(self.current),
        ) {
            let reader = match &mut self.reader {
                Some(reader) => reader,
                none => {
                    let mut reader = Pieces::open(segment, *offset).map_err(Error::Spool)?;
                    let tail = self.tails.get(self.current).and_then(Option::as_ref);
                    if tail.is_some_and(|tail| reader.tail().as_ref() != Some(tail)) {
                        // Replaced since it was looked at.
                        *offset = 0;
                        reader = Pieces::open(segment, 0).map_err(Error::Spool)?;
                    }
                    none.insert(reader)
                }
            };
            if let Some(piece) = reader.next().map_err(Error::Spool)? {
                let bytes = reader.offset() - *offset;
                *offset = reader.offset();
                if let Some(tail) = self.tails.get_mut(self.current) {
                    *tail = reader.tail();
                }
                return Ok(Some((self.current, piece, bytes)));
            }
            self.current += 1;
            self.reader = None;
        }
        Ok(None)
    }

    /// Writes down how far the segments have been read.
    ///
    /// # Errors
    /// DuckDB's.
    pub(crate) fn save_checkpoints(
        &self,
        connection: &Connection,
        now: DateTime<Utc>,
    ) -> duckdb::Result<()> {
        let mut statement = connection.prepare(include_str!("../sql/put_checkpoint.sql"))?;
        let reached = self.segments.iter().zip(&self.offsets).zip(&self.events);
        for (((segment, offset), events), tail) in reached.zip(&self.tails).take(self.current + 1) {
            let head = segment.head.as_deref().unwrap_or_default();
            let head = joined(head, tail.as_deref());
            statement.execute(params![segment.name, head, offset, events, now.naive_utc()])?;
        }
        Ok(())
    }
}

/// True when `segment`, whose first line is `head`, still holds what was read up to `offset`.
///
/// A change of the part that was read is seen if it touches the first line or the last 4 KiB, or
/// moves them, so every cut, every inserted or removed line, and every other file is seen; lines in
/// between that were overwritten in place, byte for byte as long, are not.
fn is_as_read(known: &str, head: &str, offset: u64, segment: &Segment) -> Result<bool, Error> {
    let (known_head, known_tail) = parted(known);
    if known_head != head || offset > segment.length {
        return Ok(false);
    }
    if known_tail.is_none() {
        return Ok(true);
    }
    let pieces = Pieces::open(segment, offset).map_err(Error::Spool)?;
    Ok(pieces.tail().as_deref() == known_tail)
}
