//! How far each segment is in the store, as the table `segments` says.
//!
//! The column `head` identifies what was read: `HASH+TAIL`, the hashes of the first line and of the
//! last 4 KiB before the offset (early versions wrote the first alone). A change of what was read is
//! seen if it touches the first line or the last 4 KiB, or moves them, so every cut, every inserted
//! or removed line, and every other file is seen; lines in between that were overwritten in place,
//! byte for byte as long, are not.
//!
//! Of a compressed file that was read to its end the column `head` holds more than the hash of the
//! first line: `HASH/SEAL`, so that the next run knows by the file's trailer that nothing is new; of
//! one that proved damaged `HASH!SEAL`, so that it is not tried again until it is another file; and
//! `HASH~SEAL` before either is known.

use std::collections::HashMap;
use std::fs::File;
use std::io;

use chrono::{DateTime, Utc};
use duckdb::{Connection, params};

use crate::compressed::Seal;
use crate::feeds::Feeds;
use crate::segment::Segment;
use crate::segment_name::SegmentName;
use crate::tail::{Tail, joined, parted};

/// What is known of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Checkpoint {
    /// The hash of the first line.
    pub(crate) head: String,
    /// The hash of the last 4 KiB before the offset; `None` when it is not known.
    pub(crate) tail: Option<String>,
    pub(crate) state: State,
    /// Bytes read, of the content of a compressed file.
    pub(crate) offset: u64,
    /// Events that came from it.
    pub(crate) events: u64,
}

/// Whether there is more to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// There may be.
    Open,
    /// There may be, in the compressed file with this seal.
    Begun(String),
    /// The compressed file with this seal was read to its end.
    Sealed(String),
    /// The compressed file with this seal is damaged behind the offset.
    Damaged(String),
}

/// The checkpoints of all files, by their names.
#[derive(Debug, Default)]
pub(crate) struct Checkpoints(HashMap<String, Checkpoint>);

impl Checkpoints {
    /// # Errors
    /// DuckDB's.
    pub(crate) fn load(connection: &Connection) -> duckdb::Result<Self> {
        let mut statement = connection.prepare(include_str!("../sql/checkpoints.sql"))?;
        let rows = statement.query_map([], |row| {
            let (identity, state) = parse(&row.get::<_, String>(1)?);
            let (head, tail) = parted(&identity);
            let checkpoint = Checkpoint {
                head: head.to_owned(),
                tail: tail.map(str::to_owned),
                state,
                offset: row.get(2)?,
                events: row.get(3)?,
            };
            Ok((row.get(0)?, checkpoint))
        })?;
        rows.collect::<duckdb::Result<_>>().map(Self)
    }

    /// The checkpoint under a file's name.
    pub(crate) fn get(&self, file_name: &str) -> Option<&Checkpoint> {
        self.0.get(file_name)
    }

    /// True when a compressed file is as it was when it was read to its end or proved damaged.
    pub(crate) fn is_settled(&self, file_name: &str, seal: &Seal) -> bool {
        match self.get(file_name).map(|checkpoint| &checkpoint.state) {
            Some(State::Sealed(known)) => *known == seal.word(),
            Some(State::Damaged(known)) => *known == seal.exact_word(),
            _ => false,
        }
    }

    /// How far `segment` is in the store: by its own checkpoint, else by that of a file with the
    /// same content under the other name (compressed, or as it was before). A segment that was
    /// replaced or cut is read from its start; what is known already is recognised by its ids.
    /// `None` when nothing is known of it.
    pub(crate) fn reached(&self, segment: &Segment) -> Option<&Checkpoint> {
        let fits = |checkpoint: &&Checkpoint| {
            segment.head.as_ref() == Some(&checkpoint.head)
                && (segment.seal.is_some() || checkpoint.offset <= segment.length)
                && match &checkpoint.state {
                    State::Open | State::Sealed(_) => true,
                    // Of a file that may be damaged, what was read counts for itself alone.
                    State::Begun(seal) | State::Damaged(seal) => segment
                        .seal
                        .as_ref()
                        .is_some_and(|own| own.exact_word() == *seal),
                }
                && checkpoint.is_tail_of(segment)
        };
        let own = self.get(&segment.file_name).filter(fits);
        let of_same_segment = |(name, _): &(&String, &Checkpoint)| {
            SegmentName::parse(name).is_some_and(|name| name.segment() == segment.name)
        };
        let others = || {
            let others = self.0.iter().filter(of_same_segment);
            others
                .map(|(_, checkpoint)| checkpoint)
                .filter(fits)
                .max_by_key(|checkpoint| checkpoint.offset)
        };
        own.or_else(others)
    }
}

/// A checkpoint as the table has it.
pub(crate) struct Reached {
    pub(crate) name: String,
    pub(crate) head: String,
    pub(crate) offset: u64,
    pub(crate) events: u64,
}

impl Checkpoint {
    /// What the column `head` holds.
    fn identity(&self) -> String {
        let head = joined(&self.head, self.tail.as_deref());
        match &self.state {
            State::Open => head,
            State::Begun(seal) => format!("{head}~{seal}"),
            State::Sealed(seal) => format!("{head}/{seal}"),
            State::Damaged(seal) => format!("{head}!{seal}"),
        }
    }

    /// True when `segment` holds before the offset what was read there. A compressed one is looked
    /// at when it is read.
    fn is_tail_of(&self, segment: &Segment) -> bool {
        let found =
            || -> io::Result<Tail> { Tail::before(&File::open(&segment.path)?, self.offset) };
        self.tail.is_none()
            || segment.seal.is_some()
            || found().is_ok_and(|found| found.hash() == self.tail)
    }
}

fn parse(head: &str) -> (String, State) {
    let Some((hash, seal)) = head.split_once(['/', '!', '~']) else {
        return (head.to_owned(), State::Open);
    };
    let seal = seal.to_owned();
    let state = match head.as_bytes().get(hash.len()) {
        Some(b'/') => State::Sealed(seal),
        Some(b'!') => State::Damaged(seal),
        _ => State::Begun(seal),
    };
    (hash.to_owned(), state)
}

/// Writes down how far files of those names have been read.
///
/// # Errors
/// DuckDB's.
pub(crate) fn put(
    connection: &Connection,
    feeds: &Feeds,
    checkpoints: Vec<(String, Checkpoint)>,
    now: DateTime<Utc>,
) -> duckdb::Result<()> {
    let rows = checkpoints.into_iter().map(|(name, checkpoint)| Reached {
        head: checkpoint.identity(),
        name,
        offset: checkpoint.offset,
        events: checkpoint.events,
    });
    feeds.checkpoints(rows.collect());
    connection
        .execute(
            include_str!("../sql/put_checkpoint.sql"),
            params![now.naive_utc()],
        )
        .map(drop)
}
