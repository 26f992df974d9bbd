//! The spool: append-only JSONL segments, one per UTC day.

use std::borrow::Cow;
use std::fmt;
use std::fs::File;
use std::io::{self, Write as _};
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::Path;

use chrono::{DateTime, Utc};

use crate::paths::{Paths, create_private_dir};
use crate::{clock, lost_events, private_file};

/// The most attempts to write lines to a segment that is removed meanwhile.
const MOST_ATTEMPTS: u32 = 8;

/// Lines that could not be appended, or not all of them.
#[derive(Debug)]
pub struct AppendError {
    /// How many of the lines no reader will find.
    pub lost: u64,
    /// Why.
    pub error: io::Error,
}

impl AppendError {
    /// Of `lines`, nothing was written behind the first `written` bytes.
    fn of(lines: &[u8], written: usize, error: io::Error) -> Self {
        // A line that lacks only its newline gets it from the next writer.
        let rest = lines.get(written + 1..).unwrap_or_default();
        Self {
            lost: memchr::memchr_iter(b'\n', rest).count() as u64,
            error,
        }
    }
}

impl fmt::Display for AppendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl From<AppendError> for io::Error {
    fn from(error: AppendError) -> Self {
        error.error
    }
}

/// Appends `lines` (whole lines, each with its newline) to the segment of `now`'s UTC day.
///
/// Everything goes out in one `write(2)` on an `O_APPEND` descriptor, so concurrent hooks cannot
/// interleave. When the segment does not end in a newline (a writer was killed, or the disk was
/// full), the write starts with one, so that the torn line does not swallow our first line.
///
/// # Errors
/// File system errors, and `WriteZero` for a short write.
pub fn append(paths: &Paths, now: DateTime<Utc>, lines: &[u8]) -> Result<(), AppendError> {
    let timestamp = clock::timestamp(now);
    let day = timestamp.split('T').next().unwrap_or_default();
    let segment = paths.events().join(format!("{day}.jsonl"));
    if append_lines(&segment, lines)? {
        // Once a day, so that the other calls need not look.
        let _ = lost_events::reserve(paths);
    }
    Ok(())
}

/// Like [`append`], to a segment of any name.
///
/// # Errors
/// The errors of [`append`].
pub fn append_to(segment: &Path, lines: &[u8]) -> io::Result<()> {
    append_lines(segment, lines).map(drop).map_err(Into::into)
}

/// Appends `lines` to `segment`; true if they are its first.
///
/// If the segment is removed between opening and writing (`plantune gc` removes old ones), the lines would be lost.
/// They are written again to a new segment of the same name.
fn append_lines(segment: &Path, lines: &[u8]) -> Result<bool, AppendError> {
    let failed = |error| AppendError::of(lines, 0, error);
    for _ in 0..MOST_ATTEMPTS {
        let file = open_or_create(segment).map_err(failed)?;
        let last = last_byte(&file).map_err(failed)?;
        if write(&file, last.is_some_and(|last| last != b'\n'), lines)? {
            return Ok(last.is_none());
        }
    }
    Err(failed(io::Error::other(
        "the segment is removed again and again",
    )))
}

/// Writes to an open segment, whose last line may be torn; false if the segment was removed.
fn write(mut file: &File, is_torn: bool, lines: &[u8]) -> Result<bool, AppendError> {
    let failed = |error| AppendError::of(lines, 0, error);
    let bytes = match is_torn {
        true => Cow::Owned([b"\n", lines].concat()),
        false => Cow::Borrowed(lines),
    };
    let written = file.write(&bytes).map_err(failed)?;
    if written < bytes.len() {
        let written = written.saturating_sub(usize::from(is_torn));
        let error = io::Error::new(io::ErrorKind::WriteZero, "only a part could be written");
        return Err(AppendError::of(lines, written, error));
    }
    Ok(file.metadata().map_err(failed)?.nlink() > 0)
}

/// Appends `lines` to a segment that nobody else writes, and syncs it: all of them, or nothing.
///
/// Half a line left by a killed writer is cut off, because writers of such segments write missing lines again.
///
/// # Errors
/// File system errors. Then the segment is unchanged, except for a removed half line.
pub fn append_alone(segment: &Path, lines: &[u8]) -> io::Result<()> {
    let mut file = open_or_create(segment)?;
    let whole = whole_lines(&file)?;
    if whole < file.metadata()?.len() {
        file.set_len(whole)?;
    }
    file.write_all(lines)
        .and_then(|()| file.sync_data())
        .inspect_err(|_| {
            // The write's own error is the one to report.
            let _ = file.set_len(whole);
        })
}

/// The length in bytes of the complete lines in `file`.
fn whole_lines(file: &File) -> io::Result<u64> {
    let mut end = file.metadata()?.len();
    let mut buffer = [0; 4096];
    while end > 0 {
        let start = end.saturating_sub(buffer.len() as u64);
        let filled = (end - start) as usize;
        let Some(bytes) = buffer.get_mut(..filled) else {
            break;
        };
        file.read_exact_at(bytes, start)?;
        if let Some(last) = memchr::memrchr(b'\n', bytes) {
            return Ok(start + last as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

/// Opens the file at `segment` for reading and appending. Creates it and its folder if missing.
///
/// # Errors
/// File system errors.
pub fn open_or_create(segment: &Path) -> io::Result<File> {
    match private_file::append(segment) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if let Some(folder) = segment.parent() {
                create_private_dir(folder)?;
            }
            private_file::append(segment)
        }
        opened => opened,
    }
}

/// The last byte of `file`; `None` if it is empty.
fn last_byte(file: &File) -> io::Result<Option<u8>> {
    let length = file.metadata()?.len();
    let Some(last) = length.checked_sub(1) else {
        return Ok(None);
    };
    let mut byte = [0];
    Ok((file.read_at(&mut byte, last)? == 1).then_some(byte[0]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removed_segment_loses_no_line() {
        let folder = tempfile::tempdir().unwrap();
        let segment = folder.path().join("2026-11-20.jsonl");
        let file = private_file::append(&segment).unwrap();
        assert!(write(&file, false, b"one\n").unwrap());
        std::fs::remove_file(&segment).unwrap();
        assert!(!write(&file, false, b"two\n").unwrap());
        append_to(&segment, b"two\n").unwrap();
        assert_eq!(std::fs::read(&segment).unwrap(), b"two\n");
    }

    #[test]
    fn lines_that_no_reader_will_find_are_counted() {
        let lines = b"one\ntwo\nthree\n";
        let lost = |written| AppendError::of(lines, written, io::ErrorKind::WriteZero.into()).lost;
        // Behind "one" only the newline is missing, which the next writer adds.
        for (written, expected) in [
            (0, 3),
            (2, 3),
            (3, 2),
            (4, 2),
            (6, 2),
            (7, 1),
            (12, 1),
            (13, 0),
        ] {
            assert_eq!(lost(written), expected, "{written}");
        }
    }

    #[test]
    fn the_first_lines_of_a_day_make_room_for_a_count() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::below(folder.path().to_owned());
        let now = "2026-11-20T10:00:00Z".parse().unwrap();
        append(&paths, now, b"one\n").unwrap();
        assert!(paths.lost_events().is_file());
        std::fs::remove_file(paths.lost_events()).unwrap();
        append(&paths, now, b"two\n").unwrap();
        assert!(!paths.lost_events().exists(), "at no cost to other calls");
    }

    #[test]
    fn torn_line_does_not_damage_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let segment = folder.path().join("events/2026-11-20.jsonl");
        append_to(&segment, b"one\n").unwrap();
        std::fs::OpenOptions::new()
            .append(true)
            .open(&segment)
            .unwrap()
            .write_all(b"tor")
            .unwrap();
        append_to(&segment, b"two\nthree\n").unwrap();
        assert_eq!(std::fs::read(&segment).unwrap(), b"one\ntor\ntwo\nthree\n");
    }

    #[test]
    fn own_segment_drops_a_torn_line() {
        let folder = tempfile::tempdir().unwrap();
        let segment = folder.path().join("events/import.jsonl");
        append_alone(&segment, b"one\n").unwrap();
        append_to(&segment, "x".repeat(9000).as_bytes()).unwrap();
        append_alone(&segment, b"two\nthree\n").unwrap();
        assert_eq!(std::fs::read(&segment).unwrap(), b"one\ntwo\nthree\n");
        let only_half = folder.path().join("half.jsonl");
        append_to(&only_half, b"tor").unwrap();
        append_alone(&only_half, b"one\n").unwrap();
        assert_eq!(std::fs::read(&only_half).unwrap(), b"one\n");
    }
}
