//! The bytes of a segment in chunks of whole lines.

use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom};
use std::path::PathBuf;

use memchr::{memchr, memrchr};

use super::gzip;
use super::lines::MAX_LINE_BYTES;
use super::segment::{Segment, named};
use super::segment_name::Format;
use super::tail::Tail;

/// How many bytes a chunk has, about, unless the segment ends: enough for some thousand events.
pub(crate) const CHUNK_BYTES: usize = 2 * 1024 * 1024;

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
    file: Box<dyn Read + Send>,
    path: PathBuf,
    offset: u64,
    /// What was read behind the last newline.
    rest: Vec<u8>,
    /// An error that waits until the whole lines before it are returned.
    failed: Option<io::Error>,
    tail: Tail,
}

impl ChunkReader {
    /// Opens `segment` at `offset`; a compressed one is always read from its start.
    ///
    /// # Errors
    /// Those of the file system, with the path.
    pub(crate) fn open(segment: &Segment, offset: u64) -> io::Result<Self> {
        Self::try_open(segment, offset).map_err(|error| named(&error, &segment.path))
    }

    fn try_open(segment: &Segment, offset: u64) -> io::Result<Self> {
        let mut file = File::open(&segment.path)?;
        let is_compressed = segment.name.format() == Format::Gzip;
        let offset = if is_compressed { 0 } else { offset };
        let tail = Tail::before(&file, offset)?;
        file.seek(SeekFrom::Start(offset))?;
        let file: Box<dyn Read + Send> = if is_compressed {
            Box::new(gzip::content(file))
        } else {
            Box::new(file.take(segment.length.saturating_sub(offset)))
        };
        Ok(Self {
            file,
            path: segment.path.clone(),
            offset,
            rest: Vec::new(),
            failed: None,
            tail,
        })
    }

    /// A hash of what stands before [`ChunkReader::offset`]; `None` at the start.
    pub(crate) fn tail(&self) -> Option<String> {
        self.tail.hash()
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
    ///
    /// # Errors
    /// Those of the file system, with the path.
    pub(crate) fn next(&mut self) -> io::Result<Option<Chunk>> {
        let mut bytes = std::mem::take(&mut self.rest);
        loop {
            if let Some(error) = self.failed.take() {
                return Err(error);
            }
            let wanted = CHUNK_BYTES.saturating_sub(bytes.len()).max(CHUNK_BYTES / 2) as u64;
            // What was read before an error stands in `bytes`; its whole lines are returned first.
            let read = match (&mut self.file).take(wanted).read_to_end(&mut bytes) {
                Ok(read) => read,
                Err(error) => {
                    self.failed = Some(named(&error, &self.path));
                    0
                }
            };
            if let Some(last) = memrchr(b'\n', &bytes) {
                self.rest = bytes.split_off(last + 1);
                return Ok(Some(self.chunk(bytes, None)));
            }
            if let Some(error) = self.failed.take() {
                return Err(error);
            }
            if read == 0 {
                self.rest = bytes;
                return Ok(None);
            }
            if bytes.len() > MAX_LINE_BYTES {
                return self.skip_long_line(bytes);
            }
        }
    }

    fn chunk(&mut self, bytes: Vec<u8>, long_line: Option<u64>) -> Chunk {
        let offset = self.offset;
        if long_line.is_none() {
            self.tail.pass(&bytes);
        }
        self.offset += long_line.unwrap_or(bytes.len() as u64);
        Chunk {
            offset,
            bytes,
            long_line,
        }
    }

    /// Reads on to the end of a line that is too long without holding all of it.
    fn skip_long_line(&mut self, mut start: Vec<u8>) -> io::Result<Option<Chunk>> {
        let mut length = start.len() as u64;
        self.tail.pass(&start);
        start.truncate(KEPT_OF_LONG_LINE);
        let mut buffer = vec![0; MAX_LINE_BYTES];
        loop {
            let read = self
                .file
                .read(&mut buffer)
                .map_err(|error| named(&error, &self.path))?;
            let filled = buffer.get(..read).unwrap_or_default();
            match memchr(b'\n', filled) {
                Some(end) => {
                    length += end as u64 + 1;
                    self.tail.pass(filled.get(..=end).unwrap_or_default());
                    self.rest = filled.get(end + 1..).unwrap_or_default().to_vec();
                    return Ok(Some(self.chunk(start, Some(length))));
                }
                // Still being written, or torn: it waits for its newline.
                None if read == 0 => {
                    self.rest = start;
                    return Ok(None);
                }
                None => {
                    length += read as u64;
                    self.tail.pass(filled);
                }
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
    fn the_tail_is_the_same_when_read_and_when_reopened() {
        let long = "x".repeat(MAX_LINE_BYTES + CHUNK_BYTES);
        let content = format!("a\n{}\n{long}\nb\n", "y".repeat(5000));
        let folder = tempfile::tempdir().unwrap();
        let segment = segment(&folder, content.as_bytes());
        let mut reader = ChunkReader::open(&segment, 0).unwrap();
        assert_eq!(reader.tail(), None);
        let mut tails = Vec::new();
        while reader.next().unwrap().is_some() {
            let again = ChunkReader::open(&segment, reader.offset()).unwrap();
            assert_eq!(reader.tail(), again.tail());
            tails.extend(reader.tail());
        }
        tails.dedup();
        assert_eq!(tails.len(), 3);
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
