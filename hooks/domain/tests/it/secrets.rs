//! What is masked, over a suite of made-up secrets in texts as agents write them, and what is left alone.
//!
//! The lists are in `tests/secrets/`, one JSON object a line: a text and the secrets in it. A `¦` is taken out
//! before use: without it the made-up tokens of well-known services would be reported by scanners.
//! `held_out` and `harmless_held_out` were written before it was known what was found, and nothing was tuned on them.

use plantune_domain::secrets::masked;
use serde::Deserialize;

use crate::shared::shared;

const DEVELOPMENT: &str = include_str!("../secrets/dev.jsonl");
const HELD_OUT: &str = include_str!("../secrets/held_out.jsonl");
const HARMLESS: &str = include_str!("../secrets/harmless.jsonl");
const HARMLESS_HELD_OUT: &str = include_str!("../secrets/harmless_held_out.jsonl");

#[derive(Deserialize)]
struct Case {
    text: String,
    #[serde(default)]
    secrets: Vec<String>,
}

fn cases(list: &str) -> Vec<Case> {
    let list = list.replace('¦', "");
    list.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// True where `secret`, or half of it, is left in `text`.
fn is_left(text: &str, secret: &str) -> bool {
    let length = secret.len().div_ceil(2).max(4).min(secret.len());
    let mut parts = (0..=secret.len() - length).filter_map(|at| secret.get(at..at + length));
    parts.any(|part| text.contains(part))
}

/// How many secrets a list has, and what is left of it: what was not found, and in what.
fn left(list: &str) -> (usize, Vec<String>) {
    let (mut all, mut left) = (0, Vec::new());
    for case in cases(list) {
        let found = masked(&case.text);
        all += case.secrets.len();
        let missed = case.secrets.iter().filter(|secret| is_left(&found, secret));
        left.extend(missed.map(|secret| format!("{secret}\n{found}")));
    }
    (all, left)
}

#[test]
fn secrets_are_masked() {
    let (dev, left_of_dev) = left(DEVELOPMENT);
    let (held_out, left_of_held_out) = left(HELD_OUT);
    eprintln!("{dev} and {held_out} secrets");
    assert!(left_of_dev.is_empty(), "{}", left_of_dev.join("\n"));
    assert!(
        left_of_held_out.is_empty(),
        "{}",
        left_of_held_out.join("\n")
    );
    assert!(dev + held_out >= 500);
}

#[test]
fn what_is_masked_stays_masked() {
    for list in [DEVELOPMENT, HELD_OUT, HARMLESS, HARMLESS_HELD_OUT] {
        for case in cases(list) {
            let once = masked(&case.text);
            assert_eq!(masked(&once), once);
        }
    }
}

#[test]
fn harmless_texts_are_left_alone() {
    let changed = |list: &str| {
        let cases = cases(list).into_iter();
        let changed = cases.map(|case| (masked(&case.text).into_owned(), case.text));
        let changed = changed.filter(|(found, text)| found != text);
        changed.map(|(found, _)| found).collect::<Vec<_>>()
    };
    assert_eq!(changed(HARMLESS), [""; 0]);
    // A name of a secret cannot be told from one.
    assert_eq!(
        changed(HARMLESS_HELD_OUT),
        ["gcloud secrets versions access latest --secret=MASKED"]
    );
}

/// What agents really ran: four of them hold a password, and five the random name of a folder.
#[test]
fn real_commands_are_left_alone() {
    let Some(path) = shared("real commands", "corpus/commands.jsonl") else {
        return;
    };
    let commands = std::fs::read_to_string(path).unwrap();
    let command = |line: &str| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        line["command"].as_str().unwrap().to_owned()
    };
    let commands = commands.lines().map(command);
    let changed: Vec<String> = commands
        .filter(|text| masked(text) != text.as_str())
        .collect();
    assert!(changed.len() <= 9, "{}", changed.join("\n"));
}
