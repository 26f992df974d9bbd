//! The scores of a backtest: question by question, and trial by trial.

use chrono::NaiveDate;
use plantune_domain::hash;
use plantune_domain::preferences::Preference;
use plantune_domain::state::{Stands, State, share_on_trial, stands};

use crate::evidence::HumanAnswer;
use crate::suggest::level::{ByLevel, Score};
use crate::suggest::policy::Verdict;

/// The score of one question, or of all unmarked ones with the same options.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyScore {
    /// The project.
    pub project: String,
    /// The question's key.
    pub question_key: String,
    /// How the key was found.
    pub key_source: String,
    /// The text as last asked.
    pub question: String,
    /// Its name.
    pub name: String,
    /// The labels as last sent.
    pub options: Vec<String>,
    /// The scores of all levels.
    pub by_level: ByLevel,
    /// Its trials.
    pub trials: Vec<TrialRun>,
}

/// A whole backtest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Backtest {
    /// The first day that counts; earlier days are evidence only.
    pub since: Option<NaiveDate>,
    /// The scores of all levels, of all questions together.
    pub by_level: ByLevel,
    /// Every trial that would have begun.
    pub trials: Vec<TrialRun>,
    /// The questions one by one, the most often answered first.
    pub by_key: Vec<KeyScore>,
}

impl Score {
    /// Counts a question that the person answered by `answer`, or not at all; what would have been done
    /// stands to it as `verdict` says, `None` when nothing would have been. What is added to an answer is lost when it is
    /// given for the person.
    pub(super) fn count(&mut self, answer: Option<&HumanAnswer>, verdict: Option<Verdict>) {
        let Some(answer) = answer else {
            self.unanswered += 1;
            self.unanswered_decided += u64::from(verdict.is_some());
            return;
        };
        self.questions += 1;
        match verdict {
            None | Some(Verdict::Abstain) => {}
            Some(Verdict::Agree) => {
                self.correct += 1;
                self.seconds_saved += answer.human_seconds.unwrap_or_default();
            }
            Some(Verdict::Add | Verdict::Disagree) => self.wrong += 1,
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

    /// True when the question of `call` is a check: by a hash of it, as often as the rule says.
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
    pub(super) fn checked(&mut self, verdict: Verdict) -> bool {
        if verdict == Verdict::Abstain {
            return false;
        }
        // The label and nothing else agrees.
        self.checks.push(verdict == Verdict::Agree);
        self.run.state = self.stands().state;
        self.run.state != State::OnTrial
    }
}
