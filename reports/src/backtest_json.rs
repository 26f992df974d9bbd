//! A backtest as JSON, `schema_version` 1: stable names for scripts.

use std::io::{self, Write};

use plantune_query::backtest::{Backtest, ByLevel, Interval, KeyScore, Score, TrialEnd, TrialRun};
use plantune_query::permissions::backtest::Backtest as RulesBacktest;
use serde::Serialize;

use crate::inert;
use crate::rules_backtest::Document as RulesDocument;

#[derive(Serialize)]
struct Document<'a> {
    schema_version: u32,
    since: Option<String>,
    #[serde(flatten)]
    total: Counts,
    by_level: Levels,
    by_key: Vec<Key<'a>>,
    permissions: RulesDocument,
}

#[derive(Serialize)]
struct Key<'a> {
    question_key: &'a str,
    key_source: &'a str,
    project: &'a str,
    question: &'a str,
    options: &'a [String],
    #[serde(flatten)]
    score: Counts,
    by_level: Levels,
}

/// What each level would have got right, had every proposal that reaches it been accepted at that level: of
/// `assist` whether the answer that would have been shown was given; of `trial` until the trials held or
/// fell, their checks aside.
#[derive(Serialize)]
struct Levels {
    assist: Counts,
    trial: Trial,
    standing: Counts,
}

#[derive(Serialize)]
struct Trial {
    #[serde(flatten)]
    counts: Counts,
    /// The questions that would have been asked to check a trial.
    checks: u64,
    /// The trials that would have begun, and how they would have ended.
    trials: usize,
    held: usize,
    fell: usize,
    open: usize,
    /// The median number of questions asked until a trial held, and until it fell.
    askings_until_held: Option<u64>,
    askings_until_fell: Option<u64>,
}

#[derive(Serialize)]
struct Counts {
    questions: u64,
    auto_decided: u64,
    correct: u64,
    wrong: u64,
    precision: Option<f64>,
    precision_interval: Option<[f64; 2]>,
    coverage: Option<f64>,
    coverage_interval: Option<[f64; 2]>,
    seconds_saved: f64,
    unanswered: u64,
    unanswered_auto_decided: u64,
}

/// Writes `found`, and what permission `rules` would have done, as JSON: shares 0–1, intervals as their two ends at 95 % credibility, seconds as
/// numbers, dates ISO 8601, unknown is null. `questions` are those that the person answered;
/// `auto_decided`, `correct` and `wrong` are of them, at the top by standing proposals alone.
///
/// # Errors
/// Those of `out`.
pub fn write(found: &Backtest, rules: &RulesBacktest, out: &mut dyn Write) -> io::Result<()> {
    let document = Document {
        schema_version: 1,
        since: found.since.map(|day| day.to_string()),
        total: counts(&found.total),
        by_level: levels(&found.by_level, &found.trials),
        by_key: found.by_key.iter().map(key).collect(),
        permissions: RulesDocument::from(rules),
    };
    out.write_all(inert::json(&document)?.as_bytes())
}

fn key(key: &KeyScore) -> Key<'_> {
    Key {
        question_key: &key.question_key,
        key_source: &key.key_source,
        project: &key.project,
        question: &key.question,
        options: &key.options,
        score: counts(&key.score),
        by_level: levels(&key.by_level, &key.trials),
    }
}

fn levels(levels: &ByLevel, trials: &[TrialRun]) -> Levels {
    let ended = |end: TrialEnd| trials.iter().filter(|run| run.end == end).count();
    let median = |end: TrialEnd| {
        let of = trials.iter().filter(|run| run.end == end);
        let mut askings: Vec<u64> = of.map(|run| run.askings).collect();
        askings.sort_unstable();
        askings.get(askings.len() / 2).copied()
    };
    Levels {
        assist: counts(&levels.assist),
        trial: Trial {
            counts: counts(&levels.trial),
            checks: levels.checks,
            trials: trials.len(),
            held: ended(TrialEnd::Held),
            fell: ended(TrialEnd::Fell),
            open: ended(TrialEnd::Open),
            askings_until_held: median(TrialEnd::Held),
            askings_until_fell: median(TrialEnd::Fell),
        },
        standing: counts(&levels.standing),
    }
}

fn counts(score: &Score) -> Counts {
    let ends = |interval: Interval| [rounded(interval.low), rounded(interval.high)];
    Counts {
        questions: score.questions,
        auto_decided: score.auto_decided(),
        correct: score.correct,
        wrong: score.wrong,
        precision: score.precision().map(rounded),
        precision_interval: score.precision_interval().map(ends),
        coverage: score.coverage().map(rounded),
        coverage_interval: score.coverage_interval().map(ends),
        seconds_saved: rounded(score.seconds_saved),
        unanswered: score.unanswered,
        unanswered_auto_decided: score.unanswered_decided,
    }
}

/// Four decimals: what lies beyond differs by machine and says nothing.
fn rounded(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_is_stable() {
        let mut out = Vec::new();
        write(&Backtest::default(), &RulesBacktest::default(), &mut out).unwrap();
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
            "third_tier_allowed": 0,
            "rules": 0,
            "rules_taken_out": 0,
            "by_tier": [
              {
                "tier": 1,
                "prompts": 0,
                "spared": 0,
                "refused": 0,
                "refused_allowed": 0,
                "seconds_saved": null,
                "waits_known": 0
              },
              {
                "tier": 2,
                "prompts": 0,
                "spared": 0,
                "refused": 0,
                "refused_allowed": 0,
                "seconds_saved": null,
                "waits_known": 0
              },
              {
                "tier": 3,
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
