//! Sealing a month, in an order that survives a kill at any point: a temporary file is written and compared with the
//! segments; it is renamed; the store's checkpoint moves to it; the segments are removed. In between, some events exist
//! twice, which is harmless, and the next run finishes.

use std::collections::HashMap;
use std::fs::File;
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::Path;
use std::{fs, io};

use duckdb::AccessMode;
use plantune_domain::paths::Paths;
use plantune_domain::spool;

use super::{Collected, KnownLog};
use crate::in_order::{InOrder, Survey};
use crate::parquet::write_sealed;
use crate::segment::{Segment, SegmentName, named};
use crate::store::checkpoints::{Checkpoint, forget_checkpoints, save_checkpoints};
use crate::store::open::{open, sync_folder};
use crate::{Error, Progress};

/// A segment to be sealed, and its open file.
type SealSource = (Segment, File);

/// Moves the events of `files` into the sealed segment `month` and removes the files. Records for each how many bytes
/// that freed, or why it is still there. The store must not be open.
pub(super) fn seal(
    paths: &Paths,
    known: &KnownLog,
    month: &SegmentName,
    files: Vec<&mut Collected>,
    progress: &Progress,
) {
    let sealed = sources(paths, &files)
        .and_then(|sources| Ok((write(paths, known, month, &sources, progress)?, sources)));
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

fn sources(paths: &Paths, files: &[&mut Collected]) -> Result<Vec<SealSource>, Error> {
    let source = |file: &&mut Collected| {
        let file_name = &file.planned.file_name;
        let path = paths.events().join(file_name);
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
    paths: &Paths,
    known: &KnownLog,
    month: &SegmentName,
    sources: &[SealSource],
    progress: &Progress,
) -> Result<u64, Error> {
    let path = paths.events().join(month.file_name());
    let failed = |error| Error::SpoolWrite(path.clone(), error);
    let of_month =
        || fs::metadata(&path).map(|file| Segment::new(month.clone(), path.clone(), &file));
    let before = known.checkpoints.get(&month.file_name());
    let mut segments: Vec<Segment> = Vec::new();
    if before.is_some() {
        segments.push(of_month()?);
    }
    segments.extend(sources.iter().map(|(segment, _)| segment.clone()));
    let events = InOrder::all(whole(segments, progress)?, paths.data(), progress);
    let temporary = path.with_extension("parquet.tmp");
    let events = write_sealed(events, &temporary).inspect_err(|_| {
        // The first error is the one to report.
        let _ = fs::remove_file(&temporary);
    })?;
    fs::rename(&temporary, &path).map_err(failed)?;
    sync_folder(&path);
    let segment = of_month().map_err(failed)?;
    let read = |(segment, _): &SealSource| known.checkpoints.get(&segment.name.file_name());
    let all = sources.iter().filter_map(read).chain(before);
    let checkpoint = Checkpoint {
        offset: segment.length,
        events,
        last_hook_at: all.filter_map(|known| known.last_hook_at).max(),
        ..Checkpoint::start(&segment)
    };
    let connection = open(&paths.store(), &AccessMode::ReadWrite)?;
    let transaction = connection.unchecked_transaction()?;
    let names = sources.iter().map(|(segment, _)| segment.name.file_name());
    forget_checkpoints(&transaction, names)?;
    let sealed = HashMap::from([(month.file_name(), checkpoint)]);
    save_checkpoints(&transaction, &sealed)?;
    transaction.commit()?;
    connection.close().map_err(|(_, error)| error)?;
    let before = before.map_or(0, |known| known.length);
    Ok(segment.length.saturating_sub(before))
}

/// The survey of `segments`, if every byte of them is of an event.
fn whole(segments: Vec<Segment>, progress: &Progress) -> Result<Survey, Error> {
    let mut survey = Survey::of(segments, progress)?;
    let refused = |segment: &Segment, words: &str| {
        Error::Spool(named(&io::Error::other(words), &segment.path))
    };
    if let Some((_, error)) = survey.unread.pop() {
        return Err(error);
    }
    if let Some((segment, _)) = survey.bad_lines.first() {
        return Err(refused(segment, "a line is not an event"));
    }
    if let Some(segment) = survey.torn.first() {
        return Err(refused(segment, "it ends in half a line"));
    }
    Ok(survey)
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
