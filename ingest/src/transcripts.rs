//! Reads how permission prompts were decided from the transcripts of their sessions. This runs when the store is
//! brought up to date, while nobody waits.

use std::collections::{BTreeMap, HashMap};
use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use chrono::{DateTime, TimeDelta, Utc};
use duckdb::Connection;
use plantune_agents::{Installed, OTHERS};
use plantune_domain::clock::modified_ns;
use plantune_domain::private_file;
use plantune_domain::registry::Registry;
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::claude_code::emitter::Emitter;
use crate::claude_code::transcript::{State, Transcript};
use crate::claude_code::{Prompts, Sink, Summary};
use crate::histories::read_decisions;
use crate::segment::hash_before;
use crate::store::Writer;
use crate::store::run::Progress;

/// For how many days a prompt's decision is searched for.
const DAYS: i64 = 30;

/// How far a transcript was read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// In bytes.
    pub offset: u64,
    /// [`hash_before`] the offset, which detects a transcript that was rewritten. Empty when nothing was read.
    tail: String,
    /// The reader's state at the offset.
    state: State,
}

/// A transcript to continue reading.
#[derive(Clone, Debug)]
pub struct Followed {
    /// The transcript.
    pub path: PathBuf,
    /// Where to begin; after reading, where it stopped.
    pub mark: Mark,
    /// The length to read up to, in bytes. Anything written meanwhile is left for the next time.
    pub length: u64,
    /// When it was last changed, in nanoseconds since 1970.
    pub modified_ns: i64,
    /// The agent whose history it is; `None` for Claude Code. Another agent's history is always read from its
    /// beginning.
    pub agent: Option<&'static dyn Installed>,
}

/// True when transcripts may hold decisions about prompts that the store behind `connection` does not have.
///
/// # Errors
/// DuckDB errors.
pub fn has_undecided(connection: &Connection, now: DateTime<Utc>) -> Result<bool, Error> {
    // This cheap query comes first: without prompts, nobody waits for DuckDB to plan the larger one.
    let sql = include_str!("../sql/has_prompts.sql");
    let has_prompts: bool = connection.query_row(sql, [], |row| row.get(0))?;
    Ok(has_prompts && !waiting(connection, now, &mut Summary::default())?.is_empty())
}

impl Writer {
    /// Continues reading the transcripts of sessions with undecided prompts, appends the decisions to the log, and
    /// brings the store up to date. Nothing is read twice.
    ///
    /// # Errors
    /// Log and DuckDB errors. A transcript that cannot be read is counted.
    pub fn read_transcripts(
        &mut self,
        now: DateTime<Utc>,
        progress: &Progress,
    ) -> Result<Summary, Error> {
        let mut summary = Summary::default();
        let Some(connection) = self.connection() else {
            return Ok(summary);
        };
        let transcripts = waiting(connection, now, &mut summary)?;
        if transcripts.is_empty() {
            return Ok(summary);
        }
        // A prompt is logged before its decision is in the transcript, and a transcript is read only up to the length
        // found at the start.
        let import = self.import("claude-code", now, progress, |prompts, sink| {
            follow(transcripts, prompts.with_all(), sink)
        })?;
        let (mut found, read) = import.found;
        found.unreadable_files.extend(summary.unreadable_files);
        if let Some(connection) = self.connection() {
            save(connection, &read)?;
        }
        Ok(found)
    }
}

/// Passes the decisions in the new parts of `transcripts` to `sink` as events, joined to `prompts`. Returns the counts
/// and the transcripts that could be read. Calls allowed without one of these prompts are left out.
///
/// # Errors
/// Whatever `sink` returns.
pub fn follow(
    transcripts: Vec<Followed>,
    prompts: Prompts,
    sink: Sink<'_>,
) -> Result<(Summary, Vec<Followed>), Error> {
    let registry = Registry::default();
    let mut emitter = Emitter::new(&registry, prompts, sink);
    // The person did not ask for this import, and an agent can write to its own transcript.
    emitter.needs_prompt = true;
    let mut read = Vec::new();
    let of_claude_code = emitter.of;
    for mut followed in transcripts {
        if let Some(agent) = followed.agent {
            read_decisions(agent, &followed.path, &mut emitter)?;
            emitter.of = of_claude_code;
        } else {
            match read_on(&followed) {
                Ok((mark, transcript)) => {
                    followed.mark = mark;
                    emitter.emit_permissions(&transcript)?;
                    emitter.summary.count(transcript.summary);
                }
                Err(error) => {
                    emitter.summary.unreadable(&followed.path, &error);
                    continue;
                }
            }
        }
        emitter.summary.files += 1;
        read.push(followed);
    }
    Ok((emitter.finish(), read))
}

/// Reads the complete lines that were added, and returns the new mark and the transcript.
fn read_on(followed: &Followed) -> io::Result<(Mark, Transcript)> {
    let (file, _) = open(&followed.path)?;
    let mark = &followed.mark;
    let goes_on = mark.offset <= followed.length && hash_before(&file, mark.offset)? == mark.tail;
    let from = Some(mark.clone()).filter(|_| goes_on).unwrap_or_default();
    let mut transcript = Transcript::new(&followed.path, from.state);
    let length = Some(followed.length);
    transcript.read_lines(&file, from.offset, length, &Progress::default())?;
    let mark = Mark {
        offset: transcript.end,
        tail: hash_before(&file, transcript.end)?,
        state: transcript.state.clone(),
    };
    Ok((mark, transcript))
}

/// Opens the transcript at `path`, and returns its metadata. The path comes from a log and may be wrong, so only a
/// regular file is read.
fn open(path: &Path) -> io::Result<(File, Metadata)> {
    let is_named = path.extension().is_some_and(|name| name == "jsonl");
    if !is_named || !path.is_absolute() {
        return Err(io::Error::other("no transcript"));
    }
    let file = private_file::open_ordinary(path)?;
    let found = file.metadata()?;
    Ok((file, found))
}

/// The transcripts of open prompts that have something new. Missing or unreadable ones are counted in `summary`.
fn waiting(
    connection: &Connection,
    now: DateTime<Utc>,
    summary: &mut Summary,
) -> Result<Vec<Followed>, Error> {
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
    let mut waiting = Vec::new();
    if paths.is_empty() {
        return Ok(waiting);
    }
    let mut known = known(connection)?;
    for (path, agent) in paths {
        let of_name = |name: &String| OTHERS.iter().find(|other| other.name() == name).copied();
        let found_agent = agent.as_ref().map(of_name);
        if found_agent.is_some_and(|agent| agent.is_none()) {
            continue;
        }
        let found = match open(&path) {
            Ok((_, found)) => found,
            Err(error) => {
                summary.unreadable(&path, &error);
                continue;
            }
        };
        let length = found.len();
        let modified_ns = modified_ns(&found);
        let (as_read, mark) = known.remove(&path).unwrap_or_default();
        if as_read != (length, modified_ns) {
            waiting.push(Followed {
                path,
                mark,
                length,
                modified_ns,
                agent: found_agent.flatten(),
            });
        }
    }
    Ok(waiting)
}

/// The file with the decisions about the calls of `agent`: the session's transcript, or the sub-agent's own.
fn transcript(path: &Path, session: &str, agent: Option<&str>) -> PathBuf {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let is_name = |name: &str| !name.is_empty() && name.chars().all(is_part);
    match (agent, path.parent()) {
        (Some(agent), Some(folder)) if is_name(agent) && is_name(session) => {
            let folder = folder.join(session).join("subagents");
            folder.join(format!("agent-{agent}.jsonl"))
        }
        _ => path.to_owned(),
    }
}

/// A transcript's length and modification time when it was read, and how far it was read.
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

fn save(connection: &Connection, read: &[Followed]) -> Result<(), Error> {
    let paths: Vec<_> = read.iter().map(|one| &one.path).collect();
    let paths = serde_json::to_string(&paths).unwrap_or_default();
    let transaction = connection.unchecked_transaction()?;
    connection.execute(include_str!("../sql/forget_transcripts.sql"), [paths])?;
    let mut appender = connection.appender("transcripts")?;
    for one in read {
        let Some(path) = one.path.to_str() else {
            continue;
        };
        let mark = serde_json::to_string(&one.mark).unwrap_or_default();
        appender.append_row(duckdb::params![path, one.length, one.modified_ns, mark])?;
    }
    appender.flush()?;
    drop(appender);
    Ok(transaction.commit()?)
}
