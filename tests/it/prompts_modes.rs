//! Under which permission modes calls ran, and what became of what auto mode denied.

use serde_json::{Value, json};

use crate::world::layout::SHOP;
use crate::world::{World, folded};

fn event(kind: &str, number: u32, more: &Value) -> Value {
    let mut event = json!({
        "v": 1, "id": format!("{number:032x}"), "ts": format!("2026-11-17T09:{number:02}:00.000Z"), "kind": kind,
        "session_id": "s1", "session_kind": "interactive", "project": SHOP, "cwd": "/w", "permission_mode": "auto",
        "source": "hook", "tool_name": "Bash", "subject": "npm test", "reach": "reads", "input": "npm test",
        "input_digest": "d",
    });
    for (field, value) in more.as_object().unwrap() {
        event[field] = value.clone();
    }
    event
}

#[test]
fn modes_and_what_became_of_what_was_denied() {
    let world = World::new();
    let asked = format!("{:032x}", 3);
    let events = [
        event(
            "permission_denied",
            1,
            &json!({"tool_use_id": "t1", "reason": "[Production Deploy]"}),
        ),
        event(
            "permission_denied",
            2,
            &json!({"tool_use_id": "t2", "reason": "classifier"}),
        ),
        event("permission_asked", 3, &json!({})),
        event(
            "permission_granted",
            4,
            &json!({"tool_use_id": "t3", "asked_id": asked, "grant": "once"}),
        ),
        event(
            "permission_denied",
            5,
            &json!({"tool_use_id": "t4", "subject": "git push", "reason": "classifier"}),
        ),
        event(
            "permission_denied",
            6,
            &json!({"tool_use_id": "t5", "subject": "ls", "reason": "rule"}),
        ),
        event(
            "permission_auto",
            7,
            &json!({"calls": 42, "permission_mode": "bypassPermissions"}),
        ),
    ];
    let lines: String = events.iter().map(|event| format!("{event}\n")).collect();
    world.put("data/events/2026-11-17.jsonl", lines);
    let report = world.json(&["report", "--prompts", "--json"]);
    let sums = &report["permissions"];
    assert_eq!(
        sums["modes"],
        json!([
            {"mode": "bypassPermissions", "asked": 0, "ran": 42, "denied": 0},
            {"mode": "auto", "asked": 1, "ran": 0, "denied": 4},
        ])
    );
    let denied = |subject: &str, counts: [u32; 3]| {
        let [denied, allowed, not_asked] = counts;
        json!({
            "subject": subject, "tool": "Bash", "project": SHOP, "denied": denied, "allowed": allowed,
            "refused": 0, "unknown": 0, "not_asked": not_asked,
        })
    };
    assert_eq!(
        sums["denied_in_auto_mode"],
        json!([denied("npm test", [2, 2, 0]), denied("git push", [1, 0, 1])])
    );
    let shown = folded(&world.stdout_of(&["report", "--prompts"]));
    for words in [
        "Permission modes that calls ran under",
        "bypassPermissions 0 42 0",
        "Denied by the classifier of auto mode, and what became of it",
        "npm test 2 2 0 0",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
}
