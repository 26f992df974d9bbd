//! What a killed put leaves in a lake that is a folder: the store's client writes `NAME#1` (or 2, …) and gives the
//! file its name when it is whole. No reader takes one for a file of the lake.

use std::path::{Path, PathBuf};

use chrono::{DateTime, Duration, Utc};
use walkdir::WalkDir;

use super::name::{EVENTS, EventFile};
use super::{Lake, is_gone};
use crate::failure::Failure;
use crate::optional_file;

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
        optional_file::remove(&self.path)
    }
}

/// The unfinished files of events, those that are being written among them. None in a store: it has whole objects
/// alone.
///
/// # Errors
/// The file system's.
pub(crate) fn all(lake: &Lake) -> Result<Vec<Unfinished>, Failure> {
    let mut found = Vec::new();
    let Some(root) = &lake.folder else {
        return Ok(found);
    };
    for entry in WalkDir::new(root.join(EVENTS)).min_depth(2).max_depth(2) {
        match entry.and_then(|entry| Ok((entry.metadata()?, entry))) {
            Ok((about, entry)) if is_unfinished(root, entry.path()) => found.push(Unfinished {
                written_at: about.modified()?.into(),
                path: entry.into_path(),
            }),
            // Whatever is gone was finished just now.
            Err(error) if !is_gone(&error) => return Err(Failure::from(error).about(EVENTS)),
            _ => {}
        }
    }
    Ok(found)
}

fn is_unfinished(root: &Path, path: &Path) -> bool {
    let below = path.strip_prefix(root).ok().and_then(Path::to_str);
    below
        .and_then(|path| path.rsplit_once('#'))
        .is_some_and(|(file, number)| {
            let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
            is_number && EventFile::parse(file).is_some()
        })
}
