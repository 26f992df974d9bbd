//! The newest projection that may be read in place of the events, and why another is not.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use duckdb::Connection;
use plantune_ingest::parquet_pattern;
use plantune_reports::fleet::{LakeState, moment};

use super::manifest::{self, FORMAT, Manifest};
use super::table::{FOLDER, Table};
use crate::failure::Failure;
use crate::key::OrganisationKey;
use crate::lake::files::{Listing, Readable, Reader, footers};
use crate::lake::name::EventFile;
use crate::lake::tombstones::{self, Tombstone};
use crate::lake::{Entry, Lake};
use crate::workspace::Workspace;

/// How often it is tried again when projections are removed meanwhile.
const MOST_ATTEMPTS: usize = 20;

/// A projection that may be read.
#[derive(Clone, Debug)]
pub(crate) struct Projection {
    pub(crate) id: String,
    pub(crate) manifest: Manifest,
    /// How many of the publishers' files have come since.
    pub(crate) files_since: u64,
}

impl Projection {
    /// The files of a table that may hold rows of these days, and how many rows these are, as the manifest says and
    /// their ends on this machine, too; `connection` has them for the variable `files`.
    ///
    /// # Errors
    /// The store's and DuckDB's; failed for files that are gone or damaged.
    pub(crate) fn stored(
        &self,
        connection: &Connection,
        lake: &Lake,
        (table, (first_us, end_us)): (Table, (i64, i64)),
        footers_only: bool,
    ) -> Result<(Vec<Entry>, u64), Failure> {
        let (mut entries, mut patterns, mut rows) = (Vec::new(), Vec::new(), 0);
        for file in &self.manifest.tables {
            if file.table() == Some(table) && file.is_about(first_us, end_us) {
                let entry = file.entry(&self.id);
                let Some(path) = lake.on_this_machine(&entry, footers_only)? else {
                    return Err(Failure::failed(format!("{} is gone", entry.path)));
                };
                patterns.push(parquet_pattern(&path)?);
                entries.push(entry);
                rows += file.rows;
            }
        }
        if !patterns.is_empty() {
            let found = footers(connection, &patterns)?;
            let found: u64 = found.values().map(|file| file.rows).sum();
            if found != rows {
                let words = format!("its files have {found} rows of {rows}");
                return Err(Failure::failed(words));
            }
        }
        Ok((entries, rows))
    }

    /// What a report says of the lake that rests on it.
    pub(crate) fn state(&self, lake: &Lake) -> LakeState {
        let manifest = &self.manifest;
        LakeState {
            address: lake.address.clone(),
            files: manifest.files.len() as u64,
            rows: manifest.rows,
            events: manifest.events,
            publishers: manifest.publishers,
            missing_files: manifest.missing_files,
            skipped: manifest.skipped.clone(),
            computed_at: Some(manifest.computed_at.clone()),
            files_since: Some(self.files_since),
            not_used: None,
        }
    }
}

/// What there is of projections.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The newest that may be read.
    pub(crate) newest: Option<Projection>,
    /// When the newest of all was computed, and why it may not be read, in words; `None` where it may.
    pub(crate) not_used: Option<String>,
}

/// Computes something from the newest projection that can be read. When one is removed meanwhile, that begins
/// again; what is damaged is passed over. Where there is none that may be read, it says why the newest may not.
///
/// # Errors
/// The store's; those of `compute` where memory or a disk is full.
pub(crate) fn with_newest<T>(
    workspace: &Workspace,
    lake: &Lake,
    mut compute: impl FnMut(&Projection, LakeState) -> Result<T, Failure>,
) -> Result<Result<T, Option<String>>, Failure> {
    let mut damaged = BTreeMap::new();
    for _ in 0..MOST_ATTEMPTS {
        let found = find(workspace, lake, &damaged)?;
        let Some(projection) = found.newest else {
            return Ok(Err(found.not_used));
        };
        let state = LakeState {
            not_used: found.not_used,
            ..projection.state(lake)
        };
        match compute(&projection, state) {
            Ok(computed) => return Ok(Ok(computed)),
            Err(failure) if failure.lacks_room() => return Err(failure),
            Err(failure) if lake.get(&manifest::path(&projection.id))?.is_some() => {
                damaged.insert(projection.id, format!("damaged: {}", failure.message()));
            }
            // A newer one took its place.
            Err(_) => {}
        }
    }
    Ok(Err(None))
}

/// The newest projection that may be read: of this key, computed by these queries, of the events that the lake holds
/// and without what is to be forgotten. `damaged` are those that are known not to.
///
/// # Errors
/// The store's.
pub(crate) fn find(
    workspace: &Workspace,
    lake: &Lake,
    damaged: &BTreeMap<String, String>,
) -> Result<Found, Failure> {
    let manifests = all(lake)?;
    if manifests.is_empty() {
        return Ok(Found::default());
    }
    // After the manifests: what came before one was put is known to it.
    let now = Now {
        lake,
        key: &workspace.key,
        tombstones: tombstones::all(lake)?,
        listing: Listing::read(lake)?,
    };
    lake.forget_copies(FOLDER, |id| manifests.iter().any(|(known, _)| known == id));
    let mut found = Found::default();
    for (number, (id, manifest)) in manifests.into_iter().enumerate() {
        let of = match &manifest {
            Ok(manifest) => format!(" of {}", moment(&manifest.computed_at)),
            Err(_) => String::new(),
        };
        let judged = match (damaged.get(&id), manifest) {
            (Some(why), _) => Err(why.clone()),
            (None, Err(why)) => Err(why),
            (None, Ok(manifest)) => now.judge(&id, &manifest)?.map(|since| (*manifest, since)),
        };
        match judged {
            Ok((manifest, files_since)) => {
                found.newest = Some(Projection {
                    id,
                    manifest,
                    files_since,
                });
                break;
            }
            Err(why) if number == 0 => {
                found.not_used = Some(format!("the projection{of} is not used: {why}"));
            }
            Err(_) => {}
        }
    }
    Ok(found)
}

/// A manifest, or what is wrong with it.
pub(super) type Parsed = Result<Box<Manifest>, String>;

/// The lake's manifests, the newest first; behind them those that cannot be understood.
pub(super) fn all(lake: &Lake) -> Result<Vec<(String, Parsed)>, Failure> {
    let mut found = Vec::new();
    for entry in lake.list_once(FOLDER)? {
        let Some(id) = manifest::id_of(&entry.path) else {
            continue;
        };
        // What is gone was removed just now.
        if let Some(bytes) = lake.get(&entry.path)? {
            let parsed: Result<Manifest, _> = serde_json::from_slice(&bytes);
            let parsed = parsed.map_err(|error| format!("damaged: {error}"));
            found.push((id.to_owned(), parsed.map(Box::new)));
        }
    }
    found.sort_by_cached_key(|(id, manifest)| {
        let computed_at = manifest.as_ref().ok().map(|one| one.computed_at.clone());
        Reverse((computed_at, id.clone()))
    });
    Ok(found)
}

/// The lake as it is now.
struct Now<'a> {
    lake: &'a Lake,
    key: &'a OrganisationKey,
    tombstones: Vec<Tombstone>,
    listing: Listing,
}

impl Now<'_> {
    /// How many files have come since the projection, or why it may not be read.
    fn judge(&self, id: &str, manifest: &Manifest) -> Result<Result<u64, String>, Failure> {
        let refused = |why: &str| Ok(Err(why.to_owned()));
        if manifest.plantune_projection != FORMAT || manifest.queries != manifest::queries() {
            return refused("another version of plantune-fleet computed it");
        }
        if manifest.key_check != self.key.check_value() {
            return refused("it is of an organisation with another key");
        }
        if manifest.tombstones != self.tombstones {
            return refused("what is to be forgotten has changed since");
        }
        let listed = self.lake.list_once(&format!("{FOLDER}/{id}"))?;
        let listed: BTreeSet<Entry> = listed.into_iter().collect();
        for file in &manifest.tables {
            let entry = file.entry(id);
            if file.table().is_none() || !listed.contains(&entry) {
                return Ok(Err(format!(
                    "damaged: {} is not as it was written",
                    entry.path
                )));
            }
        }
        self.since(manifest)
    }

    /// How many of the publishers' files have come since, those that were merged included.
    fn since(&self, manifest: &Manifest) -> Result<Result<u64, String>, Failure> {
        let skipped = manifest.skipped.iter().map(|skipped| skipped.path.as_str());
        let skipped: BTreeSet<&str> = skipped.collect();
        let (mut since, mut merged) = (0, Vec::new());
        for (file, entry) in &self.listing.files {
            if skipped.contains(entry.path.as_str()) {
                continue;
            }
            match file.numbered() {
                Some((publisher, sequence)) => {
                    since += u64::from(!manifest.covers(publisher, sequence));
                }
                None if manifest.files.contains(&entry.path) => {}
                None => merged.push((file.clone(), entry.clone())),
            }
        }
        let files = &self.listing.files;
        let present: BTreeSet<&str> = files.iter().map(|(_, one)| one.path.as_str()).collect();
        let merged_days: BTreeSet<NaiveDate> = merged.iter().map(|(file, _)| file.date).collect();
        let is_gone = |path: &&String| {
            let day = || EventFile::parse(path).map(|file| file.date);
            !present.contains(path.as_str()) && !day().is_some_and(|day| merged_days.contains(&day))
        };
        if let Some(gone) = manifest.files.iter().find(is_gone) {
            return Ok(Err(format!("events that it rests on are gone: {gone}")));
        }
        if merged.is_empty() {
            return Ok(Ok(since));
        }
        let connection = Connection::open_in_memory()?;
        let mut reader = Reader::new(self.lake, &connection);
        // Gone means that a compaction merges them just now: they count when that is done.
        if let Some(readable) = reader.readable(&merged, self.key, true)? {
            let inputs = readable.iter().flat_map(Readable::merged);
            let new = inputs.filter(|(publisher, sequence)| !manifest.covers(publisher, *sequence));
            since += new.collect::<BTreeSet<_>>().len() as u64;
        }
        Ok(Ok(since + reader.skipped.len() as u64))
    }
}
