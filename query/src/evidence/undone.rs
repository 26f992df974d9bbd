//! Undone answers: what the person took back with `plantune undo`, as evidence against the habit.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use duckdb::Row;
use plantune_domain::family;
use plantune_domain::preferences::Scope;

use super::answers::{HumanAnswer, KeyEvidence, answer};
use crate::{Error, Store};

/// Adds every undone answer to the evidence of its question (by project and key), as an answer that no
/// policy would have given. Questions without evidence stay without it, unless they are of a family.
///
/// # Errors
/// DuckDB's.
pub(crate) fn add(
    store: &Store,
    keys: &mut BTreeMap<(String, String), KeyEvidence>,
) -> Result<(), Error> {
    let mut statement = store
        .connection
        .prepare(include_str!("../../sql/suggest/undone.sql"))?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        match keys.entry((row.get(0)?, row.get(1)?)) {
            Entry::Occupied(mut key) => key.get_mut().answers.push(undone(row)?),
            // A family's evidence is put together from the answers to its questions.
            Entry::Vacant(vacant) if vacant.key().1.starts_with(family::PREFIX) => {
                let (project, question_key) = vacant.key().clone();
                vacant.insert(KeyEvidence {
                    project,
                    question_key,
                    key_source: row.get(2)?,
                    answers: vec![undone(row)?],
                    ..KeyEvidence::default()
                });
            }
            Entry::Vacant(_) => {}
        }
    }
    Ok(())
}

fn undone(row: &Row<'_>) -> duckdb::Result<HumanAnswer> {
    let scope: String = row.get(23)?;
    Ok(HumanAnswer {
        undone: Some(Scope::parse(&scope).unwrap_or(Scope::Project)),
        ..answer(row)?
    })
}
