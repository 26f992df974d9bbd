//! Whole keys, from answers to a verdict.

mod families;
mod levels;
mod opening;
mod proposed;
mod random;
mod refused;

use chrono::{DateTime, TimeDelta, Utc};
use plantune_domain::config::Suggest;
use plantune_domain::preferences::{Coverage, Scope};
use plantune_domain::registry::Registry;
use proptest::prelude::*;

use super::policy::AnswerPolicy;
use super::spread::Within;
use super::*;
use crate::evidence::tests::{answer, at};
use crate::evidence::{HumanAnswer, KeyEvidence};

const LABELS: [&str; 2] = ["Create it", "Skip"];

fn now() -> DateTime<Utc> {
    at("2026-11-20 12:00").and_utc()
}

/// A key whose answers lie a day apart, each in a session of its own, the last one yesterday.
/// A letter an answer: `r` took the recommended first option, `o` the other one, `R` the second
/// option, recommended this time, `p` the first option, the second being recommended, `n` the
/// recommended one with a note, `t` typed something.
fn key(name: &str, answers: &str) -> KeyEvidence {
    let count = i64::try_from(answers.len()).unwrap();
    let answers: Vec<HumanAnswer> = answers
        .chars()
        .enumerate()
        .map(|(index, letter)| {
            let first = ["Create it (Recommended)", "Skip"];
            let second = ["Create it", "Skip (Recommended)"];
            let mut answer = match letter {
                'r' | 'n' => answer(&first, &first[..1]),
                'o' => answer(&first, &first[1..]),
                'R' => answer(&second, &second[1..]),
                'p' => answer(&second, &second[..1]),
                _ => answer(&first, &[]),
            };
            answer.said_more = "nt".contains(letter);
            let age = TimeDelta::days(count - i64::try_from(index).unwrap());
            answer.at = now().naive_utc() - age;
            answer.day = answer.at.date();
            answer.session_id = format!("{name}-{index}");
            name.clone_into(&mut answer.question_key);
            answer
        })
        .collect();
    KeyEvidence {
        project: "github.com/o/r".to_owned(),
        question_key: name.to_owned(),
        key_source: "marker".to_owned(),
        template: None,
        recent_askings: 20,
        known_since: None,
        answers,
    }
}

fn judged(keys: &[KeyEvidence]) -> Suggestions {
    evaluate(
        keys.to_vec(),
        &Inputs {
            settings: &Suggest::default(),
            registry: &Registry::default(),
            in_force: &|_, _| InForce::Nothing,
            hindsight: 0,
            now: now(),
        },
    )
}

/// The standing proposal for `key`, or what it lacks.
fn one(key: &KeyEvidence) -> Result<Suggestion, Reason> {
    let mut found = judged(std::slice::from_ref(key));
    match found.suggestions.pop() {
        Some(suggestion) if suggestion.level == Level::Standing => Ok(suggestion),
        Some(suggestion) => Err(suggestion.lacks.unwrap()),
        None => Err(found.rejected.pop().unwrap().reason),
    }
}

/// The level at which `key` is proposed.
fn level(key: &KeyEvidence) -> Option<Level> {
    let found = judged(std::slice::from_ref(key));
    found.suggestions.first().map(|one| one.level)
}
