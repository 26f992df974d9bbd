//! Sealing a month. In this order, so that a run may be killed anywhere: a temporary file is written and
//! compared with the segments; it gets its name; the checkpoint goes over to it; the segments are removed.
//! What is there twice in between says the same twice, and the next run finishes.

use std::collections::HashMap;
use std::fs::{self, File};
use std::path::PathBuf;

use plantune_domain::paths::Paths;

use super::judge::Known;
use super::plan::Collected;
use super::remove::{open_itself, remove_unless_grown};
use crate::error::Error;
use crate::sealed::Staging;
use crate::spool::{Segment, SegmentName};
use crate::store::{Checkpoint, Writer, forget_checkpoints, save_checkpoints, sync_folder};

/// A segment that is sealed, open.
type Source = (Segment, File);

/// Puts the events of `files` into the sealed segment `month`, and removes them; notes for each how many bytes
/// that freed, or why it is still there.
pub(super) fn seal(
    writer: &Writer,
    known: &Known,
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

fn sources(writer: &Writer, files: &[&mut Collected]) -> Result<Vec<Source>, Error> {
    let source = |file: &&mut Collected| {
        let file_name = &file.planned.file_name;
        let path = writer.paths().events().join(file_name);
        let name = SegmentName::parse(file_name).ok_or(std::io::ErrorKind::InvalidInput)?;
        let file = open_itself(&path)?;
        let segment = Segment::new(name, path, &file.metadata()?);
        Ok((segment, file))
    };
    let sources = files.iter().map(source);
    Ok(sources.collect::<std::io::Result<_>>()?)
}

/// Writes the sealed segment, takes its checkpoint into the store, and returns by how many bytes it grew.
fn write(
    writer: &Writer,
    known: &Known,
    month: &SegmentName,
    sources: &[Source],
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
    let read = |(segment, _): &Source| known.checkpoints.get(&segment.name.file_name());
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

/// Where sealing puts what does not fit into memory.
pub(super) fn spill_folder(paths: &Paths) -> PathBuf {
    paths.data().join("plantune.duckdb.seal.tmp")
}
