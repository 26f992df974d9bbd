//! Compressed segments: gzip, so that `zcat` reads them.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use memchr::memchr_iter;

/// How much of a compressed file is read at a time, in bytes.
const BUFFER_BYTES: usize = 64 * 1024;

/// The bytes of a gzip file's trailer: a checksum and the length of the content (RFC 1952, 2.3.1).
const TRAILER_BYTES: u64 = 8;

/// What a compressed file is recognised by without reading it: its length and its trailer, and for
/// one that may be damaged in its midst, when it last became another file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seal {
    length: u64,
    trailer: [u8; TRAILER_BYTES as usize],
    /// Seconds and nanoseconds of the last change of content, name or mode.
    changed: (i64, i64),
}

impl Seal {
    /// The seal of an open file; of a file shorter than a trailer, one that means no content.
    ///
    /// # Errors
    /// Those of the file system.
    pub(crate) fn of(file: &File) -> io::Result<Self> {
        let metadata = file.metadata()?;
        let length = metadata.len();
        let mut trailer = [0; TRAILER_BYTES as usize];
        if let Some(start) = length.checked_sub(TRAILER_BYTES) {
            file.read_exact_at(&mut trailer, start)?;
        }
        Ok(Self {
            length,
            trailer,
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        })
    }

    /// How long the content is, in bytes, as far as the trailer tells (modulo 2³²).
    pub(crate) fn content_length(&self) -> u64 {
        let [_, _, _, _, length @ ..] = self.trailer;
        u64::from(u32::from_le_bytes(length))
    }

    /// The seal as the checkpoint of a file keeps it that was read to its end, and so is what its
    /// trailer says.
    pub(crate) fn word(&self) -> String {
        format!("{}-{:016x}", self.length, u64::from_le_bytes(self.trailer))
    }

    /// The seal of a file that may not be what its trailer says: of this file alone.
    pub(crate) fn exact_word(&self) -> String {
        let (seconds, nanoseconds) = self.changed;
        format!("{}-{seconds}.{nanoseconds:09}", self.word())
    }
}

/// The content of a compressed file, from its start.
pub(crate) fn content(file: File) -> impl Read + Send {
    MultiGzDecoder::new(BufReader::with_capacity(BUFFER_BYTES, file))
}

/// True when `error` says that a compressed file is damaged, and not that it cannot be read.
pub(crate) fn is_damage(error: &io::Error) -> bool {
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
    let mut content = content(File::open(path)?);
    let mut buffer = vec![0; BUFFER_BYTES];
    let mut lines = 0;
    loop {
        let read = content.read(&mut buffer)?;
        let filled = buffer.get(..read).unwrap_or_default();
        if filled.is_empty() {
            return Ok(lines);
        }
        lines += memchr_iter(b'\n', filled).count() as u64;
    }
}

/// True when the content of `compressed` is the first `length` bytes of `plain`, and nothing else.
///
/// # Errors
/// Those of the file system, and of a damaged file.
pub(crate) fn holds(compressed: File, plain: &File, length: u64) -> io::Result<bool> {
    let mut content = content(compressed);
    let mut offset = 0;
    let (mut ours, mut theirs) = (vec![0; BUFFER_BYTES], vec![0; BUFFER_BYTES]);
    loop {
        let read = content.read(&mut ours)?;
        if read == 0 {
            return Ok(offset == length);
        }
        let (Some(ours), Some(theirs)) = (ours.get(..read), theirs.get_mut(..read)) else {
            return Ok(false);
        };
        match plain.read_exact_at(theirs, offset) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
            read => read?,
        }
        offset += read as u64;
        if ours != theirs || offset > length {
            return Ok(false);
        }
    }
}
