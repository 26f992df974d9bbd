//! The file that makes a folder a lake, and says whose.

use serde::{Deserialize, Serialize};

use super::Lake;
use crate::failure::Failure;
use crate::key::OrganisationKey;

const PATH: &str = "plantune-lake.json";

/// The lake's format that this version writes and reads.
pub(crate) const FORMAT: u32 = 1;

/// What the file says.
#[derive(Debug, Serialize, Deserialize)]
struct Marker {
    plantune_lake: u32,
    /// What shows with which key the hashes are made.
    key_check: String,
}

/// True when the lake has a marker, which is one of `key`.
///
/// # Errors
/// Refused for the lake of another key, or of a newer plantune; the store's.
pub(crate) fn check(lake: &Lake, key: &OrganisationKey) -> Result<bool, Failure> {
    let Some(found) = read(lake)? else {
        return Ok(false);
    };
    if found.plantune_lake > FORMAT {
        let words = format!("{}: a lake of a newer plantune", lake.address);
        return Err(Failure::refused(words).hint("install the newest plantune-fleet"));
    }
    if found.key_check != key.check_value() {
        let words = format!(
            "{}: the lake of an organisation with another key",
            lake.address
        );
        return Err(Failure::refused(words)
            .hint("ask who keeps that lake for its fleet.key, or set PLANTUNE_FLEET_KEY"));
    }
    Ok(true)
}

/// Makes sure that the lake is one of `key`.
///
/// # Errors
/// As [`check`], and when there is no marker.
pub(crate) fn require(lake: &Lake, key: &OrganisationKey) -> Result<(), Failure> {
    match check(lake, key)? {
        true => Ok(()),
        false => Err(
            Failure::failed(format!("{}: no lake of plantune's", lake.address))
                .hint("`plantune fleet init` makes one"),
        ),
    }
}

/// True when the lake has a marker of whatever key.
///
/// # Errors
/// The store's.
pub(crate) fn exists(lake: &Lake) -> Result<bool, Failure> {
    Ok(read(lake)?.is_some())
}

/// Makes the lake one of `key`.
///
/// # Errors
/// Refused when somebody else made it theirs at the same time; the store's.
pub(crate) fn make(lake: &Lake, key: &OrganisationKey) -> Result<(), Failure> {
    let marker = Marker {
        plantune_lake: FORMAT,
        key_check: key.check_value(),
    };
    let mut text = serde_json::to_vec(&marker)?;
    text.push(b'\n');
    match lake.put_if_absent(PATH, &text)? {
        true => Ok(()),
        false => check(lake, key).map(drop),
    }
}

fn read(lake: &Lake) -> Result<Option<Marker>, Failure> {
    let Some(bytes) = lake.get(PATH)? else {
        return Ok(None);
    };
    serde_json::from_slice(&bytes).map(Some).map_err(|error| {
        let words = format!("{}/{PATH}: {error}", lake.address);
        Failure::conflict(words).hint("take that file of a backup, or ask who keeps the lake")
    })
}
