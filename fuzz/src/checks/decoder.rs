//! The bytes of a segment as events and bad lines.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a check is there to panic"
)]

use chrono::DateTime;
use plantune_domain::event::{Event, MAX_LINE_BYTES};
use plantune_domain::hash;

use crate::lines::{BadLine, decode_lines};
use crate::lines::{Decoded, decode};
use crate::segment::Chunk;
use crate::segment::MAX_LINE_BYTES as MAX_READ_BYTES;

/// How every event begins.
const START: &[u8] = b"{\"v\":";

/// Checks that each line of `data` is one event or one bad line, that the events that a torn line ran
/// into are found and the rest of it is bad, and that an event written again is the same event.
pub(crate) fn check(data: &[u8]) {
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
    if line.len() > MAX_READ_BYTES {
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
    assert!(length <= MAX_LINE_BYTES + 1);
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
