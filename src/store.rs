//! Opening the store to read it, with what to do when that fails.

use plantune_hooks::paths::Paths;
use plantune_query::{Error, Store};

use crate::failure::Failure;

/// The store, or `None` when there is none yet.
///
/// # Errors
/// Failed when it cannot be opened or is of another version.
pub(crate) fn open(paths: &Paths) -> Result<Option<Store>, Failure> {
    match Store::open(&paths.store()) {
        Ok(store) => Ok(Some(store)),
        Err(Error::Missing(_)) => Ok(None),
        Err(error) => Err(failure(paths, &error)),
    }
}

/// What a failed read of the store means to the person.
pub(crate) fn failure(paths: &Paths, error: &Error) -> Failure {
    let failure = Failure::failed(format!("{}: {error}", paths.store().display()));
    match error {
        Error::Version { found, known } if found > known => {
            failure.hint("install the newest plantune; a newer one wrote this store")
        }
        Error::Version { .. } => {
            failure.hint("run `plantune ingest` to bring the store up to date")
        }
        Error::Missing(_) => failure.hint("run `plantune import claude-code` to make one"),
        Error::DuckDb(_) => failure.hint("run `plantune doctor` to see what is wrong with it"),
    }
}
