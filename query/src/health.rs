//! Behind `plantune doctor`: whether the store can be read, what it holds, and which lines
//! of the log could not become events. A store of another version is described, not refused.

use std::path::Path;

use chrono::{DateTime, NaiveDate, NaiveDateTime, Utc};
use duckdb::{AccessMode, Connection, Row, params};

use crate::store::Error;

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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// Events in the log, those that it holds twice counted twice.
    pub events: u64,
    /// Questions.
    pub questions: u64,
    /// Answers to questions that no hook and no transcript knows to have been asked.
    pub unasked: u64,
    /// The time of the latest question or event of a session.
    pub last_at: Option<DateTime<Utc>>,
    /// The time of the latest event that a hook logged; imported ones are left out.
    pub last_hook_at: Option<DateTime<Utc>>,
    /// Prompts for permission.
    pub prompts: u64,
    /// The time of the first prompt that a hook logged, or of the first that a transcript says was allowed:
    /// of what was before, refusals alone are known.
    pub approvals_since: Option<DateTime<Utc>>,
    /// How far each segment has been read, in the order of names.
    pub segments: Vec<SegmentRead>,
    /// The lines in quarantine by kind, the most frequent first.
    pub quarantine: Vec<Quarantined>,
    /// The latest lines in quarantine, the newest first.
    pub latest: Vec<QuarantinedLine>,
}

/// How far one segment of the log has been read.
#[derive(Clone, Debug, PartialEq, Eq)]
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quarantined {
    /// `torn`, `not_utf8`, `not_json`, `schema_version`, `not_an_event`, `too_long` or `other`.
    pub kind: String,
    /// How many there are.
    pub lines: u64,
    /// The latest day of them ([`crate::quarantine::Line::day`]).
    pub last_day: NaiveDate,
}

/// One line that could not become an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuarantinedLine {
    /// The segment it stands in.
    pub segment: String,
    /// Where it begins in the segment, in bytes.
    pub offset: u64,
    /// Why it was refused. Untrusted text.
    pub reason: String,
    /// Its length in bytes.
    pub length: u64,
}

/// Describes the store in `path` with up to `latest` lines of its quarantine; opens it read-only,
/// and closes it again.
///
/// # Errors
/// [`Error::Missing`] without a file, [`Error::Held`] when another process writes to it,
/// [`Error::Broken`] for a file that is no store, and DuckDB's own.
pub fn health(path: &Path, latest: u32) -> Result<Health, Error> {
    if !path.exists() {
        return Err(Error::Missing(path.to_owned()));
    }
    let connection = plantune_migrations::open(path, AccessMode::ReadOnly)?;
    let (version, known) = (
        plantune_migrations::version(&connection)?,
        plantune_migrations::newest(),
    );
    let contents = if version == known {
        Some(contents(&connection, latest)?)
    } else {
        None
    };
    Ok(Health {
        version,
        known,
        contents,
    })
}

fn contents(connection: &Connection, latest: u32) -> duckdb::Result<Contents> {
    let mut contents =
        connection.query_row(include_str!("../sql/health/contents.sql"), [], |row| {
            Ok(Contents {
                events: row.get("events")?,
                questions: row.get("questions")?,
                unasked: row.get("unasked")?,
                last_at: time(row, "last_at")?,
                last_hook_at: time(row, "last_hook_at")?,
                prompts: row.get("prompts")?,
                approvals_since: time(row, "approvals_since")?,
                ..Contents::default()
            })
        })?;
    contents.segments = connection
        .prepare(include_str!("../sql/health/segments.sql"))?
        .query_map([], |row| {
            Ok(SegmentRead {
                segment: row.get("segment")?,
                offset: row.get("offset")?,
                events: row.get("events")?,
                damage: row.get("damage")?,
            })
        })?
        .collect::<duckdb::Result<_>>()?;
    contents.quarantine = connection
        .prepare(include_str!("../sql/health/quarantine_kinds.sql"))?
        .query_map([], |row| {
            Ok(Quarantined {
                kind: row.get("kind")?,
                lines: row.get("lines")?,
                last_day: row.get("last_day")?,
            })
        })?
        .collect::<duckdb::Result<_>>()?;
    contents.latest = connection
        .prepare(include_str!("../sql/health/quarantine_latest.sql"))?
        .query_map(params![latest], |row| {
            Ok(QuarantinedLine {
                segment: row.get("segment")?,
                offset: row.get("offset")?,
                reason: row.get("reason")?,
                length: row.get("length")?,
            })
        })?
        .collect::<duckdb::Result<_>>()?;
    Ok(contents)
}

fn time(row: &Row<'_>, column: &str) -> duckdb::Result<Option<DateTime<Utc>>> {
    let time: Option<NaiveDateTime> = row.get(column)?;
    Ok(time.map(|time| time.and_utc()))
}

#[cfg(test)]
mod tests;
