//! What a store holds, as text: to compare two of them.

use std::collections::BTreeMap;
use std::path::Path;

use duckdb::{AccessMode, Connection};

/// The tables whose rows depend on the log's events and the time zone alone.
pub(crate) const COMPUTED: [&str; 7] = [
    "questions",
    "sessions",
    "preference_changes",
    "permission_events",
    "hook_errors",
    "quarantine",
    "settings",
];

/// The rows of each table as text, in order.
pub(crate) fn dump(store: &Path, tables: &[&str]) -> BTreeMap<String, Vec<String>> {
    let store = plantune_migrations::open(store, AccessMode::ReadOnly).unwrap();
    let rows = |table: &&str| ((*table).to_owned(), rows(&store, table));
    tables.iter().map(rows).collect()
}

fn rows(store: &Connection, table: &str) -> Vec<String> {
    let sql = format!("SELECT t::VARCHAR FROM {table} AS t ORDER BY ALL");
    let mut statement = store.prepare(&sql).unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}
