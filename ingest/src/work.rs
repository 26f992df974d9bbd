//! What is new in the spool, and how far it has been read.

use chrono::{DateTime, Utc};
use duckdb::Connection;
use plantune_domain::paths::Paths;

use crate::checkpoint::{self, Checkpoint, Checkpoints, State};
use crate::compressed;
use crate::error::Error;
use crate::feeds::Feeds;
use crate::segment::{PIECE_BYTES, Piece, Pieces, Segment, list};

/// The segments with something new, and how far each has been read.
pub(crate) struct Work {
    items: Vec<Item>,
    current: usize,
    /// The segments before this one have checkpoints that are final.
    saved: usize,
    reader: Option<Pieces>,
    /// Memory of pieces that are done with, for those to come.
    spare: Vec<Vec<u8>>,
}

/// How many pieces' memory is kept: a piece for each thread that has one in hand.
const SPARE_PIECES: usize = 4;

/// A segment with something new.
struct Item {
    segment: Segment,
    offset: u64,
    events: u64,
    /// The hash of what stands before the offset; `None` when that is not known.
    tail: Option<String>,
    end: End,
}

/// How the reading of a segment ended.
enum End {
    NotYet,
    /// No complete line is left.
    Reached,
    /// What is left of a compressed segment is damaged.
    Damaged,
}

impl Work {
    /// Compares the spool with the store's checkpoints.
    ///
    /// # Errors
    /// Of the file system, and DuckDB's.
    pub(crate) fn find(connection: &Connection, paths: &Paths) -> Result<Self, Error> {
        let checkpoints = Checkpoints::load(connection)?;
        let mut items = Vec::new();
        for mut segment in list(&paths.events()).map_err(Error::Spool)? {
            if let Some(seal) = &segment.seal {
                if checkpoints.is_settled(&segment.file_name, seal) {
                    continue;
                }
                match segment.read_head() {
                    // Without its first line it has nothing for us; doctor tells.
                    Err(error) if compressed::is_damage(&error) => continue,
                    read => read.map_err(Error::Spool)?,
                }
            }
            if segment.head.is_none() {
                continue;
            }
            let reached = checkpoints.reached(&segment);
            let offset = reached.map_or(0, |known| known.offset);
            // What came from an earlier content is in the store too, and no longer in the spool.
            let counted = reached.or_else(|| checkpoints.get(&segment.file_name));
            let events = counted.map_or(0, |known| known.events);
            if segment.seal.is_some() || offset < segment.length {
                items.push(Item {
                    segment,
                    offset,
                    events,
                    tail: reached.and_then(|known| known.tail.clone()),
                    end: End::NotYet,
                });
            }
        }
        Ok(Self {
            items,
            current: 0,
            saved: 0,
            reader: None,
            spare: Vec::new(),
        })
    }

    /// How many bytes have not been read; of compressed segments, about.
    pub(crate) fn bytes_left(&self) -> u64 {
        self.items.iter().skip(self.current).map(Item::left).sum()
    }

    /// The segment of an index that [`Work::next`] gave.
    pub(crate) fn segment(&self, index: usize) -> Option<&Segment> {
        self.items.get(index).map(|item| &item.segment)
    }

    /// Counts events that were added from a segment.
    pub(crate) fn add_events(&mut self, index: usize, events: u64) {
        if let Some(item) = self.items.get_mut(index) {
            item.events += events;
        }
    }

    /// The next piece with its segment's index and the bytes it took; `None` when no complete line
    /// is left. A compressed segment that is damaged is read up to there, and the next one begins.
    ///
    /// # Errors
    /// Those of the file system, with the path.
    pub(crate) fn next(&mut self) -> Result<Option<(usize, Piece, u64)>, Error> {
        while let Some(item) = self.items.get_mut(self.current) {
            match item.next(&mut self.reader, self.spare.pop().unwrap_or_default()) {
                Ok(Some((piece, bytes))) => return Ok(Some((self.current, piece, bytes))),
                Ok(None) => item.end = End::Reached,
                Err(error) if item.segment.seal.is_some() && compressed::is_damage(&error) => {
                    item.end = End::Damaged;
                }
                Err(error) => return Err(Error::Spool(error)),
            }
            self.current += 1;
            self.reader = None;
        }
        Ok(None)
    }

    /// Takes a piece's memory back, to be used again.
    pub(crate) fn give_back(&mut self, bytes: Vec<u8>) {
        if self.spare.len() < SPARE_PIECES && bytes.capacity() <= 2 * PIECE_BYTES {
            self.spare.push(bytes);
        }
    }

    /// Writes down how far the segments have been read.
    ///
    /// # Errors
    /// DuckDB's.
    pub(crate) fn save_checkpoints(
        &mut self,
        connection: &Connection,
        feeds: &Feeds,
        now: DateTime<Utc>,
    ) -> duckdb::Result<()> {
        // What was left behind before the last call has not changed since.
        let reached = self.items.iter().take(self.current + 1).skip(self.saved);
        let checkpoints = reached.map(|item| (item.segment.file_name.clone(), item.checkpoint()));
        checkpoint::put(connection, feeds, checkpoints.collect(), now)?;
        self.saved = self.current;
        Ok(())
    }
}

impl Item {
    /// Bytes left; of a compressed segment at least one, so that it is opened.
    fn left(&self) -> u64 {
        let left = self.segment.length.saturating_sub(self.offset);
        left.max(u64::from(self.segment.seal.is_some()))
    }

    /// The next piece, in `memory`, and the bytes it took.
    fn next(
        &mut self,
        reader: &mut Option<Pieces>,
        memory: Vec<u8>,
    ) -> std::io::Result<Option<(Piece, u64)>> {
        let reader = match reader {
            Some(reader) => reader,
            none => {
                let mut opened = Pieces::open(&self.segment, self.offset)?;
                if self.tail.is_some() && opened.tail() != self.tail {
                    // Another file than the one that was read so far.
                    opened = Pieces::open(&self.segment, 0)?;
                }
                self.offset = opened.offset();
                none.insert(opened)
            }
        };
        Ok(reader.next(memory)?.map(|piece| {
            let bytes = reader.offset() - self.offset;
            self.offset = reader.offset();
            self.tail = reader.tail();
            (piece, bytes)
        }))
    }

    fn checkpoint(&self) -> Checkpoint {
        let state = match (&self.segment.seal, &self.end) {
            (Some(seal), End::Reached) => State::Sealed(seal.word()),
            (Some(seal), End::Damaged) => State::Damaged(seal.exact_word()),
            (Some(seal), End::NotYet) => State::Begun(seal.exact_word()),
            (None, _) => State::Open,
        };
        Checkpoint {
            head: self.segment.head.clone().unwrap_or_default(),
            tail: self.tail.clone(),
            state,
            offset: self.offset,
            events: self.events,
        }
    }
}
