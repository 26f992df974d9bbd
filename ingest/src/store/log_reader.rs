//! Reads the new parts of the log for the store, on the threads of DuckDB that ask for rows, projected to questions.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono_tz::Tz;
use duckdb::Connection;
use duckdb::arrow::array::{
    ArrayRef, BinaryArray, Date32Array, RecordBatch, StringArray, TimestampMicrosecondArray,
    UInt64Array,
};
use duckdb::arrow::error::ArrowError;

use super::checkpoints::{Checkpoint, Work};
use crate::arrow::{
    EventsBuilder, RowSource, Unsaved, bytes, column, for_duckdb, register_rows, texts,
};
use crate::lines::BadLine;
use crate::projection::fields::others;
use crate::projection::project;
use crate::reader::{Part, SegmentReader};
use crate::segment::{Format, Segment};
use crate::{Error, Progress};

/// The approximate number of bytes, apart from questions, that are read before they are written.
const UNWRITTEN_BYTES: usize = 16 * 1024 * 1024;

/// Everything that was read, except the rows of `questions`.
#[derive(Default)]
pub(crate) struct RowsRead {
    pub(crate) events: u64,
    pub(crate) quarantined: u64,
    /// By table: lines in quarantine, and rows of the other tables.
    pub(crate) rows: BTreeMap<&'static str, Vec<RecordBatch>>,
    bytes: usize,
    pub(crate) questions: Unsaved,
}

/// Reads the log. It is shared by threads: each takes the next part of a segment and projects it.
pub(crate) struct LogReader {
    zone: Tz,
    progress: Progress,
    state: Mutex<ReaderState>,
}

#[derive(Default)]
struct ReaderState {
    work: VecDeque<Work>,
    open: Option<SegmentReader>,
    /// The connection for reading sealed segments.
    sealed: Option<Connection>,
    /// The checkpoints of what was read, by file name.
    checkpoints: HashMap<String, Checkpoint>,
    /// Rows of the table `questions`.
    batches: VecDeque<RecordBatch>,
    read: RowsRead,
    /// True while no part is handed out, until the rows read so far are written.
    is_paused: bool,
    failure: Option<Error>,
}

impl LogReader {
    pub(crate) fn new(work: Vec<Work>, zone: Tz, progress: Progress) -> Self {
        let state = ReaderState {
            work: work.into(),
            ..ReaderState::default()
        };
        Self {
            zone,
            progress,
            state: Mutex::new(state),
        }
    }

    /// The error that made a query on this reader fail, if the log caused it.
    pub(crate) fn take_failure(&self) -> Option<Error> {
        lock(&self.state).failure.take()
    }

    /// The rows read since the last call, and whether there is more to read.
    pub(crate) fn take_rows(&self) -> (RowsRead, bool) {
        let mut state = lock(&self.state);
        state.is_paused = false;
        let is_more = !state.work.is_empty() || !state.batches.is_empty();
        (std::mem::take(&mut state.read), is_more)
    }

    /// How far each segment has been read.
    pub(crate) fn take_checkpoints(&self) -> HashMap<String, Checkpoint> {
        std::mem::take(&mut lock(&self.state).checkpoints)
    }

    /// Projects the next part; false when there is none.
    fn project_next(&self) -> Result<bool, Error> {
        // The lock must be released before the match: its arms take it again.
        let next = lock(&self.state).next()?;
        let Some((segment, part)) = next else {
            return Ok(false);
        };
        match part.events(false) {
            Ok((events, bad_lines)) => self.project(&segment, &events, &bad_lines)?,
            Err(Error::Damage(words)) => {
                lock(&self.state).set_damage(&segment.name.file_name(), words);
            }
            Err(error) => return Err(error),
        }
        self.progress.add(part.bytes());
        Ok(true)
    }

    /// Projects rows from the part that was read of `segment`.
    fn project(
        &self,
        segment: &Segment,
        events: &RecordBatch,
        bad_lines: &[BadLine],
    ) -> Result<(), Error> {
        let questions = project(events, self.zone)?;
        let mut rows = others(events)?;
        let quarantined = bad_lines.len() as u64;
        if quarantined > 0 {
            rows.push(("quarantine", quarantine(segment, bad_lines)?));
        }
        let last_hook_at = last_hook_at(events)?;
        let mut state = lock(&self.state);
        let events = events.num_rows() as u64;
        if let Some(checkpoint) = state.checkpoints.get_mut(&segment.name.file_name()) {
            checkpoint.events += events;
            checkpoint.last_hook_at = checkpoint.last_hook_at.max(last_hook_at);
        }
        let read = &mut state.read;
        read.events += events;
        read.quarantined += quarantined;
        for (table, batch) in rows {
            read.bytes += bytes(&batch);
            read.rows.entry(table).or_default().push(batch);
        }
        read.questions.add(&questions);
        state.is_paused |= state.read.bytes > UNWRITTEN_BYTES || state.read.questions.is_enough();
        let batches = for_duckdb(&questions).map(|rows| questions.slice(rows.start, rows.len()));
        state.batches.extend(batches);
        Ok(())
    }
}

/// When the last of `events` was logged by the hook itself, in microseconds since 1970.
fn last_hook_at(events: &RecordBatch) -> Result<Option<i64>, ArrowError> {
    let times: &TimestampMicrosecondArray = column(events, "ts")?;
    let sources = texts(events, "source")?.iter();
    let of_hook = sources
        .zip(times)
        .filter(|(source, _)| *source == Some("hook"));
    Ok(of_hook.filter_map(|(_, time)| time).max())
}

/// The rows for bad lines.
fn quarantine(segment: &Segment, lines: &[BadLine]) -> Result<RecordBatch, ArrowError> {
    let name = segment.name.file_name();
    let names = StringArray::from_iter_values(lines.iter().map(|_| &name));
    let offsets = UInt64Array::from_iter_values(lines.iter().map(|line| line.offset));
    let lengths = UInt64Array::from_iter_values(lines.iter().map(|line| line.length));
    let days = Date32Array::from_iter_values(lines.iter().map(|_| segment.day()));
    let reasons = StringArray::from_iter_values(lines.iter().map(|line| &line.reason));
    let bytes = BinaryArray::from_iter_values(lines.iter().map(|line| &line.bytes));
    let columns: [(&str, ArrayRef); 6] = [
        ("segment", Arc::new(names)),
        ("offset", Arc::new(offsets)),
        ("length", Arc::new(lengths)),
        ("day", Arc::new(days)),
        ("reason", Arc::new(reasons)),
        ("bytes", Arc::new(bytes)),
    ];
    RecordBatch::try_from_iter(columns)
}

/// The rows of the table `questions`. They end, too, when [`LogReader::take_rows`] must be called first.
impl RowSource for LogReader {
    fn next(&self) -> Result<Option<RecordBatch>, String> {
        loop {
            if let Some(batch) = lock(&self.state).batches.pop_front() {
                return Ok(Some(batch));
            }
            match self.project_next() {
                Ok(true) => {}
                Ok(false) => return Ok(None),
                Err(error) => {
                    let words = error.to_string();
                    lock(&self.state).failure.get_or_insert(error);
                    return Err(words);
                }
            }
        }
    }
}

impl ReaderState {
    /// The next part and its segment.
    fn next(&mut self) -> Result<Option<(Segment, Part)>, Error> {
        while !self.is_paused
            && let Some(work) = self.work.front()
        {
            let name = work.segment.name.file_name();
            let checkpoint = self.checkpoints.entry(name.clone());
            let checkpoint = checkpoint.or_insert_with(|| work.checkpoint.clone());
            match read(&mut self.open, &mut self.sealed, work, checkpoint) {
                Ok(Some(part)) => return Ok(Some((work.segment.clone(), part))),
                Ok(None) => {}
                Err(Error::Damage(words)) => self.set_damage(&name, words),
                Err(error) => return Err(error),
            }
            self.open = None;
            self.work.pop_front();
        }
        Ok(None)
    }

    /// Records why `segment` cannot be read to its end. The first reason counts.
    fn set_damage(&mut self, segment: &str, words: String) {
        if let Some(checkpoint) = self.checkpoints.get_mut(segment) {
            checkpoint.damage.get_or_insert(words);
        }
    }
}

/// The next part of a segment. Moves `checkpoint` to its end.
fn read(
    open: &mut Option<SegmentReader>,
    sealed: &mut Option<Connection>,
    work: &Work,
    checkpoint: &mut Checkpoint,
) -> Result<Option<Part>, Error> {
    let segment = &work.segment;
    if segment.name.format() == Format::Sealed {
        // The segment was read completely, or is damaged.
        checkpoint.offset = segment.length;
    }
    let reader = match open {
        Some(reader) => reader,
        None => open.insert(SegmentReader::open(
            segment,
            work.checkpoint.offset,
            sealed,
        )?),
    };
    let part = reader.next()?;
    if let SegmentReader::Lines(reader) = reader {
        checkpoint.offset = reader.offset();
    }
    if part.is_none() {
        checkpoint.tail = segment.tail_before(checkpoint.offset)?;
    }
    Ok(part)
}

/// Locks `mutex`, even if a holder panicked: each holder changes only one thing, so nothing is half done.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The reader that the next query of the table function `questions_of_log` reads.
#[derive(Clone, Default)]
pub(crate) struct Slot(Arc<Mutex<Option<Arc<LogReader>>>>);

impl Slot {
    /// Registers the table function, which has the columns of the table `questions`.
    pub(crate) fn register(connection: &Connection) -> Result<Self, Error> {
        let slot = Self::default();
        let no_questions = project(&EventsBuilder::default().finish()?, Tz::UTC)?;
        let of_query = slot.clone();
        register_rows(
            connection,
            "questions_of_log",
            no_questions.schema(),
            move || {
                let reader = lock(&of_query.0).clone()?;
                Some(reader as Arc<dyn RowSource>)
            },
        )?;
        Ok(slot)
    }

    /// Sets the reader for the next query; `None` removes it.
    pub(crate) fn set(&self, reader: Option<Arc<LogReader>>) {
        *lock(&self.0) = reader;
    }
}
