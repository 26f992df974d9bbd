//! Sealed months that are gone or damaged, and that the store still holds: it is the second copy of a month.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use chrono::NaiveDate;
use duckdb::Connection;

use super::checkpoints::{Checkpoint, load_checkpoints};
use crate::Error;
use crate::sealed::{SealedFile, connect};
use crate::segment::{Segment, SegmentName};

/// A sealed month whose events only the store holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostMonth {
    /// The name of its file.
    pub segment: String,
    /// The first day of the month.
    pub month: NaiveDate,
    /// How many events it had.
    pub events: u64,
    /// What is wrong with the file, in words; `None` when there is none.
    pub damage: Option<String>,
}

/// The sealed months of the log in the folder `events` that the store behind `connection` has read, and that are gone or
/// damaged since. Files that look as they did are read only if `is_thorough`.
///
/// # Errors
/// DuckDB errors.
pub fn lost_months(
    connection: &Connection,
    events: &Path,
    is_thorough: bool,
) -> Result<Vec<LostMonth>, Error> {
    Ok(lost_among(
        &load_checkpoints(connection)?,
        events,
        is_thorough,
    ))
}

/// The same of a store with these checkpoints.
pub(crate) fn lost_among(
    known: &HashMap<String, Checkpoint>,
    events: &Path,
    is_thorough: bool,
) -> Vec<LostMonth> {
    let mut lost = Vec::new();
    for (file_name, checkpoint) in known {
        let name = SegmentName::parse(file_name);
        let Some((name, month)) = name.and_then(|name| Some((name.clone(), name.month()?))) else {
            continue;
        };
        if checkpoint.damage.is_some() || checkpoint.events == 0 {
            continue;
        }
        let path = events.join(file_name);
        let is_as_read = fs::metadata(&path)
            .is_ok_and(|file| checkpoint.is_of(&Segment::new(name, path.clone(), &file)));
        let damage = match is_as_read {
            true if !is_thorough => continue,
            _ if path.symlink_metadata().is_err() => None,
            _ => match connect().and_then(|connection| SealedFile::open(&connection, &path)) {
                // Another one is there, which is read.
                Ok(_) => continue,
                Err(error) => Some(error.to_string()),
            },
        };
        lost.push(LostMonth {
            segment: file_name.clone(),
            month,
            events: checkpoint.events,
            damage,
        });
    }
    lost.sort_by_key(|lost| lost.month);
    lost
}
