//! Sealing a month, in an order that survives a kill at any point: a temporary file is written and compared with the
//! segments; it is renamed; the store's checkpoint moves to it; the segments are removed. In between, some events exist
//! twice, which is harmless, and the next run finishes.

use std::collections::HashMap;
use std::fs::File;
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use duckdb::Connection;
use duckdb::arrow::array::{RecordBatch, UInt64Array};
use duckdb::arrow::compute::concat_batches;
use duckdb::arrow::datatypes::{DataType, Field, Schema};
use duckdb::arrow::error::ArrowError;
use plantune_domain::paths::{Paths, create_private_dir};
use plantune_domain::{private_file, spool};

use super::{Collected, KnownLog};
use crate::Error;
use crate::arrow::{Unsaved, append, column, digests, with_event_columns};
use crate::projection::losers;
use crate::reader::{SealedFile, SegmentReader, connect, text};
use crate::segment::{Segment, SegmentName, named};
use crate::store::Writer;
use crate::store::open::{Checkpoint, failed, forget_checkpoints, save_checkpoints, sync_folder};

/// A segment to be sealed, and its open file.
type SealSource = (Segment, File);

/// Moves the events of `files` into the sealed segment `month` and removes the files. Records for each how many bytes
/// that freed, or why it is still there.
pub(super) fn seal(
    writer: &Writer,
    known: &KnownLog,
    month: &SegmentName,
    files: Vec<&mut Collected>,
) {
    let sealed = sources(writer, &files)
        .and_then(|sources| Ok((write(writer, known, month, &sources)?, sources)));
    match sealed {
        Ok((mut growth, sources)) => {
            for (file, (segment, open)) in files.into_iter().zip(sources) {
                let Segment { path, length, .. } = &segment;
                let removed = remove_unless_grown(path, &open, *length);
                file.freed = match removed {
                    Ok(()) => Ok(length.saturating_sub(growth)),
                    Err(error) => Err(Error::Spool(error).to_string()),
                };
                if file.freed.is_ok() {
                    growth = growth.saturating_sub(*length);
                }
            }
        }
        Err(error) => {
            for file in files {
                file.freed = Err(error.to_string());
            }
        }
    }
}

fn sources(writer: &Writer, files: &[&mut Collected]) -> Result<Vec<SealSource>, Error> {
    let source = |file: &&mut Collected| {
        let file_name = &file.planned.file_name;
        let path = writer.paths().events().join(file_name);
        let name = SegmentName::parse(file_name).ok_or(io::ErrorKind::InvalidInput)?;
        let file = open_itself(&path)?;
        let segment = Segment::new(name, path, &file.metadata()?);
        Ok((segment, file))
    };
    let sources = files.iter().map(source);
    Ok(sources.collect::<io::Result<_>>()?)
}

/// Writes the sealed segment, saves its checkpoint in the store, and returns by how many bytes the segment grew.
fn write(
    writer: &Writer,
    known: &KnownLog,
    month: &SegmentName,
    sources: &[SealSource],
) -> Result<u64, Error> {
    let path = writer.paths().events().join(month.file_name());
    let mut staging = Staging::open(&spill_folder(writer.paths()))?;
    let before = known.checkpoints.get(&month.file_name());
    if before.is_some() {
        staging.add_sealed(&path)?;
    }
    for (segment, _) in sources {
        staging.add_lines(segment)?;
    }
    let (temporary, events) = staging.write(&path)?;
    let failed = |error| Error::SpoolWrite(path.clone(), error);
    fs::rename(&temporary, &path).map_err(failed)?;
    sync_folder(&path);
    let metadata = fs::metadata(&path).map_err(failed)?;
    let segment = Segment::new(month.clone(), path.clone(), &metadata);
    let read = |(segment, _): &SealSource| known.checkpoints.get(&segment.name.file_name());
    let all = sources.iter().filter_map(read).chain(before);
    let checkpoint = Checkpoint {
        offset: segment.length,
        events,
        last_hook_at: all.filter_map(|known| known.last_hook_at).max(),
        ..Checkpoint::start(&segment)
    };
    if let Some(connection) = writer.connection() {
        let transaction = connection.unchecked_transaction()?;
        let names = sources.iter().map(|(segment, _)| segment.name.file_name());
        forget_checkpoints(&transaction, names)?;
        let sealed = HashMap::from([(month.file_name(), checkpoint)]);
        save_checkpoints(&transaction, &sealed)?;
        transaction.commit()?;
    }
    let before = before.map_or(0, |known| known.length);
    Ok(segment.length.saturating_sub(before))
}

/// The folder for data that does not fit into memory during sealing.
pub(super) fn spill_folder(paths: &Paths) -> PathBuf {
    paths.data().join("plantune.duckdb.seal.tmp")
}

/// Events on their way into a sealed segment: collected in a table of a separate DuckDB database, then sorted and
/// written.
pub(crate) struct Staging {
    connection: Connection,
    folder: PathBuf,
    total: Unsaved,
    unsaved: Unsaved,
}

impl Staging {
    /// Creates an empty one in `folder`, which is removed at the end.
    pub(crate) fn open(folder: &Path) -> Result<Self, Error> {
        create_private_dir(folder).map_err(|error| failed(folder, error))?;
        let connection = Connection::open(folder.join("events.duckdb"))?;
        connection.execute("SET VARIABLE folder = ?", [text(folder)?])?;
        connection.execute_batch(include_str!("../../sql/sealed/staging.sql"))?;
        let table = include_str!("../../sql/sealed/table.sql");
        connection.execute_batch(&with_event_columns(table))?;
        Ok(Self {
            connection,
            folder: folder.to_owned(),
            total: Unsaved::default(),
            unsaved: Unsaved::default(),
        })
    }

    /// Adds the events of a JSONL segment.
    ///
    /// # Errors
    /// When the segment contains a bad line or ends in half a line, and file system and DuckDB errors.
    pub(crate) fn add_lines(&mut self, segment: &Segment) -> Result<(), Error> {
        let refused = |words: &str| {
            let error = io::Error::other(words);
            Error::Spool(named(&error, &segment.path))
        };
        let mut reader = SegmentReader::open(segment, 0, &mut None)?;
        while let Some(part) = reader.next()? {
            let (events, bad_lines) = part.events(true)?;
            if !bad_lines.is_empty() {
                return Err(refused("a line is not an event"));
            }
            self.add(&events)?;
        }
        if matches!(reader, SegmentReader::Lines(reader) if reader.ends_torn()) {
            return Err(refused("it ends in half a line"));
        }
        Ok(())
    }

    /// Adds the events of a sealed segment.
    ///
    /// # Errors
    /// When the segment was changed since it was written, and file system and DuckDB errors.
    pub(crate) fn add_sealed(&mut self, path: &Path) -> Result<(), Error> {
        let file = SealedFile::open(&connect()?, path)?;
        file.check(|events| self.add(events)).map(drop)
    }

    fn add(&mut self, events: &RecordBatch) -> Result<(), Error> {
        let events = with_digests(events)?;
        self.total.add(&events);
        self.unsaved.add(&events);
        append(&self.connection, "events", vec![events])?;
        if self.unsaved.is_enough() {
            self.unsaved = Unsaved::default();
            let sql = include_str!("../../sql/save_part.sql");
            self.connection.execute_batch(sql)?;
        }
        Ok(())
    }

    /// Removes copies of events, and events that lose against another with the same id when questions are merged. Of
    /// events that differ, and of which none loses, all stay.
    fn remove_repeated(&self) -> Result<(), Error> {
        let sql = include_str!("../../sql/sealed/remove_copies.sql");
        self.connection.execute_batch(sql)?;
        let sql = include_str!("../../sql/sealed/repeated.sql");
        let mut statement = self.connection.prepare(sql)?;
        let batches = statement.query_arrow([])?;
        let schema = batches.get_schema();
        let repeated = concat_batches(&schema, &batches.collect::<Vec<_>>())?;
        let rows: &UInt64Array = column(&repeated, "row")?;
        let lost = losers(&repeated)?.into_iter().map(|at| rows.value(at));
        let lost = serde_json::to_string(&lost.collect::<Vec<_>>()).unwrap_or_default();
        let sql = include_str!("../../sql/sealed/delete.sql");
        self.connection.execute(sql, [lost])?;
        Ok(())
    }

    /// Writes the sealed segment `path` as a temporary file next to it, and returns that file's path and number of
    /// events. The file is synced, read back and compared with the added events.
    ///
    /// # Errors
    /// When the events read back differ, and file system and DuckDB errors.
    pub(crate) fn write(self, path: &Path) -> Result<(PathBuf, u64), Error> {
        let temporary = path.with_extension("parquet.tmp");
        match self.write_and_compare(&temporary) {
            Ok(rows) => Ok((temporary, rows)),
            Err(error) => {
                // The first error is the one to report.
                let _ = fs::remove_file(&temporary);
                Err(error)
            }
        }
    }

    fn write_and_compare(self, path: &Path) -> Result<u64, Error> {
        let failed = |error: io::Error| Error::SpoolWrite(path.to_owned(), error);
        self.connection.execute_batch("COMMIT")?;
        self.remove_repeated()?;
        let sql = include_str!("../../sql/sealed/staged.sql");
        let (rows, digest): (u64, String) = self
            .connection
            .query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
        // DuckDB writes to the existing file, which is private from the start.
        let file = private_file::create_new(path).map_err(failed)?;
        let name = text(path).map_err(failed)?;
        self.connection.execute("SET VARIABLE path = ?", [name])?;
        self.connection
            .execute("SET VARIABLE digest = ?", [digest])?;
        // Sorting copies whole rows, a few thousand at a time.
        let sql = if self.total.has_long_rows() {
            include_str!("../../sql/sealed/write_unsorted.sql")
        } else {
            include_str!("../../sql/sealed/write.sql")
        };
        self.connection.execute_batch(sql)?;
        file.sync_all().map_err(failed)?;
        drop(self);
        match SealedFile::open(&connect()?, path)?.check(|_| Ok(())) {
            Ok(written) if written == rows => Ok(rows),
            _ => Err(failed(io::Error::other(
                "what was written does not hold the events",
            ))),
        }
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // The next gc removes any leftovers.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The columns of `events`, and a digest of each.
fn with_digests(events: &RecordBatch) -> Result<RecordBatch, ArrowError> {
    let mut fields = events.schema().fields().to_vec();
    fields.push(Arc::new(Field::new("digest", DataType::UInt64, true)));
    let mut columns = events.columns().to_vec();
    columns.push(Arc::new(UInt64Array::from(digests(events))));
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)
}

/// Opens a regular file, and checks that the path still names it.
pub(super) fn open_itself(path: &Path) -> io::Result<File> {
    let named = fs::symlink_metadata(path)?;
    let file = File::open(path)?;
    let opened = file.metadata()?;
    let is_same = (named.dev(), named.ino()) == (opened.dev(), opened.ino());
    if named.is_file() && is_same {
        Ok(file)
    } else {
        Err(io::Error::other("it was replaced meanwhile"))
    }
}

/// Removes `path`, which is open as `file`, if it still has `length` bytes.
///
/// A hook that opened the file earlier may still write to it. Lines written before the removal are read here from the
/// open file and appended under the old name. After the removal, the hook itself notices and writes its line again
/// ([`spool::append_to`]).
pub(super) fn remove_unless_grown(path: &Path, file: &File, length: u64) -> io::Result<()> {
    if file.metadata()?.len() != length {
        return Err(io::Error::other("it has grown meanwhile"));
    }
    fs::remove_file(path)?;
    rescue(path, file, length)?;
    sync_folder(path);
    Ok(())
}

/// Appends the contents of `file` after `length` to the file `path`.
fn rescue(path: &Path, file: &File, length: u64) -> io::Result<()> {
    let grown = file.metadata()?.len().saturating_sub(length);
    if grown == 0 {
        return Ok(());
    }
    let mut late = vec![0; usize::try_from(grown).map_err(io::Error::other)?];
    file.read_exact_at(&mut late, length)?;
    spool::append_to(path, &late)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::OpenOptions;
    use std::io::Write as _;

    #[test]
    fn what_comes_late_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("2026-01-01.jsonl");
        spool::append_to(&path, b"one\n").unwrap();
        let file = open_itself(&path).unwrap();
        let mut hook = OpenOptions::new().append(true).open(&path).unwrap();
        hook.write_all(b"two\n").unwrap();
        assert!(remove_unless_grown(&path, &file, 4).is_err());
        assert_eq!(fs::read(&path).unwrap(), b"one\ntwo\n");
        // This happens between the check and the removal.
        fs::remove_file(&path).unwrap();
        rescue(&path, &file, 4).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two\n");
        let file = open_itself(&path).unwrap();
        remove_unless_grown(&path, &file, 4).unwrap();
        assert!(!path.exists());
    }

    /// A hook appends as fast as it can to a segment that is removed over and over.
    #[test]
    fn no_line_goes_with_the_segment() {
        const LINES: u32 = 5000;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("2026-01-01.jsonl");
        let hook = std::thread::spawn({
            let path = path.clone();
            move || {
                for number in 0..LINES {
                    spool::append_to(&path, format!("{number}\n").as_bytes()).unwrap();
                }
            }
        });
        let mut kept = String::new();
        let mut removed = 0;
        while !hook.is_finished() {
            // It may not exist yet, or not exist again yet.
            let Ok(file) = open_itself(&path) else {
                continue;
            };
            let length = file.metadata().unwrap().len();
            // gc removes only files that were read. Removing each new empty file at once would starve the hook.
            if length == 0 {
                continue;
            }
            if remove_unless_grown(&path, &file, length).is_ok() {
                let mut content = vec![0; usize::try_from(length).unwrap()];
                file.read_exact_at(&mut content, 0).unwrap();
                kept += std::str::from_utf8(&content).unwrap();
                removed += 1;
                // The hook gives up on a segment that is removed at every write, which gc never does.
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
        }
        hook.join().unwrap();
        kept += &fs::read_to_string(&path).unwrap_or_default();
        // A line rescued here and written again by the hook is there twice, but has one event id.
        let numbers: std::collections::BTreeSet<u32> =
            kept.lines().map(|line| line.parse().unwrap()).collect();
        assert!(removed > 0);
        assert_eq!(numbers.len(), LINES as usize);
    }

    #[test]
    fn a_link_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        spool::append_to(&real, b"one\n").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        assert!(open_itself(&link).is_err());
    }
}
