//! Computes the projections and rollups anew beside the store, and says where the store's differ.
//! Temporary tables stand in for them meanwhile, which DuckDB finds before the store's own; they
//! go with their connection, and the store is not written to.

use std::collections::BTreeMap;
use std::fmt;

use chrono_tz::Tz;
use duckdb::{Connection, Row};

use crate::feeds::Feeds;
use crate::rebuild::rebuild;
use crate::trace;

/// How many rows of a relation are told of at most.
const SHOWN: u64 = 3;

/// The relations: their names, how many of their columns say what a row is about, and the query for
/// the rows that differ.
const RELATIONS: [(&str, usize, &str); 7] = [
    (
        "questions",
        2,
        include_str!("../sql/compare/differing_questions.sql"),
    ),
    (
        "sessions",
        1,
        include_str!("../sql/compare/differing_sessions.sql"),
    ),
    (
        "daily",
        4,
        include_str!("../sql/compare/differing_daily.sql"),
    ),
    (
        "daily_answers",
        5,
        include_str!("../sql/compare/differing_daily_answers.sql"),
    ),
    (
        "daily_sessions",
        4,
        include_str!("../sql/compare/differing_daily_sessions.sql"),
    ),
    (
        "daily_errors",
        3,
        include_str!("../sql/compare/differing_daily_errors.sql"),
    ),
    (
        "recent_answers",
        5,
        include_str!("../sql/compare/differing_recent_answers.sql"),
    ),
];

/// A relation that is not what the log says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The name of the relation, such as `daily`.
    pub relation: &'static str,
    /// How many rows the store has.
    pub stored: u64,
    /// How many there are when they are computed anew.
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

/// Rows and digest of each relation; what two stores of the same log have in common.
pub(crate) type Digests = BTreeMap<String, (u64, Option<String>)>;

/// What the store's projections are.
///
/// # Errors
/// DuckDB's.
pub(crate) fn digests(store: &Connection) -> duckdb::Result<Digests> {
    store.execute_batch(include_str!("../sql/compare/stored.sql"))?;
    read_digests(store, include_str!("../sql/compare/stored_digests.sql"))
}

/// The names of the relations of which `one` and `other` are not the same.
pub(crate) fn unlike(one: &Digests, other: &Digests) -> Vec<&'static str> {
    let names = RELATIONS.iter().map(|(name, ..)| *name);
    names
        .filter(|name| one.get(*name) != other.get(*name))
        .collect()
}

/// Where the projections differ from what the log says, for a person in `zone`; about `events` of the
/// log are read at a time. What is made for that
/// hides the store's own projections from the connection `beside`, which is to be used for nothing
/// else and dropped.
///
/// # Errors
/// DuckDB's.
pub(crate) fn compare(
    beside: &Connection,
    feeds: &Feeds,
    zone: Tz,
    events: u64,
) -> duckdb::Result<Vec<Difference>> {
    let stored = trace::step("stored digests", || digests(beside))?;
    beside.execute_batch(include_str!("../sql/compare/shadow.sql"))?;
    trace::step("computing anew", || rebuild(beside, feeds, zone, events))?;
    beside.execute_batch(include_str!("../sql/compare/computed.sql"))?;
    let computed = trace::step("computed digests", || {
        read_digests(beside, include_str!("../sql/compare/computed_digests.sql"))
    })?;
    let unlike = unlike(&stored, &computed);
    let differ = RELATIONS.iter().filter(|(name, ..)| unlike.contains(name));
    differ
        .map(|(relation, about, sql)| {
            let rows = |digests: &Digests| digests.get(*relation).map_or(0, |(rows, _)| *rows);
            Ok(Difference {
                relation,
                stored: rows(&stored),
                computed: rows(&computed),
                rows: differing(beside, *about, sql)?,
            })
        })
        .collect()
}

fn read_digests(store: &Connection, sql: &str) -> duckdb::Result<Digests> {
    // One after the other: side by side, their joins do not fit into memory.
    let statements = sql.split(';').filter(|sql| !sql.trim().is_empty());
    statements
        .map(|sql| store.query_row(sql, [], |row| Ok((row.get(0)?, (row.get(1)?, row.get(2)?)))))
        .collect()
}

/// One row of one side: its columns' texts.
type Texts = Vec<Option<String>>;

/// The rows that differ, in words: a row of `sql` says whether it is the store's, then what it is
/// about in `about` columns, then the rest.
fn differing(store: &Connection, about: usize, sql: &str) -> duckdb::Result<Vec<String>> {
    let mut statement = store.prepare(sql)?;
    let mut rows = statement.query([SHOWN])?;
    let mut names = Vec::new();
    let mut found: BTreeMap<Texts, [Vec<Texts>; 2]> = BTreeMap::new();
    while let Some(row) = rows.next()? {
        if names.is_empty() {
            names = row.as_ref().column_names().into_iter().skip(1).collect();
        }
        let (is_stored, mut key) = texts(row, names.len())?;
        let rest = key.split_off(about.min(key.len()));
        let [stored, computed] = found.entry(key).or_default();
        if is_stored { stored } else { computed }.push(rest);
    }
    let names = names.get(about..).unwrap_or_default();
    Ok(found
        .iter()
        .map(|(key, [stored, computed])| {
            let key: Vec<&str> = key.iter().map(text).collect();
            format!("{}: {}", key.join(", "), told(names, stored, computed))
        })
        .collect())
}

fn texts(row: &Row<'_>, columns: usize) -> duckdb::Result<(bool, Texts)> {
    let texts = (1..=columns).map(|at| row.get(at));
    Ok((row.get(0)?, texts.collect::<duckdb::Result<_>>()?))
}

fn text(text: &Option<String>) -> &str {
    text.as_deref().unwrap_or("nothing")
}

/// How the store's rows of one name differ from those computed.
fn told(names: &[String], stored: &[Texts], computed: &[Texts]) -> String {
    match (stored, computed) {
        ([stored], [computed]) => {
            let sides = stored.iter().zip(computed);
            let unlike = names.iter().zip(sides).filter(|(_, (s, c))| s != c);
            let words =
                unlike.map(|(name, (s, c))| format!("{name} is {}, not {}", text(s), text(c)));
            words.collect::<Vec<_>>().join("; ")
        }
        (stored, computed) => {
            let (many, few) = (stored.len(), computed.len());
            match many.checked_sub(few) {
                Some(over) if over > 0 => format!("{} too many", counted(over)),
                Some(_) => format!("{} otherwise", counted(many)),
                None => format!("{} missing", counted(few - many)),
            }
        }
    }
}

fn counted(rows: usize) -> String {
    match rows {
        1 => "a row".to_owned(),
        rows => format!("{rows} rows"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_are_computed_alike() {
        let stored = include_str!("../sql/compare/stored.sql");
        let computed = include_str!("../sql/compare/computed.sql");
        let (_, stored) = stored.split_once("CREATE").unwrap();
        let (_, computed) = computed.split_once("CREATE").unwrap();
        let stored = stored
            .replace("stored_", "computed_")
            .replace("plantune.main.", "temp.main.");
        assert_eq!(stored, computed);
        let stored = include_str!("../sql/compare/stored_digests.sql");
        let computed = include_str!("../sql/compare/computed_digests.sql");
        let queries = |sql: &str| sql.split_once('\n').unwrap().1.to_owned();
        assert_eq!(
            queries(stored).replace("stored_", "computed_"),
            queries(computed)
        );
    }

    #[test]
    fn what_differs_in_words() {
        let names = ["asked".to_owned(), "open".to_owned(), "header".to_owned()];
        let row = |texts: [&str; 2]| vec![Some(texts[0].into()), Some(texts[1].into()), None];
        let (one, other) = ([row(["1", "2"])], [row(["1", "0"])]);
        assert_eq!(told(&names, &one, &other), "open is 2, not 0");
        assert_eq!(told(&names, &one, &[]), "a row too many");
        assert_eq!(
            told(&names, &[], &[one.concat(), other.concat()]),
            "2 rows missing"
        );
    }
}
