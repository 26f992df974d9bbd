//! Decoding pieces of segments on all cores.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::thread;

use duckdb::arrow::array::RecordBatch;
use duckdb::arrow::error::ArrowError;
use memchr::memchr_iter;
use plantune_hooks::hash;

use crate::batch::{BatchBuilder, ROWS};
use crate::decode::decode;
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

/// The events of a piece, batch by batch with their ids, and the lines that are none.
#[derive(Default)]
pub(crate) struct DecodedPiece {
    /// Index of the segment among those being read.
    pub(crate) segment: usize,
    pub(crate) batches: Vec<(RecordBatch, Vec<[u8; 16]>)>,
    pub(crate) bad_lines: Vec<BadLine>,
    pub(crate) events: u64,
}

/// Decodes `pieces`, given with their segment's index, on all cores. The result is in the order of
/// the pieces.
///
/// # Errors
/// Arrow's; none is known for these columns.
pub(crate) fn decode_all(pieces: Vec<(usize, Piece)>) -> Result<Vec<DecodedPiece>, ArrowError> {
    let count = pieces.len();
    let waiting = Mutex::new(pieces.into_iter().enumerate());
    let next = || {
        waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .next()
    };
    let work = || {
        let mut done = Vec::new();
        while let Some((number, (segment, piece))) = next() {
            done.push((number, decode_piece(segment, &piece)?));
        }
        Ok::<_, ArrowError>(done)
    };
    let workers = thread::available_parallelism()
        .map_or(1, usize::from)
        .min(count.max(1));
    let mut done = Vec::with_capacity(count);
    thread::scope(|scope| {
        let others: Vec<_> = (1..workers).map(|_| scope.spawn(work)).collect();
        done.extend(work()?);
        for other in others {
            // A worker that panics has met a defect; its panic goes on here.
            let found = other
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            done.extend(found?);
        }
        Ok::<_, ArrowError>(())
    })?;
    done.sort_unstable_by_key(|(number, _)| *number);
    Ok(done.into_iter().map(|(_, piece)| piece).collect())
}

fn decode_piece(segment: usize, piece: &Piece) -> Result<DecodedPiece, ArrowError> {
    let mut decoded = DecodedPiece {
        segment,
        ..DecodedPiece::default()
    };
    if let Some(length) = piece.long_line {
        decoded.bad_lines.push(BadLine {
            offset: piece.offset,
            reason: format!("line of {length} bytes is too long for an event"),
            bytes: piece.bytes.clone(),
            length,
        });
        return Ok(decoded);
    }
    let mut builder = BatchBuilder::new();
    let mut ids = Vec::with_capacity(ROWS);
    let mut start = 0;
    for end in memchr_iter(b'\n', &piece.bytes) {
        let offset = piece.offset + start as u64;
        let line = clean(piece.bytes.get(start..end).unwrap_or_default(), offset);
        start = end + 1;
        if line.is_empty() {
            continue;
        }
        match decode(line) {
            Ok(event) => {
                builder.push(&event)?;
                ids.push(event.id);
                decoded.events += 1;
            }
            Err(reason) => decoded.bad_lines.push(BadLine {
                offset,
                reason,
                bytes: line.get(..KEPT_OF_LONG_LINE).unwrap_or(line).to_vec(),
                length: line.len() as u64,
            }),
        }
        if builder.rows() == ROWS {
            decoded
                .batches
                .push((builder.finish()?, std::mem::take(&mut ids)));
        }
    }
    if builder.rows() > 0 {
        decoded.batches.push((builder.finish()?, ids));
    }
    Ok(decoded)
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
