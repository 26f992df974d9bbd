//! Copies that are not needed any more.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use chrono::{DateTime, TimeDelta, Utc};

use super::{InstalledHook, NEW, remove_if_there};
use crate::claude_settings::hook_binary::HOOK;

/// For how long a copy stays after another took its place. No settings of plantune's making name it; a process
/// or a script of somebody's may.
const STAYS: TimeDelta = TimeDelta::days(14);

impl InstalledHook {
    /// Removes the copies that were replaced two weeks ago or earlier, and what killed runs left. Returns how
    /// many copies went.
    ///
    /// # Errors
    /// Those of the file system.
    pub(crate) fn remove_old(&self, now: DateTime<Utc>) -> io::Result<usize> {
        let linked = self.linked();
        let is_old = |copy: &PathBuf| {
            let replaced = fs::symlink_metadata(copy).and_then(|file| file.modified());
            let replaced = replaced.unwrap_or(SystemTime::UNIX_EPOCH);
            now - DateTime::<Utc>::from(replaced) >= STAYS
        };
        remove_if_there(&self.folder.join(NEW))?;
        let copies = self.copies()?.into_iter();
        let old: Vec<_> = copies
            .filter(|copy| linked.as_ref() != Some(copy))
            .filter(is_old)
            .collect();
        old.iter().try_for_each(|copy| remove_copy(copy))?;
        Ok(old.len())
    }

    /// Removes the link, and then every copy.
    ///
    /// # Errors
    /// Those of the file system.
    pub(crate) fn remove_all(&self) -> io::Result<()> {
        let copies = self.copies()?;
        remove_if_there(&self.path())?;
        remove_if_there(&self.folder.join(NEW))?;
        copies.iter().try_for_each(|copy| remove_copy(copy))?;
        // What is not plantune's stays, and its folder with it.
        let _ = fs::remove_dir(&self.folder);
        Ok(())
    }

    /// The places of copies, whole or half: one for each folder of a version.
    pub(super) fn copies(&self) -> io::Result<Vec<PathBuf>> {
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut copies = Vec::new();
        for entry in entries {
            let entry = entry?;
            let starts_as_version = entry
                .file_name()
                .to_string_lossy()
                .starts_with(|c: char| c.is_ascii_digit());
            if starts_as_version && entry.file_type()?.is_dir() {
                copies.push(entry.path().join(HOOK));
            }
        }
        Ok(copies)
    }
}

/// Removes one copy and its folder, if nothing else is in it.
fn remove_copy(copy: &Path) -> io::Result<()> {
    remove_if_there(&copy.with_file_name(NEW))?;
    remove_if_there(copy)?;
    if let Some(folder) = copy.parent() {
        let _ = fs::remove_dir(folder);
    }
    Ok(())
}
