//! Imports: events of other origin are appended to the log like the hook's own, so that the store is a
//! function of the log alone, also when the transcripts are gone.

use std::collections::HashSet;
use std::fmt;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use memchr::memrchr;
use plantune_domain::event::Event;
use plantune_domain::registry::Registry;
use plantune_domain::{clock, spool};

use crate::error::Error;
use crate::progress::Progress;
use crate::projection::{KINDS, row_id};
use crate::store::Writer;
use crate::{claude_code, gstack, trace};

/// How many events are looked up and written at a time, at most.
const EVENTS_AT_ONCE: usize = 4096;

/// What the names of the segments begin with that imports write, before the source's name.
const SEGMENTS: &str = "import-";

/// How much of a segment is searched for its last line's end at a time, in bytes.
const SEARCHED_BYTES: u64 = 64 * 1024;

/// Why an import failed.
#[derive(Debug)]
pub enum ImportError {
    /// The transcripts.
    Transcripts(claude_code::Error),
    /// gstack's folder.
    Gstack(PathBuf, io::Error),
    /// The store.
    Store(Error),
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Transcripts(error) => error.fmt(f),
            Self::Gstack(path, error) => {
                write!(f, "no logs of gstack's below {}: {error}", path.display())
            }
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ImportError {}

impl From<Error> for ImportError {
    fn from(error: Error) -> Self {
        Self::Store(error)
    }
}

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
        let mut sink = self.sink("claude-code", now, progress)?;
        let read = claude_code::read(root, registry, &mut |event| sink.take(event));
        let read = read.and_then(|found| {
            sink.flush().map_err(claude_code::Error::Sink)?;
            Ok(found)
        });
        if let Some(error) = sink.failure.take() {
            return Err(error.into());
        }
        let found = read.map_err(ImportError::Transcripts)?;
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
        let mut sink = self.sink("gstack", now, progress)?;
        let read = gstack::read(root, &mut |event| sink.take(event));
        let read = read.and_then(|found| sink.flush().map(|()| found));
        if let Some(error) = sink.failure.take() {
            return Err(error.into());
        }
        let found = read.map_err(|error| ImportError::Gstack(root.to_owned(), error))?;
        let (added, known) = (sink.added, sink.known);
        self.ingest(progress)?;
        Ok(GstackImport {
            found,
            added,
            known,
        })
    }

    /// What appends the events of `source`, with all that was logged before in the store.
    fn sink(
        &mut self,
        source: &str,
        now: DateTime<Utc>,
        progress: &Progress,
    ) -> Result<Sink<'_>, Error> {
        self.ingest(progress)?;
        cut_torn_lines(&self.paths().events()).map_err(Error::Spool)?;
        let day = clock::timestamp(now);
        let day = day.split('T').next().unwrap_or_default();
        let segment = format!("{SEGMENTS}{source}-{day}.jsonl");
        Ok(Sink {
            segment: self.paths().events().join(segment),
            writer: self,
            waiting: Vec::new(),
            added: 0,
            known: 0,
            failure: None,
        })
    }
}

/// What identifies an event about a question: its kind, call and index.
type EventKey = (String, String, u32);

fn key(event: &Event<'_>) -> EventKey {
    (
        event.kind.to_string(),
        event.tool_use_id.as_deref().unwrap_or_default().to_owned(),
        event.question_index.unwrap_or_default(),
    )
}

/// The events that the store has, of the questions that `keys` are about.
fn known_events<'k>(
    writer: &Writer,
    keys: impl Iterator<Item = &'k EventKey>,
) -> Result<HashSet<EventKey>, Error> {
    let mut known = HashSet::new();
    let Some(connection) = writer.connection() else {
        return Ok(known);
    };
    let ids: Vec<u64> = keys.map(|(_, call, index)| row_id(call, *index)).collect();
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
    Ok(known)
}

/// Receives events, and appends those that the log does not hold.
struct Sink<'w> {
    writer: &'w Writer,
    segment: PathBuf,
    waiting: Vec<(EventKey, Vec<u8>)>,
    added: u64,
    known: u64,
    /// Why events could not be appended, if that is so.
    failure: Option<Error>,
}

impl Sink<'_> {
    fn take(&mut self, event: &Event<'_>) -> io::Result<()> {
        self.waiting.push((key(event), event.to_line()?));
        if self.waiting.len() >= EVENTS_AT_ONCE {
            self.flush()
        } else {
            Ok(())
        }
    }

    /// What reads the transcripts only learns that it should stop; the reason is kept.
    fn flush(&mut self) -> io::Result<()> {
        self.append().map_err(|error| {
            let stop = io::Error::other(error.to_string());
            self.failure = Some(error);
            stop
        })
    }

    fn append(&mut self) -> Result<(), Error> {
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
            Ok(())
        } else {
            // The store is this writer's alone, so the segment is.
            trace::step("write log", || spool::append_alone(&self.segment, &lines))
                .map_err(|error| Error::SpoolWrite(self.segment.clone(), error))
        }
    }
}

/// Cuts off the half line that a killed import left: the next one writes that event again. Only imports
/// append to these segments, and only one at a time, the one that holds the store.
fn cut_torn_lines(events: &Path) -> io::Result<()> {
    let entries = match fs::read_dir(events) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(SEGMENTS) && name.ends_with(".jsonl") {
            let file = File::open(entry.path())?;
            let length = file.metadata()?.len();
            let end = end_of_last_line(&file, length)?;
            if end < length {
                File::options()
                    .write(true)
                    .open(entry.path())?
                    .set_len(end)?;
            }
        }
    }
    Ok(())
}

/// Behind the last newline of a file of `length` bytes; 0 without one.
fn end_of_last_line(file: &File, length: u64) -> io::Result<u64> {
    let mut end = length;
    let mut buffer = Vec::new();
    while end > 0 {
        let start = end.saturating_sub(SEARCHED_BYTES);
        buffer.resize(usize::try_from(end - start).unwrap_or_default(), 0);
        file.read_exact_at(&mut buffer, start)?;
        if let Some(at) = memrchr(b'\n', &buffer) {
            return Ok(start + at as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    #[test]
    fn half_a_line_is_cut() {
        let folder = tempfile::tempdir().unwrap();
        cut_torn_lines(&folder.path().join("events")).unwrap();
        let long = vec![b'x'; 3 * SEARCHED_BYTES as usize];
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
            File::create(&path).unwrap().write_all(content).unwrap();
            cut_torn_lines(folder.path()).unwrap();
            assert_eq!(fs::metadata(&path).unwrap().len(), left, "{name}");
        }
    }
}
