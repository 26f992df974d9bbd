//! Scores: what would have been right and wrong, in all, by level and in trials, and how certain a share is.

use chrono::NaiveDate;
use plantune_domain::hash;
use plantune_domain::preferences::Preference;
use plantune_domain::state::{ON_AFTER, State, share_on_trial};

use super::history::Asking;
use crate::suggest::level::Level;
use crate::suggest::policy::Verdict;
use crate::suggest::posterior::Agreement;

/// Counts of what the proposals would have got right and wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// The questions that the person answered.
    pub questions: u64,
    /// Of these, those that would have been answered as the person did.
    pub correct: u64,
    /// Of these, those that would have been answered otherwise, or without what the person added.
    pub wrong: u64,
    /// The seconds the person spent on those that would have been answered rightly.
    pub seconds_saved: f64,
    /// The questions that were asked and not answered, by which nothing can be judged.
    pub unanswered: u64,
    /// Of these, those that would have been answered.
    pub unanswered_decided: u64,
}

/// The scores of the levels, each as if every proposal that reaches it had been accepted at that level.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ByLevel {
    /// Of the questions that would have been asked with the usual answer shown: whether it was given.
    pub assist: Score,
    /// Of those that trials would have answered before they held or fell, their checks aside.
    pub trial: Score,
    /// Of those that would have been answered by what stands.
    pub standing: Score,
    /// How many questions would have been asked to check a trial.
    pub checks: u64,
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
    /// The first day that counts; what lies before it is evidence only.
    pub since: Option<NaiveDate>,
    /// The scores of all levels, of all questions together.
    pub by_level: ByLevel,
    /// Every trial that would have begun.
    pub trials: Vec<TrialRun>,
    /// The questions one by one, the most often answered first.
    pub by_key: Vec<KeyScore>,
}

impl ByLevel {
    /// The levels with their scores, the least first.
    pub fn levels(&self) -> [(Level, &Score); 3] {
        [
            (Level::Assist, &self.assist),
            (Level::Trial, &self.trial),
            (Level::Standing, &self.standing),
        ]
    }

    pub(super) fn of(&mut self, level: Level) -> &mut Score {
        match level {
            Level::Assist => &mut self.assist,
            Level::Trial => &mut self.trial,
            Level::Standing => &mut self.standing,
        }
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.assist.add(&other.assist);
        self.trial.add(&other.trial);
        self.standing.add(&other.standing);
        self.checks += other.checks;
    }
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

    /// Counts `asking`, to which what would have been done at `level` stands as `verdict` says; `None`
    /// when nothing would have been. What is added to an answer is lost when it is given for the person,
    /// and not when it is shown to them.
    pub(super) fn count(&mut self, asking: &Asking, verdict: Option<Verdict>, level: Level) {
        if asking.answered_at.is_none() {
            self.unanswered += 1;
            self.unanswered_decided += u64::from(verdict.is_some());
            return;
        }
        self.questions += 1;
        match verdict {
            None | Some(Verdict::Abstain) => {}
            Some(Verdict::Add) if level == Level::Assist => self.correct += 1,
            Some(Verdict::Agree) => {
                self.correct += 1;
                if level > Level::Assist {
                    self.seconds_saved += asking.answer.human_seconds.unwrap_or_default();
                }
            }
            Some(Verdict::Add | Verdict::Disagree) => self.wrong += 1,
        }
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.questions += other.questions;
        self.correct += other.correct;
        self.wrong += other.wrong;
        self.seconds_saved += other.seconds_saved;
        self.unanswered += other.unanswered;
        self.unanswered_decided += other.unanswered_decided;
    }
}

#[allow(
    clippy::cast_precision_loss,
    reason = "a count of questions is far below 2^52"
)]
fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// The share of spot checks that a trial's checks fall to: the default of `spot_check`.
const SPOT_CHECK: f64 = 0.05;

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
    agreed: u32,
    /// Its record so far.
    pub(super) run: TrialRun,
}

impl Trial {
    pub(super) fn of(preference: &Preference) -> Self {
        Self {
            preference: preference.clone(),
            agreed: 0,
            run: TrialRun {
                state: State::OnTrial,
                askings: 0,
                wrong: 0,
            },
        }
    }

    /// True when enough checks have agreed.
    pub(super) fn is_on(&self) -> bool {
        self.agreed >= ON_AFTER
    }

    /// True when the question of `call` is a check: by a hash of it, as often as the rule says.
    pub(super) fn is_check(&self, call: &str, key: &str) -> bool {
        let [a, b, c, d, ..] = hash::digest(&["trial", call, key]);
        let share = f64::from(u32::from_le_bytes([a, b, c, d])) / f64::from(u32::MAX);
        share < share_on_trial(self.agreed, SPOT_CHECK)
    }

    /// Counts a question that it answered, or that was asked to check it.
    pub(super) fn asked(&mut self, is_wrong: bool) {
        self.run.askings += 1;
        self.run.wrong += u64::from(is_wrong);
    }

    /// Counts a check; true when the trial ended by it.
    pub(super) fn checked(&mut self, verdict: Verdict) -> bool {
        self.run.state = match verdict {
            Verdict::Agree if !self.is_on() => {
                self.agreed += 1;
                if !self.is_on() {
                    return false;
                }
                State::On
            }
            // The label and nothing else agrees.
            Verdict::Disagree | Verdict::Add => State::Stopped,
            Verdict::Agree | Verdict::Abstain => return false,
        };
        true
    }
}

/// The credibility of an interval.
const CREDIBILITY: f64 = 0.95;

/// Where a share lies with 95 % credibility (0–1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// The equal-tailed interval of the share of which `hits` of `of` cases are a sample: the
    /// quantiles of Beta(hits + ½, misses + ½), Jeffreys' prior (Brown, Cai and DasGupta, "Interval
    /// estimation for a binomial proportion", Statistical Science 16 (2001) 101–133; as there, an
    /// end is 0 or 1 when nothing or everything hit). `None` without cases.
    #[allow(
        clippy::cast_precision_loss,
        reason = "a count of questions is far below 2^52"
    )]
    pub fn of_share(hits: u64, of: u64) -> Option<Self> {
        let misses = of.checked_sub(hits).filter(|_| of > 0)?;
        let share = Agreement {
            alpha: hits as f64 + 0.5,
            beta: misses as f64 + 0.5,
        };
        let tail = (1.0 - CREDIBILITY) / 2.0;
        let low = match hits {
            0 => 0.0,
            _ => share.lower_bound(1.0 - tail),
        };
        let high = match misses {
            0 => 1.0,
            _ => share.lower_bound(tail),
        };
        Some(Self { low, high })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_as_published() {
        // Brown, Cai and DasGupta, table 5: n = 10, x = 3 and n = 30, x = 1.
        let close = |one: f64, other: f64| (one - other).abs() < 6e-4;
        let found = Interval::of_share(3, 10).unwrap();
        assert!(
            close(found.low, 0.093) && close(found.high, 0.606),
            "{found:?}"
        );
        let none = Interval::of_share(0, 10).unwrap();
        assert!(
            none.low.abs() < 1e-12 && close(none.high, 0.217),
            "{none:?}"
        );
        let all = Interval::of_share(10, 10).unwrap();
        assert!(close(all.low, 0.783) && (all.high - 1.0).abs() < 1e-12);
        assert_eq!(Interval::of_share(0, 0), None);
        assert_eq!(Interval::of_share(3, 2), None);
    }
}
