//! A segment on disk, larger than what is read at a time: chunk by chunk, from any checkpoint.
//!
//! Input: how often (a byte), and what is written so often, with lines of its own length between.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a check is there to panic"
)]

use std::fs;
use std::io::Write as _;
use std::path::Path;

use crate::lines::decode_lines;
use crate::segment::ChunkReader;
use crate::segment::MAX_LINE_BYTES;
use crate::segment::list;
use crate::segment::{CHUNK_BYTES, KEPT_OF_LONG_LINE};

/// The most that is written, in bytes.
const MOST: usize = 3 * CHUNK_BYTES;

/// Checks that the chunks of the segment in `data` are all of its whole lines, in order, whichever
/// offset they are read from; `scratch` is a folder to write it to.
pub(crate) fn check(data: &[u8], scratch: &Path) {
    let Some((times, part)) = data.split_first() else {
        return;
    };
    let part = if part.is_empty() { b"\n" } else { part };
    let most = MOST / part.len();
    let times = most * usize::from(*times) / 255 + 1;
    let whole = part.repeat(times);
    let folder = scratch.join("events");
    fs::create_dir_all(&folder).unwrap();
    let mut file = fs::File::create(folder.join("2026-11-20.jsonl")).unwrap();
    file.write_all(&whole).unwrap();
    let segment = list(&folder).unwrap().remove(0);
    assert_eq!(segment.length, whole.len() as u64);
    let mut reached = vec![0];
    let mut reader = ChunkReader::open(&segment, 0).unwrap();
    let (mut events, mut bad_lines) = (0, 0);
    while let Some(chunk) = reader.next().unwrap() {
        let from = usize::try_from(*reached.last().unwrap()).unwrap();
        let to = usize::try_from(reader.offset()).unwrap();
        let here = &whole[from..to];
        assert_eq!(chunk.offset, from as u64);
        assert!(here.ends_with(b"\n"));
        match chunk.long_line {
            None => assert!(chunk.bytes == here, "not the segment's bytes"),
            Some(length) => {
                assert!(length == here.len() as u64 && here.len() > MAX_LINE_BYTES);
                assert!(chunk.bytes.len() <= KEPT_OF_LONG_LINE && here.starts_with(&chunk.bytes));
                assert_eq!(here.iter().filter(|byte| **byte == b'\n').count(), 1);
            }
        }
        let lines = decode_lines(&chunk);
        events += lines.events.len();
        bad_lines += lines.bad_lines.len();
        reached.push(reader.offset());
    }
    let last = whole
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |last| last + 1);
    assert_eq!(
        *reached.last().unwrap(),
        last as u64,
        "a whole line is left"
    );
    // A line is bad once, and once more for each event that it swallowed.
    assert!(bad_lines <= events + whole.iter().filter(|byte| **byte == b'\n').count());
    // Any of them is a checkpoint to go on from.
    let middle = reached[reached.len() / 2];
    let mut reader = ChunkReader::open(&segment, middle).unwrap();
    while let Some(chunk) = reader.next().unwrap() {
        assert!(chunk.offset >= middle);
    }
    assert_eq!(reader.offset(), last as u64);
}
