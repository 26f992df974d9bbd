//! The backtest: what the proposals would have done, had the person accepted each at once.
//!
//! History is gone through in the order of time. Before each call only what was answered before it
//! is known, and from that the same code as `suggest` says which preferences would be in force.

pub mod chosen;
mod interval;
mod replay;
mod score;
#[cfg(test)]
mod tests;
mod trial;

use chrono::{NaiveDate, NaiveDateTime};
use duckdb::params;
use plantune_domain::config::Suggest;
use plantune_domain::registry::Registry;

pub use self::interval::Interval;
pub use self::replay::Replay;
pub use self::score::{ByLevel, Score};
pub use self::trial::{TrialEnd, TrialRun};
use crate::evidence::{self, HumanAnswer};
use crate::{Error, Store};

/// One question that the person was asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Asking {
    /// The project.
    pub project: String,
    /// How its key was found.
    pub key_source: String,
    /// The call it belongs to.
    pub call: String,
    /// What was asked, and what the person answered; without labels when they did not answer.
    pub answer: HumanAnswer,
    /// When they answered (UTC); `None` for what was declined, failed or left.
    pub answered_at: Option<NaiveDateTime>,
}

/// The score of one question, or of all unmarked ones with the same options.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyScore {
    /// The project.
    pub project: String,
    /// The question's key; the family's for several text variants.
    pub question_key: String,
    /// How the key was found.
    pub key_source: String,
    /// The text as last asked.
    pub question: String,
    /// The labels as last sent.
    pub options: Vec<String>,
    /// The score of what stands.
    pub score: Score,
    /// The scores of all levels.
    pub by_level: ByLevel,
    /// Its trials.
    pub trials: Vec<TrialRun>,
}

/// A whole backtest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Backtest {
    /// The first day that counts; what lies before it is evidence only.
    pub since: Option<NaiveDate>,
    /// All questions together, answered by standing proposals.
    pub total: Score,
    /// All questions together, answered by standing proposals and by trials, the checks of these aside.
    pub together: Score,
    /// The scores of all levels.
    pub by_level: ByLevel,
    /// Every trial that would have begun.
    pub trials: Vec<TrialRun>,
    /// The questions one by one, the most often answered first.
    pub by_key: Vec<KeyScore>,
}

/// Replays the history in the store, or that of one `project`; what counts begins on the day
/// `since`. Preferences that stand today do not matter.
///
/// # Errors
/// DuckDB's.
pub fn backtest(
    store: &Store,
    settings: &Suggest,
    registry: &Registry,
    project: Option<&str>,
    since: Option<NaiveDate>,
) -> Result<Backtest, Error> {
    let mut replay = Replay::new(settings, registry, since);
    askings(store, project, |asking| replay.take(asking))?;
    Ok(replay.finish())
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
    let mut statement = store
        .connection
        .prepare(include_str!("../sql/backtest/askings.sql"))?;
    for (first, last) in spans(store)? {
        let mut rows = statement.query(params![project, first, last])?;
        while let Some(row) = rows.next()? {
            take(Asking {
                project: row.get(0)?,
                key_source: row.get(2)?,
                call: row.get(23)?,
                answer: evidence::answer(row)?,
                answered_at: row.get(24)?,
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
    let mut statement = store
        .connection
        .prepare(include_str!("../sql/backtest/days.sql"))?;
    let mut spans: Vec<(NaiveDate, NaiveDate)> = Vec::new();
    let mut in_span = AT_ONCE;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (day, questions): (NaiveDate, u64) = (row.get(0)?, row.get(1)?);
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
