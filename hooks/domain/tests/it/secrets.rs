//! A suite of made-up secrets in texts as agents and people write them: all are masked, and nothing else is.
//!
//! The cases are in `tests/secrets/cases.jsonl`, one JSON object a line: a text and the secrets in it, or a text without
//! any, which is left as it is. A `¦` is taken out before use: without it the made-up tokens of well-known services
//! would be reported by scanners. `tests/secrets/prose.jsonl` has what people type, in numbered sets: each was written and
//! measured before anything was changed for it. There a share may be missed, and a text may answer a `question`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use plantune_domain::secrets::{masked, masked_reply};
use serde::Deserialize;

use crate::shared::shared;

const CASES: &str = include_str!("../secrets/cases.jsonl");
const PROSE: &str = include_str!("../secrets/prose.jsonl");

#[derive(Deserialize)]
struct Case {
    /// Its set: `password 1`, `secret 2`, `plain 3`.
    #[serde(default)]
    set: String,
    /// What is asked, if the text is an answer.
    question: Option<String>,
    text: String,
    #[serde(default)]
    secrets: Vec<String>,
}

impl Case {
    fn masked(&self) -> Cow<'_, str> {
        match &self.question {
            Some(question) => masked_reply(question, &self.text),
            None => masked(&self.text),
        }
    }

    /// True if a secret is left, or something else is masked.
    fn is_wrong(&self) -> bool {
        let found = self.masked();
        match self.secrets.as_slice() {
            [] => found != self.text,
            secrets => secrets.iter().any(|secret| is_left(&found, secret)),
        }
    }
}

fn cases() -> Vec<Case> {
    read(CASES)
}

fn read(list: &str) -> Vec<Case> {
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

#[test]
fn secrets_are_masked() {
    let (mut all, mut left) = (0, Vec::new());
    for case in cases() {
        let found = masked(&case.text);
        all += case.secrets.len();
        let missed = case.secrets.iter().filter(|secret| is_left(&found, secret));
        left.extend(missed.map(|secret| format!("{secret}\n{found}")));
    }
    assert!(left.is_empty(), "{}", left.join("\n"));
    assert!(all >= 900, "{all}");
}

#[test]
fn what_is_masked_stays_masked() {
    for case in cases().iter().chain(&read(PROSE)) {
        let once = case.masked();
        assert_eq!(masked(&once), once);
    }
}

/// Of each set at most so many of a thousand are wrong.
#[test]
fn what_people_type_is_masked() {
    let mut sets: BTreeMap<String, (usize, Vec<String>)> = BTreeMap::new();
    for case in read(PROSE) {
        let (all, wrong) = sets.entry(case.set.clone()).or_default();
        *all += 1;
        if case.is_wrong() {
            wrong.push(format!("{} -> {}", case.text, case.masked()));
        }
    }
    for (set, (all, wrong)) in &sets {
        let most = match set.split(' ').next().unwrap() {
            "password" => 20,
            "secret" => 35,
            _ => 15,
        };
        assert!(
            *all >= 60 && wrong.len() * 1000 <= all * most,
            "{set}: {wrong:#?}"
        );
    }
    assert!(sets.len() >= 21, "{sets:?}");
}

#[test]
fn harmless_texts_are_left_alone() {
    let harmless = cases().into_iter().filter(|case| case.secrets.is_empty());
    let all = harmless.map(|case| (masked(&case.text).into_owned(), case.text));
    let changed = all.filter(|(found, text)| found != text);
    let changed: Vec<_> = changed.map(|(found, _)| found).collect();
    // A name of a secret cannot be told from one.
    assert_eq!(
        changed,
        ["gcloud secrets versions access latest --secret=MASKED"]
    );
}

/// A secret that is named as one is masked however it looks, in a command and in a document.
#[test]
fn what_is_said_to_be_a_secret_has_no_shape() {
    let contexts = [
        "PASSWORD={} ./run",
        "tool --password {} x",
        "vault kv put secret/x value={}",
        "fly secrets set DB={}",
        "echo {} | gh secret set X",
        "mysql -p{} shop",
        "cat > x.yml <<E\npassword: |\n  {}\nE",
        "kubectl apply -f - <<E\nkind: Secret\nstringData:\n  any: {}\nE",
        "curl 'https://h.invalid/?password={}'",
        "git clone https://bob:{}@h.invalid/x",
    ];
    proptest::proptest!(|(secret in "[a-z]{5,9}|[A-Za-z][A-Za-z0-9]{5,20}|[A-Z]{6,9}|[a-z]{3}-[a-z]{3}")| {
        let is_plain = ["string", "undefined", "required", "optional", "number"].contains(&secret.to_lowercase().as_str());
        for context in contexts.iter().filter(|_| !is_plain) {
            let found = masked(&context.replace("{}", &secret)).into_owned();
            assert!(found.contains("MASKED") && !found.contains(&secret), "{found}");
        }
    });
    // Names of several words, such as `password manager`, do not reach over the end of a flag.
    for value in ["EVALAA", "manager2024", "Manager"] {
        let found = masked(&format!("tool --password {value} x")).into_owned();
        assert_eq!(found, "tool --password MASKED x");
    }
    let named = "I use a password manager every day";
    assert_eq!(masked(named), named);
}

/// Commands that agents really ran: four of them hold a password, four a random name.
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
    assert!(changed.len() <= 8, "{}", changed.join("\n"));
}
