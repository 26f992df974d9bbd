//! What is new in the log, read and projected by DuckDB's threads: they ask the table function
//! `questions_of_log` for rows, so that one `INSERT … SELECT` takes them side by side. (The appender takes
//! them on one thread.)

use std::collections::{HashMap, VecDeque};
use std::error::Error as StdError;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono_tz::Tz;
use duckdb::Connection;
use duckdb::arrow::array::RecordBatch;
use duckdb::core::DataChunkHandle;
use duckdb::types::Value as Sql;
use duckdb::vtab::{
    BindInfo, InitInfo, TableFunctionInfo, VTab, record_batch_to_duckdb_data_chunk,
    to_duckdb_logical_type_for_field,
};

use super::columns::{BatchBuilder, Unsaved, schema};
use super::segments::{Checkpoint, Work};
use crate::error::Error;
use crate::progress::Progress;
use crate::projection::{COLUMNS, OtherRow, Question, needs_id, text};
use crate::sealed::{ReadError, SealedFile, connect, decode_rows};
use crate::spool::{
    BadLine, Chunk, ChunkReader, Decoded, Format, Segment, decode_lines, is_damage,
};

/// How much beside the questions is gathered before it is written, in bytes, about.
const GATHERED_BYTES: usize = 16 * 1024 * 1024;

/// What was read, beside the rows of `questions`.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    pub(crate) events: u64,
    pub(crate) quarantined: u64,
    pub(crate) rows: Vec<OtherRow>,
    bytes: usize,
    questions: Unsaved,
}

/// Reads the log. Shared by threads: each takes a part of a segment in turn and projects it by itself.
pub(crate) struct Feed {
    zone: Tz,
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
    /// No part is handed out until what was gathered is written.
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
    pub(crate) fn new(work: Vec<Work>, zone: Tz, progress: Progress) -> Self {
        Self {
            zone,
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
    fn next(&self) -> Result<Option<RecordBatch>, String> {
        loop {
            if let Some(batch) = lock(&self.batches).pop_front() {
                return Ok(Some(batch));
            }
            match self.project_next() {
                Ok(true) => {}
                Ok(false) => return Ok(None),
                Err(error) => {
                    // DuckDB passes on words alone.
                    let words = error.to_string();
                    lock(&self.failure).get_or_insert(error);
                    return Err(words);
                }
            }
        }
    }

    /// Why a query that reads this failed, if the log was the reason.
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
                self.progress.add(chunk.bytes.len() as u64);
                self.project(&segment, &lines.events, lines.bad_lines)?;
            }
            Some((segment, Part::Rows(file, rows))) => {
                match self.with_connection(|connection| {
                    self.read_rows(connection, &segment, &file, &rows)
                }) {
                    Err(ReadError::Damage(words)) => {
                        lock(&self.reader).set_damage(&segment.name.file_name(), words);
                    }
                    Err(ReadError::Other(error)) => return Err(error),
                    Ok(()) => {}
                }
                self.progress.add(file.bytes(&rows));
            }
        }
        Ok(true)
    }

    /// Projects some rows of a sealed segment. All columns are only read where they are needed, which is seldom.
    fn read_rows(
        &self,
        connection: &Connection,
        segment: &Segment,
        file: &SealedFile,
        rows: &Range<u64>,
    ) -> Result<(), ReadError> {
        for all in [false, true] {
            let batches = file.read(connection, rows, all)?;
            let mut events = Vec::with_capacity((rows.end - rows.start) as usize);
            for batch in &batches {
                let decoded = decode_rows(batch);
                events.extend(decoded.map_err(|error| ReadError::Damage(error.to_string()))?);
            }
            if all || !events.iter().any(|decoded| needs_id(&decoded.event)) {
                let projected = self.project(segment, &events, Vec::new());
                return projected.map_err(ReadError::Other);
            }
        }
        Ok(())
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

    /// Makes rows of what was read of `segment`: of each question one.
    fn project(
        &self,
        segment: &Segment,
        events: &[Decoded<'_>],
        bad_lines: Vec<BadLine>,
    ) -> Result<(), Error> {
        let mut questions: Vec<Question<'_>> = Vec::with_capacity(events.len());
        let mut places: HashMap<(&str, u32), usize> = HashMap::with_capacity(events.len());
        let mut gathered = Gathered::default();
        let mut last_hook_at = None;
        for decoded in events {
            let event = &decoded.event;
            if &*event.source == "hook" {
                last_hook_at = last_hook_at.max(Some(decoded.micros));
            }
            if let Some((key, question)) = Question::of(event, decoded.micros) {
                let place = *places.entry(key).or_insert(questions.len());
                match questions.get_mut(place) {
                    Some(known) => known.merge(question),
                    None => questions.push(question),
                }
            } else if let Some(row) = OtherRow::of(decoded, self.zone) {
                gathered.add(row);
            }
        }
        let mut batches = BatchBuilder::new(&COLUMNS);
        for question in &questions {
            question.push(self.zone, &mut batches)?;
        }
        gathered.events = events.len() as u64;
        gathered.quarantined = bad_lines.len() as u64;
        for line in bad_lines {
            gathered.add(quarantined(segment, line));
        }
        self.gather(segment, gathered, batches.finish()?, last_hook_at);
        Ok(())
    }

    fn gather(
        &self,
        segment: &Segment,
        found: Gathered,
        batches: Vec<RecordBatch>,
        last_hook_at: Option<i64>,
    ) {
        let mut reader = lock(&self.reader);
        if let Some(checkpoint) = reader.checkpoints.get_mut(&segment.name.file_name()) {
            checkpoint.events += found.events;
            checkpoint.last_hook_at = checkpoint.last_hook_at.max(last_hook_at);
        }
        let mut gathered = lock(&self.gathered);
        gathered.events += found.events;
        gathered.quarantined += found.quarantined;
        gathered.bytes += found.bytes;
        gathered.rows.extend(found.rows);
        gathered.questions.add(&batches);
        reader.is_paused |= gathered.bytes > GATHERED_BYTES || gathered.questions.is_enough();
        lock(&self.batches).extend(batches);
    }
}

impl Gathered {
    fn add(&mut self, row: OtherRow) {
        self.bytes += row.bytes();
        self.rows.push(row);
    }
}

/// The row of a line that is no event.
fn quarantined(segment: &Segment, line: BadLine) -> OtherRow {
    let values = vec![
        text(Some(&segment.name.file_name())),
        Sql::UBigInt(line.offset),
        Sql::UBigInt(line.length),
        Sql::Date32(segment.day()),
        Sql::Text(line.reason),
        Sql::Blob(line.bytes),
    ];
    OtherRow {
        table: "quarantine",
        values,
    }
}

impl Reader {
    /// The next part and its segment.
    fn next(&mut self, feed: &Feed) -> Result<Option<(Segment, Part)>, Error> {
        while !self.is_paused
            && let Some(work) = self.work.front()
        {
            let name = work.segment.name.file_name();
            let checkpoint = self.checkpoints.entry(name.clone());
            let checkpoint = checkpoint.or_insert_with(|| work.checkpoint.clone());
            match read(&mut self.open, work, checkpoint, feed) {
                Ok(Some(part)) => return Ok(Some((work.segment.clone(), part))),
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

/// A lock whose holder panicked guards nothing half done: each holder changes one thing.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The feed that the next query of `questions_of_log` reads.
#[derive(Clone, Default)]
pub(crate) struct Slot(Arc<Mutex<Option<Arc<Feed>>>>);

impl Slot {
    /// Registers the table function, which has the columns of the table `questions`.
    ///
    /// # Errors
    /// DuckDB's.
    pub(crate) fn register(connection: &Connection) -> duckdb::Result<Self> {
        let slot = Self::default();
        let name = "questions_of_log";
        connection.register_table_function_with_extra_info::<QuestionsOfLog, Self>(name, &slot)?;
        Ok(slot)
    }

    /// Sets what the next query reads, or ends that.
    pub(crate) fn set(&self, feed: Option<Arc<Feed>>) {
        *lock(&self.0) = feed;
    }
}

struct QuestionsOfLog;

impl VTab for QuestionsOfLog {
    type InitData = ();
    type BindData = Arc<Feed>;

    #[allow(
        unsafe_code,
        reason = "the crate returns extra information as a raw pointer only"
    )]
    fn bind(bind: &BindInfo) -> Result<Arc<Feed>, Box<dyn StdError>> {
        // SAFETY: the pointer is to the `Slot` that `register` handed over for this very function;
        // DuckDB's catalog keeps it alive as long as the function exists, and nobody changes it.
        let slot = unsafe { bind.get_extra_info::<Slot>().as_ref() }.ok_or("no slot")?;
        for field in schema(&COLUMNS).fields() {
            bind.add_result_column(field.name(), to_duckdb_logical_type_for_field(field)?);
        }
        let feed = lock(&slot.0).clone();
        feed.ok_or_else(|| "no log is being read".into())
    }

    fn init(init: &InitInfo) -> Result<(), Box<dyn StdError>> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        init.set_max_threads(threads as u64);
        Ok(())
    }

    /// Called by several threads at once; a thread that gets no row does not call again.
    fn func(
        function: &TableFunctionInfo<Self>,
        output: &mut DataChunkHandle,
    ) -> Result<(), Box<dyn StdError>> {
        match function.get_bind_data().next()? {
            Some(batch) => record_batch_to_duckdb_data_chunk(&batch, output),
            None => {
                output.set_len(0);
                Ok(())
            }
        }
    }
}
