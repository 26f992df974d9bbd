//! Imports: events of other origin go through the spool like the hook's own, so that the store can
//! always be computed from the spool alone, also when the transcripts are gone.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use plantune_hooks::event::Event;
use plantune_hooks::registry::Registry;
use plantune_hooks::{clock, spool};

use crate::decode::decode;
use crate::error::Error;
use crate::ingest::known_ids;
use crate::progress::Progress;
use crate::{Writer, claude_code};

/// How many events are looked up and written at a time.
const AT_ONCE: usize = 4096;

/// Why an import failed.
#[derive(Debug)]
pub enum ImportError {
    /// The transcripts.
    Transcripts(claude_code::Error),
    /// The store.
    Store(Error),
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Transcripts(error) => error.fmt(f),
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

impl Writer {
    /// Adds every question of the transcripts at `root` that the log does not hold yet.
    ///
    /// New events are appended to a segment of the spool first and read from there, so a run that
    /// is killed has lost nothing and the next adds what is missing.
    ///
    /// # Errors
    /// Of the transcripts' folder, of the spool, and DuckDB's.
    pub fn import(
        &mut self,
        root: &Path,
        registry: &Registry,
        now: DateTime<Utc>,
        progress: &Progress,
    ) -> Result<Import, ImportError> {
        self.ingest(now, progress)?;
        let day = clock::timestamp(now);
        let day = day.split('T').next().unwrap_or_default();
        let mut sink = Sink {
            writer: self,
            segment: self
                .paths()
                .events()
                .join(format!("import-claude-code-{day}.jsonl")),
            waiting: Vec::new(),
            known: 0,
            failure: None,
        };
        let read = claude_code::read(root, registry, &mut |event| sink.take(event));
        let read = read.and_then(|found| {
            sink.flush().map_err(claude_code::Error::Sink)?;
            Ok(found)
        });
        if let Some(error) = sink.failure.take() {
            return Err(error.into());
        }
        let found = read.map_err(ImportError::Transcripts)?;
        let known = sink.known;
        let added = self.ingest(now, progress)?;
        Ok(Import {
            found,
            added: added.events,
            known: known + added.duplicates,
        })
    }
}

/// Takes events, and appends those that the log does not hold.
struct Sink<'w> {
    writer: &'w Writer,
    segment: PathBuf,
    waiting: Vec<([u8; 16], Vec<u8>)>,
    known: u64,
    /// Why events could not be taken, if that is so.
    failure: Option<Error>,
}

impl Sink<'_> {
    fn take(&mut self, event: &Event<'_>) -> io::Result<()> {
        let mut line = event.to_line()?;
        line.pop();
        let id = decode(&line).map_err(io::Error::other)?.id;
        line.push(b'\n');
        self.waiting.push((id, line));
        if self.waiting.len() >= AT_ONCE {
            self.flush()
        } else {
            Ok(())
        }
    }

    /// What reads the transcripts is only told that it should stop; why is kept.
    fn flush(&mut self) -> io::Result<()> {
        self.append().map_err(|error| {
            let stop = io::Error::other(error.to_string());
            self.failure = Some(error);
            stop
        })
    }

    fn append(&mut self) -> Result<(), Error> {
        let ids = self.waiting.iter().map(|(id, _)| *id).collect();
        let known = known_ids(self.writer.connection(), self.writer.feeds(), ids)?;
        let mut lines = Vec::new();
        for (id, line) in self.waiting.drain(..) {
            if known.contains(&id) {
                self.known += 1;
            } else {
                lines.extend(line);
            }
        }
        if lines.is_empty() {
            Ok(())
        } else {
            // The store is this writer's alone, so the segment is.
            spool::append_alone(&self.segment, &lines)
                .map_err(|error| Error::SpoolWrite(self.segment.clone(), error))
        }
    }
}
