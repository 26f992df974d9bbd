//! The lake's events, for whichever engine reads them: which files are read is judged here, by their ends.

use duckdb::Connection;
use plantune_reports::fleet::{LakeState, SkippedFile};

use super::Chosen;
use super::engine::{Engine, row};
use crate::failure::Failure;
use crate::lake::Lake;
use crate::lake::files::{Listing, Readable, Reader, missing};
use crate::lake::tombstones::{self, Tombstone};
use crate::workspace::Workspace;

/// How often reading begins again when a compaction removes files meanwhile.
const MOST_ATTEMPTS: usize = 20;

/// The files of a lake.
pub(crate) struct Files {
    listing: Listing,
    pub(crate) read: Vec<Readable>,
    pub(crate) skipped: Vec<SkippedFile>,
    pub(crate) tombstones: Vec<Tombstone>,
}

/// Computes something of all events, and returns what was read, too. When files are merged meanwhile, that begins
/// again; what the engine cannot read is passed over.
///
/// # Errors
/// Refused for another organisation's lake; those of the lake, the engine and `compute`.
pub(super) fn on_events<T>(
    workspace: &Workspace,
    lake: &Lake,
    chosen: &Chosen,
    mut compute: impl FnMut(&mut dyn Engine, &LakeState) -> Result<T, Failure>,
) -> Result<(T, Files, LakeState), Failure> {
    let mut damaged = Vec::new();
    for _ in 0..MOST_ATTEMPTS {
        let Some(mut files) = Files::judge(workspace, lake, chosen, &damaged)? else {
            continue;
        };
        let mut engine = chosen.open()?;
        let attempt = load(&mut *engine, lake, &mut files)
            .and_then(|state| Ok((compute(&mut *engine, &state)?, state)));
        let failure = match attempt {
            Ok((computed, state)) => return Ok((computed, files, state)),
            Err(failure) if failure.lacks_room() => return Err(failure),
            Err(failure) => failure,
        };
        let Ok(now) = Listing::read(lake) else {
            return Err(failure);
        };
        let is_there = |file: &Readable| now.files.iter().any(|(_, entry)| *entry == file.entry);
        if !files.read.iter().all(is_there) {
            continue;
        }
        match engine.damaged(lake, &files) {
            Ok(found) if !found.is_empty() => damaged.extend(found),
            _ => return Err(failure),
        }
    }
    let words = format!(
        "{}: files are merged faster than they can be read",
        lake.address
    );
    Err(Failure::failed(words).hint("try again when no compaction runs"))
}

impl Files {
    /// What there is to read, but for what is known to be `damaged`; `None` when a file is gone meanwhile.
    fn judge(
        workspace: &Workspace,
        lake: &Lake,
        chosen: &Chosen,
        damaged: &[SkippedFile],
    ) -> Result<Option<Self>, Failure> {
        let listing = Listing::read(lake)?;
        let tombstones = tombstones::all(lake)?;
        let connection = Connection::open_in_memory()?;
        let mut reader = Reader::new(lake, &connection);
        let footers_only = chosen.reads_elsewhere();
        let read = reader.readable(&listing.files, &workspace.key, footers_only)?;
        let Some(mut read) = read else {
            return Ok(None);
        };
        read.retain(|file| damaged.iter().all(|one| one.path != file.entry.path));
        let skipped = [&listing.skipped, &*reader.skipped, damaged].concat();
        Ok(Some(Self {
            listing,
            read,
            skipped,
            tombstones,
        }))
    }
}

/// Makes the lake's events the table `events`, and returns what was read.
fn load(engine: &mut dyn Engine, lake: &Lake, files: &mut Files) -> Result<LakeState, Failure> {
    engine.load(lake, files)?;
    let contents: LakeState = row(engine, include_str!("../../sql/fleet/contents.sql"))?;
    Ok(LakeState {
        address: lake.address.clone(),
        files: files.read.len() as u64,
        missing_files: missing(&files.listing, &files.read),
        skipped: files.skipped.clone(),
        ..contents
    })
}
