//! What is new in the spool, and how far it has been read.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use duckdb::{Connection, params};
use plantune_hooks::paths::Paths;

use crate::error::Error;
use crate::segment::{Piece, Pieces, Segment, list};

/// The segments with something new, and how far each has been read.
pub(crate) struct Work {
    segments: Vec<Segment>,
    offsets: Vec<u64>,
    events: Vec<u64>,
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
                none => none.insert(Pieces::open(segment, *offset).map_err(Error::Spool)?),
            };
            if let Some(piece) = reader.next().map_err(Error::Spool)? {
                let bytes = reader.offset() - *offset;
                *offset = reader.offset();
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
        for ((segment, offset), events) in reached.take(self.current + 1) {
            let head = segment.head.as_deref().unwrap_or_default();
            statement.execute(params![segment.name, head, offset, events, now.naive_utc()])?;
        }
        Ok(())
    }
}
