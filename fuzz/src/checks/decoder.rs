//! The bytes of a segment as events and bad lines.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a check is there to panic"
)]

use chrono::DateTime;
use plantune_domain::event::{Event, MAX_LINE_BYTES};
use plantune_domain::hash;

use crate::decode::{Decoded, decode};
use crate::piece::{BadLine, decode_piece};
use crate::segment::Piece;
use crate::written;

/// Checks that each line of `data` is one event or one bad line, that a torn line gives back the events
/// it swallowed and is bad for the rest, that an event written again is the same event, and that both
/// ways to read one agree.
pub(crate) fn check(data: &[u8]) {
    let whole = data
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |last| last + 1);
    for offset in [0, 4711] {
        let piece = Piece {
            offset,
            bytes: data[..whole].to_vec(),
            long_line: None,
        };
        let (events, bad) = decode_piece(&piece);
        check_lines(&piece, &events, &bad);
        for (event, line) in &events {
            check_event(event);
            let by_serde: Event<'_> = serde_json::from_slice(line).unwrap();
            assert_eq!(by_serde, event.event);
        }
    }
    // One line by itself, the newline missing.
    if let Ok(event) = decode(&data[whole..]) {
        check_event(&event);
    }
}

/// The lines of `piece` in their order: events, and one bad line for whatever stands before, between
/// and behind them and is not blank. Most lines hold one of either.
fn check_lines(piece: &Piece, events: &[(Decoded<'_>, &[u8])], bad: &[BadLine]) {
    let (mut events, mut bad) = (events.iter().peekable(), bad.iter());
    let mut offset = piece.offset;
    for line in piece.bytes.split_inclusive(|byte| *byte == b'\n') {
        let start = line.as_ptr() as usize;
        let is_here = |(_, at): &&(Decoded<'_>, &[u8])| {
            (start..start + line.len()).contains(&(at.as_ptr() as usize))
        };
        let (mut gaps, mut end) = (Vec::new(), 0);
        while let Some((_, text)) = events.next_if(is_here) {
            let from = text.as_ptr() as usize - start;
            assert!(from >= end, "events overlap");
            gaps.push(&line[end..from]);
            end = from + text.len();
        }
        let holds_events = !gaps.is_empty();
        gaps.push(&line[end..]);
        for gap in gaps.into_iter().filter(|gap| !is_blank(gap)) {
            let found = bad.next().expect("neither an event nor bad");
            assert!(!found.reason.is_empty() && !found.bytes.is_empty());
            let part = |part| part == found.bytes;
            assert!(gap.windows(found.bytes.len()).any(part), "an event is both");
            assert!(found.length <= gap.len() as u64);
            let at = found.offset - offset;
            assert!(at == 0 || holds_events && at < line.len() as u64);
        }
        offset += line.len() as u64;
    }
    assert!(events.next().is_none() && bad.next().is_none());
}

/// White space, with a byte order mark at most.
fn is_blank(bytes: &[u8]) -> bool {
    let bytes = bytes.trim_ascii();
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    bytes.trim_ascii().is_empty()
}

fn check_event(decoded: &Decoded<'_>) {
    let event = &decoded.event;
    let moment = DateTime::parse_from_rfc3339(&event.ts).unwrap();
    assert_eq!(decoded.micros, moment.timestamp_micros(), "{}", &*event.ts);
    assert_eq!(hash::to_hex(&decoded.id), event.id.to_lowercase());
    let line = event.to_line().unwrap();
    assert_eq!(line.last(), Some(&b'\n'));
    let text = std::str::from_utf8(&line[..line.len() - 1]).unwrap();
    assert!(written::read(text).is_some());
    let again = decode(text.as_bytes()).unwrap();
    assert_eq!((again.id, again.micros), (decoded.id, decoded.micros));
    if again.event.truncated && !event.truncated {
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
