//! Removing a file of the log without losing what a hook appends at that moment.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use plantune_domain::{platform, spool};

use crate::store::sync_folder;

/// A regular file that is open, and is what its path names.
pub(super) fn open_itself(path: &Path) -> io::Result<File> {
    let named = fs::symlink_metadata(path)?;
    let file = File::open(path)?;
    let opened = file.metadata()?;
    let files = platform::identity(&named).zip(platform::identity(&opened));
    if named.is_file() && files.is_some_and(|(named, opened)| named.file == opened.file) {
        Ok(file)
    } else {
        Err(io::Error::other("it was replaced meanwhile"))
    }
}

/// Removes `path`, which is open as `file`, when it still has `length` bytes.
///
/// A hook that had opened the file before may still write to it: what came before the removal is
/// read here from the open file and appended under the old name; what comes after it, the hook
/// itself notices and writes again ([`spool::append_to`]).
pub(super) fn remove_unless_grown(path: &Path, file: &File, length: u64) -> io::Result<()> {
    if file.metadata()?.len() != length {
        return Err(io::Error::other("it has grown meanwhile"));
    }
    fs::remove_file(path)?;
    rescue(path, file, length)?;
    sync_folder(path);
    Ok(())
}

/// Appends what `file` holds behind `length` under the name `path`.
fn rescue(path: &Path, file: &File, length: u64) -> io::Result<()> {
    let grown = file.metadata()?.len().saturating_sub(length);
    if grown == 0 {
        return Ok(());
    }
    let mut late = vec![0; usize::try_from(grown).map_err(io::Error::other)?];
    platform::read_exact_at(file, &mut late, length)?;
    spool::append_to(path, &late)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::OpenOptions;
    use std::io::Write as _;

    #[test]
    fn what_comes_late_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("2026-01-01.jsonl");
        spool::append_to(&path, b"one\n").unwrap();
        let file = open_itself(&path).unwrap();
        let mut hook = OpenOptions::new().append(true).open(&path).unwrap();
        hook.write_all(b"two\n").unwrap();
        assert!(remove_unless_grown(&path, &file, 4).is_err());
        assert_eq!(fs::read(&path).unwrap(), b"one\ntwo\n");
        // Between the check and the removal.
        fs::remove_file(&path).unwrap();
        rescue(&path, &file, 4).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two\n");
        let file = open_itself(&path).unwrap();
        remove_unless_grown(&path, &file, 4).unwrap();
        assert!(!path.exists());
    }

    /// A hook appends as fast as it can to a segment that is removed over and over.
    #[test]
    fn no_line_goes_with_the_segment() {
        const LINES: u32 = 5000;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("2026-01-01.jsonl");
        let hook = std::thread::spawn({
            let path = path.clone();
            move || {
                for number in 0..LINES {
                    spool::append_to(&path, format!("{number}\n").as_bytes()).unwrap();
                }
            }
        });
        let mut kept = String::new();
        let mut removed = 0;
        while !hook.is_finished() {
            // It may not be there yet, or again.
            let Ok(file) = open_itself(&path) else {
                continue;
            };
            let length = file.metadata().unwrap().len();
            // gc removes what was read; an empty one removed each time it is made would starve the hook.
            if length == 0 {
                continue;
            }
            if remove_unless_grown(&path, &file, length).is_ok() {
                let mut content = vec![0; usize::try_from(length).unwrap()];
                platform::read_exact_at(&file, &mut content, 0).unwrap();
                kept += std::str::from_utf8(&content).unwrap();
                removed += 1;
                // The hook gives up on a segment that is removed each time it writes, which gc never does.
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
        }
        hook.join().unwrap();
        kept += &fs::read_to_string(&path).unwrap_or_default();
        // One that was written and noticed by both is there twice; it is one event by its id.
        let numbers: std::collections::BTreeSet<u32> =
            kept.lines().map(|line| line.parse().unwrap()).collect();
        assert!(removed > 0);
        assert_eq!(numbers.len(), LINES as usize);
    }

    #[test]
    fn a_link_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        spool::append_to(&real, b"one\n").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        assert!(open_itself(&link).is_err());
    }
}
