//! Suggestions on whole transcript histories: synthetic ones whose habits are known, and real ones.
//!
//! The histories lie outside the repository; without them these tests say so and pass.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test may panic and print, its helpers too"
)]

mod transcripts;

use std::collections::HashMap;
use std::path::PathBuf;

use plantune_hooks::config::Suggest;
use plantune_hooks::registry::Registry;
use plantune_query::evidence::KeyEvidence;
use plantune_query::suggest::{Inputs, Suggestions, evaluate};
use serde_json::Value;

/// The folder `name` of the shared material, if it is there.
fn shared(name: &str) -> Option<PathBuf> {
    let root = std::env::var_os("PLANTUNE_SHARED").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared")),
        PathBuf::from,
    );
    let folder = root.join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: {} is not there", folder.display());
    None
}

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
        in_force: &|_, _| false,
        now,
    };
    evaluate(keys.to_vec(), &inputs)
}

/// Proposals for marked keys that deserve one and are ripe: found, and all there are.
fn recall(history: &str, settings: &Suggest) -> Option<(usize, usize)> {
    let folder = shared(history)?;
    let truth = std::fs::read_to_string(folder.join("truth.json")).unwrap();
    let truth: Value = serde_json::from_str(&truth).unwrap();
    let truth: HashMap<&str, &Value> = truth["keys"]
        .as_array()
        .unwrap()
        .iter()
        .map(|key| (key["key"].as_str().unwrap(), key))
        .collect();
    let keys = transcripts::read(&folder.join("transcripts"));
    let found = propose(&keys, settings);
    for suggestion in &found.suggestions {
        let key = suggestion.asked.question_key.as_str();
        let known = truth.get(key).unwrap_or_else(|| panic!("{suggestion:?}"));
        assert_ne!(known["propose"], "no", "{history}: {suggestion:?}");
        if known["propose"] == "yes" {
            let answer = suggestion.answer.as_deref();
            assert_eq!(
                known["answer"].as_str(),
                answer,
                "{history}: {suggestion:?}"
            );
        }
    }
    let proposed = |key: &&str| {
        found
            .suggestions
            .iter()
            .any(|suggestion| suggestion.asked.question_key == **key)
    };
    let ripe = |key: &KeyEvidence| {
        key.answers.len() >= 15
            && truth.get(key.question_key.as_str()).is_some_and(|known| {
                known["propose"] == "yes" && known["marked"] == Value::Bool(true)
            })
    };
    let ripe: Vec<&str> = keys
        .iter()
        .filter(|key| ripe(key))
        .map(|key| key.question_key.as_str())
        .collect();
    for rejected in &found.rejected {
        if ripe.contains(&rejected.asked.question_key.as_str()) {
            eprintln!("{history}: not proposed: {rejected:?}");
        }
    }
    Some((ripe.iter().filter(|key| proposed(key)).count(), ripe.len()))
}

#[test]
fn known_habits_are_found_and_nothing_else_is() {
    let histories = ["bench/history-11", "bench/history-12"];
    let found: Vec<(usize, usize)> = histories
        .iter()
        .filter_map(|history| recall(history, &Suggest::default()))
        .collect();
    for (proposed, ripe) in found {
        assert!(ripe >= 10, "{ripe} ripe keys are too few to tell");
        assert!(proposed * 100 >= ripe * 85, "{proposed} of {ripe}");
    }
}

#[test]
fn real_transcripts_hold_hardly_a_habit() {
    let Some(folder) = shared("corpus/transcripts") else {
        return;
    };
    let keys = transcripts::read(&folder);
    assert!(keys.len() > 50, "{} questions were read", keys.len());
    let found = propose(&keys, &Suggest::default());
    assert!(found.suggestions.is_empty(), "{:?}", found.suggestions);
}
