//! Session marks: short-lived files that remember which calls the hook answered, so that
//! PostToolUse knows an auto-decided answer from a person's.

use std::fs;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use crate::paths::{Paths, create_private_dir};
use crate::{hash, private_file};

/// Marks older than this are swept.
const KEPT: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// More than the labels of any call take: the hook reads half as much of one.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// How many session folders one sweep looks at, so that a hook's time is bounded.
const SWEPT_AT_ONCE: usize = 64;

/// Remembers that the hook answered the call `tool_use_id` with `answers`, one label a question.
///
/// # Errors
/// Those of the file system.
pub fn set(paths: &Paths, session: &str, tool_use_id: &str, answers: &[String]) -> io::Result<()> {
    let folder = folder(paths, session);
    create_private_dir(&folder)?;
    let body = serde_json::to_vec(answers)?;
    private_file::overwrite(&folder.join(name(tool_use_id)))?.write_all(&body)
}

/// The answers the hook gave to the call `tool_use_id`, if it did.
///
/// The mark stays until the session ends: a hook that is registered twice is called twice, and the
/// second must not take the answer for the person's.
pub fn find(paths: &Paths, session: &str, tool_use_id: &str) -> Option<Vec<String>> {
    let path = folder(paths, session).join(name(tool_use_id));
    let body = private_file::read(&path, MOST_BYTES)?;
    serde_json::from_slice(&body).ok()
}

/// Takes back that the hook answered the call `tool_use_id`.
pub fn remove(paths: &Paths, session: &str, tool_use_id: &str) {
    let folder = folder(paths, session);
    // A mark that stays behind is swept.
    let _ = fs::remove_file(folder.join(name(tool_use_id)));
    let _ = fs::remove_dir(&folder);
}

/// Removes the marks of a session that has ended.
pub fn forget(paths: &Paths, session: &str) {
    let _ = fs::remove_dir_all(folder(paths, session));
}

/// Removes marks that nothing came back for in seven days.
pub fn sweep(paths: &Paths, now: SystemTime) {
    let Ok(folders) = fs::read_dir(paths.sessions()) else {
        return;
    };
    for folder in folders.flatten().take(SWEPT_AT_ONCE) {
        let age = folder.metadata().and_then(|kind| kind.modified()).ok();
        if age
            .and_then(|at| now.duration_since(at).ok())
            .is_some_and(|age| age > KEPT)
        {
            let _ = fs::remove_dir_all(folder.path());
        }
    }
}

// Ids come from outside, so they name files only as hashes.
pub(crate) fn folder(paths: &Paths, session: &str) -> PathBuf {
    paths.sessions().join(hash::hex(&["session", session]))
}

fn name(tool_use_id: &str) -> String {
    hash::hex(&["tool_use", tool_use_id])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_stays_until_its_session_ends() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::below(folder.path().to_owned());
        let found = || find(&paths, "../../s", "../t");
        set(&paths, "../../s", "../t", &["Skip".to_owned()]).unwrap();
        assert_eq!(found(), Some(vec!["Skip".to_owned()]));
        assert_eq!(found(), Some(vec!["Skip".to_owned()]));
        forget(&paths, "../../s");
        assert_eq!(found(), None);
        set(&paths, "../../s", "../t", &["Skip".to_owned()]).unwrap();
        remove(&paths, "../../s", "../t");
        assert_eq!(found(), None);
        assert_eq!(fs::read_dir(paths.sessions()).unwrap().count(), 0);
    }

    #[test]
    fn old_marks_are_swept() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::below(folder.path().to_owned());
        set(&paths, "s", "t", &[]).unwrap();
        sweep(&paths, SystemTime::now());
        assert_eq!(fs::read_dir(paths.sessions()).unwrap().count(), 1);
        sweep(&paths, SystemTime::now() + KEPT + Duration::from_secs(60));
        assert_eq!(fs::read_dir(paths.sessions()).unwrap().count(), 0);
    }
}
