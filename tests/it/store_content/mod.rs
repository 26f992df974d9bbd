//! Stores beside each other: the hashes of their ordered tables.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use duckdb::{AccessMode, Connection};

/// How many rows of a difference are shown.
const SHOWN: usize = 3;

/// The content of a store, which stays open until this is dropped.
pub(crate) struct Tables {
    store: Connection,
    /// Rows and their hash, by relation.
    hashes: BTreeMap<String, (u64, String)>,
}

impl Tables {
    pub(crate) fn of(store: &Path) -> Self {
        let store = plantune_migrations::open(store, AccessMode::ReadOnly).unwrap();
        store.execute_batch(include_str!("content.sql")).unwrap();
        let hashes = {
            let mut statement = store.prepare(include_str!("hashes.sql")).unwrap();
            let rows = statement.query_map([], |row| Ok((row.get(0)?, (row.get(1)?, row.get(2)?))));
            rows.unwrap().map(Result::unwrap).collect()
        };
        Self { store, hashes }
    }

    /// How many rows a relation has.
    pub(crate) fn count(&self, relation: &str) -> u64 {
        self.hashes.get(relation).map_or(0, |(rows, _)| *rows)
    }

    /// Panics with the first rows that differ, unless both hold the same. `made` says which store this
    /// is.
    pub(crate) fn assert_same(&self, other: &Self, made: impl fmt::Display) {
        self.assert_same_but(other, &[], made);
    }

    /// [`Tables::assert_same`], but for the tables `except`.
    pub(crate) fn assert_same_but(&self, other: &Self, except: &[&str], made: impl fmt::Display) {
        let relations = self.hashes.keys().chain(other.hashes.keys());
        for relation in relations.filter(|relation| !except.contains(&relation.as_str())) {
            if self.hashes.get(relation) != other.hashes.get(relation) {
                panic!(
                    "{made}: {relation} differs: {} rows, expected {}\n\
                     too many: {:#?}\nmissing: {:#?}",
                    self.count(relation),
                    other.count(relation),
                    self.more_than(other, relation),
                    other.more_than(self, relation)
                );
            }
        }
    }

    /// The first rows that the other has not, or not as often.
    fn more_than(&self, other: &Self, relation: &str) -> Vec<String> {
        let mut rows: BTreeMap<String, i64> = BTreeMap::new();
        for row in self.rows(relation) {
            *rows.entry(row).or_default() += 1;
        }
        for row in other.rows(relation) {
            *rows.entry(row).or_default() -= 1;
        }
        let more = rows.into_iter().filter(|(_, count)| *count > 0);
        more.map(|(row, _)| row).take(SHOWN).collect()
    }

    fn rows(&self, relation: &str) -> Vec<String> {
        let mut statement = self.store.prepare(include_str!("rows.sql")).unwrap();
        let rows = statement.query_map([relation], |row| row.get(0)).unwrap();
        rows.map(Result::unwrap).collect()
    }
}

impl fmt::Display for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.hashes
            .iter()
            .try_for_each(|(relation, (rows, hash))| writeln!(f, "{rows:>8}  {relation:18} {hash}"))
    }
}
