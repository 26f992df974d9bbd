//! What stands in the way of writing, and what the person can do about it.

use std::io;
use std::path::Path;

use plantune_reports::text::{clean, shell_word};

use crate::failure::Failure;

/// Why nothing can be written in a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Obstacle {
    /// The file system, or the person's share of it, is full.
    Full,
    /// The file would be longer than the process may make one.
    TooLong,
    /// The file system is mounted for reading only.
    ReadOnly,
    /// The person may not.
    Forbidden,
}

/// The kernel's words, as DuckDB passes them on.
const WORDS: [(&str, Obstacle); 6] = [
    ("No space left on device", Obstacle::Full),
    ("Disk quota exceeded", Obstacle::Full),
    ("File too large", Obstacle::TooLong),
    ("Read-only file system", Obstacle::ReadOnly),
    ("Permission denied", Obstacle::Forbidden),
    ("Operation not permitted", Obstacle::Forbidden),
];

impl Obstacle {
    /// What `error` says, if it is about an obstacle.
    pub(crate) fn of(error: &io::Error) -> Option<Self> {
        match error.kind() {
            io::ErrorKind::StorageFull
            | io::ErrorKind::QuotaExceeded
            | io::ErrorKind::WriteZero => Some(Self::Full),
            io::ErrorKind::FileTooLarge => Some(Self::TooLong),
            io::ErrorKind::ReadOnlyFilesystem => Some(Self::ReadOnly),
            io::ErrorKind::PermissionDenied => Some(Self::Forbidden),
            _ => Self::in_words(&error.to_string()),
        }
    }

    /// What a message of DuckDB says, if it is about an obstacle.
    pub(crate) fn in_words(message: &str) -> Option<Self> {
        let named = |(words, _): &&(&str, Self)| message.contains(words);
        WORDS.iter().find(named).map(|(_, obstacle)| *obstacle)
    }

    /// The failure to write `path`, with what to do; `kept` says what was not lost or changed.
    pub(crate) fn failure(self, path: &Path, kept: &str) -> Failure {
        let shown = clean(&path.to_string_lossy());
        let there = path.ancestors().find(|folder| folder.is_dir());
        let folder = shell_word(&there.unwrap_or(path).to_string_lossy());
        let (fact, remedy) = match self {
            Self::Full => (
                "no space is left on its file system",
                format!("make room (`df -h {folder}` shows how much there is), and try again"),
            ),
            Self::TooLong => (
                "it would be longer than a file may be here",
                "raise the limit (`ulimit -f` shows it), and try again".to_owned(),
            ),
            Self::ReadOnly => (
                "its file system is read-only",
                format!(
                    "mount it for writing (`findmnt -T {folder}` shows it), or set PLANTUNE_HOME \
                     to a folder elsewhere"
                ),
            ),
            Self::Forbidden => (
                "permission denied",
                format!(
                    "see whose it is (`ls -ld {folder}`; `plantune doctor` tells more), and try \
                     again as that user"
                ),
            ),
        };
        Failure::failed(format!("{shown} cannot be written: {fact}"))
            .hint(kept)
            .hint(remedy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_kernel_says_is_understood() {
        for (number, obstacle) in [
            (28, Some(Obstacle::Full)),
            (122, Some(Obstacle::Full)),
            (27, Some(Obstacle::TooLong)),
            (30, Some(Obstacle::ReadOnly)),
            (13, Some(Obstacle::Forbidden)),
            (1, Some(Obstacle::Forbidden)),
            (2, None),
        ] {
            let error = io::Error::from_raw_os_error(number);
            assert_eq!(Obstacle::of(&error), obstacle, "{error}");
            let passed_on = format!("IO Error: Could not write file \"/x\": {error}");
            assert_eq!(Obstacle::in_words(&passed_on), obstacle, "{error}");
        }
    }

    #[test]
    fn the_person_is_told_what_to_do() {
        let failure = Obstacle::Full.failure(
            Path::new("/no/such \u{1b}[31mfolder/f"),
            "nothing was changed",
        );
        insta::assert_snapshot!(failure, @r"
        plantune: /no/such folder/f cannot be written: no space is left on its file system
          hint: nothing was changed
          hint: make room (`df -h /` shows how much there is), and try again
        ");
    }
}
