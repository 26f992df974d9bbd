//! The events of a piece of a segment, and the lines that are none.

use memchr::memchr_iter;
use plantune_hooks::hash;

use crate::decode::{Decoded, decode};
use crate::segment::{KEPT_OF_LONG_LINE, Piece};

/// A line that is no event.
#[derive(Debug)]
pub(crate) struct BadLine {
    pub(crate) offset: u64,
    pub(crate) reason: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) length: u64,
}

impl BadLine {
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
    if let Some(length) = piece.long_line {
        let bad = BadLine {
            offset: piece.offset,
            reason: format!("line of {length} bytes is too long for an event"),
            bytes: piece.bytes.clone(),
            length,
        };
        return (Vec::new(), vec![bad]);
    }
    // Growing would move what was decoded; lines of events are longer than this, mostly.
    let mut events = Vec::with_capacity(piece.bytes.len() / 400);
    let mut bad_lines = Vec::new();
    let mut start = 0;
    for end in memchr_iter(b'\n', &piece.bytes) {
        let offset = piece.offset + start as u64;
        let line = clean(piece.bytes.get(start..end).unwrap_or_default(), offset);
        start = end + 1;
        if line.is_empty() {
            continue;
        }
        match decode(line) {
            Ok(event) => events.push((event, line)),
            Err(reason) => bad_lines.push(BadLine {
                offset,
                reason,
                bytes: line.get(..KEPT_OF_LONG_LINE).unwrap_or(line).to_vec(),
                length: line.len() as u64,
            }),
        }
    }
    (events, bad_lines)
}

/// A line without what editors and other systems add: the carriage return at its end, and a byte
/// order mark at the start of the file.
fn clean(line: &[u8], offset: u64) -> &[u8] {
    let line = if offset == 0 {
        line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line)
    } else {
        line
    };
    line.trim_ascii()
}
