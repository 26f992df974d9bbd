//! The events of a chunk of lines, and the lines that are none.

use memchr::{memchr_iter, memmem};

use super::chunks::{Chunk, KEPT_OF_LONG_LINE};
use super::decode::{Decoded, MAX_LINE_BYTES, decode, too_long};

/// How every event begins.
const START: &[u8] = b"{\"v\":";

/// A line that is no event.
#[derive(Debug)]
pub(crate) struct BadLine {
    pub(crate) offset: u64,
    pub(crate) reason: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) length: u64,
}

impl BadLine {
    fn new(offset: u64, reason: String, line: &[u8]) -> Self {
        Self {
            offset,
            reason,
            bytes: line.get(..KEPT_OF_LONG_LINE).unwrap_or(line).to_vec(),
            length: line.len() as u64,
        }
    }

    /// A line of `length` bytes that begins with `start`.
    fn too_long(offset: u64, start: &[u8], length: u64) -> Self {
        Self {
            length,
            ..Self::new(offset, too_long(length), start)
        }
    }
}

/// What lines hold: events, and lines that are none.
#[derive(Debug, Default)]
pub(crate) struct Lines<'c> {
    pub(crate) events: Vec<Decoded<'c>>,
    pub(crate) bad_lines: Vec<BadLine>,
}

/// Decodes the lines of `chunk`.
pub(crate) fn decode_lines(chunk: &Chunk) -> Lines<'_> {
    let mut lines = Lines::default();
    if let Some(length) = chunk.long_line {
        // The newline is no part of the line.
        let length = length.saturating_sub(1);
        let line = BadLine::too_long(chunk.offset, &chunk.bytes, length);
        lines.bad_lines.push(line);
        return lines;
    }
    let mut start = 0;
    for end in memchr_iter(b'\n', &chunk.bytes) {
        let line = chunk.bytes.get(start..end).unwrap_or_default();
        decode_line(line, chunk.offset + start as u64, &mut lines);
        start = end + 1;
    }
    lines
}

/// Adds to `lines` what `line`, which begins at `offset` and stands without its newline, holds: an event,
/// nothing, a bad line, or events that a torn line ran into.
fn decode_line<'l>(line: &'l [u8], offset: u64, lines: &mut Lines<'l>) {
    // By the whole line, so that it does not matter how the segment was cut into chunks.
    if line.len() > MAX_LINE_BYTES {
        let line = BadLine::too_long(offset, line, line.len() as u64);
        lines.bad_lines.push(line);
        return;
    }
    let line = trim(line);
    if line.is_empty() {
        return;
    }
    match decode(line) {
        Ok(event) => lines.events.push(event),
        Err(reason) => {
            let parts = parts(line);
            if parts.iter().any(|(_, part)| decode(part).is_ok()) {
                decode_parts(&parts, line, offset, lines);
            } else {
                lines.bad_lines.push(BadLine::new(offset, reason, line));
            }
        }
    }
}

/// `line` cut before whatever looks like the start of an event. Events are flat, and a text cannot
/// hold a quotation mark that is not escaped, so inside of an event nothing does.
fn parts(line: &[u8]) -> Vec<(usize, &[u8])> {
    let mut cuts: Vec<usize> = memmem::find_iter(line, START).collect();
    if cuts.first() != Some(&0) {
        cuts.insert(0, 0);
    }
    let ends = cuts.iter().skip(1).copied().chain([line.len()]);
    let part = |(start, end)| (start, line.get(start..end).unwrap_or_default());
    cuts.iter().copied().zip(ends).map(part).collect()
}

/// The events among the parts of a line, and what stands between them.
fn decode_parts<'l>(
    parts: &[(usize, &'l [u8])],
    line: &'l [u8],
    offset: u64,
    lines: &mut Lines<'l>,
) {
    let mut bad_from = None;
    let Lines { events, bad_lines } = lines;
    let mut end_bad = |from: Option<usize>, to: usize, events: &mut Vec<Decoded<'l>>| {
        let bad = from.and_then(|from| Some((from, line.get(from..to)?)));
        if let Some((from, bytes)) = bad {
            match decode(bytes) {
                // What looked like the start of an event was inside of one.
                Ok(event) => events.push(event),
                Err(reason) => {
                    bad_lines.push(BadLine::new(offset + from as u64, reason, bytes));
                }
            }
        }
    };
    for (start, part) in parts {
        match decode(part) {
            Ok(event) => {
                end_bad(bad_from.take(), *start, events);
                events.push(event);
            }
            Err(_) => bad_from = bad_from.or(Some(*start)),
        }
    }
    end_bad(bad_from, line.len(), events);
}

/// A line without what editors and other systems add: the carriage return at its end, and a byte
/// order mark at its start (of a file, or of a file that was put behind another).
fn trim(line: &[u8]) -> &[u8] {
    let line = line.trim_ascii();
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    line.trim_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(number: u32) -> String {
        format!(
            "{{\"v\":1,\"id\":\"{number:032x}\",\"ts\":\"2026-11-20T10:00:00.000Z\",\"kind\":\"asked\",\"question\":\"{{\\\"v\\\":1\"}}"
        )
    }

    /// Offset, bytes and length.
    type Bad = (u64, Vec<u8>, u64);

    /// The numbers of the events, and the bad lines.
    fn found(bytes: &[u8], offset: u64) -> (Vec<u8>, Vec<Bad>) {
        let chunk = Chunk {
            offset,
            bytes: bytes.to_vec(),
            long_line: None,
        };
        let lines = decode_lines(&chunk);
        let bad = |bad: BadLine| (bad.offset, bad.bytes, bad.length);
        (
            lines.events.iter().map(|event| event.id[15]).collect(),
            lines.bad_lines.into_iter().map(bad).collect(),
        )
    }

    #[test]
    fn byte_order_marks_and_carriage_returns_are_trimmed() {
        let bom = "\u{feff}";
        let text = format!("{bom}{}\r\n\n \r\n{bom}{}  \r\n{bom}\n", event(1), event(2));
        assert_eq!(found(text.as_bytes(), 0), (vec![1, 2], vec![]));
        assert_eq!(found(text.as_bytes(), 77), (vec![1, 2], vec![]));
    }

    #[test]
    fn events_behind_a_torn_line_are_found() {
        let (one, two) = (event(1), event(2));
        let torn = &one.as_bytes()[..50];
        let bytes = [torn, torn, two.as_bytes(), b"\n"].concat();
        assert_eq!(found(&bytes, 7), (vec![2], vec![(7, torn.repeat(2), 100)]));
        let bytes = [one.as_bytes(), two.as_bytes(), torn, b"\n"].concat();
        let end = (one.len() + two.len()) as u64;
        assert_eq!(
            found(&bytes, 0),
            (vec![1, 2], vec![(end, torn.to_vec(), 50)])
        );
        let bytes = [b"\0\0\0", two.as_bytes(), b"\n"].concat();
        assert_eq!(found(&bytes, 0), (vec![2], vec![(0, vec![0; 3], 3)]));
    }

    #[test]
    fn an_event_with_an_object_in_an_unknown_field_may_stand_before_another() {
        let one = event(1).replace("\"question\"", "\"new\":{\"v\":1},\"question\"");
        let line = format!("{one}{}\n", event(2));
        assert_eq!(found(line.as_bytes(), 0), (vec![1, 2], vec![]));
    }

    #[test]
    fn a_line_without_events_is_one_bad_line() {
        let one = event(1);
        for whole in [
            format!("[{one},{one}]"),
            format!("{{\"v\":2,\"of\":{one}}}"),
            one.replace('}', "").repeat(9),
        ] {
            let bytes = format!("{whole}\n");
            let bad = (0, whole.as_bytes().to_vec(), whole.len() as u64);
            assert_eq!(found(bytes.as_bytes(), 0), (vec![], vec![bad]));
        }
    }

    #[test]
    fn a_long_line_is_the_same_whole_or_in_chunks() {
        let line = [b" \r".repeat(MAX_LINE_BYTES), b"x".to_vec()].concat();
        let whole = Chunk {
            offset: 9,
            bytes: [&line[..], b"\n"].concat(),
            long_line: None,
        };
        let stepped_over = Chunk {
            offset: 9,
            bytes: line[..KEPT_OF_LONG_LINE].to_vec(),
            long_line: Some(line.len() as u64 + 1),
        };
        let [one, other] = [&whole, &stepped_over].map(|chunk| {
            let bad_lines = decode_lines(chunk).bad_lines;
            assert_eq!(bad_lines.len(), 1);
            bad_lines.into_iter().next().unwrap()
        });
        assert_eq!((&one.reason, one.length), (&other.reason, other.length));
        assert_eq!((one.offset, &one.bytes), (other.offset, &other.bytes));
        assert_eq!(other.length, line.len() as u64);
    }
}
