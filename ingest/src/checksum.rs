//! The checksum of a sealed segment. Readers of Parquet begin at the footer, which is the end of the file, and the
//! footer says where everything else is. So the checksum stands before a second copy of the footer, and everybody can
//! read the file.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use sha2::{Digest as _, Sha256};

use crate::Error;
use crate::segment::named;

/// What is wrong with a file that is not what its checksum says.
pub(crate) const CHANGED: &str = "it was changed since it was written";

/// What stands before the 32 bytes of a checksum.
const MARK: &[u8; 8] = b"sha-256:";

/// How the file of a Parquet ends.
const END: &[u8; 4] = b"PAR1";

/// Appends the checksum, and the footer again, to the file at `path`.
pub(crate) fn add(path: &Path) -> io::Result<()> {
    let mut file = File::options().read(true).write(true).open(path)?;
    let length = file.metadata()?.len();
    let footer = footer(&file, length)?.ok_or(io::ErrorKind::InvalidData)?;
    let sum = sum(&mut file, length)?;
    file.write_all_at(&[&MARK[..], &sum, &footer].concat(), length)
}

/// Checks the file at `path`; false when it has no checksum.
///
/// # Errors
/// [`Error::Damage`] when the file is not what the checksum says, and errors of the file system.
pub(crate) fn check(path: &Path) -> Result<bool, Error> {
    let named = |error| named(&error, path);
    let mut file = File::open(path).map_err(named)?;
    let length = file.metadata().map_err(named)?.len();
    let Some(footer) = footer(&file, length).map_err(named)? else {
        return Ok(false);
    };
    let added = (MARK.len() + 32 + footer.len()) as u64;
    let Some(end) = length.checked_sub(added) else {
        return Ok(false);
    };
    let mut mark = [0; MARK.len() + 32];
    file.read_exact_at(&mut mark, end).map_err(named)?;
    let Some(declared) = mark.strip_prefix(MARK) else {
        return Ok(false);
    };
    let mut first = vec![0; footer.len()];
    let at = end.checked_sub(footer.len() as u64);
    let is_repeated = match at {
        Some(at) => {
            file.read_exact_at(&mut first, at).map_err(named)?;
            first == footer
        }
        None => false,
    };
    if is_repeated && sum(&mut file, end).map_err(named)?[..] == *declared {
        Ok(true)
    } else {
        Err(Error::Damage(CHANGED.to_owned()))
    }
}

/// The footer of a Parquet file of `length` bytes, with its length and the mark behind it; `None` for another file.
fn footer(file: &File, length: u64) -> io::Result<Option<Vec<u8>>> {
    let mut end = [0; 8];
    let Some(at) = length.checked_sub(8) else {
        return Ok(None);
    };
    file.read_exact_at(&mut end, at)?;
    let Some(size) = end.first_chunk().filter(|_| end.ends_with(END)) else {
        return Ok(None);
    };
    let size = u64::from(u32::from_le_bytes(*size)) + 8;
    let Some(at) = length.checked_sub(size) else {
        return Ok(None);
    };
    let mut footer = vec![0; usize::try_from(size).map_err(io::Error::other)?];
    file.read_exact_at(&mut footer, at)?;
    Ok(Some(footer))
}

/// SHA-256 of the first `length` bytes.
fn sum(file: &mut File, length: u64) -> io::Result<[u8; 32]> {
    file.seek(SeekFrom::Start(0))?;
    let mut hasher = Sha256::new();
    let mut left = file.take(length);
    let mut part = vec![0; 256 * 1024];
    loop {
        match left.read(&mut part)? {
            0 => return Ok(hasher.finalize().into()),
            read => hasher.update(part.get(..read).unwrap_or_default()),
        }
    }
}
