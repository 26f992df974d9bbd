//! A suite of made-up secrets in texts as agents and people write them: all are masked, and nothing else is.
//!
//! The cases are in `tests/secrets/cases.jsonl`, one JSON object a line: a text and the secrets in it, or a text without
//! any, which is left as it is. A `¦` is taken out before use: without it the made-up tokens of well-known services
//! would be reported by scanners.

use plantune_domain::secrets::masked;
use serde::Deserialize;

use crate::shared::shared;

const CASES: &str = include_str!("../secrets/cases.jsonl");

#[derive(Deserialize)]
struct Case {
    text: String,
    #[serde(default)]
    secrets: Vec<String>,
}

fn cases() -> Vec<Case> {
    let list = CASES.replace('¦', "");
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
    for case in cases() {
        let once = masked(&case.text);
        assert_eq!(masked(&once), once);
    }
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
