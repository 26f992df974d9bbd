//! The door rules on histories with known answers (`../shared/bench`).

use std::fs;
use std::path::Path;

use plantune_domain::commitment::Act;
use plantune_domain::consent;
use serde_json::{Value, json};

use crate::shared::shared;

fn held(question: &str, header: &str, label: Option<&str>) -> Option<String> {
    consent::reason(&Act::of("", question, header, label, "", ""))
}

#[test]
fn histories_have_the_expected_doors() {
    let test = "histories::histories_have_the_expected_doors";
    for history in ["bench/history-11", "bench/history-12"] {
        let Some(history) = shared(test, history) else {
            continue;
        };
        let text = fs::read_to_string(history.join("truth.json")).unwrap();
        let truth: Value = serde_json::from_str(&text).unwrap();
        for key in truth["keys"].as_array().unwrap() {
            let question = key["text"].as_str().unwrap();
            check_texts(&history, key);
            let reason = held(question, "", None);
            // To skip a safeguard is an act, whatever is asked.
            let skips = question.contains("skip the");
            assert!(
                skips || json!(reason.is_some()) == key["one_way"],
                "{question}: {reason:?}"
            );
            for option in key["options"].as_array().unwrap() {
                let reason = held(question, "", option.as_str());
                assert!(
                    reason.is_none() || skips || key["one_way"] == true,
                    "{question} / {option}: {reason:?}"
                );
            }
        }
    }
}

/// Every text in which the key was asked: the topic in it must not change the door.
fn check_texts(history: &Path, key: &Value) {
    let marker = format!("<gstack-qid:{}>", key["key"].as_str().unwrap());
    for transcript in fs::read_dir(history.join("transcripts")).unwrap() {
        let text = fs::read_to_string(transcript.unwrap().path()).unwrap();
        for line in text.lines().filter(|line| line.contains(&marker)) {
            let line: Value = serde_json::from_str(line).unwrap();
            let input = &line["message"]["content"][0]["input"];
            for question in input["questions"].as_array().into_iter().flatten() {
                let asked = question["question"].as_str().unwrap();
                if let Some(asked) = asked.strip_prefix(&marker) {
                    let reason = held(asked, question["header"].as_str().unwrap(), None);
                    let skips = asked.contains("skip the");
                    let is_held = json!(reason.is_some());
                    assert!(skips || is_held == key["one_way"], "{asked}: {reason:?}");
                }
            }
        }
    }
}
