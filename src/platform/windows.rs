//! Windows, as far as it is prepared: this compiles, and never ran (docs/development/windows.md). What a function is for is said
//! beside its twin for Unix.

use std::fs::Metadata;
use std::io;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

/// Runs the program, and ends with its exit code. Returns only when it cannot be run, and why.
#[allow(
    clippy::disallowed_methods,
    reason = "the program stands in for this one, which has nothing left to do"
)]
pub(crate) fn become_program(command: &mut Command) -> io::Error {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => error,
    }
}

/// Makes a link in `path` that leads to the file `target`; needs developer mode or an administrator.
///
/// # Errors
/// Those of the file system.
pub(crate) fn link(target: &Path, path: &Path) -> io::Result<()> {
    std::os::windows::fs::symlink_file(target, path)
}

/// Nothing to do: what lies in the person's profile is theirs by its access list.
pub(crate) fn create_privately() {}

/// A new folder among the temporary ones, which lie in the person's profile.
///
/// # Errors
/// Those of the file system.
pub(crate) fn private_temporary(prefix: &str) -> io::Result<TempDir> {
    tempfile::Builder::new().prefix(prefix).tempdir()
}

/// Not looked at, but whether something is there.
///
/// # Errors
/// That nothing is.
pub(crate) fn may_write(path: &Path) -> io::Result<()> {
    std::fs::metadata(path).map(drop)
}

/// Not known.
pub(crate) fn free_space(_folder: &Path) -> Option<u64> {
    None
}

/// Users have no numbers.
pub(crate) fn user() -> Option<u32> {
    None
}

/// Not known, and so no.
pub(crate) fn is_own(_file: &Metadata) -> bool {
    false
}

/// Terminals have no names.
pub(crate) fn terminal_name() -> Option<String> {
    None
}
