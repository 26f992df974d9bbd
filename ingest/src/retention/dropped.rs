//! Dropping a segment, and the list of those that were: a new store can be filled from what is
//! kept, and must be able to say what is not.

use std::fs::{self, File};
use std::io;
use std::path::PathBuf;

use chrono::{DateTime, Utc};
use plantune_domain::paths::Paths;
use plantune_domain::{clock, spool};
use serde::{Deserialize, Serialize};

use super::Planned;
use super::remove::{open_itself, remove_unless_grown};
use crate::checkpoint::Checkpoints;

/// A segment that was dropped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dropped {
    /// The file's name. Untrusted text.
    pub segment: String,
    /// Its length in bytes.
    pub bytes: u64,
    /// How many events came from it.
    pub events: u64,
    /// When it was dropped, RFC 3339. Untrusted text.
    pub dropped_at: String,
}

fn list(paths: &Paths) -> PathBuf {
    paths.data().join("dropped.jsonl")
}

/// The segments that were dropped and have not come back, the first first; of one that was dropped
/// twice, the last time.
///
/// # Errors
/// Those of the file system. Lines that are not understood are left out.
pub fn dropped(paths: &Paths) -> io::Result<Vec<Dropped>> {
    let text = match fs::read_to_string(list(paths)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        text => text?,
    };
    let mut all: Vec<Dropped> = Vec::new();
    for line in text.lines() {
        if let Ok(one) = serde_json::from_str::<Dropped>(line) {
            all.retain(|known| (&known.segment, known.bytes) != (&one.segment, one.bytes));
            all.push(one);
        }
    }
    let events = paths.events();
    let is_there = |one: &Dropped| {
        fs::metadata(events.join(&one.segment)).is_ok_and(|file| file.len() == one.bytes)
    };
    all.retain(|one| !is_there(one));
    Ok(all)
}

/// Drops a segment that is in the store, and returns how many bytes that freed. It is put on the
/// list first: one that is there in spite of it is dropped by the next run.
///
/// # Errors
/// Those of the file system, and when the segment has grown meanwhile.
pub(super) fn drop_segment(
    paths: &Paths,
    checkpoints: &Checkpoints,
    planned: &Planned,
    now: DateTime<Utc>,
) -> io::Result<u64> {
    let path = paths.events().join(&planned.file_name);
    let file = open_itself(&path)?;
    let known = checkpoints.get(&planned.file_name);
    let one = Dropped {
        segment: planned.file_name.clone(),
        bytes: planned.bytes,
        events: known.map_or(0, |known| known.events),
        dropped_at: clock::timestamp(now),
    };
    let mut line = serde_json::to_vec(&one)?;
    line.push(b'\n');
    spool::append_to(&list(paths), &line)?;
    File::open(list(paths))?.sync_all()?;
    remove_unless_grown(&path, &file, planned.bytes)?;
    Ok(planned.bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_back_is_not_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::below(folder.path().to_owned());
        assert_eq!(dropped(&paths).unwrap(), []);
        for (segment, events) in [("a.jsonl", 1), ("b.jsonl", 2), ("a.jsonl", 3)] {
            let line = format!(
                "{{\"segment\":\"{segment}\",\"bytes\":9,\"events\":{events},\"dropped_at\":\"then\"}}\nnothing\n"
            );
            spool::append_to(&list(&paths), line.as_bytes()).unwrap();
        }
        let names = |all: Vec<Dropped>| -> Vec<_> {
            all.into_iter()
                .map(|one| (one.segment, one.events))
                .collect()
        };
        assert_eq!(
            names(dropped(&paths).unwrap()),
            [("b.jsonl".to_owned(), 2), ("a.jsonl".to_owned(), 3)]
        );
        spool::append_to(&paths.events().join("b.jsonl"), b"12345678\n").unwrap();
        assert_eq!(names(dropped(&paths).unwrap()), [("a.jsonl".to_owned(), 3)]);
    }
}
