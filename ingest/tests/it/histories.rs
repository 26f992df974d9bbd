//! Histories of other agents in forms that were not captured: made up after reports of their users.

use std::fs;
use std::path::Path;

use plantune_agents::OTHERS;
use plantune_domain::registry::Registry;
use plantune_ingest::claude_code::{Prompts, Summary};
use plantune_ingest::read_history;
use serde_json::{Value, json};

use crate::support::by_hand::{summaries, write};
use crate::support::store;

/// The events of the history of `agent` at `root`.
fn import(agent: &str, root: &Path) -> (Vec<Value>, Summary) {
    let agent = OTHERS.iter().find(|one| one.name() == agent).unwrap();
    let mut events = Vec::new();
    let registry = Registry::default();
    let summary = read_history(*agent, root, &registry, Prompts::default(), &mut |event| {
        events.push(serde_json::from_slice(&event.to_line().unwrap()).unwrap());
        Ok(())
    });
    (events, summary.unwrap())
}

#[test]
fn what_a_fork_asks_is_the_forks() {
    let line = |at: &str, kind: &str, payload: Value| json!({"timestamp": format!("2026-01-02T03:{at}Z"), "type": kind, "payload": payload});
    let meta = |at: &str, id: &str| {
        line(
            at,
            "session_meta",
            json!({"id": id, "cwd": format!("/nowhere/{id}")}),
        )
    };
    let asked = |at: &str, call: &str| {
        let questions = json!({"questions": [{"id": "q", "header": "H", "question": "Which?",
            "options": [{"label": "A", "description": ""}, {"label": "B", "description": ""}]}]});
        let call = json!({"type": "function_call", "name": "request_user_input",
            "arguments": questions.to_string(), "call_id": call});
        line(at, "response_item", call)
    };
    let answered = |at: &str, call: &str| {
        let output = json!({"answers": {"q": {"answers": ["A"]}}}).to_string();
        let output = json!({"type": "function_call_output", "call_id": call, "output": output});
        line(at, "response_item", output)
    };
    let folder = tempfile::tempdir().unwrap();
    let parent = [
        meta("04:00.000", "parent"),
        asked("04:05.000", "one"),
        answered("04:09.000", "one"),
    ];
    write(
        &folder.path().join("sessions/rollout-1-parent.jsonl"),
        &parent,
    );
    // A fork of a fork: its own beginning, then its parents', and what these asked.
    let fork = [
        meta("05:00.000", "fork"),
        meta("05:00.000", "between"),
        meta("05:00.000", "parent"),
        asked("05:00.000", "one"),
        answered("05:00.000", "one"),
        asked("05:05.000", "two"),
        answered("05:09.000", "two"),
        // Resumed in another folder.
        line(
            "06:00.000",
            "session_meta",
            json!({"id": "fork", "cwd": "/nowhere/moved"}),
        ),
        asked("06:05.000", "three"),
    ];
    write(&folder.path().join("sessions/rollout-2-fork.jsonl"), &fork);
    let (events, _) = import("codex", folder.path());
    let asked = events.iter().filter(|event| event["kind"] == "asked");
    let asked: Vec<[&str; 3]> = asked
        .map(|event| ["tool_use_id", "session_id", "cwd"].map(|name| event[name].as_str().unwrap()))
        .collect();
    let expected = [
        ["one", "parent", "/nowhere/parent"],
        ["two", "fork", "/nowhere/fork"],
        ["three", "fork", "/nowhere/moved"],
    ];
    assert_eq!(asked, expected);
}

#[test]
fn chats_that_are_one_document_each_are_read() {
    let question = |text: &str| {
        json!({"header": "H", "type": "choice", "question": text, "multiSelect": false,
            "options": [{"label": "Add it", "description": ""}, {"label": "Leave it", "description": ""}]})
    };
    let call = |id: &str, text: &str, status: &str, response: Value| {
        json!({"id": id, "name": "ask_user", "args": {"questions": [question(text)]}, "status": status,
            "timestamp": "2026-01-02T03:05:00.000Z",
            "result": [{"functionResponse": {"id": id, "name": "ask_user", "response": response}}]})
    };
    let message = |id: &str, calls: Value| {
        json!({"id": id, "timestamp": "2026-01-02T03:04:00.000Z", "type": "gemini", "content": "",
            "toolCalls": calls})
    };
    let answered = json!({"output": "{\"answers\":{\"0\":\"Leave it\"}}"});
    let refused = json!({"error": "User denied execution."});
    let document = |session: &str| {
        json!({"sessionId": session, "projectHash": "0".repeat(64), "kind": "main", "messages": [
            {"id": "m1", "timestamp": "2026-01-02T03:03:00.000Z", "type": "user", "content": [{"text": "go"}]},
            message("m2", json!([call("a", "Shall I add a readme?", "success", answered.clone())])),
            message("m3", json!([call("b", "And a license?", "cancelled", refused.clone())])),
        ]})
    };
    let folder = tempfile::tempdir().unwrap();
    let chats = folder.path().join("tmp/shop/chats");
    let put = |name: &str, text: String| store(&chats.join(name), text.as_bytes());
    // As it was written, over many lines, and in one.
    let pretty = serde_json::to_string_pretty(&document("s1")).unwrap();
    put("session-2026-01-02T03-03-s1.json", pretty);
    put(
        "session-2026-01-02T03-03-s2.json",
        document("s2").to_string(),
    );
    // What was written as lines since then is read once.
    put(
        "session-2026-01-02T03-03-s3.json",
        document("s3").to_string(),
    );
    put("session-2026-01-02T03-03-s3.jsonl", String::new());
    // What is none, and what is damaged.
    put("logs.json", document("s4").to_string());
    put(
        "session-2026-01-02T03-03-s5.json",
        "{\"sessionId\": \"s5\", \"mess".to_owned(),
    );
    let (events, summary) = import("gemini", folder.path());
    let expected = [
        "asked",
        "answered answer=[\"Leave it\"]",
        "asked",
        "dismissed reason=\"rejected\"",
    ];
    assert_eq!(summaries(&events), [expected, expected].concat());
    let sessions: Vec<&str> = events
        .iter()
        .map(|one| one["session_id"].as_str().unwrap())
        .collect();
    assert_eq!(sessions, ["s1", "s1", "s1", "s1", "s2", "s2", "s2", "s2"]);
    assert_eq!((summary.files, summary.unreadable_lines), (4, 1));
    // One that is named alone.
    let alone = chats.join("session-2026-01-02T03-03-s1.json");
    assert_eq!(import("gemini", &alone).0.len(), 4);
    fs::remove_file(alone).unwrap();
}

#[test]
fn one_key_cancels_all_that_waits_in_another_agent_too() {
    let call = |id: &str, at: &str| {
        json!({"id": id, "name": "run_shell_command", "args": {"command": format!("make {id}")},
            "status": "cancelled", "timestamp": format!("2026-01-02T03:04:{at}Z")})
    };
    let message = |at: &str, calls: Value| json!({"id": at, "timestamp": format!("2026-01-02T03:04:{at}Z"), "type": "gemini", "toolCalls": calls});
    let lines = [
        json!({"sessionId": "s", "projectHash": "0"}),
        message(
            "00.000",
            json!([
                call("a", "09.000"),
                call("b", "09.001"),
                call("c", "09.002")
            ]),
        ),
        message("30.000", json!([call("d", "31.000")])),
    ];
    let folder = tempfile::tempdir().unwrap();
    write(
        &folder.path().join("tmp/shop/chats/session-s.jsonl"),
        &lines,
    );
    let mut prompts = Prompts::default();
    for (id, at) in [("a", "00.100"), ("b", "00.200"), ("d", "30.100")] {
        let prompt = plantune_ingest::claude_code::Prompt {
            id: id.repeat(32),
            at: format!("2026-01-02T03:04:{at}Z").parse().unwrap(),
            input_digest: None,
        };
        prompts.add("s", None, "Bash", prompt);
    }
    let agent = OTHERS.iter().find(|one| one.name() == "gemini").unwrap();
    let mut reasons = Vec::new();
    read_history(
        *agent,
        folder.path(),
        &Registry::default(),
        prompts,
        &mut |event| {
            let text = |text: &Option<plantune_domain::event::Text<'_>>| {
                text.as_deref().map(str::to_owned)
            };
            reasons.push((text(&event.input).unwrap(), text(&event.reason).unwrap()));
            Ok(())
        },
    )
    .unwrap();
    let expected = [("make a", "rejected"), ("make d", "rejected")];
    let expected = expected.map(|(input, reason)| (input.to_owned(), reason.to_owned()));
    assert_eq!(reasons, expected);
}
