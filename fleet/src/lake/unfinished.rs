//! What a killed put leaves in a lake that is a folder: the store's client writes `NAME#1` (or 2, …) and gives the
//! file its name when it is whole. No reader takes one for a file of the lake.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Duration, Utc};

use super::Lake;
use super::name::{EVENTS, EventFile};
use crate::failure::Failure;

/// After how many hours nobody writes to one any more.
const ABANDONED_AFTER_HOURS: i64 = 24;

/// An unfinished file.
#[derive(Clone, Debug)]
pub(crate) struct Unfinished {
    path: PathBuf,
    written_at: DateTime<Utc>,
}

impl Unfinished {
    /// True when whoever wrote it is gone.
    pub(crate) fn is_abandoned(&self, now: DateTime<Utc>) -> bool {
        now - self.written_at > Duration::hours(ABANDONED_AFTER_HOURS)
    }

    /// Removes it; one that is gone is no failure.
    ///
    /// # Errors
    /// The file system's.
    pub(crate) fn remove(&self) -> Result<(), Failure> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(Failure::from(error).about(self.path.display()))
            }
            _ => Ok(()),
        }
    }
}

/// The unfinished files of events, those that are being written among them. None in a store: it has whole objects
/// alone.
///
/// # Errors
/// The file system's.
pub(crate) fn all(lake: &Lake) -> Result<Vec<Unfinished>, Failure> {
    let Some(root) = &lake.folder else {
        return Ok(Vec::new());
    };
    let events = root.join(EVENTS);
    let mut found = Vec::new();
    for day in names(&events)? {
        for name in names(&events.join(&day))? {
            let Some((file, number)) = name.rsplit_once('#') else {
                continue;
            };
            let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
            if !is_number || EventFile::parse(&format!("{EVENTS}/{day}/{file}")).is_none() {
                continue;
            }
            let path = events.join(&day).join(&name);
            // Whatever is gone was finished just now.
            if let Ok(written_at) = fs::symlink_metadata(&path).and_then(|found| found.modified()) {
                found.push(Unfinished {
                    path,
                    written_at: written_at.into(),
                });
            }
        }
    }
    Ok(found)
}

/// The names in a folder; none where there is no such folder.
fn names(folder: &Path) -> Result<Vec<String>, Failure> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
            ) =>
        {
            return Ok(Vec::new());
        }
        Err(error) => return Err(Failure::from(error).about(folder.display())),
    };
    let mut found = Vec::new();
    for entry in entries {
        found.extend(entry?.file_name().into_string().ok());
    }
    Ok(found)
}
