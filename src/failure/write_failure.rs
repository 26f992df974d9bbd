//! Why a file cannot be written, and what the person can do about it.

use std::io;
use std::path::Path;

use plantune_reports::text::{clean, shell_word};

use crate::failure::Failure;

/// Why a file cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WriteFailure {
    /// The file system, or the person's share of it, is full.
    Full,
    /// The file would be longer than the process may make one.
    TooLong,
    /// The file system is mounted for reading only.
    ReadOnly,
    /// The person may not.
    Forbidden,
}

/// The kernel's messages, as DuckDB passes them on.
const MESSAGES: [(&str, WriteFailure); 6] = [
    ("No space left on device", WriteFailure::Full),
    ("Disk quota exceeded", WriteFailure::Full),
    ("File too large", WriteFailure::TooLong),
    ("Read-only file system", WriteFailure::ReadOnly),
    ("Permission denied", WriteFailure::Forbidden),
    ("Operation not permitted", WriteFailure::Forbidden),
];

impl WriteFailure {
    /// The write failure behind `error`, if it is one.
    pub(crate) fn of(error: &io::Error) -> Option<Self> {
        match error.kind() {
            io::ErrorKind::StorageFull
            | io::ErrorKind::QuotaExceeded
            | io::ErrorKind::WriteZero => Some(Self::Full),
            io::ErrorKind::FileTooLarge => Some(Self::TooLong),
            io::ErrorKind::ReadOnlyFilesystem => Some(Self::ReadOnly),
            io::ErrorKind::PermissionDenied => Some(Self::Forbidden),
            _ => Self::in_message(&error.to_string()),
        }
    }

    /// The write failure that a message of DuckDB names, if it is one.
    pub(crate) fn in_message(message: &str) -> Option<Self> {
        let named = |(text, _): &&(&str, Self)| message.contains(text);
        MESSAGES.iter().find(named).map(|(_, failure)| *failure)
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
                    "see whose it is (`ls -ld {folder}`; `plantune doctor` says more), and try \
                     again as that user"
                ),
            ),
        };
        Failure::failed(format!("{shown} cannot be written: {fact}"))
            .hint(kept)
            .hint(remedy)
    }
}

/// The failure to write `path`, whatever `error` is; `kept` says what was not lost or changed.
pub(crate) fn not_written(path: &Path, error: &io::Error, kept: &str) -> Failure {
    match WriteFailure::of(error) {
        Some(found) => found.failure(path, kept),
        None => Failure::failed(format!("{}: {error}", clean(&path.to_string_lossy()))).hint(kept),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernel_errors_and_duckdb_messages() {
        for (number, expected) in [
            (28, Some(WriteFailure::Full)),
            (122, Some(WriteFailure::Full)),
            (27, Some(WriteFailure::TooLong)),
            (30, Some(WriteFailure::ReadOnly)),
            (13, Some(WriteFailure::Forbidden)),
            (1, Some(WriteFailure::Forbidden)),
            (2, None),
        ] {
            let error = io::Error::from_raw_os_error(number);
            assert_eq!(WriteFailure::of(&error), expected, "{error}");
            let passed_on = format!("IO Error: Could not write file \"/x\": {error}");
            assert_eq!(WriteFailure::in_message(&passed_on), expected, "{error}");
        }
    }

    #[test]
    fn hints_say_what_to_do() {
        let failure = WriteFailure::Full.failure(
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
