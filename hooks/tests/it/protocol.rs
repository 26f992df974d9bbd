//! The captured scenarios, replayed through the built hook.

use std::fs;

use crate::common::{Home, after, ask, lines_of, never_ask, pinned, with_text};
use serde_json::{Value, json};

fn scenario(name: &str) -> Vec<String> {
    lines_of("2.1.197", name)
}

/// What each scenario leaves behind: for every question the kinds of its events, in order.
const EXPECTED: [(&str, &[&str]); 14] = [
    ("auto-answered-allow-updated-input", &["asked", "answered"]),
    ("auto-decided-deny", &["asked"]),
    ("mcp-answered", &["asked", "answered"]),
    ("mcp-is-error-result", &["asked", "failed"]),
    ("mcp-json-rpc-error", &["asked", "failed"]),
    ("mcp-missing-result-sentinel-as-text", &["asked", "failed"]),
    ("mcp-server-crash", &["asked", "failed"]),
    ("native-answered", &["asked", "answered"]),
    ("native-chat-about-this", &["asked", "asked"]),
    ("native-declined-with-escape", &["asked"]),
    ("native-notes-only", &["asked", "answered"]),
    ("native-option-with-preview", &["asked", "answered"]),
    (
        "native-two-questions-free-text-and-multiselect",
        &["asked", "asked", "answered", "answered"],
    ),
    ("sdk-answered", &["asked", "answered"]),
];

#[test]
fn captured_scenarios_give_expected_events() {
    for (name, kinds) in EXPECTED {
        let home = Home::new();
        let mut printed_calls = 0;
        for call in scenario(name) {
            let printed = home.run(call.as_bytes());
            assert!(!printed.contains("permissionDecision"), "{name}: {printed}");
            printed_calls += usize::from(!printed.is_empty());
        }
        // Without a preference only failures print something.
        let failures = kinds.iter().filter(|kind| **kind == "failed").count();
        assert_eq!(printed_calls, failures, "{name}");
        let events = home.events();
        let found: Vec<&str> = home
            .question_events()
            .iter()
            .map(|event| event["kind"].as_str().unwrap().to_owned())
            .map(|kind| {
                *kinds
                    .iter()
                    .find(|known| **known == kind)
                    .unwrap_or(&"other")
            })
            .collect();
        assert_eq!(found, kinds, "{name}");
        assert_eq!(events.first().unwrap()["kind"], "session_started", "{name}");
        assert_eq!(events.last().unwrap()["kind"], "session_ended", "{name}");
        assert!(
            events
                .iter()
                .all(|event| event["v"] == 1 && event["source"] == "hook"),
            "{name}"
        );
        assert!(
            events.iter().all(|event| event["kind"] != "hook_error"),
            "{name}"
        );
    }
}

fn last_event(name: &str) -> Value {
    let home = Home::new();
    scenario(name)
        .iter()
        .for_each(|call| drop(home.run(call.as_bytes())));
    home.question_events().pop().unwrap()
}

#[test]
fn answers_are_read_as_given() {
    let event = last_event("native-two-questions-free-text-and-multiselect");
    assert_eq!(event["answer"], json!(["Lint", "Tests, unit"]));
    assert_eq!(event["question_index"], 1);
    assert_eq!(event["followed_recommendation"], Value::Null);
    let event = last_event("native-notes-only");
    assert_eq!(
        (&event["answer"], &event["notes"]),
        (&json!([]), &json!("because cards"))
    );
    assert_eq!(event["followed_recommendation"], Value::Null);
    let event = last_event("native-option-with-preview");
    assert_eq!(event["answer"], json!(["Grid (Recommended)"]));
    assert_eq!(event["followed_recommendation"], true);
    let event = last_event("mcp-answered");
    assert_eq!(event["answer"], json!(["Skip"]));
    assert_eq!(event["followed_recommendation"], false);
    assert_eq!(event["question"], "No TODOS.md found. Create one?");
    assert_eq!(event["was_auto_decided"], false);
}

#[test]
fn failures_are_distinguished() {
    let kind = |name: &str| last_event(name)["error_kind"].clone();
    assert_eq!(kind("mcp-is-error-result"), "missing_result");
    assert_eq!(
        kind("mcp-missing-result-sentinel-as-text"),
        "missing_result"
    );
    assert_eq!(kind("mcp-json-rpc-error"), "mcp_error");
    assert_eq!(kind("mcp-server-crash"), "connection_closed");
}

#[test]
fn hook_registered_twice_gives_equal_ids() {
    let home = Home::new();
    for call in scenario("native-answered") {
        home.run(call.as_bytes());
        home.run(call.as_bytes());
    }
    let ids: Vec<String> = home
        .question_events()
        .iter()
        .map(|event| event["id"].to_string())
        .collect();
    assert_eq!(ids.len(), 4);
    assert_eq!((&ids[0], &ids[2]), (&ids[1], &ids[3]));
    assert_ne!(ids[0], ids[2]);
}

#[test]
fn preference_answers_with_the_whole_input() {
    let home = Home::new();
    let calls = scenario("auto-answered-allow-updated-input");
    let pre = calls
        .iter()
        .find(|call| call.contains("\"PreToolUse\""))
        .unwrap();
    let sent: Value = serde_json::from_str(pre).unwrap();
    let skip = pinned(&sent["tool_input"]["questions"][0], "Skip");
    home.prefer(None, &json!({"ship-todos-create": skip}));
    let decision: Value = serde_json::from_str(&home.run(pre.as_bytes())).unwrap();
    let output = &decision["hookSpecificOutput"];
    assert_eq!(output["permissionDecision"], "allow");
    assert_eq!(
        output["updatedInput"]["questions"],
        sent["tool_input"]["questions"]
    );
    assert_eq!(
        output["updatedInput"]["answers"],
        json!({"<gstack-qid:ship-todos-create> No TODOS.md found. Create one?": "Skip"})
    );
    assert!(
        decision["systemMessage"]
            .as_str()
            .unwrap()
            .contains("plantune undo toolu_")
    );
    assert!(
        output["additionalContext"]
            .as_str()
            .unwrap()
            .contains("\"Skip\"")
    );
    assert_eq!(fs::read_dir(home.paths().sessions()).unwrap().count(), 1);

    // The answer as Claude Code gives it back.
    let mut post: Value = serde_json::from_str(
        calls
            .iter()
            .find(|call| call.contains("\"PostToolUse\""))
            .unwrap(),
    )
    .unwrap();
    post["tool_response"]["answers"] = output["updatedInput"]["answers"].clone();
    let context: Value = serde_json::from_str(&home.call(&post)).unwrap();
    assert!(context["hookSpecificOutput"]["classifierContext"].is_string());
    let events = home.question_events();
    assert_eq!(events[0]["kind"], "auto_decided");
    assert_eq!(events[0]["mechanism"], "allow");
    assert_eq!(events[0]["preference_scope"], "global");
    assert_eq!(
        (&events[1]["kind"], &events[1]["was_auto_decided"]),
        (&json!("answered"), &json!(true))
    );
    let marks = || fs::read_dir(home.paths().sessions()).unwrap().count();
    assert_eq!(marks(), 1);
    let end = calls.iter().find(|call| call.contains("\"SessionEnd\""));
    assert_eq!(home.run(end.unwrap().as_bytes()), "");
    assert_eq!(marks(), 0, "the mark goes with its session");
}

#[test]
fn mcp_question_is_answered_by_deny() {
    let home = Home::new();
    let calls = scenario("mcp-answered");
    let pre = calls
        .iter()
        .find(|call| call.contains("\"PreToolUse\""))
        .unwrap();
    let sent: Value = serde_json::from_str(pre).unwrap();
    let never = never_ask(&sent["tool_input"]["questions"][0]);
    home.prefer(None, &json!({"ship-todos-create": never}));
    let decision: Value = serde_json::from_str(&home.run(pre.as_bytes())).unwrap();
    let output = &decision["hookSpecificOutput"];
    assert_eq!(output["permissionDecision"], "deny");
    let reason = output["permissionDecisionReason"].as_str().unwrap();
    assert!(
        reason.starts_with("[plan-tune auto-decide] ship-todos-create → Create it (recommended)"),
        "{reason}"
    );
    assert_eq!(output["updatedInput"], Value::Null);
    assert_eq!(home.question_events()[0]["mechanism"], "deny");
}

/// The event of what came back for a question of this `text`, as `answer` with `notes`.
fn answered(text: &str, answer: &str, notes: &str) -> Value {
    let home = Home::new();
    let call = ask("t", home.path(), &[with_text(text, &["Later", "Skip"])]);
    home.call(&call);
    let response = json!({"answers": {text: answer}, "annotations": {text: {"notes": notes}}});
    home.call(&after(call, response));
    let log = home.events().remove(1);
    let files = fs::read_dir(home.paths().sessions());
    for mark in files.into_iter().flatten().flatten() {
        assert!(!format!("{mark:?}").contains("Horse"));
    }
    log
}

#[test]
fn blank_answers_are_none() {
    for blank in ["", "  \n", "\u{200b}\t"] {
        let event = answered("Which port?", blank, "");
        assert_eq!(event["kind"], "dismissed", "{blank:?}");
        assert_eq!(event["reason"], "no_answer", "{blank:?}");
    }
    let noted = answered("Which port?", " ", "8080");
    assert_eq!(
        (&noted["kind"], &noted["notes"], &noted["free_text"]),
        (&json!("answered"), &json!("8080"), &Value::Null)
    );
}

#[test]
fn what_is_typed_where_a_secret_is_asked_for_is_masked_whole() {
    for text in [
        "Type the password for the admin user",
        "Which DB password should I put in .env?",
        "Tapez votre mot de passe dans le champ 'Autre' ci-dessous",
        "Введите пароль",
        "パスワードは？",
    ] {
        let event = answered(text, "Blue-Horse77!", "my Horse");
        assert_eq!(event["free_text"], "MASKED", "{text}");
        assert_eq!(event["notes"], "MASKED", "{text}");
        assert!(!event.to_string().contains("Horse"), "{event}");
    }
    let event = answered("Which animal?", "Blue-Horse77!", "");
    assert_eq!(event["free_text"], "Blue-Horse77!");
    let event = answered("Type the password in Other", "Later", "");
    assert_eq!(event["answer"], json!(["Later"]));
}
