//! The history that a replay reads: the questions that the person was asked, and what is known at a moment of the person,
//! of each question, and of its trial.

use std::sync::{Arc, OnceLock};

use chrono::{NaiveDate, NaiveDateTime};
use duckdb::params;
use plantune_domain::hash;
use plantune_domain::keys::{KeySource, is_made_up};
use plantune_domain::preferences::Preference;
use plantune_domain::registry::Registry;
use plantune_domain::state::{Stands, State, share_on_trial, stands};
use serde::Deserialize;

use crate::evidence::{HumanAnswer, KeyEvidence};
use crate::habits::habit;
use crate::suggest::ByLevel;
use crate::suggest::candidate::{Candidate, PersonPrior, median_seconds};
use crate::suggest::policy::PolicyVerdict;
use crate::{Store, StoreError};

/// One question that the person was asked.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct PastAsking {
    /// The project.
    pub project: String,
    /// How its key was found.
    pub key_source: String,
    /// The call it belongs to.
    pub call: String,
    /// The question and the person's answer; without labels when they did not answer.
    #[serde(skip)]
    pub answer: Arc<HumanAnswer>,
    /// The time of the answer (UTC); `None` if the question was declined, failed or left.
    pub answered_at: Option<NaiveDateTime>,
}

impl PastAsking {
    /// Calls an unmarked question by the key that a rule of `registry` gives it now.
    pub(super) fn take_rule(&mut self, registry: &Registry) {
        let header = self.answer.header.as_deref();
        if is_made_up(&self.answer.question_key)
            && let Some(key) = registry.key_of(&self.answer.question, header, &self.answer.options)
        {
            let key = key.to_owned();
            Arc::make_mut(&mut self.answer).question_key = key;
            KeySource::Registry
                .as_str()
                .clone_into(&mut self.key_source);
        }
    }

    /// Its question.
    pub(super) fn place(&self) -> ProjectQuestion {
        (self.project.clone(), self.answer.question_key.clone())
    }
}

/// A question of a project: the project and the key.
pub(super) type ProjectQuestion = (String, String);

/// About how many questions are read at once.
const AT_ONCE: u64 = 50_000;

/// Calls `take` with every question that the person was asked, in the order of time. They are read some
/// days at a time, so that the memory they take does not grow with the log.
///
/// # Errors
/// The errors of DuckDB.
pub fn askings(
    store: &Store,
    project: Option<&str>,
    mut take: impl FnMut(PastAsking),
) -> Result<(), StoreError> {
    let sql = include_str!("../../sql/backtest/askings.sql");
    for (first, last) in spans(store)? {
        let rows = store.pairs::<PastAsking, HumanAnswer>(sql, params![project, first, last])?;
        for (asking, answer) in rows {
            take(PastAsking {
                answer: Arc::new(answer.meant()),
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
/// The errors of DuckDB.
fn spans(store: &Store) -> Result<Vec<(NaiveDate, NaiveDate)>, StoreError> {
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

/// After how many answers per hundred habits the summary of all habits is made again. With few habits that is after each
/// answer.
const ANSWERS_IN_A_HUNDRED: u64 = 2;

/// A summary of all habits of a person at one moment of the replay.
pub(super) struct PersonHistory {
    pub(super) person: PersonPrior,
    median_seconds: OnceLock<Option<f64>>,
    habits: u64,
    /// How many answers were known.
    learned: u64,
}

impl PersonHistory {
    /// The summary of `candidates` at the moment `now`, when `learned` answers are known.
    pub(super) fn of<'a>(
        candidates: impl Iterator<Item = &'a Candidate> + Clone,
        now: NaiveDateTime,
        learned: u64,
    ) -> Self {
        Self {
            habits: candidates.clone().count() as u64,
            person: PersonPrior::of(candidates, now),
            median_seconds: OnceLock::new(),
            learned,
        }
    }

    /// True while the summary is still good enough when `learned` answers are known. To make it after every answer would
    /// take time that grows with the number of habits.
    pub(super) fn holds(&self, learned: u64) -> bool {
        (learned - self.learned) * 100 <= self.habits * ANSWERS_IN_A_HUNDRED
    }

    /// The person's median answering time over `candidates`, in seconds.
    pub(super) fn median_seconds<'a>(
        &self,
        candidates: impl Iterator<Item = &'a Candidate>,
    ) -> Option<f64> {
        *(self.median_seconds).get_or_init(|| median_seconds(candidates))
    }
}

/// A question with up to so many answers is judged again after each; with more, only when they have grown by one in this
/// many, as judging takes time that grows with the answers.
const FEW: usize = 50;

/// The known history of one question, and its score.
#[derive(Debug, Default)]
pub(super) struct QuestionHistory {
    /// The answers so far, as they came.
    answers: KeyEvidence,
    /// The habit that they make, as far as it was looked for.
    pub(super) candidate: Option<Candidate>,
    /// How many answers there were then.
    looked_at: usize,
    /// The trial under way.
    pub(super) trial: Option<Trial>,
    pub(super) by_level: ByLevel,
    pub(super) runs: Vec<TrialRun>,
    pub(super) last: Option<PastAsking>,
}

impl QuestionHistory {
    /// Knows one answer more.
    pub(super) fn know(&mut self, project: &str, key_source: &str, answer: Arc<HumanAnswer>) {
        if self.answers.answers.is_empty() {
            self.answers = KeyEvidence {
                project: project.to_owned(),
                question_key: answer.question_key.clone(),
                key_source: key_source.to_owned(),
                // How often it is asked changes how much is saved, not whether anything is.
                recent_askings: 1,
                ..KeyEvidence::default()
            };
        }
        self.answers.answers.push(answer);
    }

    /// Looks for the habit again, if enough is new to change it; `candidate` judges one.
    pub(super) fn find_habit(&mut self, candidate: impl Fn(KeyEvidence) -> Candidate) {
        let count = self.answers.answers.len();
        if count <= FEW || (count - self.looked_at) * FEW >= count {
            self.looked_at = count;
            self.candidate = habit(self.answers.clone()).map(candidate);
        }
    }
}

/// The share of spot checks that a trial's checks fall to: the default of `spot_check`.
const SPOT_CHECK: f64 = 0.06;

/// A trial, from its begin to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrialRun {
    /// Its end.
    pub state: State,
    /// How many questions were asked while it lasted, its checks included.
    pub askings: u64,
    /// How many it answered otherwise than the person did.
    pub wrong: u64,
}

/// A trial under way.
#[derive(Clone, Debug)]
pub(super) struct Trial {
    pub(super) preference: Preference,
    /// True for a check that agreed.
    checks: Vec<bool>,
    /// Its record so far.
    pub(super) run: TrialRun,
}

impl Trial {
    pub(super) fn of(preference: &Preference) -> Self {
        Self {
            preference: preference.clone(),
            checks: Vec::new(),
            run: TrialRun {
                state: State::OnTrial,
                askings: 0,
                wrong: 0,
            },
        }
    }

    /// True when enough checks have agreed.
    pub(super) fn is_on(&self) -> bool {
        self.stands().state == State::On
    }

    fn stands(&self) -> Stands {
        stands(true, self.checks.iter().copied())
    }

    /// True when the question of `call` is a check: chosen by a hash, as often as [`share_on_trial`] says.
    pub(super) fn is_check(&self, call: &str, key: &str) -> bool {
        let [a, b, c, d, ..] = hash::digest(&["trial", call, key]);
        let share = f64::from(u32::from_le_bytes([a, b, c, d])) / f64::from(u32::MAX);
        share < share_on_trial(self.stands().agreed, SPOT_CHECK)
    }

    /// Counts a question that it answered, or that was asked to check it.
    pub(super) fn asked(&mut self, is_wrong: bool) {
        self.run.askings += 1;
        self.run.wrong += u64::from(is_wrong);
    }

    /// Counts a check; true when the trial ended by it.
    pub(super) fn checked(&mut self, verdict: PolicyVerdict) -> bool {
        if verdict == PolicyVerdict::Abstain {
            return false;
        }
        // The label and nothing else agrees.
        self.checks.push(verdict == PolicyVerdict::Agree);
        self.run.state = self.stands().state;
        self.run.state != State::OnTrial
    }
}
