//! Removing projections that newer ones took the place of, and what killed runs left.

use std::collections::BTreeSet;

use chrono::{DateTime, Duration, Utc};

use super::find::all;
use super::manifest;
use super::table::FOLDER;
use crate::failure::Failure;
use crate::lake::Lake;
use crate::lake::name::is_random;
use crate::lake::tombstones;

/// How many stay: a reader in the middle of the one before goes on.
const KEPT: usize = 2;

/// After how many hours nobody writes to files without a manifest any more.
const ABANDONED_AFTER_HOURS: i64 = 24;

/// Removes all projections but the newest, those that hold what is to be forgotten since, and abandoned files without
/// a manifest. Returns how many projections were removed.
///
/// # Errors
/// The store's.
pub(crate) fn remove_old(lake: &Lake, now: DateTime<Utc>) -> Result<u64, Failure> {
    let manifests = all(lake)?;
    // Those that cannot be understood may be a newer version's, and stay.
    let known: BTreeSet<String> = manifests.iter().map(|(id, _)| id.clone()).collect();
    let tombstones = tombstones::all(lake)?;
    let understood = manifests
        .iter()
        .filter_map(|(id, manifest)| Some((id, manifest.as_ref().ok()?)));
    let mut removed = 0;
    for (number, (id, manifest)) in understood.enumerate() {
        if number < KEPT && manifest.tombstones == tombstones {
            continue;
        }
        // First, so that no reader takes what is left for a projection.
        lake.delete(&manifest::path(id))?;
        lake.delete_folder(&format!("{FOLDER}/{id}"))?;
        removed += 1;
    }
    for (id, changed_at) in lake.folders(FOLDER)? {
        let is_abandoned = now - changed_at > Duration::hours(ABANDONED_AFTER_HOURS);
        if is_random(&id) && !known.contains(&id) && is_abandoned {
            lake.delete_folder(&format!("{FOLDER}/{id}"))?;
        }
    }
    Ok(removed)
}
