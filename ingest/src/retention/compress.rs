//! Compressing a segment. In this order, so that a run may be killed anywhere: a temporary file is
//! written and compared with the segment; the checkpoint goes over to the new name; the temporary
//! file gets that name; the segment is removed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read as _, Seek as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use flate2::{Compression, GzBuilder};

use super::remove::{open_itself, remove_unless_grown};
use super::{Planned, UNFINISHED};
use crate::Writer;
use crate::checkpoint::{self, Checkpoint, Checkpoints, State};
use crate::compressed::{Seal, holds};
use crate::open::sync_folder;
use crate::segment::look_at;
use crate::segment_name::SegmentName;

/// Compresses a segment that is in the store, and returns how many bytes that freed.
///
/// # Errors
/// Those of the file system and of DuckDB, and when the segment changes meanwhile; it is there as
/// it was then.
pub(super) fn compress(
    writer: &mut Writer,
    checkpoints: &Checkpoints,
    planned: &Planned,
    now: DateTime<Utc>,
) -> io::Result<u64> {
    let name = SegmentName::parse(&planned.file_name).ok_or(io::ErrorKind::InvalidInput)?;
    let events = writer.paths().events();
    let path = events.join(&planned.file_name);
    let plain = open_itself(&path)?;
    let segment = look_at(&name, path.clone())?;
    let reached = checkpoints.reached(&segment).cloned();
    let (offset, count) = (reached.as_ref()).map_or((0, 0), |known| (known.offset, known.events));
    if offset != segment.length || plain.metadata()?.len() != offset {
        return Err(io::Error::other("it has grown meanwhile"));
    }
    let checkpoint = |seal: &Seal| Checkpoint {
        head: segment.head.clone().unwrap_or_default(),
        tail: reached.as_ref().and_then(|known| known.tail.clone()),
        state: State::Sealed(seal.word()),
        offset,
        events: count,
    };
    let (compressed, is_new) = match existing(&events, &name, &plain, offset)? {
        Some(compressed) => (compressed, false),
        None => (write(&events, &name, &plain, offset)?, true),
    };
    let target = if is_new {
        free_name(&events, &name)?
    } else {
        compressed.clone()
    };
    let file = File::open(&compressed)?;
    let seal = Seal::of(&file)?;
    hand_over(writer, &path, &target, &checkpoint(&seal), now).map_err(io::Error::other)?;
    if is_new {
        fs::rename(&compressed, &target)?;
        sync_folder(&target);
    }
    remove_unless_grown(&path, &plain, offset)?;
    let now_held = if is_new { file.metadata()?.len() } else { 0 };
    Ok(offset.saturating_sub(now_held))
}

/// A compressed file that holds the segment already: a run was killed before it removed that.
fn existing(
    events: &Path,
    name: &SegmentName,
    plain: &File,
    length: u64,
) -> io::Result<Option<PathBuf>> {
    for path in name.compressed_names().map(|name| events.join(name)) {
        match open_itself(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            // A link, or a damaged file, holds nothing that can be relied on.
            Err(_) => {}
            Ok(compressed) => {
                if holds(compressed, plain, length).unwrap_or(false) {
                    return Ok(Some(path));
                }
            }
        }
    }
    Ok(None)
}

/// The first name of a compressed file that nothing has.
fn free_name(events: &Path, name: &SegmentName) -> io::Result<PathBuf> {
    let mut paths = name.compressed_names().map(|name| events.join(name));
    let is_free = |path: &PathBuf| fs::symlink_metadata(path).is_err();
    paths
        .find(is_free)
        .ok_or_else(|| io::Error::other("every name is taken"))
}

/// Writes the first `length` bytes of `plain` into a temporary file, compares the two, and returns
/// its path. The time of the last change goes over.
fn write(events: &Path, name: &SegmentName, plain: &File, length: u64) -> io::Result<PathBuf> {
    let path = events.join(format!("{}{UNFINISHED}", name.segment()));
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&path)?;
    let written = fill(&file, name, plain, length).and_then(|()| {
        if holds(File::open(&path)?, plain, length)? {
            file.sync_all()
        } else {
            Err(io::Error::other(
                "what was compressed does not give the segment back",
            ))
        }
    });
    if let Err(error) = written {
        // The write's own error is the one to report.
        let _ = fs::remove_file(&path);
        return Err(error);
    }
    Ok(path)
}

fn fill(file: &File, name: &SegmentName, plain: &File, length: u64) -> io::Result<()> {
    let metadata = plain.metadata()?;
    let mut encoder = GzBuilder::new()
        .filename(name.segment())
        .mtime(u32::try_from(metadata.mtime()).unwrap_or(0))
        .write(BufWriter::new(file), Compression::default());
    let mut plain = plain;
    plain.rewind()?;
    io::copy(&mut plain.take(length), &mut encoder)?;
    encoder.finish()?.into_inner()?;
    file.set_modified(metadata.modified()?)
}

/// Moves a segment's checkpoint to its compressed file.
fn hand_over(
    writer: &mut Writer,
    from: &Path,
    to: &Path,
    checkpoint: &Checkpoint,
    now: DateTime<Utc>,
) -> duckdb::Result<()> {
    let name = |path: &Path| {
        let name = path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    };
    let feeds = writer.feeds().clone();
    let transaction = writer.connection_mut().transaction()?;
    let checkpoints = vec![(name(to), checkpoint.clone())];
    checkpoint::put(&transaction, &feeds, checkpoints, now)?;
    transaction.execute(include_str!("../../sql/drop_checkpoint.sql"), [name(from)])?;
    transaction.commit()
}
