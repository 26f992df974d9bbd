//! Whether the store is what the log says: it is computed again beside the store, and compared.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::PathBuf;

use duckdb::{AccessMode, Connection};
use plantune_domain::paths::Paths;
use plantune_migrations::{check, newest};
use serde_json::{Map, Value};

use crate::error::Error;
use crate::progress::Progress;
use crate::spool::list;
use crate::store::{Work, fill, load_checkpoints, open, parse_zone, remove, was_killed};

/// The tables that are compared.
const RELATIONS: [&str; 6] = [
    "questions",
    "sessions",
    "preference_changes",
    "permission_events",
    "hook_errors",
    "quarantine",
];

/// How many differing rows of a table are described, at most.
const DESCRIBED_ROWS: usize = 3;

/// A table that is not what the log says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The table's name.
    pub relation: &'static str,
    /// How many rows the store has.
    pub stored: u64,
    /// How many rows the log makes.
    pub computed: u64,
    /// A few of the rows that differ, in words; texts of the log are in them as they are.
    pub rows: Vec<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (relation, stored, computed) = (self.relation, self.stored, self.computed);
        write!(f, "{relation} differs from the log (rows: {stored}")?;
        if stored != computed {
            write!(f, " instead of {computed}")?;
        }
        f.write_str(")")
    }
}

/// Computes the store again from as much of the log as it holds, in a file beside it that is removed, and
/// returns the tables that differ. `None` when there is no store that could be compared: none at all, or
/// one that the next run computes again anyway.
///
/// # Errors
/// [`Error::Held`] when another process writes to the store for longer than five seconds,
/// [`Error::Newer`] for a store of a newer plantune, and those of the file system and DuckDB.
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
    let computed = open(&scratch.0, &AccessMode::ReadOnly)?;
    differences(&stored, &computed).map(Some)
}

fn differences(stored: &Connection, computed: &Connection) -> Result<Vec<Difference>, Error> {
    let (in_store, in_log) = (digests(stored)?, digests(computed)?);
    let mut differences: Vec<Difference> = Vec::new();
    let parts: BTreeSet<&(String, u64)> = in_store.keys().chain(in_log.keys()).collect();
    for relation in RELATIONS {
        let count = |digests: &Digests| {
            let of_relation = digests.iter().filter(|((name, _), _)| name == relation);
            of_relation.map(|(_, (rows, _))| rows).sum()
        };
        let differ = |part: &&&(String, u64)| {
            part.0 == relation && in_store.get(**part) != in_log.get(**part)
        };
        let mut differing = parts.iter().filter(differ).peekable();
        if differing.peek().is_none() {
            continue;
        }
        let mut rows = Vec::new();
        while let Some((_, part)) = differing.next_if(|_| rows.len() < DESCRIBED_ROWS) {
            let [stored, computed] = [stored, computed].map(|one| rows_of(one, relation, *part));
            rows.extend(describe(&stored?, &computed?));
        }
        rows.sort();
        rows.truncate(DESCRIBED_ROWS);
        differences.push(Difference {
            relation,
            stored: count(&in_store),
            computed: count(&in_log),
            rows,
        });
    }
    Ok(differences)
}

/// Rows and digest by table and part.
type Digests = BTreeMap<(String, u64), (u64, u64)>;

fn digests(store: &Connection) -> duckdb::Result<Digests> {
    let mut statement = store.prepare(include_str!("../sql/compare/digests.sql"))?;
    let rows = statement.query_map([], |row| {
        Ok(((row.get(0)?, row.get(1)?), (row.get(2)?, row.get(3)?)))
    })?;
    rows.collect()
}

/// Each row's columns as JSON, by what it is about.
type Columns = BTreeMap<String, Vec<String>>;

fn rows_of(store: &Connection, relation: &str, part: u64) -> duckdb::Result<Columns> {
    let mut statement = store.prepare(include_str!("../sql/compare/rows.sql"))?;
    let rows = statement.query_map(duckdb::params![relation, part], |row| {
        Ok((row.get(0)?, row.get(1)?))
    })?;
    let mut found = Columns::new();
    for row in rows {
        let (name, columns): (String, String) = row?;
        found.entry(name).or_default().push(columns);
    }
    Ok(found)
}

/// The rows that only one side has, or that have other columns there.
fn describe(stored: &Columns, computed: &Columns) -> Vec<String> {
    let names: BTreeSet<&String> = stored.keys().chain(computed.keys()).collect();
    let unlike = |name: &&&String| stored.get(**name) != computed.get(**name);
    let describe = |name: &&String| {
        let [stored, computed] =
            [stored, computed].map(|rows| rows.get(*name).map_or(&[][..], Vec::as_slice));
        match (stored, computed) {
            ([stored], [computed]) => format!("{name}: {}", columns(stored, computed)),
            (_, []) => format!("{name}: the log makes no such row"),
            ([], _) => format!("{name}: a row that only the log makes"),
            _ => {
                let (stored, computed) = (stored.len(), computed.len());
                format!("{name}: rows: {stored} instead of {computed}")
            }
        }
    };
    names.iter().filter(unlike).map(describe).collect()
}

/// The columns in which two rows differ.
fn columns(stored: &str, computed: &str) -> String {
    let object = |text| serde_json::from_str::<Map<String, Value>>(text).unwrap_or_default();
    let (stored, computed) = (object(stored), object(computed));
    let unlike = stored.iter().filter_map(|(name, ours)| {
        let theirs = computed.get(name).unwrap_or(&Value::Null);
        (ours != theirs).then(|| format!("{name} is {ours}, not {theirs}"))
    });
    unlike.collect::<Vec<_>>().join("; ")
}

/// A store that is computed beside the one in use, for the comparison; removed when this is dropped.
struct Scratch(PathBuf);

impl Scratch {
    /// A store computed from as much of the log below `paths` as `stored` holds; `None` when `stored` is of
    /// another schema version.
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
