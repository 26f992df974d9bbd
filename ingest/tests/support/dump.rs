//! What a store holds, as text: to compare two of them.

use std::collections::BTreeMap;
use std::path::Path;

use duckdb::{AccessMode, Connection};

/// What is computed from the spool's lines, whatever files they stand in.
pub(crate) const COMPUTED: [&str; 8] = [
    "events",
    "questions",
    "sessions",
    "daily",
    "daily_answers",
    "daily_sessions",
    "daily_errors",
    "quarantine",
];

/// The rows of each relation in the order of their text, without what tells when and in which
/// transaction they came.
pub(crate) fn dump(store: &Path, relations: &[&str]) -> BTreeMap<String, Vec<String>> {
    let store = plantune_migrations::open(store, AccessMode::ReadOnly).unwrap();
    let rows = |relation: &&str| ((*relation).to_owned(), rows(&store, relation));
    relations.iter().map(rows).collect()
}

fn rows(store: &Connection, relation: &str) -> Vec<String> {
    let sql = format!(
        "SELECT t::VARCHAR FROM (SELECT COLUMNS(c -> c NOT IN ('batch', 'read_at', 'seen_at')) \
         FROM {relation}) AS t ORDER BY 1"
    );
    let mut statement = store.prepare(&sql).unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}
