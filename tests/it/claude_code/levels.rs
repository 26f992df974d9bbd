//! Assistance, trials, and what is typed in place of an answer: what the person is shown, what the model reads, and
//! what is logged.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use serde_json::{Value, json};

use super::claude_code;
use super::home::{Home, answers, ask, assert_fields, kinds, question};
use super::server::Turn;

const TEXT: &str = "<plantune:next> Continue with this area or go on?";
const LABELS: &[&str] = &["More questions (Recommended)", "Next area", "Stop here"];
const WORDS: &str = "as it is. You chose this 14 of 15 times.";

fn next() -> Value {
    question(TEXT, LABELS)
}

impl Home {
    /// The preference `entry` for [`next`], everywhere, with no spot checks.
    fn prefer_next(&self, entry: &Value) {
        self.put(".config/plantune/config.toml", "spot_check = 0\n");
        let mut entry = entry.clone();
        entry["question"] = json!("Continue with this area or go on?");
        entry["options"] = json!(LABELS);
        let file = json!({"version": 1, "preferences": {"next": entry}});
        let path = ".config/plantune/preferences.json";
        self.put(path, &file.to_string());
        for name in [path, ".config/plantune/config.toml"] {
            fs::set_permissions(self.path(name), fs::Permissions::from_mode(0o600)).unwrap();
        }
    }

    /// The preferences of the project and the global ones, as `prefs list --json` has them.
    fn preferences(&self) -> Vec<Value> {
        let listed = self.done(&["prefs", "list", "--json"]);
        let listed: Value = serde_json::from_str(&listed).unwrap();
        listed["preferences"].as_array().unwrap().clone()
    }
}

fn labels(question: &Value) -> Vec<&str> {
    let options = question["options"].as_array().unwrap().iter();
    options
        .map(|option| option["label"].as_str().unwrap())
        .collect()
}

/// The answer that the person gives.
fn chooses(label: &str) -> impl Fn(&Value) -> Value {
    let given = json!({TEXT: label});
    move |request| answers(request, given.clone())
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn the_usual_answer_is_pointed_out_to_the_person_and_not_to_the_model() {
    let client = claude_code();
    let shown_first = ["Next area", "More questions (Recommended)", "Stop here"];
    for (mode, order, place) in [("note", LABELS, 1), ("first", &shown_first[..], 0)] {
        let home = Home::installed(client.clone());
        home.prefer_next(&json!({
            "preference": "assist", "assist": mode, "answer": "Next area",
            "evidence": {"agreed": 14, "answers": 15},
        }));
        let script = vec![ask("toolu_a", &[next()]), Turn::says("going on")];
        let session = home.session(script, chooses("Next area"));
        // The person: the changed question, and nothing else of it.
        let shown = &session.asked[0]["input"]["questions"][0];
        assert_eq!(labels(shown), order);
        assert_eq!(shown["options"][place]["description"], WORDS);
        assert_eq!(shown["question"], TEXT);
        // The model: its own question, and the label.
        assert!(session.result_of("toolu_a").contains("\"Next area\""));
        assert!(!session.model_reads("14 of 15"));
        // The log: the question as the model asked it.
        let events = home.events_of("toolu_a");
        assert_eq!(kinds(&events), ["asked: no_preference", "answered"]);
        let sent =
            json!({"options": LABELS, "recommended": "More questions", "question_key": "next"});
        assert_fields(&events[0], sent.clone());
        assert_fields(&events[1], sent);
        assert_fields(
            &events[0],
            json!({
                "assisted": true, "descriptions": ["as it is", "as it is", "as it is"],
                "shown": format!("{mode}: You chose this 14 of 15 times."),
            }),
        );
        assert_fields(
            &events[1],
            json!({"answer": ["Next area"], "followed_recommendation": false, "was_auto_decided": false}),
        );
    }
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn a_trial_answers_is_checked_and_ends_with_one_disagreement() {
    let client = claude_code();
    let home = Home::installed(client);
    home.prefer_next(&json!({
        "preference": "never-ask", "answer": "Next area", "level": "trial",
        "set_at": "2026-11-20T10:00:00.000Z",
    }));
    // Two checks at least are among twelve calls, wherever the draw falls; the first one disagrees.
    let ids: Vec<String> = (0..12).map(|number| format!("toolu_{number}")).collect();
    let mut script: Vec<Turn> = ids.iter().map(|id| ask(id, &[next()])).collect();
    script.push(Turn::says("done"));
    let session = home.session(script, |request| {
        // A check is asked as the model asked it.
        assert_eq!(labels(&request["input"]["questions"][0]), LABELS);
        answers(request, json!({TEXT: "Stop here"}))
    });
    let kinds: Vec<String> = ids
        .iter()
        .map(|id| kinds(&home.events_of(id)).remove(0))
        .collect();
    let first = kinds
        .iter()
        .position(|kind| kind == "asked: spot_check")
        .unwrap();
    assert!(first <= 6, "{kinds:?}");
    for (number, kind) in kinds.iter().enumerate() {
        let wanted = match number < first {
            true => "auto_decided: allow",
            false => "asked: spot_check",
        };
        assert_eq!(kind, wanted, "{kinds:?}");
    }
    assert_eq!(session.asked.len(), 12 - first);
    let said: Vec<String> = session.hook_printed("PostToolUse");
    let ended = said.iter().filter(|said| said.contains("is stopped"));
    assert_eq!(ended.count(), 1, "{said:?}");
    let listed = home.done(&["prefs", "list"]);
    assert!(
        listed.contains("next: ") && listed.contains("stopped"),
        "{listed}"
    );
}

/// A program drives these sessions (`sdk-cli`), and what it answers teaches nothing; what a person types in the dialog
/// is taught with the hook alone (`hooks/tests/it/taught/`).
#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn what_a_program_answers_teaches_nothing() {
    let home = Home::installed(claude_code());
    for typed in ["always: Next area", "always ask"] {
        let script = vec![ask("toolu_t", &[next()]), Turn::says("going on")];
        let session = home.session(script, chooses(typed));
        let said = session.hook_printed("PostToolUse").concat();
        assert!(!said.contains("from now on"), "{typed}: {said}");
        assert_eq!(home.preferences(), Vec::<Value>::new(), "{typed}");
    }
    let event = home.events_of("toolu_t").remove(1);
    assert_fields(&event, json!({"free_text": "always: Next area"}));
}
