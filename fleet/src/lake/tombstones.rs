//! Tombstones: what a machine wants forgotten. Readers pass it over, compaction removes it.

use duckdb::{Connection, params};
use serde::{Deserialize, Serialize};

use super::Lake;
use super::name::is_random;
use crate::failure::Failure;
use crate::key::random_hex;

const FOLDER: &str = "tombstones/v1";

/// All rows of a publisher, or those of one project, whenever they came or will come.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Tombstone {
    /// Whose rows.
    pub(crate) publisher: String,
    /// The keyed hash of the project; `None` for all of them.
    pub(crate) project: Option<String>,
}

/// The lake's.
///
/// # Errors
/// Conflict when one cannot be understood: what was to be forgotten might be shown. The store's.
pub(crate) fn all(lake: &Lake) -> Result<Vec<Tombstone>, Failure> {
    let mut found = Vec::new();
    for entry in lake.list(FOLDER)? {
        let Some(bytes) = lake.get(&entry.path)? else {
            continue;
        };
        let tombstone: Option<Tombstone> = serde_json::from_slice(&bytes).ok();
        let tombstone = tombstone.filter(|tombstone| is_random(&tombstone.publisher));
        found.push(tombstone.ok_or_else(|| {
            let words = format!("{}/{}: no tombstone", lake.address, entry.path);
            Failure::conflict(words).hint(
                "what it would have forgotten might be shown; take it of a backup, or remove it",
            )
        })?);
    }
    found.sort();
    found.dedup();
    Ok(found)
}

/// Makes those of `tombstones` the table of that name.
///
/// # Errors
/// DuckDB's.
pub(crate) fn load(connection: &Connection, tombstones: &[Tombstone]) -> Result<(), Failure> {
    connection.execute_batch(include_str!("../../sql/lake/tombstones.sql"))?;
    for tombstone in tombstones {
        let sql = include_str!("../../sql/lake/tombstone.sql");
        connection.execute(sql, params![tombstone.publisher, tombstone.project])?;
    }
    Ok(())
}

/// Puts one into the lake.
///
/// # Errors
/// The store's.
pub(crate) fn put(lake: &Lake, tombstone: &Tombstone) -> Result<(), Failure> {
    let mut text = serde_json::to_vec(tombstone)?;
    text.push(b'\n');
    let path = format!("{FOLDER}/{}.json", random_hex::<16>()?);
    lake.put_new(&path, &text)
}
