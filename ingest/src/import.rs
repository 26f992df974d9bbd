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
        };
        let found = claude_code::read(root, registry, &mut |event| sink.take(event))
            .map_err(ImportError::Transcripts)?;
        sink.flush()
            .map_err(|error| ImportError::Transcripts(claude_code::Error::Sink(error)))?;
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

    fn flush(&mut self) -> io::Result<()> {
        let ids = self.waiting.iter().map(|(id, _)| *id).collect();
        let known = known_ids(self.writer.connection(), self.writer.feeds(), ids)
            .map_err(io::Error::other)?;
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
            spool::append_to(&self.segment, &lines)
        }
    }
}
