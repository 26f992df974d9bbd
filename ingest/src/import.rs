//! Imports: events from other sources are appended to the log like the hook's own. The store then depends on the log
//! alone, even when the transcripts are gone.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use chrono::{DateTime, NaiveDateTime, Utc};
use plantune_domain::event::{Event, Kind, question_event_id};
use plantune_domain::secrets::Key;
use plantune_domain::spool;

use crate::claude_code::{Prompt, Prompts, Sink};
use crate::projection::{KINDS, row_id};
use crate::segment::{Format, list};
use crate::store::run::Progress;
use crate::store::{Writer, run};
use crate::{Error, claude_code};

/// How many events are looked up and written at a time, at most.
const EVENTS_AT_ONCE: usize = 4096;

/// The start of the names of import segments, before the source's name.
const SEGMENTS: &str = "import-";

/// The results of an import, and how much of it was new.
#[derive(Debug)]
pub struct Import<F = claude_code::Summary> {
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
    let mut prompts = Prompts::default().with_key(Key::of(writer.paths()));
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
        let comes_first = [Kind::Asked, Kind::AutoDecided].map(Kind::as_str);
        let is_question = KINDS.contains(&&*event.kind);
        let call = event.tool_use_id.as_deref().filter(|_| is_question);
        self.waiting.push(Waiting {
            id: event.id.to_string(),
            row: call.map(|call| row_id(call, event.question_index.unwrap_or_default())),
            names_asker: event.skill.is_some() && comes_first.contains(&&*event.kind),
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
        run::step("write log", || spool::append_alone(&self.segment, &lines))
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
