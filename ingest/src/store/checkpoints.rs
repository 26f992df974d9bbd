//! How far the store covers each segment of the log, and what of the log is new to it.

use std::collections::HashMap;
use std::io;

use chrono::DateTime;
use duckdb::Connection;

use crate::Error;
use crate::segment::{Format, Segment};

/// How much of one segment is in the store. The fields are the columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Checkpoint {
    pub(crate) offset: u64,
    pub(crate) length: u64,
    pub(crate) modified_ns: i64,
    pub(crate) tail: Option<String>,
    pub(crate) events: u64,
    pub(crate) last_hook_at: Option<i64>,
    pub(crate) damage: Option<String>,
}

impl Checkpoint {
    /// The checkpoint of a segment that has not been read.
    pub(crate) fn start(segment: &Segment) -> Self {
        Self {
            length: segment.length,
            modified_ns: segment.modified_ns,
            ..Self::default()
        }
    }

    /// True when the file is unchanged since it was read.
    pub(crate) fn is_of(&self, segment: &Segment) -> bool {
        (self.length, self.modified_ns) == (segment.length, segment.modified_ns)
    }
}

/// A segment with something new.
#[derive(Debug)]
pub(crate) struct Work {
    pub(crate) segment: Segment,
    /// Where to begin.
    pub(crate) checkpoint: Checkpoint,
}

impl Work {
    /// The work for a whole segment.
    pub(crate) fn whole(segment: Segment) -> Self {
        Self {
            checkpoint: Checkpoint::start(&segment),
            segment,
        }
    }

    /// How many bytes are left.
    pub(crate) fn bytes(&self) -> u64 {
        self.segment.length.saturating_sub(self.checkpoint.offset)
    }
}

/// The checkpoints by file name.
pub(crate) fn load_checkpoints(
    connection: &Connection,
) -> duckdb::Result<HashMap<String, Checkpoint>> {
    let mut statement = connection.prepare(include_str!("../../sql/segments.sql"))?;
    let rows = statement.query_map([], |row| {
        let checkpoint = Checkpoint {
            offset: row.get(1)?,
            length: row.get(2)?,
            modified_ns: row.get(3)?,
            tail: row.get(4)?,
            events: row.get(5)?,
            last_hook_at: row.get(6)?,
            damage: row.get(7)?,
        };
        Ok((row.get(0)?, checkpoint))
    })?;
    rows.collect()
}

/// The segments that have something new. The inner error is the name of a segment that is gone or no longer contains
/// what was read from it.
pub(crate) fn compare(
    mut known: HashMap<String, Checkpoint>,
    segments: Vec<Segment>,
) -> io::Result<Result<Vec<Work>, String>> {
    let mut work = Vec::new();
    for segment in segments {
        let name = segment.name.file_name();
        match known.remove(&name) {
            None => work.push(Work::whole(segment)),
            Some(checkpoint) if checkpoint.is_of(&segment) => {}
            Some(checkpoint) if goes_on(&checkpoint, &segment)? => work.push(Work {
                checkpoint: Checkpoint {
                    length: segment.length,
                    modified_ns: segment.modified_ns,
                    ..checkpoint
                },
                segment,
            }),
            Some(_) => return Ok(Err(name)),
        }
    }
    Ok(known.into_keys().min().map_or(Ok(work), Err))
}

/// True when `segment` still begins with the bytes that were read.
pub(crate) fn goes_on(checkpoint: &Checkpoint, segment: &Segment) -> io::Result<bool> {
    if segment.name.format() != Format::Lines || segment.length < checkpoint.offset {
        return Ok(false);
    }
    Ok(segment.tail_before(checkpoint.offset)? == checkpoint.tail)
}

/// Replaces the rows of those segments.
pub(crate) fn save_checkpoints(
    connection: &Connection,
    checkpoints: &HashMap<String, Checkpoint>,
) -> Result<(), Error> {
    forget_checkpoints(connection, checkpoints.keys().cloned())?;
    let mut appender = connection.appender("segments")?;
    for (name, checkpoint) in checkpoints {
        appender.append_row(duckdb::params![
            name,
            checkpoint.offset,
            checkpoint.length,
            checkpoint.modified_ns,
            checkpoint.tail,
            checkpoint.events,
            checkpoint
                .last_hook_at
                .and_then(DateTime::from_timestamp_micros)
                .map(|time| time.naive_utc()),
            checkpoint.damage,
        ])?;
    }
    Ok(appender.flush()?)
}

/// Removes the rows of the segments of these file names.
pub(crate) fn forget_checkpoints(
    connection: &Connection,
    names: impl Iterator<Item = String>,
) -> Result<(), Error> {
    let names = serde_json::to_string(&names.collect::<Vec<_>>()).unwrap_or_default();
    connection.execute(include_str!("../../sql/forget_segments.sql"), [names])?;
    Ok(())
}
