//! Prompts for permission: what the host asks is logged, and nothing is ever printed.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

mod common;

use std::fs;
use std::path::PathBuf;

use common::{Home, scenario_of};
use plantune_domain::permissions::digest;
use serde_json::{Value, json};

/// What the hook logs for `call`, which must print nothing.
fn logged(call: &Value) -> Vec<Value> {
    let home = Home::new();
    assert_eq!(home.call(call), "", "{call}");
    home.events()
}

fn prompt(tool: &str, input: &Value) -> Value {
    json!({
        "session_id": "s", "transcript_path": "/t.jsonl", "cwd": "/w", "permission_mode": "default",
        "hook_event_name": "PermissionRequest", "tool_name": tool, "tool_input": input,
    })
}

#[test]
fn captured_prompts_are_logged() {
    let calls = scenario_of("2.1.330", "permissions");
    let expected = [
        ("Bash", "npm test", json!(["Bash(npm test *)"])),
        (
            "Bash",
            "cd src && npm test | tee log",
            json!([
                "Bash(npm test *)",
                "directory:/home/dev/shop",
                "mode:acceptEdits"
            ]),
        ),
        (
            "Bash",
            "npm test && git push origin main",
            json!(["Bash(npm test *)", "Bash(git push *)"]),
        ),
        ("Bash", "rm -rf /", json!([])),
        (
            "mcp__tracker__create_issue",
            "",
            json!(["mcp__tracker__create_issue"]),
        ),
        (
            "Read",
            "/home/dev/notes/plan.txt",
            json!(["Read(//home/dev/notes/**)"]),
        ),
        (
            "WebFetch",
            "https://docs.shop.invalid/api",
            json!(["WebFetch(domain:docs.shop.invalid)"]),
        ),
        (
            "Write",
            "/home/dev/shop/src/cart.js",
            json!(["mode:acceptEdits"]),
        ),
        (
            "Edit",
            "/home/dev/shop/README.md",
            json!(["mode:acceptEdits"]),
        ),
        ("Bash", "npm test", json!(["Bash(npm test *)"])),
        ("ExitPlanMode", "", json!([])),
        ("Bash", "npm test", json!(["Bash(npm test *)"])),
    ];
    for (call, (tool, input, suggestions)) in calls.iter().zip(expected) {
        let events = logged(call);
        let [event] = events.as_slice() else {
            panic!("{events:?}");
        };
        assert_eq!(event["kind"], "permission_asked");
        assert_eq!(event["tool_name"], tool);
        assert_eq!(event["input"].as_str().unwrap_or_default(), input, "{tool}");
        assert_eq!(event["suggestions"], suggestions, "{tool}");
        assert_eq!(event["input_digest"], digest(tool, &call["tool_input"]));
        assert!((1..=3).contains(&event["tier"].as_u64().unwrap()), "{tool}");
        assert!(!event["subject"].as_str().unwrap().is_empty(), "{tool}");
        for (field, sent) in [
            ("session_id", "session_id"),
            ("cwd", "cwd"),
            ("permission_mode", "permission_mode"),
            ("transcript", "transcript_path"),
            ("agent_id", "agent_id"),
        ] {
            assert_eq!(event[field], call[sent], "{tool}: {field}");
        }
        assert_eq!(event["mcp_server"], call["mcp_server"]["name"], "{tool}");
        assert_eq!(event["tool_use_id"], Value::Null, "{tool}");
    }
}

#[test]
fn captured_denials_are_logged_under_the_id_of_their_call() {
    let calls = scenario_of("2.1.330", "permissions");
    let is_denial = |call: &&Value| call["hook_event_name"] == "PermissionDenied";
    let call = calls.iter().find(is_denial).unwrap();
    let home = Home::new();
    assert_eq!((home.call(call), home.call(call)), Default::default());
    let events = home.events();
    let event = &events[0];
    assert_eq!(event["kind"], "permission_denied");
    assert_eq!(event["tool_use_id"], call["tool_use_id"]);
    assert_eq!(event["reason"], "[Production Deploy]");
    assert_eq!(event["permission_mode"], "auto");
    assert_eq!(
        (&event["subject"], &event["input"]),
        (&json!("npm test"), &json!("npm test"))
    );
    assert_eq!(event["id"], events[1]["id"]);
}

#[test]
fn questions_are_no_prompts() {
    let calls = scenario_of("2.1.330", "permissions");
    let is_question = |call: &&Value| call["tool_name"] == "mcp__conductor__AskUserQuestion";
    assert_eq!(
        logged(calls.iter().find(is_question).unwrap()),
        [json!(null); 0]
    );
    let native = prompt("AskUserQuestion", &json!({"questions": []}));
    assert_eq!(logged(&native), [json!(null); 0]);
}

#[test]
fn two_prompts_for_the_same_are_two_events() {
    let home = Home::new();
    let call = prompt("Read", &json!({"file_path": "/w/a"}));
    home.call(&call);
    home.call(&call);
    let events = home.events();
    assert_eq!(events.len(), 2);
    assert_ne!(events[0]["id"], events[1]["id"]);
    assert_eq!(events[0]["input_digest"], events[1]["input_digest"]);
}

/// Every prompt and denial that was captured, where the captures are at hand.
#[test]
fn every_captured_prompt_is_understood() {
    let shared = std::env::var_os("PLANTUNE_SHARED").map(PathBuf::from);
    let shared = shared
        .unwrap_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared")));
    let Ok(entries) = fs::read_dir(shared.join("protocol/claude-code-2.1.330")) else {
        eprintln!("skipped: no ../shared/protocol/claude-code-2.1.330");
        return;
    };
    let mut calls = 0;
    for entry in entries {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|end| end != "jsonl") {
            continue;
        }
        for line in fs::read_to_string(&path).unwrap().lines() {
            let Ok(call) = serde_json::from_str::<Value>(line) else {
                continue;
            };
            let name = call["hook_event_name"].as_str().unwrap_or_default();
            if !name.starts_with("Permission") {
                continue;
            }
            calls += 1;
            let events = logged(&call);
            let tool = call["tool_name"].as_str().unwrap();
            if tool.ends_with("AskUserQuestion") {
                assert_eq!(events, [json!(null); 0], "{call}");
                continue;
            }
            let [event] = events.as_slice() else {
                panic!("{call}: {events:?}");
            };
            assert_eq!(event["tool_name"], tool);
            assert_eq!(event["permission_mode"], call["permission_mode"]);
            assert_eq!(event["agent_id"], call["agent_id"]);
            assert_eq!(event["mcp_server"], call["mcp_server"]["name"]);
            assert_eq!(event["input_digest"], digest(tool, &call["tool_input"]));
            assert_eq!(event["reason"], call["reason"], "{call}");
            let suggested = call["permission_suggestions"].as_array();
            let suggested = suggested.into_iter().flatten();
            let texts: usize = suggested
                .map(
                    |one| match (one["rules"].as_array(), one["directories"].as_array()) {
                        (Some(list), _) | (_, Some(list)) => list.len(),
                        _ => 1,
                    },
                )
                .sum();
            let logged = event["suggestions"].as_array().map_or(0, Vec::len);
            assert_eq!(logged, texts, "{call}");
        }
    }
    assert!(calls > 100, "{calls}");
}
