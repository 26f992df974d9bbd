//! How prompts for permission were decided, read from the transcripts of their sessions when the store is
//! brought up to date: nobody waits for it then.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use chrono::{DateTime, TimeDelta, Utc};
use duckdb::Connection;
use plantune_agents::OTHERS;
use plantune_domain::platform::modified_ns;

use crate::error::Error;
use crate::follow::{Followed, Mark, follow, open as open_transcript};
use crate::progress::Progress;
use crate::store::Writer;

/// How long a prompt without a decision is looked after, in days.
const DAYS: i64 = 30;

/// What was read of transcripts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decisions {
    /// Transcripts with something new.
    pub transcripts: u64,
    /// Transcripts that are gone or cannot be read.
    pub unreadable: u64,
    /// Calls that a person allowed.
    pub granted: u64,
    /// Calls that were refused.
    pub refused: u64,
    /// Decisions in a form that is not known, or about calls that are not there.
    pub unknown: u64,
    /// Bytes read of transcripts.
    pub bytes: u64,
}

/// The transcripts with something new.
#[derive(Default)]
struct Waiting {
    followed: Vec<Followed>,
    modified_ns: Vec<i64>,
    unreadable: u64,
}

/// True when transcripts may say how prompts were decided of which the store behind `connection` does not know.
///
/// # Errors
/// DuckDB's.
pub fn has_undecided(connection: &Connection, now: DateTime<Utc>) -> Result<bool, Error> {
    // Who has no prompts is not kept waiting until DuckDB has planned what looks for their decisions.
    let sql = include_str!("../sql/has_prompts.sql");
    let has_prompts: bool = connection.query_row(sql, [], |row| row.get(0))?;
    Ok(has_prompts && !waiting(connection, now)?.followed.is_empty())
}

impl Writer {
    /// Reads on in the transcripts of sessions with prompts whose decision is not known, appends what they say
    /// to the log, and brings the store up to date with it. What was read once is not read again.
    ///
    /// # Errors
    /// Of the log, and DuckDB's. A transcript that cannot be read is counted.
    pub fn read_transcripts(
        &mut self,
        now: DateTime<Utc>,
        progress: &Progress,
    ) -> Result<Decisions, Error> {
        let Some(connection) = self.connection() else {
            return Ok(Decisions::default());
        };
        let waiting = waiting(connection, now)?;
        let mut decisions = Decisions {
            transcripts: waiting.followed.len() as u64,
            unreadable: waiting.unreadable,
            ..Decisions::default()
        };
        if waiting.followed.is_empty() {
            return Ok(decisions);
        }
        // A prompt is in the log before its decision is in the transcript, which is read as far as it went
        // when it was looked at.
        let read = self.append("claude-code", now, progress, |prompts, sink| {
            follow(&waiting.followed, prompts, sink)
        })?;
        let found = read.found.found;
        decisions.granted = found.granted;
        decisions.refused = found.refused;
        decisions.unknown = found.unknown_decisions + found.lost_decisions;
        decisions.bytes = read.found.bytes;
        let unread = read.found.marks.iter().filter(|mark| mark.is_none());
        decisions.unreadable += unread.count() as u64;
        if let Some(connection) = self.connection() {
            save(connection, &waiting, &read.found.marks)?;
        }
        Ok(decisions)
    }
}

/// The transcripts with something new of prompts that are open.
fn waiting(connection: &Connection, now: DateTime<Utc>) -> Result<Waiting, Error> {
    let since = now.checked_sub_signed(TimeDelta::days(DAYS)).unwrap_or(now);
    let mut statement = connection.prepare(include_str!("../sql/open_transcripts.sql"))?;
    let rows = statement.query_map([since.naive_utc()], |row| {
        let path: String = row.get(0)?;
        let (session, sub_agent): (String, Option<String>) = (row.get(1)?, row.get(2)?);
        let agent: Option<String> = row.get(3)?;
        let path = match agent {
            Some(_) => PathBuf::from(path),
            None => transcript(Path::new(&path), &session, sub_agent.as_deref()),
        };
        Ok((path, agent))
    })?;
    let paths: BTreeMap<PathBuf, Option<String>> = rows.collect::<duckdb::Result<_>>()?;
    let mut waiting = Waiting::default();
    if paths.is_empty() {
        return Ok(waiting);
    }
    let mut known = known(connection)?;
    for (path, agent) in paths {
        let agent = match agent {
            Some(name) => match OTHERS.iter().find(|other| other.name() == name) {
                Some(agent) => Some(*agent),
                None => continue,
            },
            None => None,
        };
        let Ok((_, found)) = open_transcript(&path) else {
            waiting.unreadable += 1;
            continue;
        };
        let length = found.len();
        let modified_ns = modified_ns(&found);
        let (as_read, mark) = known.remove(&path).unwrap_or_default();
        if as_read != (length, modified_ns) {
            waiting.modified_ns.push(modified_ns);
            waiting.followed.push(Followed {
                path,
                mark,
                length,
                agent,
            });
        }
    }
    Ok(waiting)
}

/// Where decisions about the calls of `agent` stand: in the session's transcript, or in the sub-agent's own.
fn transcript(path: &Path, session: &str, agent: Option<&str>) -> PathBuf {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let is_name = |name: &&str| !name.is_empty() && name.chars().all(is_part);
    match (
        agent.filter(is_name),
        Some(session).filter(is_name),
        path.parent(),
    ) {
        (Some(agent), Some(session), Some(folder)) => {
            let folder = folder.join(session).join("subagents");
            folder.join(format!("agent-{agent}.jsonl"))
        }
        _ => path.to_owned(),
    }
}

/// A transcript as it was when it was read (length and time of the last change), and how far that was.
type Known = ((u64, i64), Mark);

fn known(connection: &Connection) -> Result<HashMap<PathBuf, Known>, Error> {
    let mut statement = connection.prepare(include_str!("../sql/transcripts.sql"))?;
    let rows = statement.query_map([], |row| {
        let (path, mark): (String, String) = (row.get(0)?, row.get(3)?);
        let mark = serde_json::from_str(&mark).unwrap_or_default();
        Ok((PathBuf::from(path), ((row.get(1)?, row.get(2)?), mark)))
    })?;
    Ok(rows.collect::<duckdb::Result<_>>()?)
}

fn save(connection: &Connection, waiting: &Waiting, marks: &[Option<Mark>]) -> Result<(), Error> {
    let paths: Vec<_> = waiting.followed.iter().map(|one| &one.path).collect();
    let paths = serde_json::to_string(&paths).unwrap_or_default();
    let transaction = connection.unchecked_transaction()?;
    connection.execute(include_str!("../sql/forget_transcripts.sql"), [paths])?;
    let mut appender = connection.appender("transcripts")?;
    let read = waiting.followed.iter().zip(&waiting.modified_ns);
    for ((followed, modified_ns), mark) in read.zip(marks) {
        let (Some(mark), Some(path)) = (mark, followed.path.to_str()) else {
            continue;
        };
        let mark = serde_json::to_string(mark).unwrap_or_default();
        appender.append_row(duckdb::params![path, followed.length, modified_ns, mark])?;
    }
    appender.flush()?;
    drop(appender);
    Ok(transaction.commit()?)
}
