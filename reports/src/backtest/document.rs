//! What the proposals would have got right and wrong, as a document: `schema_version` 1 in JSON, stable names for
//! scripts. Counts of questions that the person answered, shares 0–1, intervals as their two ends at 95 %
//! credibility, seconds as numbers, dates ISO 8601, unknown is null.

use chrono::NaiveDate;
use plantune_domain::state::State;
use plantune_query::backtest::{Backtest, ByLevel, Interval, KeyScore, Score, TrialRun};
use plantune_query::permissions::backtest::Backtest as RulesBacktest;
use serde::{Serialize, Serializer};
use serde_json::json;

use crate::json::four_decimals;

/// The whole backtest.
#[derive(Clone, Debug, Serialize)]
pub struct Document<'a> {
    pub(super) since: Option<NaiveDate>,
    /// By standing proposals alone.
    #[serde(flatten)]
    pub(super) total: Counts<'a>,
    pub(super) by_level: Levels<'a>,
    pub(super) by_key: Vec<Key<'a>>,
    pub(super) permissions: &'a RulesBacktest,
}

impl<'a> Document<'a> {
    /// Of questions, and of permission rules.
    pub fn new(questions: &'a Backtest, rules: &'a RulesBacktest) -> Self {
        Self {
            since: questions.since,
            total: Counts(&questions.by_level.standing),
            by_level: Levels::new(&questions.by_level, &questions.trials),
            by_key: questions.by_key.iter().map(Key::from).collect(),
            permissions: rules,
        }
    }
}

/// One question.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Key<'a> {
    pub(super) question_key: &'a str,
    key_source: &'a str,
    project: &'a str,
    pub(super) name: &'a str,
    question: &'a str,
    options: &'a [String],
    #[serde(flatten)]
    pub(super) counts: Counts<'a>,
    by_level: Levels<'a>,
}

impl<'a> From<&'a KeyScore> for Key<'a> {
    fn from(key: &'a KeyScore) -> Self {
        Self {
            question_key: &key.question_key,
            key_source: &key.key_source,
            project: &key.project,
            name: &key.name,
            question: &key.question,
            options: &key.options,
            counts: Counts(&key.by_level.standing),
            by_level: Levels::new(&key.by_level, &key.trials),
        }
    }
}

/// What each level would have got right, had every proposal that reaches it been accepted at that level: of
/// `assist` whether the answer that would have been shown was given; of `trial` until the trials were on or
/// stopped, their checks aside.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Levels<'a> {
    pub(super) assist: Counts<'a>,
    pub(super) trial: Trial<'a>,
    pub(super) standing: Counts<'a>,
}

impl<'a> Levels<'a> {
    fn new(levels: &'a ByLevel, trials: &[TrialRun]) -> Self {
        Self {
            assist: Counts(&levels.assist),
            trial: Trial::new(&levels.trial, levels.checks, trials),
            standing: Counts(&levels.standing),
        }
    }
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct Trial<'a> {
    #[serde(flatten)]
    pub(super) counts: Counts<'a>,
    /// The questions that would have been asked to check a trial.
    checks: u64,
    /// The trials that would have begun, and what would have become of them.
    pub(super) trials: usize,
    pub(super) on: usize,
    pub(super) stopped: usize,
    pub(super) on_trial: usize,
    /// The median number of questions asked until a trial was on, and until it was stopped.
    askings_until_on: Option<u64>,
    askings_until_stopped: Option<u64>,
}

impl<'a> Trial<'a> {
    fn new(score: &'a Score, checks: u64, trials: &[TrialRun]) -> Self {
        let ended = |state: State| trials.iter().filter(|run| run.state == state).count();
        let median = |state: State| {
            let of = trials.iter().filter(|run| run.state == state);
            let mut askings: Vec<u64> = of.map(|run| run.askings).collect();
            askings.sort_unstable();
            askings.get(askings.len() / 2).copied()
        };
        Self {
            counts: Counts(score),
            checks,
            trials: trials.len(),
            on: ended(State::On),
            stopped: ended(State::Stopped),
            on_trial: ended(State::OnTrial),
            askings_until_on: median(State::On),
            askings_until_stopped: median(State::Stopped),
        }
    }
}

/// A score, with what follows from it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counts<'a>(pub(super) &'a Score);

impl Serialize for Counts<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self(score) = self;
        let ends = |one: Interval| [one.low, one.high].map(four_decimals);
        to.collect_map([
            ("questions", json!(score.questions)),
            ("auto_decided", json!(score.auto_decided())),
            ("correct", json!(score.correct)),
            ("wrong", json!(score.wrong)),
            ("precision", json!(score.precision().map(four_decimals))),
            (
                "precision_interval",
                json!(score.precision_interval().map(ends)),
            ),
            ("coverage", json!(score.coverage().map(four_decimals))),
            (
                "coverage_interval",
                json!(score.coverage_interval().map(ends)),
            ),
            ("seconds_saved", json!(four_decimals(score.seconds_saved))),
            ("unanswered", json!(score.unanswered)),
            ("unanswered_auto_decided", json!(score.unanswered_decided)),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inert;

    #[test]
    fn the_document_is_stable() {
        let (questions, rules) = (Backtest::default(), RulesBacktest::default());
        let text = inert::document(&Document::new(&questions, &rules)).unwrap();
        insta::assert_snapshot!(text, @r#"
        {
          "schema_version": 1,
          "since": null,
          "questions": 0,
          "auto_decided": 0,
          "correct": 0,
          "wrong": 0,
          "precision": null,
          "precision_interval": null,
          "coverage": null,
          "coverage_interval": null,
          "seconds_saved": 0.0,
          "unanswered": 0,
          "unanswered_auto_decided": 0,
          "by_level": {
            "assist": {
              "questions": 0,
              "auto_decided": 0,
              "correct": 0,
              "wrong": 0,
              "precision": null,
              "precision_interval": null,
              "coverage": null,
              "coverage_interval": null,
              "seconds_saved": 0.0,
              "unanswered": 0,
              "unanswered_auto_decided": 0
            },
            "trial": {
              "questions": 0,
              "auto_decided": 0,
              "correct": 0,
              "wrong": 0,
              "precision": null,
              "precision_interval": null,
              "coverage": null,
              "coverage_interval": null,
              "seconds_saved": 0.0,
              "unanswered": 0,
              "unanswered_auto_decided": 0,
              "checks": 0,
              "trials": 0,
              "on": 0,
              "stopped": 0,
              "on_trial": 0,
              "askings_until_on": null,
              "askings_until_stopped": null
            },
            "standing": {
              "questions": 0,
              "auto_decided": 0,
              "correct": 0,
              "wrong": 0,
              "precision": null,
              "precision_interval": null,
              "coverage": null,
              "coverage_interval": null,
              "seconds_saved": 0.0,
              "unanswered": 0,
              "unanswered_auto_decided": 0
            }
          },
          "by_key": [],
          "permissions": {
            "prompts": 0,
            "spared": 0,
            "refused": 0,
            "refused_allowed": 0,
            "seconds_saved": null,
            "waits_known": 0,
            "refused_allowed_if_kept": 0,
            "beyond_allowed": 0,
            "rules": 0,
            "rules_taken_out": 0,
            "by_reach": [
              {
                "reach": "reads",
                "prompts": 0,
                "spared": 0,
                "refused": 0,
                "refused_allowed": 0,
                "seconds_saved": null,
                "waits_known": 0
              },
              {
                "reach": "project",
                "prompts": 0,
                "spared": 0,
                "refused": 0,
                "refused_allowed": 0,
                "seconds_saved": null,
                "waits_known": 0
              },
              {
                "reach": "unknown",
                "prompts": 0,
                "spared": 0,
                "refused": 0,
                "refused_allowed": 0,
                "seconds_saved": null,
                "waits_known": 0
              },
              {
                "reach": "beyond",
                "prompts": 0,
                "spared": 0,
                "refused": 0,
                "refused_allowed": 0,
                "seconds_saved": null,
                "waits_known": 0
              }
            ]
          }
        }
        "#);
    }
}
