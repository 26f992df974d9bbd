//! Events in order as Parquet: a sealed segment, and an export.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use duckdb::Connection;
use duckdb::arrow::array::{BooleanArray, RecordBatch};
use duckdb::arrow::compute::filter_record_batch;
use plantune_domain::event::Kind;
use plantune_domain::private_file;

use crate::arrow::{EventsBuilder, RowSource, digests, register_rows};
use crate::in_order::InOrder;
use crate::lines::{Decoded, decode};
use crate::sealed::{SealedFile, connect, sum};
use crate::segment::text;
use crate::{Error, checksum};

/// Writes `events` as a sealed segment: a new file at `path`, synced, and read back. Returns how many events it has.
///
/// # Errors
/// The errors of the log, of the file system and of DuckDB; a failure of the file system when what is read back differs.
pub(crate) fn write_sealed(events: InOrder, path: &Path) -> Result<u64, Error> {
    let failed = |error: io::Error| Error::SpoolWrite(path.to_owned(), error);
    let file = private_file::create_new(path).map_err(failed)?;
    let written = write_parquet(events, path)?;
    checksum::add(path).map_err(failed)?;
    file.sync_all().map_err(failed)?;
    let read_back = || -> Result<Written, Error> {
        let mut file = SealedFile::open(&connect()?, path)?;
        let mut found = Written::default();
        while let Some(rows) = file.next()? {
            found.add(&rows.events(true)?);
        }
        Ok(found)
    };
    match read_back() {
        Ok(found) if found == written => Ok(found.events),
        _ => Err(failed(io::Error::other(
            "what was written does not hold the events",
        ))),
    }
}

/// What was written: how many events, and the sum of their digests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Written {
    pub(crate) events: u64,
    digest: u128,
}

impl Written {
    fn add(&mut self, events: &RecordBatch) {
        self.events += events.num_rows() as u64;
        self.digest += sum(events);
    }
}

/// Writes `events` as Parquet into the file at `path`, which is there already: equal events once, and of a question none
/// that another with the same id makes void.
///
/// # Errors
/// The errors of the log and of DuckDB; those of the file system are among them.
pub(crate) fn write_parquet(events: InOrder, path: &Path) -> Result<Written, Error> {
    let connection = Connection::open_in_memory()?;
    connection.execute_batch(include_str!("../sql/sealed/writing.sql"))?;
    connection.execute("SET VARIABLE path = ?", [text(path)?])?;
    let source = Arc::new(Batches(Mutex::new(BatchState {
        events,
        copies: HashMap::new(),
        written: Written::default(),
        failure: None,
    })));
    let rows: Arc<dyn RowSource> = source.clone();
    let schema = EventsBuilder::default().finish()?.schema();
    register_rows(&connection, "events_in_order", schema, move || {
        Some(rows.clone())
    })?;
    let copied = connection.execute_batch(include_str!("../sql/sealed/write.sql"));
    let mut state = source.0.lock().unwrap_or_else(PoisonError::into_inner);
    match (state.failure.take(), copied) {
        (Some(failure), _) => Err(failure),
        (None, copied) => copied.map(|()| state.written).map_err(Error::from),
    }
}

/// The most events of a batch, and about how many bytes of lines.
const BATCH_EVENTS: usize = 2048;
const BATCH_BYTES: usize = 1024 * 1024;

/// Events in order as batches for DuckDB.
struct Batches(Mutex<BatchState>);

struct BatchState {
    events: InOrder,
    /// What was written of ids that come more than once.
    copies: HashMap<[u8; 16], Copies>,
    written: Written,
    failure: Option<Error>,
}

impl RowSource for Batches {
    fn next(&self) -> Result<Option<RecordBatch>, String> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            match state.next() {
                Ok(Some(batch)) if batch.num_rows() == 0 => {}
                Ok(batch) => return Ok(batch),
                Err(error) => {
                    let words = error.to_string();
                    state.failure = Some(error);
                    return Err(words);
                }
            }
        }
    }
}

/// What was written of an id.
struct Copies {
    digests: Vec<u64>,
    /// The first, if it is about a question.
    first: Option<QuestionEvent>,
}

/// What decides which of two events about a question with the same id counts.
struct QuestionEvent {
    /// Its kind, call and question, and who asked: others are not compared.
    of: (Kind, String, u32, Option<String>),
    micros: i64,
    /// True for an imported `asked`: the hook's counts.
    yields: bool,
}

impl QuestionEvent {
    /// `None` for an event that fills no row of the table `questions`.
    fn of(decoded: &Decoded<'_>) -> Option<Self> {
        let event = &decoded.event;
        let kind = Kind::parse(&event.kind).filter(|kind| kind.is_of_question())?;
        event.question_key.as_ref()?;
        let call = event.tool_use_id.as_deref()?.to_owned();
        let asker = event.skill.as_deref().map(str::to_owned);
        Some(Self {
            of: (kind, call, event.question_index?, asker),
            micros: decoded.micros,
            yields: kind == Kind::Asked && event.source.starts_with("import"),
        })
    }

    /// True when nothing is ever taken from `other`, because this one counts.
    fn wins(&self, other: &Self) -> bool {
        self.of == other.of && (self.yields, self.micros) < (other.yields, other.micros)
    }
}

impl BatchState {
    /// The next events, without copies of those that were returned; `None` at the end.
    fn next(&mut self) -> Result<Option<RecordBatch>, Error> {
        let mut builder = EventsBuilder::default();
        let (mut copies, mut bytes) = (Vec::new(), 0);
        while copies.len() < BATCH_EVENTS
            && bytes < BATCH_BYTES
            && let Some(event) = self.events.next()?
        {
            let decoded = decode(event.line.as_bytes()).map_err(Error::Damage)?;
            builder.push(&decoded, true)?;
            bytes += event.line.len();
            let is_repeated = self.events.is_repeated(&event.id);
            copies.push(is_repeated.then(|| (event.id, QuestionEvent::of(&decoded))));
        }
        if copies.is_empty() {
            return Ok(None);
        }
        let batch = builder.finish()?;
        let digests = digests(&batch);
        let is_new = copies
            .into_iter()
            .zip(digests)
            .map(|(copy, digest)| copy.is_none_or(|(id, event)| self.is_new(id, event, digest)));
        let is_new = BooleanArray::from(is_new.collect::<Vec<bool>>());
        let batch = filter_record_batch(&batch, &is_new)?;
        self.written.add(&batch);
        Ok(Some(batch))
    }

    /// Whether an event counts beside what was written of its id.
    fn is_new(&mut self, id: [u8; 16], event: Option<QuestionEvent>, digest: u64) -> bool {
        let written = match self.copies.entry(id) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let digests = vec![digest];
                entry.insert(Copies {
                    digests,
                    first: event,
                });
                return true;
            }
        };
        let first = written.first.as_ref().zip(event);
        let is_void = first.is_some_and(|(first, event)| first.wins(&event));
        let is_new = !is_void && !written.digests.contains(&digest);
        written.digests.extend(is_new.then_some(digest));
        is_new
    }
}

/// Seals all segments in the folder `events` as the new file `path`.
#[cfg(test)]
pub(crate) fn seal(events: &Path, path: &Path) -> Result<u64, Error> {
    use crate::Progress;
    use crate::in_order::Survey;

    let survey = Survey::of(crate::segment::list(events)?, &Progress::default())?;
    write_sealed(InOrder::all(survey, events, &Progress::default()), path)
}
