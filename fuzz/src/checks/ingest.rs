//! The input of ingest: the lines of a segment, a segment on disk, a transcript.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a check is there to panic"
)]

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::Path;

use chrono::DateTime;
use plantune_domain::event::{self, Event};
use plantune_domain::hash;
use plantune_domain::registry::Registry;

use crate::Progress;
use crate::claude_code::{Prompts, TranscriptSummary, read};
use crate::lines::{BadLine, Decoded, decode, decode_lines};
use crate::segment::{CHUNK_BYTES, Chunk, ChunkReader, KEPT_OF_LONG_LINE, MAX_LINE_BYTES, list};

/// How every event begins.
const START: &[u8] = b"{\"v\":";

/// The bytes of a segment as events and bad lines.
///
/// Checks that each line of `data` is one event or one bad line, that the events that a torn line ran
/// into are found and the rest of it is bad, and that an event written again is the same event.
pub(crate) fn check_decoder(data: &[u8]) {
    let whole = data
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |last| last + 1);
    for offset in [0, 4711] {
        check_lines(&data[..whole], offset);
    }
    // One line by itself, the newline missing.
    if let Ok(event) = decode(&data[whole..]) {
        check_event(&event);
    }
}

/// `bytes` at `offset` hold the events and bad lines that their lines hold one by one.
fn check_lines(bytes: &[u8], offset: u64) {
    let chunk = chunk(bytes, offset);
    let found = decode_lines(&chunk);
    let (mut events, mut bad_lines) = (found.events.iter(), found.bad_lines.iter());
    let mut start = offset;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let alone = self::chunk(line, start);
        let of_line = decode_lines(&alone);
        for event in &of_line.events {
            check_event(event);
            assert_eq!(events.next().unwrap().event, event.event);
        }
        for bad in &of_line.bad_lines {
            let known = bad_lines.next().unwrap();
            assert_eq!((known.offset, known.length), (bad.offset, bad.length));
        }
        check_line(
            &line[..line.len() - 1],
            start,
            &of_line.events,
            &of_line.bad_lines,
        );
        start += line.len() as u64;
    }
    assert!(events.next().is_none() && bad_lines.next().is_none());
}

fn chunk(bytes: &[u8], offset: u64) -> Chunk {
    Chunk {
        offset,
        bytes: bytes.to_vec(),
        long_line: None,
    }
}

/// Every byte of `line` belongs to one of `events` or `bad_lines`, in their order, or is blank.
fn check_line(line: &[u8], offset: u64, events: &[Decoded<'_>], bad_lines: &[BadLine]) {
    if line.len() > MAX_LINE_BYTES {
        assert!(events.is_empty() && bad_lines.len() == 1);
        return;
    }
    let line = trim(line);
    if decode(line).is_ok() {
        assert!(events.len() == 1 && bad_lines.is_empty());
        return;
    }
    if events.is_empty() {
        assert_eq!(bad_lines.len(), usize::from(!line.is_empty()));
    }
    let (mut events, mut end) = (events, 0);
    for bad in bad_lines {
        let from = usize::try_from(bad.offset - offset).unwrap();
        let to = from + usize::try_from(bad.length).unwrap();
        assert!(!bad.reason.is_empty() && line[from..to].starts_with(&bad.bytes));
        assert!(decode(&line[from..to]).is_err(), "an event is bad");
        events = check_events(&line[end..from], events);
        end = to;
    }
    assert!(check_events(&line[end..], events).is_empty());
}

/// `bytes` are the first of `events`, one behind the other; returns the others.
fn check_events<'d, 'e>(mut bytes: &[u8], mut events: &'d [Decoded<'e>]) -> &'d [Decoded<'e>] {
    while !bytes.is_empty() {
        let starts = (1..bytes.len()).filter(|at| bytes[*at..].starts_with(START));
        let mut ends = starts.chain([bytes.len()]);
        let (end, event) = ends
            .find_map(|end| Some((end, decode(&bytes[..end]).ok()?)))
            .expect("neither an event nor bad");
        let (first, rest) = events.split_first().unwrap();
        assert_eq!(event.event, first.event);
        (bytes, events) = (&bytes[end..], rest);
    }
    events
}

/// Without white space, and a byte order mark at its start.
fn trim(line: &[u8]) -> &[u8] {
    let line = line.trim_ascii();
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    line.trim_ascii()
}

fn check_event(decoded: &Decoded<'_>) {
    let event = &decoded.event;
    let moment = DateTime::parse_from_rfc3339(&event.ts).unwrap();
    assert_eq!(decoded.micros, moment.timestamp_micros(), "{}", &*event.ts);
    assert_eq!(hash::to_hex(&decoded.id), event.id.to_lowercase());
    let line = event.to_line().unwrap();
    assert_eq!(line.last(), Some(&b'\n'));
    let text = std::str::from_utf8(&line[..line.len() - 1]).unwrap();
    let again = decode(text.as_bytes()).unwrap();
    assert_eq!((again.id, again.micros), (decoded.id, decoded.micros));
    if again.event.truncated != event.truncated {
        check_cut(event, &again.event, line.len());
    } else {
        assert_eq!(again.event, *event);
    }
}

/// A line too long is cut, and still the same event to everybody who counts.
fn check_cut(whole: &Event<'_>, cut: &Event<'_>, length: usize) {
    assert!(length <= event::MAX_LINE_BYTES + 1);
    assert_eq!(
        (&cut.kind, cut.question_index),
        (&whole.kind, whole.question_index)
    );
    for (whole, cut) in [
        (&whole.question, &cut.question),
        (&whole.free_text, &cut.free_text),
    ] {
        assert_eq!(whole.is_some(), cut.is_some());
        let (whole, cut) = (whole.as_deref().unwrap_or(""), cut.as_deref().unwrap_or(""));
        assert!(whole.starts_with(cut), "{cut:?} was never said");
    }
}

/// The most that is written, in bytes.
const MOST: usize = 3 * CHUNK_BYTES;

/// A segment on disk, larger than what is read at a time: chunk by chunk, from any checkpoint.
///
/// Input: how often (a byte), and what is written so often, with lines of its own length between.
///
/// Checks that the chunks of the segment in `data` are all of its whole lines, in order, whichever
/// offset they are read from; `scratch` is a folder to write it to.
pub(crate) fn check_segments(data: &[u8], scratch: &Path) {
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

/// The transcript reader over a file of any bytes.
///
/// Checks that the transcript in `data` gives events that the store takes, each once, the same every
/// time, and counts that add up; `scratch` is a folder to write it to.
pub(crate) fn check_transcript(data: &[u8], scratch: &Path) {
    // A resumed session repeats what it resumes, in a file of its own.
    let both = scratch.join("transcripts");
    fs::create_dir_all(&both).unwrap();
    let (path, copy) = (both.join("0b6f.jsonl"), both.join("1c70.jsonl"));
    for path in [&path, &copy] {
        fs::File::create(path).unwrap().write_all(data).unwrap();
    }
    let (found, lines) = events(&path);
    let of_question = found.answered + found.auto_decided + found.dismissed + found.failed;
    assert_eq!(found.questions, of_question + found.unanswered, "{found:?}");
    assert_eq!((found.files, found.unreadable_files.len()), (1, 0));
    let mut ids = BTreeSet::new();
    for line in &lines {
        let event = decode(&line[..line.len() - 1]).unwrap();
        assert!(line.len() <= event::MAX_LINE_BYTES + 1);
        assert!(ids.insert(event.id), "an event twice");
        assert_eq!(&*event.event.source, "import:claude-code");
    }
    let of_calls = found.granted + found.refused + found.denied + found.unasked;
    assert!(
        lines.len() as u64 <= 2 * found.questions + of_calls,
        "events of nothing"
    );
    // No question is shorter than `{},` in the file.
    assert!(found.questions <= data.len() as u64 / 2);
    let (found_twice, twice) = events(&both);
    assert_eq!(twice, lines, "a copy changes what is read");
    assert_eq!(
        (found_twice.calls, found_twice.questions),
        (found.calls, found.questions)
    );
}

fn events(path: &Path) -> (TranscriptSummary, Vec<Vec<u8>>) {
    let mut lines = Vec::new();
    let found = read(
        path,
        &Registry::default(),
        Prompts::default(),
        &Progress::default(),
        &mut |event| {
            lines.push(event.to_line().unwrap());
            Ok(())
        },
    );
    (found.unwrap(), lines)
}
