//! The events that the hook could not log: how many, since when, and why.
//!
//! The count must be kept where nothing can be written, so its file has its block from the start, and is overwritten in
//! place: that needs no room on the disk. `plantune install` makes it, and so does the first event of a day. Where the
//! disk copies what it overwrites, or is read-only, nothing can be counted.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::paths::Paths;
use crate::{clock, private_file};

/// The length of the file in bytes, padded with spaces.
const LENGTH: usize = 1024;

/// How much of a reason is kept, in characters: whatever they are, they fit.
const LONGEST_REASON: usize = 100;

/// The events that could not be logged, since a command last logged their number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LostEvents {
    /// How many.
    pub count: u64,
    /// The time of the first, as in events.
    pub first: String,
    /// The time of the last.
    pub last: String,
    /// Why the last could not be logged, in the system's words.
    pub reason: String,
}

/// The events that are counted as lost; `None` if there aren't any.
pub fn read(paths: &Paths) -> Option<LostEvents> {
    let text = private_file::read(&paths.lost_events(), LENGTH as u64)?;
    let lost: LostEvents = serde_json::from_slice(&text).ok()?;
    (lost.count > 0).then_some(lost)
}

/// Makes the file, so that it has its block when the disk is full. Nothing changes if it is there.
///
/// # Errors
/// File system errors.
pub fn reserve(paths: &Paths) -> io::Result<()> {
    match open(paths)? {
        file if file.metadata()?.len() == 0 => change(&file, |_| Ok(())),
        _ => Ok(()),
    }
}

/// Counts `count` events that could not be logged at `now` because of `error`.
///
/// # Errors
/// File system errors. Then nothing is counted.
pub fn add(paths: &Paths, now: DateTime<Utc>, count: u64, error: &io::Error) -> io::Result<()> {
    change(&open(paths)?, |lost| {
        let now = clock::timestamp(now);
        if lost.count == 0 {
            lost.first.clone_from(&now);
        }
        lost.count = lost.count.saturating_add(count);
        lost.last = now;
        lost.reason = error.to_string().chars().take(LONGEST_REASON).collect();
        Ok(())
    })
}

/// Sets the count back once `log` has logged it. Hooks that lose more meanwhile wait, so that none is missed.
///
/// # Errors
/// The errors of `log`, and of the file system. Then the count stays.
pub fn log(paths: &Paths, log: impl FnOnce(&LostEvents) -> io::Result<()>) -> io::Result<()> {
    change(&open(paths)?, |lost| {
        if lost.count > 0 {
            log(lost)?;
        }
        *lost = LostEvents::default();
        Ok(())
    })
}

/// Overwrites the file in place by what `change` makes of it, while nobody else does.
fn change(file: &File, change: impl FnOnce(&mut LostEvents) -> io::Result<()>) -> io::Result<()> {
    file.lock()?;
    let mut text = [0; LENGTH];
    let length = file.read_at(&mut text, 0)?;
    // What is damaged counts nothing.
    let text = text.get(..length).unwrap_or_default();
    let mut lost = serde_json::from_slice(text).unwrap_or_default();
    change(&mut lost)?;
    let mut text = serde_json::to_vec(&lost)?;
    text.resize(LENGTH - 1, b' ');
    text.push(b'\n');
    file.write_all_at(&text, 0)
}

fn open(paths: &Paths) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).mode(0o600);
    options
        .custom_flags(libc::O_NOFOLLOW)
        .open(paths.lost_events())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::MetadataExt as _;
    use std::thread::{ScopedJoinHandle, scope};

    use super::*;
    use crate::atomic_file::replace;

    fn home() -> (tempfile::TempDir, Paths) {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::below(folder.path().to_owned());
        (folder, paths)
    }

    fn at(time: &str) -> DateTime<Utc> {
        time.parse().unwrap()
    }

    fn full() -> io::Error {
        io::Error::from_raw_os_error(libc::ENOSPC)
    }

    #[test]
    fn what_is_lost_is_added_up_in_place() {
        let (_folder, paths) = home();
        assert_eq!(read(&paths), None);
        reserve(&paths).unwrap();
        assert_eq!(read(&paths), None);
        let before = fs::metadata(paths.lost_events()).unwrap();
        assert!(before.len() == LENGTH as u64 && before.blocks() > 0);
        for (time, count) in [("10:00:00", 2), ("10:00:01", 1), ("10:05:00", 4)] {
            add(&paths, at(&format!("2026-11-20T{time}Z")), count, &full()).unwrap();
        }
        // Made again, it keeps its count.
        reserve(&paths).unwrap();
        let expected = LostEvents {
            count: 7,
            first: "2026-11-20T10:00:00.000Z".to_owned(),
            last: "2026-11-20T10:05:00.000Z".to_owned(),
            reason: full().to_string(),
        };
        assert_eq!(read(&paths), Some(expected.clone()));
        let after = fs::metadata(paths.lost_events()).unwrap();
        assert_eq!((after.len(), after.ino()), (before.len(), before.ino()));
        // It stays until it is logged.
        log(&paths, |_| Err(full())).unwrap_err();
        assert_eq!(read(&paths), Some(expected.clone()));
        log(&paths, |lost| {
            assert_eq!(*lost, expected);
            Ok(())
        })
        .unwrap();
        assert_eq!(read(&paths), None);
        log(&paths, |_| Err(full())).unwrap();
        add(&paths, at("2026-11-21T00:00:00Z"), 1, &full()).unwrap();
        assert_eq!(read(&paths).unwrap().first, "2026-11-21T00:00:00.000Z");
    }

    #[test]
    fn none_is_missed_while_many_count_and_one_logs() {
        let (_folder, paths) = home();
        let mut logged = 0;
        scope(|scope| {
            let hooks: Vec<_> = (0..8)
                .map(|_| {
                    scope.spawn(|| {
                        for _ in 0..50 {
                            add(&paths, at("2026-11-20T10:00:00Z"), 1, &full()).unwrap();
                        }
                    })
                })
                .collect();
            while !hooks.iter().all(ScopedJoinHandle::is_finished) {
                log(&paths, |lost| {
                    logged += lost.count;
                    Ok(())
                })
                .unwrap();
            }
        });
        let left = read(&paths).map_or(0, |lost| lost.count);
        assert_eq!(logged + left, 400);
    }

    #[test]
    fn what_is_damaged_or_a_link_counts_nothing() {
        let (folder, paths) = home();
        for damaged in [&b""[..], b"{\"count\":", b"[]", &[b'x'; 5000]] {
            replace(&paths.lost_events(), damaged, 0o600).unwrap();
            assert_eq!(read(&paths), None);
            add(&paths, at("2026-11-20T10:00:00Z"), 1, &full()).unwrap();
            assert_eq!(read(&paths).unwrap().count, 1);
        }
        let odd = io::Error::other("\u{1}".repeat(5000));
        add(&paths, at("2026-11-20T10:00:00Z"), 1, &odd).unwrap();
        assert_eq!(read(&paths).unwrap().count, 2);
        fs::remove_file(paths.lost_events()).unwrap();
        let victim = folder.path().join("victim");
        replace(&victim, b"mine", 0o600).unwrap();
        std::os::unix::fs::symlink(&victim, paths.lost_events()).unwrap();
        add(&paths, at("2026-11-20T10:00:00Z"), 1, &full()).unwrap_err();
        assert_eq!(fs::read_to_string(victim).unwrap(), "mine");
    }
}
