//! Regrets: what the person took back with `plantune undo`, as evidence against the habit.

use std::collections::BTreeMap;

use crate::evidence::{KeyEvidence, answer};
use crate::{Error, Store};

/// Adds every regret to the evidence of its question (by project and key): an answer that no policy
/// would have given. Questions without evidence stay without it.
///
/// # Errors
/// DuckDB's.
pub(crate) fn add(
    store: &Store,
    keys: &mut BTreeMap<(String, String), KeyEvidence>,
) -> Result<(), Error> {
    let mut statement = store
        .connection
        .prepare(include_str!("../sql/suggest/regrets.sql"))?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        if let Some(key) = keys.get_mut(&(row.get(0)?, row.get(1)?)) {
            key.answers.push(answer(row)?);
        }
    }
    Ok(())
}
