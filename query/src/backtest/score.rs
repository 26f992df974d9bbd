//! Scores: what would have been right and wrong, in all and by level.

use chrono::NaiveDate;

use super::asking::Asking;
use super::interval::Interval;
use super::trial::TrialRun;
use crate::suggest::level::Level;
use crate::suggest::policy::Verdict;

/// What the proposals would have got right and wrong.
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
    /// What it is called.
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
