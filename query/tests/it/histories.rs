//! Suggestions on whole transcript histories: synthetic ones whose habits are known, and real ones.
//!
//! The histories lie outside the repository; without them these tests say so and pass.

mod transcripts;

use plantune_domain::config::Suggest;
use plantune_domain::recommended::strip_mark;
use plantune_domain::registry::Registry;
use plantune_query::evidence::KeyEvidence;
use plantune_query::suggest::{Asked, InForce, Inputs, Level, Suggestion, Suggestions, evaluate};
use serde_json::Value;

use crate::shared::shared;

fn propose(keys: &[KeyEvidence], settings: &Suggest) -> Suggestions {
    let last = keys
        .iter()
        .flat_map(|key| &key.answers)
        .map(|answer| answer.at);
    let now = (last.max().unwrap() + chrono::TimeDelta::days(1)).and_utc();
    let registry = Registry::default();
    let inputs = Inputs {
        settings,
        registry: &registry,
        in_force: &|_, _| InForce::Nothing,
        hindsight: 0,
        now,
    };
    evaluate(keys.to_vec(), &inputs)
}

/// The labels without marks, in order: what an unmarked question is known by.
fn set(labels: &[String]) -> Vec<String> {
    let mut set: Vec<String> = labels
        .iter()
        .map(|label| strip_mark(label).0.to_owned())
        .collect();
    set.sort();
    set
}

fn texts(value: &Value) -> Vec<String> {
    let texts = value.as_array().unwrap().iter();
    texts
        .map(|text| text.as_str().unwrap().to_owned())
        .collect()
}

/// True when `proposal` is about the question that `known` describes.
fn is_of(known: &Value, asked: &Asked) -> bool {
    match asked.key_source.as_str() {
        "marker" => known["key"] == *asked.question_key,
        _ => known["marked"] == false && set(&texts(&known["options"])) == set(&asked.options),
    }
}

/// How often the question that `known` describes was answered.
fn answered(known: &Value, keys: &[KeyEvidence]) -> usize {
    let of = |key: &&KeyEvidence| {
        let asked = Asked {
            question_key: key.question_key.clone(),
            key_source: key.key_source.clone(),
            options: key
                .answers
                .first()
                .map(|one| one.options.clone())
                .unwrap_or_default(),
            ..Asked::default()
        };
        is_of(known, &asked)
    };
    keys.iter().filter(of).map(|key| key.answers.len()).sum()
}

/// Proposals for questions that deserve one and are ripe: found, and all there are.
fn recall(history: &str, settings: &Suggest) -> Option<(usize, usize)> {
    let test = "histories::known_habits_are_found_and_nothing_else_is";
    let folder = shared(test, history)?;
    let truth = std::fs::read_to_string(folder.join("truth.json")).unwrap();
    let truth: Value = serde_json::from_str(&truth).unwrap();
    let truth = truth["keys"].as_array().unwrap();
    let keys = transcripts::read(&folder.join("transcripts"));
    let found = propose(&keys, settings);
    let standing = |one: &&Suggestion| one.level == Level::Standing;
    for suggestion in found.suggestions.iter().filter(standing) {
        let known = truth.iter().find(|known| is_of(known, &suggestion.asked));
        let known = known.unwrap_or_else(|| panic!("{suggestion:?}"));
        assert_ne!(known["propose"], "no", "{history}: {suggestion:?}");
        let answer = suggestion.answer.as_deref();
        if known["propose"] == "yes" {
            assert_eq!(
                known["answer"].as_str(),
                answer,
                "{history}: {suggestion:?}"
            );
        }
        if known["kind"] == "drift" {
            // What is known of a drift is the answer of before.
            assert_ne!(
                known["answer"].as_str(),
                answer,
                "{history}: {suggestion:?}"
            );
        }
    }
    let ripe = truth
        .iter()
        .filter(|known| known["propose"] == "yes" && answered(known, &keys) >= 15);
    let ripe: Vec<&Value> = ripe.collect();
    let is_proposed = |known: &&&Value| {
        let mut proposals = found.suggestions.iter().filter(standing);
        proposals.any(|suggestion| is_of(known, &suggestion.asked))
    };
    Some((ripe.iter().filter(is_proposed).count(), ripe.len()))
}

#[test]
fn known_habits_are_found_and_nothing_else_is() {
    let histories = ["bench/history-11", "bench/history-12"];
    let found: Vec<(usize, usize)> = histories
        .iter()
        .filter_map(|history| recall(history, &Suggest::default()))
        .collect();
    for (proposed, ripe) in found {
        assert!(ripe >= 10, "{ripe} ripe keys are too few");
        assert!(proposed * 100 >= ripe * 85, "{proposed} of {ripe}");
    }
}

#[test]
fn real_transcripts_hold_hardly_a_habit() {
    let test = "histories::real_transcripts_hold_hardly_a_habit";
    let Some(folder) = shared(test, "corpus/transcripts") else {
        return;
    };
    let keys = transcripts::read(&folder);
    assert!(keys.len() > 50, "{} questions were read", keys.len());
    let found = propose(&keys, &Suggest::default());
    // Nothing is answered for anybody.
    let answers = |one: &&Suggestion| one.level > Level::Assist;
    let answered: Vec<&Suggestion> = found.suggestions.iter().filter(answers).collect();
    assert!(answered.is_empty(), "{answered:?}");
    for one in &found.suggestions {
        eprintln!(
            "{:?} {:?} {:?}: {} of {} in {}",
            one.level,
            one.answer,
            one.asked.question,
            one.evidence.agreed,
            one.evidence.answers,
            one.asked.project
        );
    }
}
