//! Reads the log for DuckDB, on the threads that ask for rows: its new parts projected to questions, or every event.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono_tz::Tz;
use duckdb::Connection;
use duckdb::arrow::array::{
    ArrayRef, BinaryArray, Date32Array, RecordBatch, StringArray, TimestampMicrosecondArray,
    UInt64Array,
};
use duckdb::arrow::compute::take_record_batch;
use duckdb::arrow::error::ArrowError;

use super::open::{Checkpoint, Work, load_checkpoints};
use crate::arrow::{
    EventsBuilder, RowSource, Unsaved, bytes, column, for_duckdb, register_rows, texts,
};
use crate::lines::BadLine;
use crate::projection::fields::others;
use crate::projection::project;
use crate::reader::{Part, SegmentReader};
use crate::segment::{Format, Segment, list};
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
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
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

// The whole log, every event with all of its fields: for SQL, and for the fleet.

/// Gives the store behind `connection` the temporary view `whole_log`: every event of the log in the folder `events`
/// once, without the segments that the store knows to be damaged. Its columns are
/// [`event_columns`](crate::event_columns).
///
/// # Errors
/// Log and DuckDB errors.
pub fn define_whole_log(connection: &Connection, events: &Path) -> Result<(), Error> {
    let known = load_checkpoints(connection)?;
    let mut segments = list(events)?;
    segments.retain(|segment| {
        let known = known.get(&segment.name.file_name());
        known.is_none_or(|known| known.damage.is_none())
    });
    let schema = EventsBuilder::default().finish()?.schema();
    register_rows(connection, "events_of_log", schema, move || {
        let scan = EventScan {
            segments: segments.clone().into(),
            ..EventScan::default()
        };
        Some(Arc::new(Mutex::new(scan)) as Arc<dyn RowSource>)
    })?;
    Ok(connection.execute_batch(include_str!("../../sql/whole_log.sql"))?)
}

/// One pass over the events of some segments.
#[derive(Default)]
struct EventScan {
    segments: VecDeque<Segment>,
    open: Option<SegmentReader>,
    /// The connection for reading sealed segments.
    sealed: Option<Connection>,
    /// Events that were read and not returned yet.
    batches: VecDeque<RecordBatch>,
}

impl EventScan {
    /// The next part; `None` when no segment is left.
    fn next_part(&mut self) -> Result<Option<Part>, Error> {
        while let Some(segment) = self.segments.front() {
            let reader = match &mut self.open {
                Some(reader) => reader,
                None => self
                    .open
                    .insert(SegmentReader::open(segment, 0, &mut self.sealed)?),
            };
            match reader.next()? {
                Some(part) => return Ok(Some(part)),
                None => {
                    self.open = None;
                    self.segments.pop_front();
                }
            }
        }
        Ok(None)
    }
}

impl RowSource for Mutex<EventScan> {
    fn next(&self) -> Result<Option<RecordBatch>, String> {
        next_events(self).map_err(|error| error.to_string())
    }
}

fn next_events(scan: &Mutex<EventScan>) -> Result<Option<RecordBatch>, Error> {
    loop {
        if let Some(batch) = lock(scan).batches.pop_front() {
            return Ok(Some(batch));
        }
        // The lock must be released before the part is decoded.
        let part = lock(scan).next_part()?;
        let Some(part) = part else {
            return Ok(None);
        };
        let (events, _) = part.events(true)?;
        for rows in for_duckdb(&events) {
            // A slice of a list would still hold the items of all rows.
            let rows = UInt64Array::from_iter_values(rows.map(|row| row as u64));
            let batch = take_record_batch(&events, &rows)?;
            lock(scan).batches.push_back(batch);
        }
    }
}

/// A segment that could not be read to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadSegment {
    /// Its file name.
    pub segment: String,
    /// Why, in words.
    pub why: String,
}

/// Passes the events of the log in the folder `events` to `each`, batch by batch, and returns the segments that could
/// not be read to their end. An event that is in the log twice comes twice. Bad lines are skipped: they are in the
/// store's quarantine. If a segment is sealed during the call, its events may be missing; the next call has them.
///
/// # Errors
/// The errors of `each`, of the folder and of DuckDB.
pub fn read_events<E: From<Error>>(
    events: &Path,
    mut each: impl FnMut(&RecordBatch) -> Result<(), E>,
) -> Result<Vec<UnreadSegment>, E> {
    let mut unread = Vec::new();
    for segment in list(events).map_err(Error::from)? {
        let mut read = || -> Result<Result<(), E>, Error> {
            let mut reader = SegmentReader::open(&segment, 0, &mut None)?;
            while let Some(part) = reader.next()? {
                if let Err(error) = each(&part.events(true)?.0) {
                    return Ok(Err(error));
                }
            }
            Ok(Ok(()))
        };
        match read() {
            Ok(done) => done?,
            Err(Error::Spool(error)) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error @ (Error::Spool(_) | Error::Damage(_))) => unread.push(UnreadSegment {
                segment: segment.name.file_name(),
                why: error.to_string(),
            }),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(unread)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::{UnreadSegment, read_events};
    use crate::Error;
    use crate::arrow::digests;
    use crate::retention::seal::Staging;
    use crate::segment::list;

    /// The digests of the log's events, in order, and what could not be read.
    fn read_log(events: &Path) -> (Vec<u64>, Vec<UnreadSegment>) {
        let mut found = Vec::new();
        let unread = read_events(events, |batch| {
            found.extend(digests(batch));
            Ok::<(), Error>(())
        });
        found.sort_unstable();
        (found, unread.unwrap())
    }

    #[test]
    fn lines_and_what_was_sealed_of_them_are_the_same_events() {
        let folder = tempfile::tempdir().unwrap();
        let events = folder.path().join("events");
        assert_eq!(read_log(&events), (vec![], vec![]));
        fs::create_dir(&events).unwrap();
        let line = |id: u32| {
            format!(
                "{{\"v\":1,\"id\":\"{id:032x}\",\"ts\":\"2026-10-01T10:00:00.000Z\",\"kind\":\"asked\",\"new\":{id}}}\n"
            )
        };
        let lines = events.join("2026-10-01.jsonl");
        let write = |path: &Path, text: String| {
            plantune_domain::atomic_file::replace(path, text.as_bytes(), 0o600).unwrap();
        };
        write(&lines, line(1) + "no event\n" + &line(2));
        let (hot, unread) = read_log(&events);
        assert_eq!((hot.len(), unread.len()), (2, 0));
        write(&lines, line(1) + &line(2));
        let mut staging = Staging::open(&folder.path().join("staging")).unwrap();
        staging.add_lines(&list(&events).unwrap()[0]).unwrap();
        let (sealed, _) = staging.write(&events.join("2026-10.parquet")).unwrap();
        fs::rename(sealed, events.join("2026-10.parquet")).unwrap();
        fs::remove_file(&lines).unwrap();
        assert_eq!(read_log(&events), (hot.clone(), vec![]));
        // The damaged segment is named, and the rest is read.
        write(&events.join("2026-09.parquet"), "no Parquet".to_owned());
        let (found, unread) = read_log(&events);
        assert_eq!(
            (found, unread[0].segment.as_str()),
            (hot, "2026-09.parquet")
        );
    }
}
