//! The files of the log.

use std::fs::{self, File, Metadata};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use chrono::{DateTime, NaiveDate};

use plantune_domain::{hash, platform};

use super::segment_name::{Format, SegmentName};

/// How much before a checkpoint is looked at, in bytes.
const TAIL_BYTES: u64 = 4096;

/// One file of the log, as it was when it was looked at.
#[derive(Clone, Debug)]
pub(crate) struct Segment {
    pub(crate) name: SegmentName,
    pub(crate) path: PathBuf,
    /// In bytes; what is appended later waits for the next run.
    pub(crate) length: u64,
    /// When it was last modified, in nanoseconds since 1970.
    pub(crate) modified_ns: i64,
}

impl Segment {
    pub(crate) fn new(name: SegmentName, path: PathBuf, metadata: &Metadata) -> Self {
        Self {
            name,
            path,
            length: metadata.len(),
            modified_ns: platform::modified_ns(metadata),
        }
    }

    /// The day it is named for, else that of its last change (UTC), in days since 1970.
    pub(crate) fn day(&self) -> i32 {
        let changed = DateTime::from_timestamp_nanos(self.modified_ns).date_naive();
        let day = self.name.day().unwrap_or(changed);
        i32::try_from((day - NaiveDate::default()).num_days()).unwrap_or_default()
    }

    /// [`hash_before`] of this file; `None` at the start, and for a segment that is read whole.
    pub(crate) fn tail_before(&self, offset: u64) -> io::Result<Option<String>> {
        if offset == 0 || self.name.format() != Format::Lines {
            return Ok(None);
        }
        let hash = File::open(&self.path).and_then(|file| hash_before(&file, offset));
        Ok(Some(hash.map_err(|error| named(&error, &self.path))?))
    }
}

/// A hash of the last 4 KiB of `file` before `offset`, which shows whether a file that has grown still begins with
/// what was read.
pub(crate) fn hash_before(mut file: &File, offset: u64) -> io::Result<String> {
    let start = offset.saturating_sub(TAIL_BYTES);
    let mut tail = Vec::new();
    file.seek(SeekFrom::Start(start))?;
    file.take(offset - start).read_to_end(&mut tail)?;
    Ok(hash::hex(&["tail", &hash::to_hex(&tail)]))
}

/// The segments in the folder `events` in the order of their names, which is the order of days.
pub(crate) fn list(events: &Path) -> io::Result<Vec<Segment>> {
    let entries = match fs::read_dir(events) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(named(&error, events)),
    };
    let mut segments = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let file_name = path.file_name().unwrap_or_default().to_string_lossy();
        let Some(name) = SegmentName::parse(&file_name) else {
            continue;
        };
        match fs::metadata(&path) {
            Ok(metadata) if metadata.is_file() => {
                segments.push(Segment::new(name, path, &metadata));
            }
            // A folder or a pipe, a link that leads nowhere, and what has gone meanwhile.
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(named(&error, &path)),
        }
    }
    segments.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(segments)
}

/// `error` with the path it is about.
pub(crate) fn named(error: &io::Error, path: &Path) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_readable_files_are_segments() {
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
}
