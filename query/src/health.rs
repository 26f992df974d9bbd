//! Behind `plantune doctor`: whether the store can be read, what it holds, and which lines
//! of the log could not become events. A store of another version is described, not refused.

use std::path::Path;

use std::time::Duration;

use chrono::{DateTime, NaiveDate, Utc};
use serde::Deserialize;

use crate::quarantine::Line;
use crate::rows::any_utc;
use crate::{Error, Store};

/// The state of a store that could be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Health {
    /// The store's schema version.
    pub version: u32,
    /// The schema version known here.
    pub known: u32,
    /// What it holds; `None` when the versions differ.
    pub contents: Option<Contents>,
}

/// What a store holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Contents {
    /// Events in the log, those that it holds twice counted twice.
    pub events: u64,
    /// Questions.
    pub questions: u64,
    /// Answers to questions that no hook and no transcript knows to have been asked.
    pub unasked: u64,
    /// The time of the latest question or event of a session.
    #[serde(with = "any_utc")]
    pub last_at: Option<DateTime<Utc>>,
    /// The time of the latest event that a hook logged; imported ones are left out.
    #[serde(with = "any_utc")]
    pub last_hook_at: Option<DateTime<Utc>>,
    /// Prompts for permission.
    pub prompts: u64,
    /// The time of the first prompt that a hook logged, or of the first that a transcript says was allowed:
    /// of what was before, refusals alone are known.
    #[serde(with = "any_utc")]
    pub approvals_since: Option<DateTime<Utc>>,
    /// How far each segment has been read, in the order of names.
    #[serde(skip)]
    pub segments: Vec<SegmentRead>,
    /// The lines in quarantine by kind, the most frequent first.
    #[serde(skip)]
    pub quarantine: Vec<Quarantined>,
    /// The latest lines in quarantine, the newest first.
    #[serde(skip)]
    pub latest: Vec<Line>,
}

/// How far one segment of the log has been read.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct SegmentRead {
    /// The file's name.
    pub segment: String,
    /// Bytes read.
    pub offset: u64,
    /// Events read.
    pub events: u64,
    /// Why the rest of it cannot be read, if it is damaged.
    pub damage: Option<String>,
}

/// The lines that were refused for one kind of reason.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Quarantined {
    /// `torn`, `not_utf8`, `not_json`, `schema_version`, `not_an_event`, `too_long` or `other`.
    pub kind: String,
    /// How many there are.
    pub lines: u64,
    /// The latest day of them ([`Line::day`]).
    pub last_day: NaiveDate,
}

/// Describes the store in `path` with up to `latest` lines of its quarantine; opens it read-only,
/// and closes it again.
///
/// # Errors
/// [`Error::Missing`] without a file, [`Error::Held`] when another process writes to it,
/// [`Error::Broken`] for a file that is no store, and DuckDB's own.
pub fn health(path: &Path, latest: u32) -> Result<Health, Error> {
    let (version, contents) = match Store::open_within(path, Duration::ZERO) {
        Ok(store) => (
            plantune_migrations::newest(),
            Some(contents(&store, latest)?),
        ),
        Err(Error::Version { found, .. }) => (found, None),
        Err(error) => return Err(error),
    };
    Ok(Health {
        version,
        known: plantune_migrations::newest(),
        contents,
    })
}

fn contents(store: &Store, latest: u32) -> Result<Contents, Error> {
    let segments = include_str!("../sql/health/segments.sql");
    let kinds = include_str!("../sql/health/quarantine_kinds.sql");
    Ok(Contents {
        segments: store.rows(segments, [])?,
        quarantine: store.rows(kinds, [])?,
        latest: store.quarantine(Some(latest))?.lines,
        ..store.row(include_str!("../sql/health/contents.sql"), [])?
    })
}

#[cfg(test)]
mod tests;
