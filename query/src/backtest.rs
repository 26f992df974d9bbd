//! The backtest: what the proposals would have done, had the person accepted each at once.
//!
//! History is gone through in the order of time. Before each call only what was answered before it
//! is known, and from that the same code as `suggest` says which preferences would be in force.

mod interval;
mod replay;
#[cfg(test)]
mod tests;

use chrono::{NaiveDate, NaiveDateTime};
use duckdb::params;
use plantune_domain::config::Suggest;
use plantune_domain::registry::Registry;

pub use self::interval::Interval;
pub use self::replay::Replay;
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

/// What the proposals would have got right and wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// The questions that the person answered.
    pub questions: u64,
    /// Of these, those that would have been answered as the person did.
    pub correct: u64,
    /// Of these, those that would have been answered otherwise.
    pub wrong: u64,
    /// The seconds the person spent on those that would have been answered rightly.
    pub seconds_saved: f64,
    /// The questions that were asked and not answered, by which nothing can be judged.
    pub unanswered: u64,
    /// Of these, those that would have been answered.
    pub unanswered_decided: u64,
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
    /// Its score.
    pub score: Score,
}

/// A whole backtest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Backtest {
    /// The first day that counts; what lies before it is evidence only.
    pub since: Option<NaiveDate>,
    /// All questions together.
    pub total: Score,
    /// The questions one by one, the most often answered first.
    pub by_key: Vec<KeyScore>,
}

impl Score {
    /// How many of the answered questions would have been answered for the person.
    pub fn auto_decided(&self) -> u64 {
        self.correct + self.wrong
    }

    /// The share (0–1) of these that would have been right; `None` when there are none.
    pub fn precision(&self) -> Option<f64> {
        share(self.correct, self.auto_decided())
    }

    /// The share (0–1) of the answered questions that would have been spared; `None` without any.
    pub fn coverage(&self) -> Option<f64> {
        share(self.auto_decided(), self.questions)
    }

    /// Where the precision lies with 95 % credibility; `None` when nothing was decided.
    pub fn precision_interval(&self) -> Option<Interval> {
        Interval::of_share(self.correct, self.auto_decided())
    }

    /// Where the coverage lies with 95 % credibility; `None` without questions.
    pub fn coverage_interval(&self) -> Option<Interval> {
        Interval::of_share(self.auto_decided(), self.questions)
    }
}

#[allow(
    clippy::cast_precision_loss,
    reason = "a count of questions is far below 2^52"
)]
fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
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
                call: row.get(20)?,
                answer: evidence::answer(row)?,
                answered_at: row.get(21)?,
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
