//! Evidence: the person's own answers, question by question.

mod answers;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use chrono::{NaiveDate, TimeDelta};
use duckdb::params;
use plantune_domain::family;
use plantune_domain::registry::Registry;

pub use answers::{GivenAnswer, HumanAnswer, KeyEvidence};

use crate::{Error, Store};

/// How many answers it takes to look at a habit at all.
pub(crate) const LEAST_ANSWERS: usize = 3;

/// How many of the latest answers of a habit are looked at; the store keeps as many of a series.
pub(crate) const MOST_ANSWERS: usize = 40;

/// How long an answer counts, and a decision about a prompt. Who was not asked for two years may want something else.
pub(crate) const COUNTS_FOR: TimeDelta = TimeDelta::days(730);

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
/// `plantune undo` counts against the habit, as an answer that no policy would have given.
///
/// # Errors
/// DuckDB's.
pub fn evidence(store: &Store, registry: &Registry) -> Result<Vec<KeyEvidence>, Error> {
    let mut keys: BTreeMap<(String, String), KeyEvidence> = BTreeMap::new();
    let sql = include_str!("../sql/suggest/first_and_last_day.sql");
    let (first_day, last_day) = store.row::<(Option<NaiveDate>, Option<NaiveDate>)>(sql, [])?;
    if let Some(last_day) = last_day {
        let named = registry.keys().collect::<Vec<_>>().join(",");
        store.connection.execute(
            include_str!("../sql/suggest/evidence.sql"),
            params![LEAST_ANSWERS as i64, last_day, MOST_LOOSE, named],
        )?;
        let sql = include_str!("../sql/suggest/answers.sql");
        for (of, answer) in store.pairs::<KeyEvidence, HumanAnswer>(sql, [])? {
            let key = keys.entry(of.name()).or_insert(of);
            key.answers.push(answer.meant());
        }
    }
    let sql = include_str!("../sql/suggest/undone.sql");
    for (of, undone) in store.pairs::<KeyEvidence, HumanAnswer>(sql, [])? {
        match keys.entry(of.name()) {
            Entry::Occupied(key) => key.into_mut().answers.push(undone),
            // A family's evidence is put together from the answers to its questions.
            Entry::Vacant(vacant) if vacant.key().1.starts_with(family::PREFIX) => {
                vacant.insert(of).answers.push(undone);
            }
            Entry::Vacant(_) => {}
        }
    }
    if last_day.is_some() {
        let sql = include_str!("../sql/suggest/askings.sql");
        for of in store.rows::<KeyEvidence>(sql, [])? {
            if let Some(key) = keys.get_mut(&of.name()) {
                key.recent_askings = of.recent_askings;
            }
        }
    }
    let mut series: Vec<KeyEvidence> = keys.into_values().collect();
    for one in &mut series {
        one.known_since = first_day;
    }
    Ok(series)
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
        HumanAnswer::from(GivenAnswer {
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
            ..GivenAnswer::default()
        })
    }
}
