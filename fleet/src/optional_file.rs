//! Files that may be there or not.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use crate::failure::Failure;

/// The text of a file; `None` where there is none.
///
/// # Errors
/// The file system's.
pub(crate) fn read(path: &Path) -> Result<Option<String>, Failure> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::from(error).about(path.display())),
    }
}

/// Removes a file; one that is not there is no failure.
///
/// # Errors
/// The file system's.
pub(crate) fn remove(path: &Path) -> Result<(), Failure> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(Failure::from(error).about(path.display()))
        }
        _ => Ok(()),
    }
}
