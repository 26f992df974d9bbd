//! The spool's segments: which there are, and their bytes in pieces of whole lines.

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use memchr::{memchr, memrchr};
use plantune_domain::hash;

use crate::compressed::{self, Seal};
use crate::decode::MAX_LINE_BYTES;
use crate::segment_name::SegmentName;
use crate::tail::Tail;

/// How much of a first line identifies a segment, in bytes.
const HEAD_BYTES: usize = 4096;

/// How many bytes of lines a piece has, at least, unless the segment ends.
pub(crate) const PIECE_BYTES: usize = 256 * 1024;

/// How much is kept of a line that is too long, in bytes.
pub(crate) const KEPT_OF_LONG_LINE: usize = 64 * 1024;

/// One file of the spool.
#[derive(Debug)]
pub(crate) struct Segment {
    /// The segment's name: the file's, or for a compressed one what the file was called before.
    pub(crate) name: String,
    /// The file's name, under which its checkpoint is kept.
    pub(crate) file_name: String,
    pub(crate) path: PathBuf,
    /// A hash of the first line; `None` while that line is not complete, and of a compressed file
    /// until [`Segment::read_head`].
    pub(crate) head: Option<String>,
    /// The length in bytes when it was looked at; what is appended later waits for the next run.
    /// Of a compressed file, that of its content as far as its trailer tells.
    pub(crate) length: u64,
    /// Set for a compressed file.
    pub(crate) seal: Option<Seal>,
}

/// The segments of the spool in the order of their names, which is the order of days.
///
/// # Errors
/// Those of the file system; a spool that does not exist yet has no segments.
pub(crate) fn list(events: &Path) -> io::Result<Vec<Segment>> {
    let entries = match fs::read_dir(events) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(named(&error, events)),
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let file_name = path.file_name().unwrap_or_default().to_string_lossy();
        let Some(name) = SegmentName::parse(&file_name) else {
            continue;
        };
        match fs::metadata(&path) {
            Ok(metadata) if metadata.is_file() => found.push((name, path)),
            // A folder or a pipe, a link that leads nowhere, and what has gone meanwhile.
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(named(&error, &path)),
        }
    }
    found.sort();
    found
        .into_iter()
        .map(|(name, path)| look_at(&name, path))
        .collect()
}

/// Looks at the file `path`, which is called `name`.
///
/// # Errors
/// Those of the file system, with the path.
pub(crate) fn look_at(name: &SegmentName, path: PathBuf) -> io::Result<Segment> {
    let file = File::open(&path).map_err(|error| named(&error, &path))?;
    let segment = Segment {
        name: name.segment().to_owned(),
        file_name: name.file_name(),
        path,
        head: None,
        length: file.metadata()?.len(),
        seal: None,
    };
    if name.is_compressed() {
        let seal = Seal::of(&file).map_err(|error| named(&error, &segment.path))?;
        return Ok(Segment {
            length: seal.content_length(),
            seal: Some(seal),
            ..segment
        });
    }
    let mut start = vec![0; HEAD_BYTES];
    let read = file
        .read_at(&mut start, 0)
        .map_err(|error| named(&error, &segment.path))?;
    start.truncate(read);
    Ok(Segment {
        head: head_of(&start),
        ..segment
    })
}

impl Segment {
    /// Reads the first line of a compressed file.
    ///
    /// # Errors
    /// Those of the file system, and of a damaged file, with the path.
    pub(crate) fn read_head(&mut self) -> io::Result<()> {
        let mut start = Vec::new();
        let read = File::open(&self.path).and_then(|file| {
            compressed::content(file)
                .take(HEAD_BYTES as u64)
                .read_to_end(&mut start)
        });
        read.map_err(|error| named(&error, &self.path))?;
        self.head = head_of(&start);
        Ok(())
    }
}

/// What identifies a segment that begins with `start`, its first [`HEAD_BYTES`] if it has as many.
fn head_of(start: &[u8]) -> Option<String> {
    let end = memchr(b'\n', start).or((start.len() == HEAD_BYTES).then_some(start.len()))?;
    let line = start.get(..end)?;
    Some(hash::hex(&["head", &hash::to_hex(line)]))
}

fn named(error: &io::Error, path: &Path) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// Whole lines of a segment, the last newline included.
#[derive(Debug)]
pub(crate) struct Piece {
    /// Where the bytes begin in the segment.
    pub(crate) offset: u64,
    pub(crate) bytes: Vec<u8>,
    /// Set for a line too long to be an event: its whole length; `bytes` holds its beginning.
    pub(crate) long_line: Option<u64>,
}

/// Reads a segment from an offset on, piece by piece. What has no newline yet is left.
pub(crate) struct Pieces {
    file: Box<dyn Read + Send>,
    path: PathBuf,
    offset: u64,
    carried: Vec<u8>,
    /// Why reading ended, when whole lines were still to be given out.
    failed: Option<io::Error>,
    tail: Tail,
}

impl Pieces {
    /// A compressed segment that does not reach `offset` is read from its start.
    ///
    /// # Errors
    /// Those of the file system, with the path; of a damaged file too.
    pub(crate) fn open(segment: &Segment, offset: u64) -> io::Result<Self> {
        let (file, offset, tail) =
            open_at(segment, offset).map_err(|error| named(&error, &segment.path))?;
        Ok(Self {
            file,
            path: segment.path.clone(),
            offset,
            carried: Vec::new(),
            failed: None,
            tail,
        })
    }

    /// The hash of what stands before [`Pieces::offset`]; `None` at the start.
    pub(crate) fn tail(&self) -> Option<String> {
        self.tail.hash()
    }

    /// Where the next piece begins.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// The next piece, in `memory`, whatever that held; `None` when no complete line is left.
    ///
    /// # Errors
    /// Those of the file system, with the path.
    pub(crate) fn next(&mut self, memory: Vec<u8>) -> io::Result<Option<Piece>> {
        let mut bytes = memory;
        bytes.clear();
        bytes.append(&mut self.carried);
        loop {
            if let Some(error) = self.failed.take() {
                return Err(error);
            }
            let wanted = (PIECE_BYTES.saturating_sub(bytes.len())).max(PIECE_BYTES / 2) as u64;
            bytes.reserve(wanted as usize + 1);
            // What was read before an error stands in `bytes`; its whole lines are given out first.
            let read = match (&mut self.file).take(wanted).read_to_end(&mut bytes) {
                Ok(read) => read,
                Err(error) => {
                    self.failed = Some(named(&error, &self.path));
                    0
                }
            };
            if let Some(last) = memrchr(b'\n', &bytes) {
                self.carried.extend(bytes.drain(last + 1..));
                return Ok(Some(self.piece(bytes, None)));
            }
            if let Some(error) = self.failed.take() {
                return Err(error);
            }
            if read == 0 {
                self.carried = bytes;
                return Ok(None);
            }
            if bytes.len() > MAX_LINE_BYTES {
                return self.skip_long_line(bytes);
            }
        }
    }

    fn piece(&mut self, bytes: Vec<u8>, long_line: Option<u64>) -> Piece {
        let offset = self.offset;
        if long_line.is_none() {
            self.tail.pass(&bytes);
        }
        self.offset += long_line.unwrap_or(bytes.len() as u64);
        Piece {
            offset,
            bytes,
            long_line,
        }
    }

    /// Reads on to the end of a line that is too long without holding all of it.
    fn skip_long_line(&mut self, mut start: Vec<u8>) -> io::Result<Option<Piece>> {
        let mut length = start.len() as u64;
        self.tail.pass(&start);
        start.truncate(KEPT_OF_LONG_LINE);
        let mut buffer = vec![0; PIECE_BYTES];
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
                    self.carried = filled.get(end + 1..).unwrap_or_default().to_vec();
                    return Ok(Some(self.piece(start, Some(length))));
                }
                // Still being written, or torn: it waits for its newline.
                None if read == 0 => return Ok(None),
                None => {
                    length += read as u64;
                    self.tail.pass(filled);
                }
            }
        }
    }
}

/// The bytes of `segment` behind `offset`, where they begin, and what stands before.
fn open_at(segment: &Segment, offset: u64) -> io::Result<(Box<dyn Read + Send>, u64, Tail)> {
    let mut file = File::open(&segment.path)?;
    if segment.seal.is_none() {
        let tail = Tail::before(&file, offset)?;
        io::Seek::seek(&mut file, io::SeekFrom::Start(offset))?;
        let left = segment.length.saturating_sub(offset);
        return Ok((Box::new(file.take(left)), offset, tail));
    }
    let mut content = compressed::content(file);
    let mut tail = Tail::default();
    let skipped = io::copy(&mut (&mut content).take(offset), &mut tail)?;
    if skipped == offset {
        return Ok((Box::new(content), offset, tail));
    }
    let content = compressed::content(File::open(&segment.path)?);
    Ok((Box::new(content), 0, Tail::default()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    fn pieces(content: &[u8], offset: u64) -> Vec<(u64, usize, Option<u64>)> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("2026-11-20.jsonl");
        File::create(&path).unwrap().write_all(content).unwrap();
        let segment = list(folder.path()).unwrap().remove(0);
        let mut reader = Pieces::open(&segment, offset).unwrap();
        let mut found = Vec::new();
        while let Some(piece) = reader.next(vec![1, 2, 3]).unwrap() {
            found.push((piece.offset, piece.bytes.len(), piece.long_line));
        }
        found
    }

    #[test]
    fn what_is_no_file_is_no_segment_and_what_cannot_be_looked_at_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        File::create(path("2026-11-20.jsonl")).unwrap();
        fs::create_dir(path("2026-11-19.jsonl")).unwrap();
        let link = |to: &str, name: &str| std::os::unix::fs::symlink(to, path(name)).unwrap();
        link("nowhere", "2026-11-18.jsonl");
        assert_eq!(list(folder.path()).unwrap().len(), 1);
        link("2026-11-17.jsonl", "2026-11-17.jsonl");
        let error = list(folder.path()).unwrap_err();
        assert!(error.to_string().contains("2026-11-17.jsonl"), "{error}");
    }

    #[test]
    fn a_torn_tail_waits() {
        assert_eq!(pieces(b"one\ntwo\nthr", 0), [(0, 8, None)]);
        assert_eq!(pieces(b"one\ntwo\nthree\n", 8), [(8, 6, None)]);
        assert_eq!(pieces(b"thr", 0), []);
    }

    #[test]
    fn a_long_line_is_stepped_over() {
        let mut content = b"one\n".to_vec();
        content.extend(vec![b'x'; 5 * PIECE_BYTES]);
        content.extend(b"\ntwo\n");
        let found = pieces(&content, 0);
        let long = 5 * PIECE_BYTES as u64 + 1;
        assert_eq!(
            found,
            [
                (0, 4, None),
                (4, KEPT_OF_LONG_LINE, Some(long)),
                (4 + long, 4, None)
            ]
        );
    }

    #[test]
    fn the_tail_is_the_same_read_on_and_opened_there() {
        let long = "x".repeat(MAX_LINE_BYTES + PIECE_BYTES);
        let content = format!("a\n{}\n{long}\nb\n", "y".repeat(5000));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("2026-11-20.jsonl");
        File::create(&path)
            .unwrap()
            .write_all(content.as_bytes())
            .unwrap();
        let segment = list(folder.path()).unwrap().remove(0);
        let mut reader = Pieces::open(&segment, 0).unwrap();
        assert_eq!(reader.tail(), None);
        let mut tails = Vec::new();
        while reader.next(Vec::new()).unwrap().is_some() {
            let again = Pieces::open(&segment, reader.offset()).unwrap();
            assert_eq!(reader.tail(), again.tail());
            tails.extend(reader.tail());
        }
        tails.dedup();
        assert_eq!(tails.len(), 3);
    }

    #[test]
    fn pieces_cover_every_byte() {
        let line = [b'y'; 999];
        let mut content = Vec::new();
        for _ in 0..9000 {
            content.extend(line);
            content.push(b'\n');
        }
        let found = pieces(&content, 1000);
        assert!(found.len() > 3);
        assert_eq!(found[0].0, 1000);
        assert_eq!(
            found.iter().map(|piece| piece.1).sum::<usize>(),
            content.len() - 1000
        );
    }
}
