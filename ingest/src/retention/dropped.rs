//! Dropping a segment, and the list of those that were dropped.

use std::collections::HashMap;
use std::fs::File;
use std::io;

use chrono::{DateTime, Utc};
use plantune_domain::paths::Paths;
use plantune_domain::{clock, spool};
use serde::Serialize;

use super::Planned;
use super::remove::{open_itself, remove_unless_grown};
use crate::store::Checkpoint;

/// A line of `dropped.jsonl`.
#[derive(Serialize)]
struct Dropped<'a> {
    segment: &'a str,
    bytes: u64,
    events: u64,
    dropped_at: String,
}

/// Drops a segment that is in the store, and returns how many bytes that freed. It is put on the list first:
/// one that is there in spite of it is dropped by the next run.
///
/// # Errors
/// Those of the file system, and when the segment has grown meanwhile.
pub(super) fn drop_segment(
    paths: &Paths,
    checkpoints: &HashMap<String, Checkpoint>,
    planned: &Planned,
    now: DateTime<Utc>,
) -> io::Result<u64> {
    let path = paths.events().join(&planned.file_name);
    let file = open_itself(&path)?;
    let known = checkpoints.get(&planned.file_name);
    let mut line = serde_json::to_vec(&Dropped {
        segment: &planned.file_name,
        bytes: planned.bytes,
        events: known.map_or(0, |known| known.events),
        dropped_at: clock::timestamp(now),
    })?;
    line.push(b'\n');
    let list = paths.data().join("dropped.jsonl");
    spool::append_to(&list, &line)?;
    File::open(list)?.sync_all()?;
    remove_unless_grown(&path, &file, planned.bytes)?;
    Ok(planned.bytes)
}
