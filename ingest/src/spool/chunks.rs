//! The bytes of a segment in chunks of whole lines.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Take};

use memchr::{memchr, memrchr};

use super::segment::{Segment, named};

/// How many bytes a chunk has, about, unless the segment ends: enough for some thousand events.
pub(crate) const CHUNK_BYTES: usize = 2 * 1024 * 1024;

/// Lines longer than this are not events: the hook writes 64 KiB at most, and an import no more.
pub(crate) const MAX_LINE_BYTES: usize = 1024 * 1024;

/// How much is kept of a line that is too long, in bytes.
pub(crate) const KEPT_OF_LONG_LINE: usize = 64 * 1024;

/// Whole lines of a segment, the last newline included.
#[derive(Debug)]
pub(crate) struct Chunk {
    /// Where the bytes begin in the segment.
    pub(crate) offset: u64,
    pub(crate) bytes: Vec<u8>,
    /// Set for a line too long to be an event: its whole length; `bytes` holds its beginning.
    pub(crate) long_line: Option<u64>,
}

/// Reads a segment chunk by chunk. A line without its newline is left for later.
pub(crate) struct ChunkReader {
    content: Take<File>,
    segment: Segment,
    offset: u64,
    /// What was read behind the last newline.
    rest: Vec<u8>,
}

impl ChunkReader {
    /// Opens `segment` at `offset`.
    pub(crate) fn open(segment: &Segment, offset: u64) -> io::Result<Self> {
        let named = |error| named(&error, &segment.path);
        let mut file = File::open(&segment.path).map_err(named)?;
        file.seek(SeekFrom::Start(offset)).map_err(named)?;
        Ok(Self {
            content: file.take(segment.length.saturating_sub(offset)),
            segment: segment.clone(),
            offset,
            rest: Vec::new(),
        })
    }

    /// Where the next chunk begins.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// True when a line without its end was left, after the last chunk.
    pub(crate) fn ends_torn(&self) -> bool {
        !self.rest.is_empty()
    }

    /// The next chunk; `None` when no complete line is left.
    pub(crate) fn next(&mut self) -> io::Result<Option<Chunk>> {
        let mut bytes = std::mem::take(&mut self.rest);
        // Of a line that is too long, how much was read and not kept.
        let mut skipped = 0;
        loop {
            let old = bytes.len();
            let wanted = CHUNK_BYTES.saturating_sub(old).max(CHUNK_BYTES / 2) as u64;
            let read = (&mut self.content).take(wanted).read_to_end(&mut bytes);
            let read = read.map_err(|error| named(&error, &self.segment.path))?;
            let end = match bytes.get(old..) {
                Some(new) if skipped > 0 => memchr(b'\n', new).map(|end| old + end),
                _ => memrchr(b'\n', &bytes),
            };
            if let Some(end) = end {
                self.rest = bytes.split_off(end + 1);
                let (offset, length) = (self.offset, skipped + bytes.len() as u64);
                self.offset += length;
                if skipped > 0 {
                    bytes.truncate(KEPT_OF_LONG_LINE);
                }
                return Ok(Some(Chunk {
                    offset,
                    bytes,
                    long_line: (skipped > 0).then_some(length),
                }));
            }
            if read == 0 {
                // Still being written, or torn: it waits for its newline.
                self.rest = bytes;
                return Ok(None);
            }
            if bytes.len() > MAX_LINE_BYTES {
                skipped += (bytes.len() - KEPT_OF_LONG_LINE) as u64;
                bytes.truncate(KEPT_OF_LONG_LINE);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spool::list;
    use std::io::Write as _;

    fn segment(folder: &tempfile::TempDir, content: &[u8]) -> Segment {
        let path = folder.path().join("2026-11-20.jsonl");
        File::create(&path).unwrap().write_all(content).unwrap();
        list(folder.path()).unwrap().remove(0)
    }

    fn chunks(content: &[u8], offset: u64) -> Vec<(u64, usize, Option<u64>)> {
        let folder = tempfile::tempdir().unwrap();
        let mut reader = ChunkReader::open(&segment(&folder, content), offset).unwrap();
        let mut found = Vec::new();
        while let Some(chunk) = reader.next().unwrap() {
            found.push((chunk.offset, chunk.bytes.len(), chunk.long_line));
        }
        found
    }

    #[test]
    fn a_torn_line_at_the_end_waits() {
        assert_eq!(chunks(b"one\ntwo\nthr", 0), [(0, 8, None)]);
        assert_eq!(chunks(b"one\ntwo\nthree\n", 8), [(8, 6, None)]);
        assert_eq!(chunks(b"thr", 0), []);
    }

    #[test]
    fn a_long_line_is_skipped() {
        let mut content = b"one\n".to_vec();
        content.extend(vec![b'x'; 2 * CHUNK_BYTES]);
        content.extend(b"\ntwo\n");
        let long = 2 * CHUNK_BYTES as u64 + 1;
        assert_eq!(
            chunks(&content, 0),
            [
                (0, 4, None),
                (4, KEPT_OF_LONG_LINE, Some(long)),
                (4 + long, 4, None)
            ]
        );
    }

    #[test]
    fn chunks_cover_every_byte() {
        let line = [&[b'y'; 999][..], b"\n"].concat();
        let content = line.repeat(9000);
        let found = chunks(&content, 1000);
        assert!(found.len() > 3);
        assert_eq!(found[0].0, 1000);
        let bytes: usize = found.iter().map(|chunk| chunk.1).sum();
        assert_eq!(bytes, content.len() - 1000);
    }
}
