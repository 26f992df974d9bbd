//! A file that a person wrote, as it lies on disk.

use std::path::Path;

use serde::de::DeserializeOwned;

use crate::private_file;

/// A longer file than this, in bytes, is none of a person's.
pub(super) const LONGEST: u64 = 1024 * 1024;

/// What the TOML file in `path` says; the defaults without one.
///
/// # Errors
/// A message that names the file, when it cannot be read or understood, or is not to be obeyed
/// ([`private_file::open_own`]).
pub(super) fn load<T: Default + DeserializeOwned>(path: &Path) -> Result<T, String> {
    let problem = |error: String| format!("{}: {error}", path.display());
    match private_file::read_own(path, LONGEST).map_err(problem)? {
        Some(text) => toml::from_str(&text).map_err(|error| problem(error.to_string())),
        None => Ok(T::default()),
    }
}
