//! Imports: events from other sources are appended to the log like the hook's own. The store then depends on the log
//! alone, even when the transcripts are gone.

use std::collections::{BTreeMap, HashMap};
use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use duckdb::Connection;
use plantune_agents::{Installed, OTHERS};
use plantune_domain::clock::modified_ns;
use plantune_domain::event::{Event, Kind, question_event_id};
use plantune_domain::permissions::DigestKey;
use plantune_domain::{private_file, spool};
use serde::{Deserialize, Serialize};

use crate::claude_code::emitter::Emitter;
use crate::claude_code::transcript::{Transcript, TranscriptState};
use crate::claude_code::{LoggedPrompt, Prompts, Sink, TranscriptSummary};
use crate::histories::read_decisions;
use crate::progress::step;
use crate::projection::row_id;
use crate::segment::{Format, hash_before, list};
use crate::store::Writer;
use crate::{Error, Progress};

/// How many events are looked up and written at a time, at most.
const EVENTS_AT_ONCE: usize = 4096;

/// The start of the names of import segments, before the source's name.
const SEGMENTS: &str = "import-";

/// The results of an import, and how much of it was new.
#[derive(Debug, Default)]
pub struct Import<F = TranscriptSummary> {
    /// Counts of the contents of the transcripts.
    pub found: F,
    /// Events added to the log.
    pub added: u64,
    /// Events that the hook or an earlier import had logged.
    pub known: u64,
}

impl Writer {
    /// Appends the events of `source` that `read` finds and the log does not have yet to a separate segment, and brings
    /// the store up to date. `read` gets the permission prompts without a known decision. A killed run loses
    /// nothing: the next one adds what is missing.
    ///
    /// # Errors
    /// Errors of `read`, log errors, and DuckDB errors.
    pub fn import<F>(
        &mut self,
        source: &str,
        now: DateTime<Utc>,
        progress: &Progress,
        read: impl FnOnce(Prompts, Sink<'_>) -> Result<F, Error>,
    ) -> Result<Import<F>, Error> {
        let events = self.paths().events();
        // Sessions go on while transcripts are read.
        let looked_up = SystemTime::now().into();
        // The events are compared with the store, so it must have everything logged before. With an empty log there is
        // nothing to compare, and the store is computed once, at the end.
        if !list(&events)?.is_empty() {
            self.ingest(progress)?;
        }
        cut_torn_lines(&events)?;
        let segment = format!("{SEGMENTS}{source}-{}.jsonl", now.date_naive());
        let mut new = NewEvents {
            writer: self,
            segment: events.join(segment),
            waiting: Vec::new(),
            added: 0,
            known: 0,
        };
        let mut prompts = open_prompts(new.writer)?;
        prompts.leave_out_since(looked_up);
        let found = read(prompts, &mut |event| new.take(event))?;
        new.append()?;
        let (added, known) = (new.added, new.known);
        self.ingest(progress)?;
        Ok(Import {
            found,
            added,
            known,
        })
    }
}

/// The ids of the `events` that the store has, and whether it knows who asked.
fn known_events(writer: &Writer, events: &[Waiting]) -> Result<HashMap<String, bool>, Error> {
    let Some(connection) = writer.connection() else {
        return Ok(HashMap::new());
    };
    let rows: Vec<u64> = events.iter().filter_map(|event| event.row).collect();
    let others = events.iter().filter(|event| event.row.is_none());
    let ids: Vec<&str> = others.map(|event| &*event.id).collect();
    let json = [serde_json::to_string(&rows), serde_json::to_string(&ids)];
    let mut statement = connection.prepare(include_str!("../sql/known_events.sql"))?;
    let known = statement.query_map(json.map(Result::unwrap_or_default), |row| {
        let (kind, id): (String, String) = (row.get(0)?, row.get(1)?);
        let id = match Kind::parse(&kind) {
            Some(kind) => question_event_id(kind, &id, row.get(2)?),
            None => id,
        };
        Ok((id, row.get(3)?))
    })?;
    Ok(known.collect::<duckdb::Result<_>>()?)
}

/// The permission prompts without a known decision, ordered by time.
fn open_prompts(writer: &Writer) -> Result<Prompts, Error> {
    let mut prompts = Prompts::default().with_key(DigestKey::of(writer.paths()));
    let Some(connection) = writer.connection() else {
        return Ok(prompts);
    };
    let mut statement = connection.prepare(include_str!("../sql/projects.sql"))?;
    let projects = statement.query_map([], |row| row.get(0))?;
    prompts.projects = projects.collect::<duckdb::Result<_>>()?;
    let mut statement = connection.prepare(include_str!("../sql/open_prompts.sql"))?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (session, agent): (String, Option<String>) = (row.get(0)?, row.get(1)?);
        let tool: Option<String> = row.get(2)?;
        let prompt = LoggedPrompt {
            id: row.get(3)?,
            at: row.get::<_, NaiveDateTime>(4)?.and_utc(),
            input_digest: row.get(5)?,
        };
        let tool = tool.as_deref().unwrap_or_default();
        prompts.add(&session, agent.as_deref(), tool, prompt);
    }
    Ok(prompts)
}

/// An event that may already be in the log.
struct Waiting {
    id: String,
    /// The id of the question's row, if it is about one.
    row: Option<u64>,
    /// True when it says which command or skill was running when the question came up.
    names_asker: bool,
    line: Vec<u8>,
}

/// Events on their way to the log. An event is written when the log does not have it, or when it adds who asked a
/// question that the log otherwise has.
struct NewEvents<'w> {
    writer: &'w Writer,
    segment: PathBuf,
    waiting: Vec<Waiting>,
    added: u64,
    known: u64,
}

impl NewEvents<'_> {
    fn take(&mut self, event: &Event<'_>) -> Result<(), Error> {
        let line = event.to_line();
        let line = line.map_err(|error| Error::SpoolWrite(self.segment.clone(), error.into()))?;
        let kind = Kind::parse(&event.kind);
        let is_question = kind.is_some_and(Kind::is_of_question);
        let comes_first = matches!(kind, Some(Kind::Asked | Kind::AutoDecided));
        let call = event.tool_use_id.as_deref().filter(|_| is_question);
        self.waiting.push(Waiting {
            id: event.id.to_string(),
            row: call.map(|call| row_id(call, event.question_index.unwrap_or_default())),
            names_asker: event.skill.is_some() && comes_first,
            line,
        });
        if self.waiting.len() >= EVENTS_AT_ONCE {
            self.append()?;
        }
        Ok(())
    }

    fn append(&mut self) -> Result<(), Error> {
        let known = known_events(self.writer, &self.waiting)?;
        let mut lines = Vec::new();
        for event in self.waiting.drain(..) {
            let is_known = known.get(&event.id);
            if is_known.is_some_and(|knows_asker| *knows_asker || !event.names_asker) {
                self.known += 1;
            } else {
                self.added += 1;
                lines.extend(event.line);
            }
        }
        if lines.is_empty() {
            return Ok(());
        }
        // This writer has the store to itself, and so the segment.
        step("write log", || spool::append_alone(&self.segment, &lines))
            .map_err(|error| Error::SpoolWrite(self.segment.clone(), error))
    }
}

/// Cuts off the half line that a killed import left; the next import writes that event again. Only imports append to
/// these segments, and only one at a time: the one that holds the store.
fn cut_torn_lines(events: &Path) -> Result<(), Error> {
    for segment in list(events)? {
        let is_import = segment.name.file_name().starts_with(SEGMENTS);
        if is_import && segment.name.format() == Format::Lines {
            spool::append_alone(&segment.path, &[])
                .map_err(|error| Error::SpoolWrite(segment.path, error))?;
        }
    }
    Ok(())
}

// How permission prompts were decided, from the transcripts of their sessions. This runs when the store is brought up to
// date, while nobody waits.

/// For how many days a prompt's decision is searched for.
const DAYS: i64 = 30;

/// How far a transcript was read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TranscriptMark {
    /// In bytes.
    pub offset: u64,
    /// [`hash_before`] the offset, which detects a transcript that was rewritten. Empty when nothing was read.
    tail: String,
    /// The reader's state at the offset.
    state: TranscriptState,
}

/// A transcript to continue reading.
#[derive(Clone, Debug)]
pub struct Followed {
    /// The transcript.
    pub path: PathBuf,
    /// Where to begin; after reading, where it stopped.
    pub mark: TranscriptMark,
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
    Ok(has_prompts && !waiting(connection, now, &mut TranscriptSummary::default())?.is_empty())
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
    ) -> Result<TranscriptSummary, Error> {
        let mut summary = TranscriptSummary::default();
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
) -> Result<(TranscriptSummary, Vec<Followed>), Error> {
    let mut emitter = Emitter::new(prompts, sink);
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
fn read_on(followed: &Followed) -> io::Result<(TranscriptMark, Transcript)> {
    let (file, _) = open(&followed.path)?;
    let mark = &followed.mark;
    let goes_on = mark.offset <= followed.length && hash_before(&file, mark.offset)? == mark.tail;
    let from = Some(mark.clone()).filter(|_| goes_on).unwrap_or_default();
    let mut transcript = Transcript::new(&followed.path, from.state);
    let length = Some(followed.length);
    transcript.read_lines(&file, from.offset, length, &Progress::default())?;
    let mark = TranscriptMark {
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
    summary: &mut TranscriptSummary,
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
type KnownTranscript = ((u64, i64), TranscriptMark);

fn known(connection: &Connection) -> Result<HashMap<PathBuf, KnownTranscript>, Error> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io::Write as _;

    #[test]
    fn half_a_line_is_cut() {
        let folder = tempfile::tempdir().unwrap();
        cut_torn_lines(&folder.path().join("events")).unwrap();
        let long = vec![b'x'; 3 * 64 * 1024];
        let mut torn = b"one\n".to_vec();
        torn.extend(&long);
        for (name, content, left) in [
            ("import-claude-code-2026-11-20.jsonl", &torn[..], 4),
            ("import-claude-code-2026-11-19.jsonl", b"one\ntwo\n", 8),
            ("import-claude-code-2026-11-18.jsonl", b"", 0),
            ("import-claude-code-2026-11-17.jsonl", &long, 0),
            ("2026-11-20.jsonl", b"one\nhalf", 8),
        ] {
            let path = folder.path().join(name);
            let mut file = File::create(&path).unwrap();
            file.write_all(content).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
            cut_torn_lines(folder.path()).unwrap();
            let found = fs::metadata(&path).unwrap();
            assert_eq!(found.len(), left, "{name}");
            let is_untouched = found.modified().unwrap() == SystemTime::UNIX_EPOCH;
            assert_eq!(is_untouched, left == content.len() as u64, "{name}");
        }
    }
}
