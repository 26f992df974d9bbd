//! The events of a piece of a segment, and the lines that are none.

use memchr::{memchr_iter, memmem};
use plantune_domain::hash;

use crate::decode::{Decoded, MAX_LINE_BYTES, decode, too_long};
use crate::segment::{KEPT_OF_LONG_LINE, Piece};

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

    /// What identifies the line wherever its segment lies: the segment's head, the offset, the bytes.
    pub(crate) fn id(&self, head: &str) -> String {
        hash::hex(&[
            "quarantine",
            head,
            &self.offset.to_string(),
            &hash::to_hex(&self.bytes),
        ])
    }
}

/// An event of a piece, and the line it was read from.
pub(crate) type Line<'p> = (Decoded<'p>, &'p [u8]);

/// The events of `piece`, and the lines that are none.
pub(crate) fn decode_piece(piece: &Piece) -> (Vec<Line<'_>>, Vec<BadLine>) {
    // Growing would move what was decoded; lines of events are longer than this, mostly.
    let mut found = (Vec::with_capacity(piece.bytes.len() / 400), Vec::new());
    if let Some(length) = piece.long_line {
        // The newline is no part of the line.
        found.1.push(BadLine::too_long(
            piece.offset,
            &piece.bytes,
            length.saturating_sub(1),
        ));
        return found;
    }
    let mut start = 0;
    for end in memchr_iter(b'\n', &piece.bytes) {
        let line = piece.bytes.get(start..end).unwrap_or_default();
        take_line(line, piece.offset + start as u64, &mut found);
        start = end + 1;
    }
    found
}

/// Adds to `found` what `line`, which begins at `offset` and stands without its newline, holds: an
/// event, nothing, a bad line, or what a torn line swallowed.
pub(crate) fn take_line<'l>(
    line: &'l [u8],
    offset: u64,
    (events, bad_lines): &mut (Vec<Line<'l>>, Vec<BadLine>),
) {
    // By the whole line, so that it does not matter how the segment was cut into pieces.
    if line.len() > MAX_LINE_BYTES {
        bad_lines.push(BadLine::too_long(offset, line, line.len() as u64));
        return;
    }
    let line = clean(line);
    if line.is_empty() {
        return;
    }
    match decode(line) {
        Ok(event) => events.push((event, line)),
        Err(reason) => {
            let parts = parts(line);
            if parts.iter().any(|(_, part)| decode(part).is_ok()) {
                take_parts(&parts, line, offset, (events, bad_lines));
            } else {
                bad_lines.push(BadLine::new(offset, reason, line));
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
fn take_parts<'l>(
    parts: &[(usize, &'l [u8])],
    line: &'l [u8],
    offset: u64,
    (events, bad_lines): (&mut Vec<Line<'l>>, &mut Vec<BadLine>),
) {
    let mut bad_from = None;
    let mut end_bad = |from: Option<usize>, to: usize| {
        let bad = from.and_then(|from| Some((from, line.get(from..to)?)));
        if let Some((from, bytes)) = bad
            && let Err(reason) = decode(bytes)
        {
            bad_lines.push(BadLine::new(offset + from as u64, reason, bytes));
        }
    };
    for (start, part) in parts {
        match decode(part) {
            Ok(event) => {
                end_bad(bad_from.take(), *start);
                events.push((event, part.trim_ascii()));
            }
            Err(_) => bad_from = bad_from.or(Some(*start)),
        }
    }
    end_bad(bad_from, line.len());
}

/// A line without what editors and other systems add: the carriage return at its end, and a byte
/// order mark at its start (of a file, or of a file that was put behind another).
pub(crate) fn clean(line: &[u8]) -> &[u8] {
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
        let piece = Piece {
            offset,
            bytes: bytes.to_vec(),
            long_line: None,
        };
        let (events, bad) = decode_piece(&piece);
        for (_, line) in &events {
            assert!(decode(line).is_ok());
        }
        let number = |(event, _): &Line<'_>| event.id[15];
        let told = |bad: BadLine| (bad.offset, bad.bytes, bad.length);
        (
            events.iter().map(number).collect(),
            bad.into_iter().map(told).collect(),
        )
    }

    #[test]
    fn what_editors_add_is_no_part_of_a_line() {
        let bom = "\u{feff}";
        let text = format!("{bom}{}\r\n\n \r\n{bom}{}  \r\n{bom}\n", event(1), event(2));
        assert_eq!(found(text.as_bytes(), 0), (vec![1, 2], vec![]));
        assert_eq!(found(text.as_bytes(), 77), (vec![1, 2], vec![]));
    }

    #[test]
    fn a_torn_line_gives_back_what_it_swallowed() {
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
    fn what_holds_no_event_is_one_bad_line() {
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
    fn a_long_line_is_the_same_whole_or_in_pieces() {
        let line = [b" \r".repeat(MAX_LINE_BYTES), b"x".to_vec()].concat();
        let whole = Piece {
            offset: 9,
            bytes: [&line[..], b"\n"].concat(),
            long_line: None,
        };
        let stepped_over = Piece {
            offset: 9,
            bytes: line[..KEPT_OF_LONG_LINE].to_vec(),
            long_line: Some(line.len() as u64 + 1),
        };
        let [one, other] = [&whole, &stepped_over].map(|piece| {
            let (_, mut bad) = decode_piece(piece);
            (bad.len(), bad.remove(0))
        });
        assert_eq!((one.0, other.0), (1, 1));
        assert_eq!(one.1.id("head"), other.1.id("head"));
        assert_eq!(
            (&one.1.reason, one.1.length),
            (&other.1.reason, line.len() as u64)
        );
        assert_eq!(other.1.length, line.len() as u64);
    }
}
