//! What is new in the log, read and projected by the threads that ask for it.

use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use chrono_tz::Tz;
use duckdb::Connection;
use duckdb::arrow::array::RecordBatch;

use super::segments::{Checkpoint, Work};
use crate::error::Error;
use crate::progress::Progress;
use crate::projection::other_events::needs_id;
use crate::projection::session::{self, Sessions};
use crate::projection::{Projected, project};
use crate::sealed::{ReadError, SealedFile, connect, decode_rows};
use crate::spool::{BadLine, Chunk, ChunkReader, Format, decode_lines, is_damage};

/// How much beside the questions is gathered before it is written, in bytes, about.
const GATHERED_BYTES: usize = 16 * 1024 * 1024;

/// What was gathered beside the rows of `questions`.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    pub(crate) events: u64,
    pub(crate) bad_lines: Vec<(String, BadLine)>,
    pub(crate) sessions: Sessions,
    pub(crate) changes: Vec<RecordBatch>,
    pub(crate) errors: Vec<RecordBatch>,
    /// The ids of the rows, and the sessions of these questions; only where they are wanted.
    pub(crate) ids: Vec<u64>,
    pub(crate) question_sessions: HashSet<String>,
    bytes: usize,
}

/// Reads the log. Shared by threads: each takes a chunk in turn and decodes it by itself.
pub(crate) struct Feed {
    zone: Tz,
    /// Whether ids and sessions of the rows are wanted: not when the whole store is computed.
    keeps_ids: bool,
    progress: Progress,
    reader: Mutex<Reader>,
    /// To read sealed segments with, those that nobody uses.
    connections: Mutex<Vec<Connection>>,
    batches: Mutex<VecDeque<RecordBatch>>,
    gathered: Mutex<Gathered>,
    failure: Mutex<Option<Error>>,
}

/// Where the reading stands.
struct Reader {
    work: VecDeque<Work>,
    open: Option<Open>,
    /// The checkpoints of what was read, by file name.
    checkpoints: HashMap<String, Checkpoint>,
    /// No chunk is given out until what was gathered is written.
    is_paused: bool,
}

/// The segment that is being read.
enum Open {
    Lines(ChunkReader),
    Rows(SealedFile, Box<dyn Iterator<Item = Range<u64>> + Send>),
}

/// What a thread projects at a time.
enum Part {
    Lines(Chunk),
    Rows(SealedFile, Range<u64>),
}

impl Feed {
    pub(crate) fn new(work: Vec<Work>, zone: Tz, keeps_ids: bool, progress: Progress) -> Self {
        Self {
            zone,
            keeps_ids,
            progress,
            reader: Mutex::new(Reader {
                work: work.into(),
                open: None,
                checkpoints: HashMap::new(),
                is_paused: false,
            }),
            connections: Mutex::default(),
            batches: Mutex::default(),
            gathered: Mutex::default(),
            failure: Mutex::default(),
        }
    }

    /// The next rows of the table `questions`; `None` at the end, or when [`Feed::take_gathered`] is to be
    /// called first.
    ///
    /// # Errors
    /// In words; [`Feed::take_failure`] has the error itself.
    pub(crate) fn next(&self) -> Result<Option<RecordBatch>, String> {
        loop {
            if let Some(batch) = lock(&self.batches).pop_front() {
                return Ok(Some(batch));
            }
            match self.project_next() {
                Ok(true) => {}
                Ok(false) => return Ok(None),
                Err(error) => {
                    let words = error.to_string();
                    lock(&self.failure).get_or_insert(error);
                    return Err(words);
                }
            }
        }
    }

    /// Why [`Feed::next`] failed.
    pub(crate) fn take_failure(&self) -> Option<Error> {
        lock(&self.failure).take()
    }

    /// What was gathered since the last call, and whether there is more to read.
    pub(crate) fn take_gathered(&self) -> (Gathered, bool) {
        let mut reader = lock(&self.reader);
        reader.is_paused = false;
        let is_more = !reader.work.is_empty() || !lock(&self.batches).is_empty();
        (std::mem::take(&mut *lock(&self.gathered)), is_more)
    }

    /// How far each segment has been read.
    pub(crate) fn take_checkpoints(&self) -> HashMap<String, Checkpoint> {
        std::mem::take(&mut lock(&self.reader).checkpoints)
    }

    /// Projects the next part; false when there is none.
    fn project_next(&self) -> Result<bool, Error> {
        // The lock must be released before the match: its arms take it again.
        let next = lock(&self.reader).next(self)?;
        match next {
            None => return Ok(false),
            Some((segment, Part::Lines(chunk))) => {
                let lines = decode_lines(&chunk);
                let projected = project(&lines.events, self.zone)?;
                self.progress.add(chunk.bytes.len() as u64);
                let events = lines.events.len() as u64;
                self.gather(&segment, events, lines.bad_lines, projected);
            }
            Some((segment, Part::Rows(file, rows))) => {
                let projected = self.with_connection(|connection| {
                    self.project_rows(connection, &file, &rows, false)
                });
                match projected {
                    Ok(projected) => {
                        let events = rows.end - rows.start;
                        self.gather(&segment, events, Vec::new(), projected);
                    }
                    Err(ReadError::Damage(words)) => {
                        lock(&self.reader).set_damage(&segment, words);
                    }
                    Err(ReadError::Other(error)) => return Err(error),
                }
                self.progress.add(file.bytes(&rows));
            }
        }
        Ok(true)
    }

    /// Projects some rows of a sealed segment; reads `all` columns, or leaves out what is seldom needed.
    fn project_rows(
        &self,
        connection: &Connection,
        file: &SealedFile,
        rows: &Range<u64>,
        all: bool,
    ) -> Result<Projected, ReadError> {
        let batches = file.read(connection, rows, all)?;
        let mut events = Vec::with_capacity((rows.end - rows.start) as usize);
        for batch in &batches {
            let decoded = decode_rows(batch);
            events.extend(decoded.map_err(|error| ReadError::Damage(error.to_string()))?);
        }
        if !all && events.iter().any(|decoded| needs_id(&decoded.event)) {
            return self.project_rows(connection, file, rows, true);
        }
        project(&events, self.zone).map_err(|error| ReadError::Other(error.into()))
    }

    fn with_connection<T>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, ReadError>,
    ) -> Result<T, ReadError> {
        let idle = lock(&self.connections).pop();
        let connection = match idle {
            Some(connection) => connection,
            None => connect().map_err(ReadError::Other)?,
        };
        let done = work(&connection);
        lock(&self.connections).push(connection);
        done
    }

    fn gather(
        &self,
        segment: &str,
        events: u64,
        bad_lines: Vec<BadLine>,
        mut projected: Projected,
    ) {
        {
            let mut reader = lock(&self.reader);
            if let Some(checkpoint) = reader.checkpoints.get_mut(segment) {
                checkpoint.events += events;
                checkpoint.last_hook_at = checkpoint.last_hook_at.max(projected.last_hook_at);
            }
        }
        lock(&self.batches).extend(projected.questions.drain(..));
        let is_full = {
            let mut gathered = lock(&self.gathered);
            gathered.add(segment, events, bad_lines, projected, self.keeps_ids);
            gathered.bytes > GATHERED_BYTES
        };
        if is_full {
            lock(&self.reader).is_paused = true;
        }
    }
}

impl Reader {
    /// The next part and its segment's file name.
    fn next(&mut self, feed: &Feed) -> Result<Option<(String, Part)>, Error> {
        while !self.is_paused
            && let Some(work) = self.work.front()
        {
            let name = work.segment.name.file_name();
            let checkpoint = self
                .checkpoints
                .entry(name.clone())
                .or_insert_with(|| work.checkpoint.clone());
            match read(&mut self.open, work, checkpoint, feed) {
                Ok(Some(part)) => return Ok(Some((name, part))),
                Ok(None) => {}
                Err(ReadError::Damage(words)) => self.set_damage(&name, words),
                Err(ReadError::Other(error)) => return Err(error),
            }
            self.open = None;
            self.work.pop_front();
        }
        Ok(None)
    }

    /// Notes why `segment` cannot be read to its end; of several reasons, the first that was found.
    fn set_damage(&mut self, segment: &str, words: String) {
        if let Some(checkpoint) = self.checkpoints.get_mut(segment) {
            checkpoint.damage.get_or_insert(words);
        }
    }
}

/// The next part of a segment; `checkpoint` goes to where that ends.
fn read(
    open: &mut Option<Open>,
    work: &Work,
    checkpoint: &mut Checkpoint,
    feed: &Feed,
) -> Result<Option<Part>, ReadError> {
    let format = work.segment.name.format();
    let other = |error| match format {
        Format::Gzip if is_damage(&error) => ReadError::Damage(error.to_string()),
        _ => ReadError::Other(Error::Spool(error)),
    };
    let open = match open {
        Some(open) => open,
        None if format == Format::Sealed => {
            // It is read whole, or damaged.
            checkpoint.offset = work.segment.length;
            let file = feed
                .with_connection(|connection| SealedFile::open(connection, &work.segment.path))?;
            let parts = Box::new(file.parts());
            open.insert(Open::Rows(file, parts))
        }
        None => {
            let reader = ChunkReader::open(&work.segment, work.checkpoint.offset);
            open.insert(Open::Lines(reader.map_err(other)?))
        }
    };
    match open {
        Open::Lines(reader) => {
            let chunk = reader.next().map_err(other)?;
            if chunk.is_some() {
                (checkpoint.offset, checkpoint.tail) = (reader.offset(), reader.tail());
            }
            Ok(chunk.map(Part::Lines))
        }
        Open::Rows(file, parts) => Ok(parts.next().map(|rows| Part::Rows(file.clone(), rows))),
    }
}

impl Gathered {
    fn add(
        &mut self,
        segment: &str,
        events: u64,
        bad_lines: Vec<BadLine>,
        projected: Projected,
        keeps_ids: bool,
    ) {
        self.events += events;
        for line in bad_lines {
            self.bytes += line.bytes.len() + line.reason.len();
            self.bad_lines.push((segment.to_owned(), line));
        }
        for (id, found) in projected.sessions {
            self.bytes += 200 + id.len();
            session::add(&mut self.sessions, &id, found);
        }
        for batch in projected.changes.iter().chain(&projected.errors) {
            self.bytes += batch.get_array_memory_size();
        }
        self.changes.extend(projected.changes);
        self.errors.extend(projected.errors);
        if keeps_ids {
            self.ids.extend(projected.ids);
            self.question_sessions.extend(projected.question_sessions);
        }
    }
}

/// A lock whose holder panicked guards nothing half done: each holder changes one thing.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
