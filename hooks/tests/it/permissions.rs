//! Permission prompts: what the host asks is logged, and nothing is ever printed.

use std::fs;
use std::process::Command;

use plantune_domain::permissions::{Reach, digest};
use plantune_domain::secrets::masked;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::common::{Home, scenario_of};
use crate::shared::shared;

/// The events that the hook logs for `call`, which must print nothing.
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
        assert_eq!(event["input_digest"].as_str().unwrap().len(), 32);
        assert_ne!(event["input_digest"], digest(tool, &call["tool_input"]));
        let reach = event["reach"].as_str().unwrap();
        assert!(
            Reach::ALL.iter().any(|one| one.name() == reach),
            "{tool}: {reach}"
        );
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
fn a_command_of_a_skill_is_logged_under_its_skill() {
    let calls = scenario_of("2.1.332", "skill-command");
    let events = logged(&calls[0]);
    let [event] = events.as_slice() else {
        panic!("{events:?}");
    };
    assert_eq!(event["kind"], "skill_command");
    assert_eq!(event["skill"], "deploy");
    assert_eq!(event["tool_name"], "Bash");
    assert_eq!(event["input"], "echo MARK$((40+2))");
    assert_eq!(event["tool_use_id"], calls[0]["tool_use_id"]);
    // A hook that is registered twice logs it once.
    assert_eq!(logged(&calls[0])[0]["id"], event["id"]);
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
    let test = "permissions::every_captured_prompt_is_understood";
    let Some(folder) = shared(test, "protocol/claude-code-2.1.330") else {
        return;
    };
    let mut calls = 0;
    for entry in fs::read_dir(folder).unwrap() {
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
            assert_ne!(event["input_digest"], digest(tool, &call["tool_input"]));
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

#[test]
fn secrets_are_masked_wherever_they_stand() {
    let secret = "ghp_0123456789abcdefABCDEF0123456789abcd";
    let mut call = prompt(
        "Bash",
        &json!({"command": format!("curl -H 'Authorization: Bearer {secret}' https://x.invalid")}),
    );
    call["permission_suggestions"] = json!([
        {"type": "addRules", "behavior": "allow", "rules": [{"toolName": "Bash",
            "ruleContent": format!("curl -H 'Authorization: Bearer {secret}' *")}]},
    ]);
    let event = &logged(&call)[0];
    assert!(!event.to_string().contains(secret), "{event}");
    assert_eq!(
        event["input"],
        "curl -H 'Authorization: Bearer MASKED' https://x.invalid"
    );
    call["hook_event_name"] = json!("PermissionDenied");
    call["reason"] = json!(format!("it sends {secret}"));
    let event = &logged(&call)[0];
    assert!(!event.to_string().contains(secret), "{event}");
    assert_eq!(event["reason"], "it sends MASKED");
}

#[test]
fn contents_are_not_logged() {
    let words = "the words of the file";
    for (tool, input) in [
        ("Write", json!({"file_path": "/w/a", "content": words})),
        (
            "Edit",
            json!({"file_path": "/w/a", "old_string": words, "new_string": words}),
        ),
        (
            "MultiEdit",
            json!({"file_path": "/w/a", "edits": [{"old_string": words, "new_string": words}]}),
        ),
        (
            "NotebookEdit",
            json!({"notebook_path": "/w/a", "new_source": words}),
        ),
        ("WebFetch", json!({"url": "/w/a", "prompt": words})),
    ] {
        let event = &logged(&prompt(tool, &input))[0];
        assert!(!event.to_string().contains(words), "{event}");
        assert_eq!(event["input"], "/w/a", "{tool}");
    }
    for tool in ["mcp__tracker__create_issue", "Unheard"] {
        let event = &logged(&prompt(tool, &json!({"title": words, "command": words})))[0];
        assert!(!event.to_string().contains(words), "{event}");
        assert_eq!(event["input"], Value::Null, "{tool}");
    }
}

#[test]
fn long_commands_are_cut_between_characters() {
    let command = format!("echo {}", "ü".repeat(40_000));
    let event = &logged(&prompt("Bash", &json!({"command": command})))[0];
    let kept = event["input"].as_str().unwrap();
    assert!((2040..=2048).contains(&kept.len()), "{}", kept.len());
    assert!(command.starts_with(kept));
}

/// Unexpected parts are left out without a message.
#[test]
fn malformed_prompts_are_logged_as_far_as_they_go() {
    let calls = [
        json!({"permission_suggestions": 7, "mcp_server": "x", "transcript_path": [], "agent_id": {}}),
        json!({"permission_suggestions": [7, {}, {"type": 1}, {"type": "addRules"}, {"type": "setMode"},
            {"type": "addRules", "rules": [{}, 7, {"toolName": 1}]}, {"type": "addDirectories", "directories": [1]}],
            "mcp_server": {}, "permission_mode": 1}),
        json!({"permission_suggestions": null, "tool_input": null, "cwd": 7, "session_id": 1}),
        json!({"tool_input": "text"}),
        json!({"tool_input": {"command": 7}}),
        json!({"tool_input": [[[]]]}),
    ];
    for changes in calls {
        let mut call = prompt("Bash", &json!({"command": "npm test"}));
        for (name, value) in changes.as_object().unwrap() {
            call[name] = value.clone();
        }
        let events = logged(&call);
        assert_eq!(events.len(), 1, "{call}");
        assert_eq!(events[0]["kind"], "permission_asked", "{call}");
        assert_eq!(events[0]["suggestions"], json!([]), "{call}");
        assert_eq!(events[0]["tool_name"], "Bash");
    }
    let half = prompt("Bash", &json!({"command": "echo X"})).to_string();
    let half = half.replace("echo X", "echo \\ud83d");
    let home = Home::new();
    assert_eq!(home.run(half.as_bytes()), "");
    assert_eq!(home.events()[0]["kind"], "permission_asked");
    let home = Home::new();
    let mut call = prompt("Bash", &json!({}));
    call["tool_name"] = json!(7);
    assert_eq!(home.call(&call), "");
    assert_eq!(home.events()[0]["kind"], "hook_error");
}

#[test]
fn other_suggestions_are_named() {
    let mut call = prompt("Bash", &json!({"command": "x"}));
    call["permission_suggestions"] = json!([
        {"type": "addRules", "behavior": "deny", "rules": [{"toolName": "Read", "ruleContent": ""}]},
        {"type": "somethingNew"},
    ]);
    assert_eq!(
        logged(&call)[0]["suggestions"],
        json!(["deny:Read", "somethingNew"])
    );
    let rule = json!({"toolName": "Bash", "ruleContent": "x"});
    call["permission_suggestions"] =
        json!([{"type": "addRules", "behavior": "allow", "rules": vec![rule; 500]}]);
    let many = &logged(&call)[0]["suggestions"];
    assert_eq!(many.as_array().unwrap().len(), 64);
}

#[test]
fn plantune_disable_stops_it() {
    let home = Home::new().with("PLANTUNE_DISABLE", "1");
    let calls = scenario_of("2.1.330", "permissions");
    for call in &calls {
        assert_eq!(home.call(call), "");
    }
    assert_eq!(home.events(), [json!(null); 0]);
}

#[test]
fn sessions_with_nobody_are_logged_too() {
    for (name, value, kind) in [
        ("PLANTUNE_HEADLESS", "1", "headless"),
        ("OPENCLAW_SESSION", "1", "spawned"),
    ] {
        let home = Home::new().with(name, value);
        assert_eq!(
            home.call(&prompt("Bash", &json!({"command": "npm test"}))),
            ""
        );
        assert_eq!(home.events()[0]["session_kind"], kind);
        assert_eq!(home.events()[0]["kind"], "permission_asked");
    }
}

/// Whoever opened this pipe would wait for somebody to write.
#[test]
fn the_transcript_and_the_files_named_are_not_opened() {
    let home = Home::new();
    let pipe = home.path().join("pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    for (tool, input) in [
        ("Read", json!({"file_path": pipe})),
        (
            "Bash",
            json!({"command": format!("cat {}", pipe.display())}),
        ),
    ] {
        let mut call = prompt(tool, &input);
        call["transcript_path"] = json!(pipe);
        // Returning at all is what is tested.
        assert_eq!(home.call(&call), "");
    }
    let events = home.events();
    assert_eq!(events.len(), 2);
    assert_eq!(events[0]["transcript"], json!(pipe));
}

/// plantune's folders, where a repository sets them into itself, are not written to.
#[test]
fn a_refused_root_is_not_written_to() {
    let home = Home::new();
    fs::create_dir_all(home.path().join(".git")).unwrap();
    let mut call = prompt("Bash", &json!({"command": "npm test"}));
    call["cwd"] = json!(home.path());
    assert_eq!(home.call(&call), "");
    assert_eq!(home.events(), [json!(null); 0]);
    let person = tempfile::tempdir().unwrap();
    let home = home.with("HOME", person.path().to_str().unwrap());
    assert_eq!(home.call(&call), "");
    assert_eq!(home.events(), [json!(null); 0]);
    let segments = person.path().join(".local/share/plantune/events");
    let segment = fs::read_dir(segments).unwrap().next().unwrap().unwrap();
    let text = fs::read_to_string(segment.path()).unwrap();
    assert!(text.contains("\"permission_asked\""), "{text}");
}

fn operators(text: &str) -> String {
    text.chars().filter(|c| ";|&<>()`\n".contains(*c)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    /// A mask hides no operator of the shell, whatever is around it.
    #[test]
    fn masks_cover_no_operator(parts in prop::collection::vec(prop::sample::select(vec![
        "TOKEN", "password", "key", "=", ":", " ", "\"", "'", "\\", "$(", ")", "`", "$X", ";", "|", "&", "\n", ">",
        "--token", "-p", "mysql", "curl", "-u", "://", "@", "a:b", "abc123def456", "Authorization: Bearer ",
        " ghp_0123456789abcdefABCDEF0123456789abcd ", "-----BEGIN KEY-----", "ü", "\u{2003}", "{", "}", "?", "cookie:",
    ]), 0..24)) {
        let text = parts.concat();
        let found = masked(&text);
        prop_assert_eq!(operators(&found), operators(&text), "{}", found);
        prop_assert!(!found.contains("ghp_0123456789abcdefABCDEF0123456789abcd"), "{}", found);
    }
}

#[test]
fn reaches_are_the_persons_own() {
    let home = Home::new();
    home.configure("");
    let own = b"[[permission]]\ncommand = \"npm run smoke-shop\"\nreach = \"reads\"\nreason = \"reads\"\n";
    plantune_domain::atomic_file::replace(&home.paths().registry_file(), own, 0o600).unwrap();
    home.call(&prompt("Bash", &json!({"command": "npm run smoke-shop"})));
    home.call(&prompt("Bash", &json!({"command": "npm run smoke-shop x"})));
    let reaches: Vec<Value> = home
        .events()
        .iter()
        .map(|event| event["reach"].clone())
        .collect();
    assert_eq!(reaches, ["reads", "unknown"]);
}
