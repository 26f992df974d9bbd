//! Opening the store to read it, with what to do when that fails.

use std::fmt::Display;

use plantune_domain::paths::Paths;
use plantune_ingest::dropped;
use plantune_query::{Error, Store};
use plantune_reports::text::clean;

use crate::failure::Failure;

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
    let failure = Failure::failed(format!(
        "{} is damaged, or no store: {why}",
        paths.store().display()
    ));
    let failure = failure
        .hint("the file was left as it is")
        .hint("run `plantune ingest --start-over`: it moves the file aside and fills a new store from the log");
    match lost(paths) {
        Some(lost) => failure.hint(format!("a new store would lack {lost}")),
        None => failure,
    }
}

/// What a store that is filled from the log lacks, in words; `None` when that is nothing.
pub(crate) fn lost(paths: &Paths) -> Option<String> {
    let dropped = dropped(paths).unwrap_or_default();
    let (first, last) = (dropped.first()?, dropped.last()?);
    let events: u64 = dropped.iter().map(|one| one.events).sum();
    Some(match dropped.as_slice() {
        [one] => format!(
            "{events} events of {}, which `plantune gc` dropped",
            clean(&one.segment)
        ),
        more => format!(
            "{events} events of {} segments, {} to {}, which `plantune gc` dropped",
            more.len(),
            clean(&first.segment),
            clean(&last.segment)
        ),
    })
}
