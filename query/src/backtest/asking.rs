//! The questions that the person was asked, as a replay goes through them.

use chrono::{NaiveDate, NaiveDateTime};
use duckdb::params;
use plantune_domain::registry::Registry;
use serde::Deserialize;

use crate::evidence::HumanAnswer;
use crate::families::habit::{GroupKey, group_key};
use crate::{Error, Store};

/// One question that the person was asked.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Asking {
    /// The project.
    pub project: String,
    /// How its key was found.
    pub key_source: String,
    /// The call it belongs to.
    pub call: String,
    /// What was asked, and what the person answered; without labels when they did not answer.
    #[serde(skip)]
    pub answer: HumanAnswer,
    /// When they answered (UTC); `None` for what was declined, failed or left.
    pub answered_at: Option<NaiveDateTime>,
}

impl Asking {
    /// Calls an unmarked question by the key that a rule of `registry` gives it now.
    pub(super) fn take_rule(&mut self, registry: &Registry) {
        let answer = &mut self.answer;
        let header = answer.header.as_deref();
        if self.key_source == "fingerprint"
            && let Some(key) = registry.key_of(&answer.question, header, &answer.options)
        {
            key.clone_into(&mut answer.question_key);
            "registry".clone_into(&mut self.key_source);
        }
    }
}

pub(super) fn group_key_of(asking: &Asking) -> GroupKey {
    group_key(
        &asking.project,
        &asking.answer.question_key,
        &asking.key_source,
        &asking.answer.options,
    )
}

/// About how many questions are read at once.
const AT_ONCE: u64 = 50_000;

/// Calls `take` with every question that the person was asked, in the order of time. They are read some
/// days at a time, so that the memory they take does not grow with the log.
///
/// # Errors
/// DuckDB's.
pub fn askings(
    store: &Store,
    project: Option<&str>,
    mut take: impl FnMut(Asking),
) -> Result<(), Error> {
    let sql = include_str!("../../sql/backtest/askings.sql");
    for (first, last) in spans(store)? {
        let rows = store.pairs::<Asking, HumanAnswer>(sql, params![project, first, last])?;
        for (asking, answer) in rows {
            take(Asking {
                answer: answer.meant(),
                ..asking
            });
        }
    }
    Ok(())
}

/// Every day that has a question, in spans of about [`AT_ONCE`] questions: their first and last days, in
/// order.
///
/// # Errors
/// DuckDB's.
fn spans(store: &Store) -> Result<Vec<(NaiveDate, NaiveDate)>, Error> {
    let sql = include_str!("../../sql/backtest/days.sql");
    let mut spans: Vec<(NaiveDate, NaiveDate)> = Vec::new();
    let mut in_span = AT_ONCE;
    for (day, questions) in store.rows::<(NaiveDate, u64)>(sql, [])? {
        match spans.last_mut() {
            Some((_, last)) if in_span + questions <= AT_ONCE => *last = day,
            _ => {
                spans.push((day, day));
                in_span = 0;
            }
        }
        in_span += questions;
    }
    Ok(spans)
}
