//! The door rules on histories with known answers (`../shared/bench`).

use std::fs;
use std::path::Path;

use plantune_domain::doors::one_way_reason;
use serde_json::Value;

use crate::shared::shared;

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
            for option in key["options"].as_array().unwrap() {
                let reason = one_way_reason(&[question, option.as_str().unwrap()]);
                assert_eq!(
                    reason.is_some(),
                    key["one_way"],
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
                    let reason = one_way_reason(&[asked, question["header"].as_str().unwrap()]);
                    assert_eq!(reason.is_some(), key["one_way"], "{asked}: {reason:?}");
                }
            }
        }
    }
}
