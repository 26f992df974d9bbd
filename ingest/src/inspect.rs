//! Checks that the store matches the log, by computing a second store from the log and comparing the two.

use std::fmt;
use std::path::{Path, PathBuf};

use duckdb::{AccessMode, Connection};
use plantune_domain::paths::Paths;
use plantune_migrations::{check, newest};

use crate::Error;
use crate::reader::text;
use crate::segment::list;
use crate::store::open::{Work, load_checkpoints, open, parse_zone, remove, was_killed};
use crate::store::run::Progress;
use crate::store::{fill, quote};

/// A table that does not match the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The table's name.
    pub relation: String,
    /// How many rows the store has.
    pub stored: u64,
    /// How many rows the log produces.
    pub computed: u64,
    /// A few of the rows that differ, in words. They quote texts of the log unchanged.
    pub rows: Vec<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (relation, stored, computed) = (&self.relation, self.stored, self.computed);
        write!(f, "{relation} differs from the log (rows: {stored}")?;
        if stored != computed {
            write!(f, " instead of {computed}")?;
        }
        f.write_str(")")
    }
}

/// Computes the store again, from the part of the log that it covers, in a temporary file next to it, and returns the
/// tables that differ. `None` when there is no store to compare, or the next run will compute it again anyway.
///
/// # Errors
/// [`Error::Held`] when another process writes to the store for longer than five seconds,
/// [`Error::Newer`] for a store of a newer plantune, and file system and DuckDB errors.
pub fn compare(paths: &Paths) -> Result<Option<Vec<Difference>>, Error> {
    if !paths.store().exists() {
        return Ok(None);
    }
    let stored = open(&paths.store(), &AccessMode::ReadOnly)?;
    if was_killed(paths) {
        return Ok(None);
    }
    let Some(scratch) = Scratch::fill(&stored, paths)? else {
        return Ok(None);
    };
    differences(&stored, &scratch.0).map(Some)
}

fn differences(store: &Connection, computed: &Path) -> Result<Vec<Difference>, Error> {
    let path = quote(text(computed)?);
    store.execute_batch(&format!("ATTACH {path} AS computed (READ_ONLY)"))?;
    let rows = |database| include_str!("../sql/compare/rows.sql").replace("{database}", database);
    let sql = include_str!("../sql/compare/differences.sql")
        .replace("{stored}", &rows(""))
        .replace("{computed}", &rows("computed."));
    let mut statement = store.prepare(&sql)?;
    let mut rows = statement.query([])?;
    let mut differences: Vec<Difference> = Vec::new();
    while let Some(row) = rows.next()? {
        let (relation, words): (String, Option<String>) = (row.get(0)?, row.get(3)?);
        match differences.last_mut() {
            Some(last) if last.relation == relation => last.rows.extend(words),
            _ => differences.push(Difference {
                relation,
                stored: row.get(1)?,
                computed: row.get(2)?,
                rows: words.into_iter().collect(),
            }),
        }
    }
    Ok(differences)
}

/// A temporary store next to the one in use, for the comparison. Removed on drop.
struct Scratch(PathBuf);

impl Scratch {
    /// A store computed from the part of the log below `paths` that `stored` covers; `None` when `stored` has another
    /// schema version.
    fn fill(stored: &Connection, paths: &Paths) -> Result<Option<Self>, Error> {
        if check(stored)? < newest() {
            return Ok(None);
        }
        let zone: String =
            stored.query_row(include_str!("../sql/zone.sql"), [], |row| row.get(0))?;
        let known = load_checkpoints(stored)?;
        let mut work = Vec::new();
        for mut segment in list(&paths.events())? {
            if let Some(known) = known.get(&segment.name.file_name()) {
                // Anything appended since is not in the store yet.
                segment.length = segment.length.min(known.length);
                work.push(Work::whole(segment));
            }
        }
        let name = format!("plantune.duckdb.check-{}", std::process::id());
        let scratch = Self(paths.data().join(name));
        remove(&scratch.0)?;
        let zone = parse_zone(&zone)?;
        fill(&scratch.0, zone, work, &Progress::default())?;
        Ok(Some(scratch))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // If this fails, the next comparison with the same process id removes the file, or a person does.
        let _ = remove(&self.0);
    }
}
