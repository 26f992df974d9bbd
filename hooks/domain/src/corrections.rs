//! Answers that the person changed after the agent had them, until the agent is informed.
//!
//! `plantune undo` leaves them for the session that asked, or, when that has ended, for the next one in
//! its project; the hook takes them.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::paths::{Paths, create_private_dir};
use crate::{hash, private_file};

/// How much of a file is read, in bytes.
const MOST_CORRECTION_BYTES: u64 = 64 * 1024;

/// One answer that was changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Correction {
    /// The question's text.
    pub question: String,
    /// What plantune had answered.
    pub answered: String,
    /// What the person wants instead; `None` when they only took the answer back.
    pub wanted: Option<String>,
}

/// Where the corrections for a session are.
pub fn of_session(paths: &Paths, session: &str) -> PathBuf {
    // Ids come from outside, so they name files only as hashes.
    paths.corrections().join(hash::hex(&["session", session]))
}

/// Where those are that the next session of a project is informed of.
pub fn of_project(paths: &Paths, project: &str) -> PathBuf {
    paths.corrections().join(hash::hex(&["project", project]))
}

/// Adds `corrections` to those in `path`.
///
/// # Errors
/// Those of the file system.
pub fn add(path: &Path, corrections: &[Correction]) -> io::Result<()> {
    let mut lines = Vec::new();
    for correction in corrections {
        lines.extend(serde_json::to_vec(correction)?);
        lines.push(b'\n');
    }
    append(path, &lines)
}

fn append(path: &Path, lines: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        create_private_dir(folder)?;
    }
    private_file::append(path)?.write_all(lines)
}

/// Takes the corrections in `path`: of two hooks that run at once, one gets them.
pub fn take(path: &Path) -> Vec<Correction> {
    let text = take_text(path).unwrap_or_default();
    text.lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

/// Leaves what the session was not informed of for the next one in the project.
pub fn leave_to_project(paths: &Paths, session: &str, project: &str) {
    if let Some(text) = take_text(&of_session(paths, session)) {
        // What cannot be left is not reported; the person sees it in `plantune log`.
        let _ = append(&of_project(paths, project), text.as_bytes());
    }
}

fn take_text(path: &Path) -> Option<String> {
    let taken = path.with_extension(std::process::id().to_string());
    // One system call where there is nothing, as nearly always.
    fs::rename(path, &taken).ok()?;
    let bytes = private_file::read(&taken, MOST_CORRECTION_BYTES);
    let _ = fs::remove_file(&taken);
    Some(String::from_utf8_lossy(&bytes?).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn correction(wanted: Option<&str>) -> Correction {
        Correction {
            question: "Which\ncolour?".to_owned(),
            answered: "Red".to_owned(),
            wanted: wanted.map(str::to_owned),
        }
    }

    #[test]
    fn they_are_taken_once_and_left_to_the_project() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::below(folder.path().to_owned());
        let (session, project) = (of_session(&paths, "../s"), of_project(&paths, "o/r"));
        assert_eq!(take(&session), []);
        let all = [correction(Some("Blue")), correction(None)];
        add(&session, &all[..1]).unwrap();
        add(&session, &all[1..]).unwrap();
        assert_eq!(take(&session), all);
        assert_eq!(take(&session), []);
        add(&session, &all).unwrap();
        leave_to_project(&paths, "../s", "o/r");
        assert_eq!(take(&session), []);
        assert_eq!(take(&project), all);
        assert_eq!(fs::read_dir(paths.corrections()).unwrap().count(), 0);
    }
}
