//! Imports: events of other origin are appended to the log like the hook's own, so that the store is a
//! function of the log alone, also when the transcripts are gone.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use chrono::{DateTime, NaiveDateTime, Utc};
use plantune_domain::event::Event;
use plantune_domain::registry::Registry;
use plantune_domain::spool;

use crate::claude_code::{Prompt, Prompts};
use crate::error::Error;
use crate::progress::Progress;
use crate::projection::{KINDS, row_id};
use crate::spool::{Format, list};
use crate::store::Writer;
use crate::{claude_code, gstack, trace};

/// How many events are looked up and written at a time, at most.
const EVENTS_AT_ONCE: usize = 4096;

/// What the names of the segments begin with that imports write, before the source's name.
const SEGMENTS: &str = "import-";

/// Why an import failed.
pub type ImportError = claude_code::Error<Error>;

/// What an import found, and how much of it was new.
#[derive(Debug)]
pub struct Import {
    /// What the transcripts hold.
    pub found: claude_code::Summary,
    /// Events added to the log.
    pub added: u64,
    /// Events that the hook or an earlier import had logged.
    pub known: u64,
}

/// What an import of gstack's logs found, and how much of it was new.
#[derive(Debug)]
pub struct GstackImport {
    /// What the logs hold.
    pub found: gstack::Found,
    /// Events added to the log.
    pub added: u64,
    /// Events that an earlier import had logged.
    pub known: u64,
}

impl Writer {
    /// Appends every event of the transcripts at `root` that the log does not hold yet to a segment of its
    /// own, and brings the store up to date with it. A run that is killed has lost nothing, and the next
    /// adds what is missing.
    ///
    /// # Errors
    /// Of the transcripts' folder, of the log, and DuckDB's.
    pub fn import(
        &mut self,
        root: &Path,
        registry: &Registry,
        now: DateTime<Utc>,
        progress: &Progress,
    ) -> Result<Import, ImportError> {
        let looked_up = SystemTime::now().into();
        let mut sink = Sink::open(self, "claude-code", now, progress)?;
        let mut prompts = open_prompts(sink.writer())?;
        // Sessions go on while transcripts are read.
        prompts.leave_out_since(looked_up);
        let found = claude_code::read_with(root, registry, prompts, &mut |event| sink.take(event))?;
        sink.append()?;
        let (added, known) = (sink.added, sink.known);
        self.ingest(progress)?;
        Ok(Import {
            found,
            added,
            known,
        })
    }

    /// The same with every event of gstack's logs below `root`.
    ///
    /// # Errors
    /// Of gstack's folder, of the log, and DuckDB's.
    pub fn import_gstack(
        &mut self,
        root: &Path,
        now: DateTime<Utc>,
        progress: &Progress,
    ) -> Result<GstackImport, ImportError> {
        let mut sink = Sink::open(self, "gstack", now, progress)?;
        let found = gstack::read(root, &mut |event| sink.take(event))?;
        sink.append()?;
        let (added, known) = (sink.added, sink.known);
        self.ingest(progress)?;
        Ok(GstackImport {
            found,
            added,
            known,
        })
    }
}

/// What identifies an event: its kind, call and index for one about a question, else its kind and id.
type EventKey = (String, String, u32);

fn key(event: &Event<'_>) -> EventKey {
    let name = if is_of_question(&event.kind) {
        event.tool_use_id.as_deref().unwrap_or_default()
    } else {
        &event.id
    };
    (
        event.kind.to_string(),
        name.to_owned(),
        event.question_index.unwrap_or_default(),
    )
}

fn is_of_question(kind: &str) -> bool {
    KINDS.contains(&kind)
}

/// The events of `keys` that the store has.
fn known_events<'k>(
    writer: &Writer,
    keys: impl Iterator<Item = &'k EventKey>,
) -> Result<HashSet<EventKey>, Error> {
    let mut known = HashSet::new();
    let Some(connection) = writer.connection() else {
        return Ok(known);
    };
    let (questions, others): (Vec<_>, Vec<_>) = keys.partition(|(kind, ..)| is_of_question(kind));
    let ids = questions.iter();
    let ids: Vec<u64> = ids.map(|(_, call, index)| row_id(call, *index)).collect();
    let mut statement = connection.prepare(include_str!("../sql/known_events.sql"))?;
    let mut rows = statement.query([serde_json::to_string(&ids).unwrap_or_default()])?;
    while let Some(row) = rows.next()? {
        let (call, index): (String, u32) = (row.get(0)?, row.get(1)?);
        for (column, kind) in (2..).zip(KINDS) {
            if row.get(column)? {
                known.insert((kind.to_owned(), call.clone(), index));
            }
        }
    }
    let ids: Vec<&str> = others.iter().map(|(_, id, _)| id.as_str()).collect();
    let mut statement = connection.prepare(include_str!("../sql/known_permissions.sql"))?;
    let rows = statement.query_map([serde_json::to_string(&ids).unwrap_or_default()], |row| {
        row.get::<_, String>(0)
    })?;
    let stored: HashSet<String> = rows.collect::<duckdb::Result<_>>()?;
    let others = others.into_iter().filter(|(_, id, _)| stored.contains(id));
    known.extend(others.cloned());
    Ok(known)
}

/// The prompts for permission that no decision is known of, in the order of time.
pub(crate) fn open_prompts(writer: &Writer) -> Result<Prompts, Error> {
    let mut prompts = Prompts::default();
    let Some(connection) = writer.connection() else {
        return Ok(prompts);
    };
    let mut statement = connection.prepare(include_str!("../sql/open_prompts.sql"))?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (session, agent): (String, Option<String>) = (row.get(0)?, row.get(1)?);
        let tool: Option<String> = row.get(2)?;
        let prompt = Prompt {
            id: row.get(3)?,
            at: row.get::<_, NaiveDateTime>(4)?.and_utc(),
            input_digest: row.get(5)?,
        };
        prompts.add(
            &session,
            agent.as_deref(),
            tool.as_deref().unwrap_or_default(),
            prompt,
        );
    }
    Ok(prompts)
}

/// Receives events, and appends those that the log does not hold.
pub(crate) struct Sink<'w> {
    writer: &'w Writer,
    segment: PathBuf,
    waiting: Vec<(EventKey, Vec<u8>)>,
    added: u64,
    known: u64,
}

impl<'w> Sink<'w> {
    /// What appends the events of `source`, with all that was logged before in the store.
    pub(crate) fn open(
        writer: &'w mut Writer,
        source: &str,
        now: DateTime<Utc>,
        progress: &Progress,
    ) -> Result<Self, Error> {
        writer.ingest(progress)?;
        cut_torn_lines(&writer.paths().events())?;
        let segment = format!("{SEGMENTS}{source}-{}.jsonl", now.date_naive());
        Ok(Self {
            segment: writer.paths().events().join(segment),
            writer,
            waiting: Vec::new(),
            added: 0,
            known: 0,
        })
    }

    /// The store that the events are compared with.
    pub(crate) fn writer(&self) -> &Writer {
        self.writer
    }

    pub(crate) fn take(&mut self, event: &Event<'_>) -> Result<(), Error> {
        let line = event.to_line();
        let line = line.map_err(|error| Error::SpoolWrite(self.segment.clone(), error.into()))?;
        self.waiting.push((key(event), line));
        if self.waiting.len() >= EVENTS_AT_ONCE {
            self.append()?;
        }
        Ok(())
    }

    pub(crate) fn append(&mut self) -> Result<(), Error> {
        let keys = self.waiting.iter().map(|(key, _)| key);
        let known = known_events(self.writer, keys)?;
        let mut lines = Vec::new();
        for (key, line) in self.waiting.drain(..) {
            if known.contains(&key) {
                self.known += 1;
            } else {
                self.added += 1;
                lines.extend(line);
            }
        }
        if lines.is_empty() {
            return Ok(());
        }
        // The store is this writer's alone, so the segment is.
        trace::step("write log", || spool::append_alone(&self.segment, &lines))
            .map_err(|error| Error::SpoolWrite(self.segment.clone(), error))
    }
}

/// Cuts off the half line that a killed import left: the next one writes that event again. Only imports
/// append to these segments, and only one at a time, the one that holds the store.
fn cut_torn_lines(events: &Path) -> Result<(), Error> {
    for segment in list(events).map_err(Error::Spool)? {
        let is_import = segment.name.file_name().starts_with(SEGMENTS);
        if is_import && segment.name.format() == Format::Lines {
            spool::append_alone(&segment.path, &[])
                .map_err(|error| Error::SpoolWrite(segment.path, error))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, File};
    use std::io::Write as _;
    use std::time::SystemTime;

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
