//! Segments that earlier versions compressed with gzip.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use memchr::memchr_iter;

/// How much of a compressed file is read at a time, in bytes.
const BUFFER_BYTES: usize = 64 * 1024;

/// The content of a compressed file, from its start.
pub(crate) fn content(file: File) -> impl Read + Send {
    MultiGzDecoder::new(BufReader::with_capacity(BUFFER_BYTES, file))
}

/// True when `error` says that a compressed file is damaged, and not that it cannot be read.
pub(super) fn is_damage(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof
    )
}

/// Reads a compressed segment to its end, and returns how many lines it has.
///
/// # Errors
/// Why it cannot be: it is damaged, or the file system refuses.
pub fn check_compressed(path: &Path) -> io::Result<u64> {
    read_whole(path).map(|(lines, _)| lines)
}

/// True when the compressed segment `path` ends in the middle of a line.
pub(crate) fn ends_torn(path: &Path) -> io::Result<bool> {
    read_whole(path).map(|(_, last)| last.is_some_and(|last| last != b'\n'))
}

/// How many lines there are, and the last byte.
fn read_whole(path: &Path) -> io::Result<(u64, Option<u8>)> {
    let mut content = content(File::open(path)?);
    let mut buffer = vec![0; BUFFER_BYTES];
    let (mut lines, mut last) = (0, None);
    loop {
        let read = content.read(&mut buffer)?;
        let filled = buffer.get(..read).unwrap_or_default();
        if filled.is_empty() {
            return Ok((lines, last));
        }
        last = filled.last().copied();
        lines += memchr_iter(b'\n', filled).count() as u64;
    }
}
