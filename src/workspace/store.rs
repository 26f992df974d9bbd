//! Opening the store to read it, with what to do when that fails.

use std::fmt::Display;

use plantune_domain::paths::Paths;
use plantune_query::{Error, Store};
use plantune_reports::text::clean;

use crate::failure::{Failure, Kind};

/// What to do about a store that is in use.
pub(crate) const HELD: &str = "wait until it is done, or end that process, and try again";

/// What to do about a store of a newer plantune.
pub(crate) const NEWER: &str =
    "install the newest plantune; a newer one wrote this store, and it was left as it is";

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
    if let Error::Broken(error) = error {
        return broken(paths, error);
    }
    let failure = Failure::failed(format!("{}: {error}", paths.store().display()));
    match error {
        Error::Held(_) => failure.hint(HELD),
        Error::Version { found, known } if found > known => failure.hint(NEWER),
        Error::Version { .. } => {
            failure.hint("run `plantune ingest` to bring the store up to date")
        }
        Error::Missing(_) => failure.hint("run `plantune import claude-code` to make one"),
        Error::Broken(_) | Error::DuckDb(_) => {
            failure.hint("run `plantune doctor` to see what is wrong with it")
        }
    }
}

/// A store's file that is none or damaged, in DuckDB's words `why`.
pub(crate) fn broken(paths: &Paths, why: &impl Display) -> Failure {
    let why = why.to_string();
    let why = clean(why.lines().next().unwrap_or_default());
    let message = format!("{} is damaged, or no store: {why}", paths.store().display());
    Failure::new(Kind::DamagedStore, message)
        .hint("run `plantune ingest --rebuild`: it computes the store again from the log")
}
