//! The whole log, every event with all of its fields: for SQL, and for the fleet.

use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use duckdb::Connection;
use duckdb::arrow::array::{RecordBatch, UInt64Array};
use duckdb::arrow::compute::take_record_batch;

use crate::arrow::{EventsBuilder, RowSource, for_duckdb, register_rows};
use crate::in_order::Survey;
use crate::reader::{Part, SegmentReader};
use crate::segment::list;
use crate::store::log_reader::lock;
use crate::{Error, Progress};

/// Gives the store behind `connection` the temporary view `whole_log`: every event of the log in the folder `events`
/// once, without the segments that are damaged. Its columns are [`event_columns`](crate::event_columns).
///
/// # Errors
/// DuckDB errors.
pub fn define_whole_log(connection: &Connection, events: &Path) -> Result<(), Error> {
    let schema = EventsBuilder::default().finish()?.schema();
    let events = events.to_owned();
    register_rows(connection, "whole_log_rows", schema, move || {
        let scan = EventScan {
            events: events.clone(),
            ..EventScan::default()
        };
        Some(Arc::new(Mutex::new(scan)) as Arc<dyn RowSource>)
    })?;
    Ok(connection.execute_batch(include_str!("../sql/whole_log.sql"))?)
}

/// One pass over the events of the log, each once.
#[derive(Default)]
struct EventScan {
    /// The folder of the log.
    events: PathBuf,
    /// What is read, once it is begun, and the numbers of the events that are copies.
    survey: Option<(Survey, Arc<Vec<usize>>)>,
    /// How many parts were read.
    read: usize,
    /// Events that were read and not returned yet.
    batches: VecDeque<RecordBatch>,
}

/// A part, the number of its first event, and the numbers of the events that are copies.
struct NextPart {
    part: Part,
    number: usize,
    copies: Arc<Vec<usize>>,
}

impl EventScan {
    /// The next part; `None` when no part is left.
    fn next_part(&mut self) -> Result<Option<NextPart>, Error> {
        let (survey, copies) = match &self.survey {
            Some(begun) => begun,
            None => {
                let mut survey = Survey::of(list(&self.events)?, &Progress::default())?;
                let copies = Arc::new(survey.copies());
                self.survey.insert((survey, copies))
            }
        };
        self.read += 1;
        let part = survey.part(self.read - 1)?;
        Ok(part.map(|(part, number)| NextPart {
            part,
            number,
            copies: copies.clone(),
        }))
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
        let next = lock(scan).next_part()?;
        let Some(NextPart {
            part,
            number,
            copies,
        }) = next
        else {
            return Ok(None);
        };
        let (events, _) = part.events(true)?;
        let counts = |row: &usize| copies.binary_search(&(number + row)).is_err();
        for rows in for_duckdb(&events) {
            // A slice of a list would still hold the items of all rows.
            let rows = rows.filter(counts).map(|row| row as u64);
            let batch = take_record_batch(&events, &UInt64Array::from_iter_values(rows))?;
            if batch.num_rows() > 0 {
                lock(scan).batches.push_back(batch);
            }
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
    use crate::parquet::seal;

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
        let sealed = folder.path().join("2026-10.parquet");
        seal(&events, &sealed).unwrap();
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
