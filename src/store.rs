//! Opening the store to read it, what to do when that fails, and which segments of the log it has read that are gone.

use std::fmt::Display;

use plantune_domain::paths::Paths;
use plantune_ingest::SegmentName;
use plantune_query::health::{Contents, SegmentRead};
use plantune_query::{Store, StoreError};
use plantune_reports::humanize::counted;
use plantune_reports::text::clean;

use crate::failure::{Failure, Kind};

/// The remedy for a store that is in use.
pub(crate) const HELD: &str = "wait until it is done, or end that process, then try again";

/// The remedy for a store of a newer plantune.
pub(crate) const NEWER: &str =
    "a newer plantune wrote this store, and it was not changed; install that version";

/// The store, or `None` when there is none yet.
///
/// # Errors
/// Failed when it cannot be opened or is of another version.
pub(crate) fn open(paths: &Paths) -> Result<Option<Store>, Failure> {
    match Store::open(&paths.store()) {
        Ok(store) => Ok(Some(store)),
        Err(StoreError::Missing(_)) => Ok(None),
        Err(error) => Err(failure(paths, &error)),
    }
}

/// The failure of a read of the store, for the person.
pub(crate) fn failure(paths: &Paths, error: &StoreError) -> Failure {
    if let StoreError::Broken(error) = error {
        return broken(paths, error);
    }
    let failure = Failure::failed(format!("{}: {error}", paths.store().display()));
    match error {
        StoreError::Held(_) => failure.hint(HELD),
        StoreError::Version { found, known } if found > known => failure.hint(NEWER),
        StoreError::Version { .. } => failure.hint("run `plantune report` to update it"),
        StoreError::Missing(_) => failure.hint("run `plantune import claude-code` to make one"),
        StoreError::Broken(_) | StoreError::DuckDb(_) => {
            failure.hint("run `plantune doctor` to see what is wrong with it")
        }
    }
}

/// A store's file that is none or damaged, in DuckDB's words `why`.
pub(crate) fn broken(paths: &Paths, why: &impl Display) -> Failure {
    let why = why.to_string();
    let why = clean(why.lines().next().unwrap_or_default());
    let message = format!("{} is damaged: {why}", paths.store().display());
    Failure::new(Kind::DamagedStore, message)
        .hint("run `plantune report`, which rebuilds the store from the log")
}

// Segments of the log that the store was computed from and that are gone: somebody deleted them, and with
// them the only copy of their events.

/// The segments that the store has read and that are not there any more, each in words:
/// `2026-11-19.jsonl, with 2 events of 2026-11-19`.
pub(crate) fn gone_segments(paths: &Paths, contents: &Contents) -> Vec<String> {
    let events = paths.events();
    let is_gone = |read: &&SegmentRead| events.join(&read.segment).symlink_metadata().is_err();
    let gone = contents.segments.iter().filter(is_gone);
    gone.map(in_words).collect()
}

fn in_words(read: &SegmentRead) -> String {
    let count = counted(read.events, "event", "events");
    let name = SegmentName::parse(&read.segment);
    let day = name.as_ref().and_then(|name| Some(name.day()?.to_string()));
    let month = || Some(name.as_ref()?.month()?.format("%Y-%m").to_string());
    let of = day.or_else(month);
    let of = of.map_or_else(String::new, |of| format!(" of {of}"));
    clean(&format!("{}, with {count}{of}", read.segment))
}
