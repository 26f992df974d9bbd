//! A store that is computed beside the one in use, for a comparison.

use std::path::PathBuf;

use duckdb::Connection;
use plantune_domain::paths::Paths;
use plantune_migrations::{check, newest};

use super::open::{parse_zone, remove};
use super::segments::{self, Work};
use super::writer::fill;
use crate::error::Error;
use crate::progress::Progress;
use crate::spool::list;

/// A store's file, removed when this is dropped.
pub(crate) struct Scratch(pub(crate) PathBuf);

impl Scratch {
    /// A store computed from as much of the log below `paths` as `stored` holds; `None` when `stored` is of
    /// another schema version.
    ///
    /// # Errors
    /// [`Error::Newer`] for a store of a newer plantune, and those of the file system and DuckDB.
    pub(crate) fn fill(stored: &Connection, paths: &Paths) -> Result<Option<Self>, Error> {
        if check(stored)? < newest() {
            return Ok(None);
        }
        let zone: String =
            stored.query_row(include_str!("../../sql/zone.sql"), [], |row| row.get(0))?;
        let known = segments::load(stored)?;
        let mut work = Vec::new();
        for mut segment in list(&paths.events()).map_err(Error::Spool)? {
            if let Some(known) = known.get(&segment.name.file_name()) {
                // What was appended since is not in the store yet.
                segment.length = segment.length.min(known.length);
                work.push(Work::whole(segment));
            }
        }
        let name = format!("plantune.duckdb.check-{}", std::process::id());
        let scratch = Self(paths.data().join(name));
        remove(&scratch.0)?;
        let zone = parse_zone(&zone)?;
        fill(&scratch.0, zone, work, None, &Progress::default())?;
        Ok(Some(scratch))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Whatever is left is removed by the next comparison of the same process number, or a person.
        let _ = remove(&self.0);
    }
}
