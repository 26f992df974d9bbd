//! The whole log for other programs, as record batches of events: what hooks and imports appended and what
//! was sealed of it, in the columns of a sealed segment.

use std::io;
use std::path::Path;

use duckdb::arrow::array::RecordBatch;

use crate::error::Error;
use crate::reader::SegmentReader;
use crate::spool::list;

/// A segment that could not be read to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadSegment {
    /// Its file name.
    pub segment: String,
    /// Why, in words.
    pub why: String,
}

/// Hands the events of the log in the folder `events` to `each`, batch by batch, and returns the segments that
/// could not be read to their end. An event may come twice, as it may stand in the log twice. Lines that are no
/// events are passed over: they are in the store's quarantine. Of a segment that is sealed meanwhile the events
/// may not come; the next call has them.
///
/// # Errors
/// Those of `each`, of the folder and of DuckDB.
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

    use super::*;
    use crate::arrow::digests;
    use crate::sealed::Staging;

    /// The digests of the log's events, in order, and what could not be read.
    fn read(events: &Path) -> (Vec<u64>, Vec<UnreadSegment>) {
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
        assert_eq!(read(&events), (vec![], vec![]));
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
        let (hot, unread) = read(&events);
        assert_eq!((hot.len(), unread.len()), (2, 0));
        write(&lines, line(1) + &line(2));
        let mut staging = Staging::open(&folder.path().join("staging")).unwrap();
        staging.add_lines(&list(&events).unwrap()[0]).unwrap();
        let (sealed, _) = staging.write(&events.join("2026-10.parquet")).unwrap();
        fs::rename(sealed, events.join("2026-10.parquet")).unwrap();
        fs::remove_file(&lines).unwrap();
        assert_eq!(read(&events), (hot.clone(), vec![]));
        // What is damaged is named, and the rest is read.
        write(&events.join("2026-09.parquet"), "no Parquet".to_owned());
        let (found, unread) = read(&events);
        assert_eq!(
            (found, unread[0].segment.as_str()),
            (hot, "2026-09.parquet")
        );
    }
}
