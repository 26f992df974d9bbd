//! Evidence: the person's own answers, question by question.

mod answers;
mod undone;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use duckdb::params;
use plantune_domain::registry::Registry;

pub(crate) use answers::answer;
pub use answers::{HumanAnswer, KeyEvidence};

use crate::{Error, Store};

/// How many answers it takes to look at a habit at all.
pub(crate) const LEAST_ANSWERS: usize = 3;

/// How many of the latest answers of a habit are looked at; the store keeps as many of a series.
pub(crate) const MOST_ANSWERS: usize = 40;

/// How many answers to unmarked questions that were asked once or twice are read, the latest, for the
/// families they may make: years of one person's.
const MOST_LOOSE: u32 = 5000;

/// The evidence in the store, in the order of project and key: every question that a person answered
/// at least three times in one project, and the latest of those that they answered less often and
/// that others may belong to: unmarked ones, which may make families, and those that a rule of
/// `registry` names, which had other keys before it was written.
///
/// What a preference answered, what failed and what was dismissed is no evidence, nor is what
/// happened in sessions without a person (headless and spawned ones). What the person took back with
/// `plantune undo` counts against the habit ([`undone`]).
///
/// # Errors
/// DuckDB's.
pub fn evidence(store: &Store, registry: &Registry) -> Result<Vec<KeyEvidence>, Error> {
    let mut keys = BTreeMap::new();
    let (_, last_day) = store.extent()?;
    if let Some(last_day) = last_day {
        let named = registry.keys().collect::<Vec<_>>().join(",");
        store.connection.execute(
            include_str!("../sql/suggest/evidence.sql"),
            params![LEAST_ANSWERS as i64, last_day, MOST_LOOSE, named],
        )?;
        add_answers(store, &mut keys)?;
    }
    undone::add(store, &mut keys)?;
    if last_day.is_some() {
        add_askings(store, &mut keys)?;
    }
    Ok(keys.into_values().collect())
}

/// Evidence by project and key.
type ByKey = BTreeMap<(String, String), KeyEvidence>;

/// Adds the answers, which the variable `evidence` of the connection describes.
fn add_answers(store: &Store, keys: &mut ByKey) -> Result<(), Error> {
    let mut statement = store
        .connection
        .prepare(include_str!("../sql/suggest/answers.sql"))?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let key = match keys.entry((row.get(0)?, row.get(1)?)) {
            Entry::Occupied(key) => key.into_mut(),
            Entry::Vacant(vacant) => {
                let (project, question_key) = vacant.key().clone();
                vacant.insert(KeyEvidence {
                    project,
                    question_key,
                    key_source: row.get(2)?,
                    ..KeyEvidence::default()
                })
            }
        };
        key.answers.push(answer(row)?);
    }
    Ok(())
}

/// Adds how often each question was asked of late.
fn add_askings(store: &Store, keys: &mut ByKey) -> Result<(), Error> {
    let mut statement = store
        .connection
        .prepare(include_str!("../sql/suggest/askings.sql"))?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        if let Some(key) = keys.get_mut(&(row.get(0)?, row.get(1)?)) {
            key.recent_askings = row.get(2)?;
        }
    }
    Ok(())
}

#[cfg(test)]
pub(crate) mod tests {
    use chrono::NaiveDateTime;
    use plantune_domain::recommended::{recommended, strip_mark};

    use super::*;

    /// A moment from `2026-11-20 10:00`.
    pub(crate) fn at(time: &str) -> NaiveDateTime {
        NaiveDateTime::parse_from_str(time, "%Y-%m-%d %H:%M").unwrap()
    }

    /// An answer by label, the recommendation read from the options' marks.
    pub(crate) fn answer(options: &[&str], labels: &[&str]) -> HumanAnswer {
        let owned = |texts: &[&str]| {
            texts
                .iter()
                .map(|&text| text.to_owned())
                .collect::<Vec<_>>()
        };
        let options = owned(options);
        let at = at("2026-11-01 10:00");
        HumanAnswer {
            question_key: "a".to_owned(),
            at,
            day: at.date(),
            session_id: "s".to_owned(),
            question: "Which layout?".to_owned(),
            recommended: recommended("", &options)
                .and_then(|index| options.get(index))
                .map(|label| strip_mark(label).0.to_owned()),
            options,
            labels: owned(labels),
            human_seconds: Some(30.0),
            ..HumanAnswer::default()
        }
    }
}
