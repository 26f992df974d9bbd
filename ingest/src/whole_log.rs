//! The whole log, event by event, as ingest reads it: for the fleet, and for SQL as the view `whole_log`.

use std::collections::VecDeque;
use std::error::Error as StdError;
use std::io;
use std::path::Path;
use std::sync::Mutex;

use duckdb::Connection;
use duckdb::arrow::array::{RecordBatch, UInt64Array};
use duckdb::arrow::compute::take_record_batch;
use duckdb::core::DataChunkHandle;
use duckdb::vtab::{
    BindInfo, InitInfo, TableFunctionInfo, VTab, record_batch_to_duckdb_data_chunk,
    to_duckdb_logical_type_for_field,
};

use crate::Error;
use crate::arrow::{EventsBuilder, for_duckdb};
use crate::reader::{Part, SegmentReader};
use crate::segment::{Segment, list};
use crate::store::log_reader::lock;
use crate::store::open::load_checkpoints;

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
    let name = "events_of_log";
    connection
        .register_table_function_with_extra_info::<EventsOfLog, Vec<Segment>>(name, &segments)?;
    Ok(connection.execute_batch(include_str!("../sql/whole_log.sql"))?)
}

/// The table function `events_of_log`: the events of the segments that it was registered with.
struct EventsOfLog;

/// The state of one call of the table function. Its threads share it.
#[derive(Default)]
struct LogScan {
    segments: VecDeque<Segment>,
    open: Option<SegmentReader>,
    /// The connection for reading sealed segments.
    sealed: Option<Connection>,
    /// Events that were read and not returned yet.
    batches: VecDeque<RecordBatch>,
}

impl LogScan {
    /// The next part of the log; `None` when no segment is left.
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

/// The next events; `None` when the log is read, apart from what other threads are decoding.
fn next(scan: &Mutex<LogScan>) -> Result<Option<RecordBatch>, Error> {
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

impl VTab for EventsOfLog {
    type InitData = Mutex<LogScan>;
    type BindData = ();

    fn bind(bind: &BindInfo) -> Result<(), Box<dyn StdError>> {
        for field in EventsBuilder::default().finish()?.schema().fields() {
            bind.add_result_column(field.name(), to_duckdb_logical_type_for_field(field)?);
        }
        Ok(())
    }

    #[allow(
        unsafe_code,
        reason = "the crate returns extra information as a raw pointer only"
    )]
    fn init(init: &InitInfo) -> Result<Self::InitData, Box<dyn StdError>> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        init.set_max_threads(threads as u64);
        // SAFETY: the pointer is to the segments that `define_whole_log` handed over for this very function;
        // DuckDB's catalog keeps them alive as long as the function exists, and nobody changes them.
        let segments = unsafe { init.get_extra_info::<Vec<Segment>>().as_ref() };
        Ok(Mutex::new(LogScan {
            segments: segments.ok_or("no segments")?.clone().into(),
            ..LogScan::default()
        }))
    }

    /// Called by several threads at once. A thread that gets no row does not call again.
    fn func(
        function: &TableFunctionInfo<Self>,
        output: &mut DataChunkHandle,
    ) -> Result<(), Box<dyn StdError>> {
        match next(function.get_init_data())? {
            Some(batch) => record_batch_to_duckdb_data_chunk(&batch, output),
            None => {
                output.set_len(0);
                Ok(())
            }
        }
    }
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
