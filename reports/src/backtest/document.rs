//! What the proposals would have got right and wrong, as a document: `schema_version` 1 in JSON, stable names for
//! scripts. Counts of questions that the person answered, shares 0–1, intervals as their two ends at 95 %
//! credibility, seconds as numbers, dates ISO 8601, unknown is null.

use plantune_query::backtest::{Backtest, ByLevel, Interval, KeyScore, Score, TrialEnd, TrialRun};
use plantune_query::permissions::backtest::Backtest as RulesBacktest;
use serde::{Serialize, Serializer};

use super::permissions;
use crate::json::{four_decimals, rounded};

/// The whole backtest.
#[derive(Clone, Debug, Serialize)]
pub struct Document<'a> {
    schema_version: u32,
    pub(super) since: Option<String>,
    /// By standing proposals alone.
    #[serde(flatten)]
    pub(super) total: Counts,
    pub(super) by_level: Levels,
    pub(super) by_key: Vec<Key<'a>>,
    pub(super) permissions: permissions::Document,
}

impl<'a> Document<'a> {
    /// Of questions, and of permission rules.
    pub fn new(questions: &'a Backtest, rules: &RulesBacktest) -> Self {
        Self {
            schema_version: 1,
            since: questions.since.map(|day| day.to_string()),
            total: (&questions.by_level.standing).into(),
            by_level: Levels::new(&questions.by_level, &questions.trials),
            by_key: questions.by_key.iter().map(Key::from).collect(),
            permissions: rules.into(),
        }
    }
}

/// One question.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Key<'a> {
    pub(super) question_key: &'a str,
    key_source: &'a str,
    project: &'a str,
    pub(super) question: &'a str,
    options: &'a [String],
    #[serde(flatten)]
    pub(super) counts: Counts,
    by_level: Levels,
}

impl<'a> From<&'a KeyScore> for Key<'a> {
    fn from(key: &'a KeyScore) -> Self {
        Self {
            question_key: &key.question_key,
            key_source: &key.key_source,
            project: &key.project,
            question: &key.question,
            options: &key.options,
            counts: (&key.by_level.standing).into(),
            by_level: Levels::new(&key.by_level, &key.trials),
        }
    }
}

/// What each level would have got right, had every proposal that reaches it been accepted at that level: of
/// `assist` whether the answer that would have been shown was given; of `trial` until the trials held or
/// fell, their checks aside.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Levels {
    pub(super) assist: Counts,
    pub(super) trial: Trial,
    pub(super) standing: Counts,
}

impl Levels {
    fn new(levels: &ByLevel, trials: &[TrialRun]) -> Self {
        Self {
            assist: (&levels.assist).into(),
            trial: Trial::new(&levels.trial, levels.checks, trials),
            standing: (&levels.standing).into(),
        }
    }
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct Trial {
    #[serde(flatten)]
    pub(super) counts: Counts,
    /// The questions that would have been asked to check a trial.
    checks: u64,
    /// The trials that would have begun, and how they would have ended.
    pub(super) trials: usize,
    pub(super) held: usize,
    pub(super) fell: usize,
    pub(super) open: usize,
    /// The median number of questions asked until a trial held, and until it fell.
    askings_until_held: Option<u64>,
    askings_until_fell: Option<u64>,
}

impl Trial {
    fn new(score: &Score, checks: u64, trials: &[TrialRun]) -> Self {
        let ended = |end: TrialEnd| trials.iter().filter(|run| run.end == end).count();
        let median = |end: TrialEnd| {
            let of = trials.iter().filter(|run| run.end == end);
            let mut askings: Vec<u64> = of.map(|run| run.askings).collect();
            askings.sort_unstable();
            askings.get(askings.len() / 2).copied()
        };
        Self {
            counts: score.into(),
            checks,
            trials: trials.len(),
            held: ended(TrialEnd::Held),
            fell: ended(TrialEnd::Fell),
            open: ended(TrialEnd::Open),
            askings_until_held: median(TrialEnd::Held),
            askings_until_fell: median(TrialEnd::Fell),
        }
    }
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct Counts {
    pub(super) questions: u64,
    pub(super) auto_decided: u64,
    pub(super) correct: u64,
    pub(super) wrong: u64,
    #[serde(serialize_with = "share")]
    pub(super) precision: Option<f64>,
    #[serde(serialize_with = "ends")]
    pub(super) precision_interval: Option<Interval>,
    #[serde(serialize_with = "share")]
    pub(super) coverage: Option<f64>,
    #[serde(serialize_with = "ends")]
    pub(super) coverage_interval: Option<Interval>,
    #[serde(serialize_with = "rounded")]
    pub(super) seconds_saved: f64,
    pub(super) unanswered: u64,
    pub(super) unanswered_auto_decided: u64,
}

impl From<&Score> for Counts {
    fn from(score: &Score) -> Self {
        Self {
            questions: score.questions,
            auto_decided: score.auto_decided(),
            correct: score.correct,
            wrong: score.wrong,
            precision: score.precision(),
            precision_interval: score.precision_interval(),
            coverage: score.coverage(),
            coverage_interval: score.coverage_interval(),
            seconds_saved: score.seconds_saved,
            unanswered: score.unanswered,
            unanswered_auto_decided: score.unanswered_decided,
        }
    }
}

fn share<S: Serializer>(number: &Option<f64>, to: S) -> Result<S::Ok, S::Error> {
    number.map(four_decimals).serialize(to)
}

fn ends<S: Serializer>(interval: &Option<Interval>, to: S) -> Result<S::Ok, S::Error> {
    interval
        .map(|ends| [ends.low, ends.high].map(four_decimals))
        .serialize(to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    #[test]
    fn the_document_is_stable() {
        let mut out = Vec::new();
        let (questions, rules) = (Backtest::default(), RulesBacktest::default());
        json::write(&Document::new(&questions, &rules), &mut out).unwrap();
        insta::assert_snapshot!(String::from_utf8(out).unwrap(), @r#"
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
              "held": 0,
              "fell": 0,
              "open": 0,
              "askings_until_held": null,
              "askings_until_fell": null
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
