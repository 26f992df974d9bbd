//! Histories of earlier versions of Claude Code, a file for each shape that public histories have: sub-agents in the
//! main file (1.0), the first questions (2.0), and the words for calls that did not run (until 2.1.294).

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::home::{import, store};

/// The events of some files of `tests/generations`: the call, what happened, and how.
fn generation(names: &[&str]) -> (Vec<Value>, Vec<String>) {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/generations");
    let folder = tempfile::tempdir().unwrap();
    for name in names {
        fs::copy(kept.join(name), folder.path().join(name)).unwrap();
    }
    let (events, summary) = import(folder.path());
    assert_eq!(summary.files, names.len() as u64);
    let unread = (summary.unreadable_lines, summary.foreign_files);
    assert_eq!(unread, (0, 0));
    let skipped = (summary.unknown_decisions, summary.lost_decisions);
    assert_eq!((skipped, summary.undated_calls), ((0, 0), 0));
    let shown = events.iter().map(shown).collect();
    (events, shown)
}

fn shown(event: &Value) -> String {
    let text = |field: &str| event[field].as_str().unwrap_or_default();
    let call = text("tool_use_id").strip_prefix("toolu_").unwrap();
    let mut shown = format!("{call} {}", text("kind"));
    for field in ["reason", "free_text", "error_kind"] {
        if !text(field).is_empty() {
            shown = format!("{shown}: {}", text(field));
        }
    }
    if let Some(labels) = event["answer"].as_array().filter(|all| !all.is_empty()) {
        let labels: Vec<&str> = labels.iter().filter_map(Value::as_str).collect();
        shown = format!("{shown}: {}", labels.join(" + "));
    }
    shown
}

#[test]
fn sub_agents_in_the_main_file() {
    let (events, shown) = generation(&["1.0.jsonl"]);
    let expected = [
        "plan permission_refused: rejected",
        "count permission_refused: unknown",
        "edit permission_refused: feedback: in cents, please",
    ];
    assert_eq!(shown, expected);
    for event in &events {
        assert_eq!(event["session_id"], "a1000000-1111-4111-8111-000000000000");
        assert_eq!(event["cwd"], "/home/dev/shop");
        assert!(event["agent_id"].is_null() && event["skill"].is_null());
    }
    assert_eq!(events[0]["called_at"], "2026-01-05T10:00:20.000Z");
    assert_eq!(events[0]["ts"], "2026-01-05T10:01:00.000Z");
}

#[test]
fn the_first_questions() {
    let (events, shown) = generation(&["2.0.jsonl", "agent-3c0ffee1.jsonl"]);
    let expected = [
        "q1 asked",
        "q1 asked",
        "q1 answered: No, one series",
        "q1 answered: Mail + Portal, once it is there",
        "q2 asked",
        "q2 answered: the one of the first item",
        "q3 asked",
        "q3 dismissed: rejected",
        "p1 permission_refused: rejected",
        "w1 permission_refused: nobody",
    ];
    assert_eq!(shown, expected);
    let session = "a2000000-2222-4222-8222-000000000000";
    for event in &events {
        assert_eq!(event["session_id"], session);
        assert_eq!(event["session_kind"], "interactive");
    }
    // The command is at work until the person writes something else, also after a compaction.
    let skills = events.iter().filter(|event| event["skill"] == "/invoice");
    assert_eq!(skills.count(), events.len() - 1);
    assert_eq!(events.last().unwrap()["agent_id"], "3c0ffee1");
}

#[test]
fn calls_that_did_not_run() {
    let (events, shown) = generation(&["2.1.jsonl", "agent-a5eed5eed5eed5eed.jsonl"]);
    let expected = [
        "e1 permission_refused: rejected",
        "b1 permission_refused: nobody",
        "b2 permission_denied: rule",
        "b7 permission_denied: classifier",
        "b8 permission_denied: mode",
        "b9 permission_denied: mode",
        "s1 permission_refused: rejected",
        "s2 permission_refused: feedback: we have no fuse",
        "s3 permission_refused: nobody",
    ];
    assert_eq!(shown, expected);
    let of_agents = events.iter().filter(|event| !event["agent_id"].is_null());
    assert_eq!(of_agents.count(), 3);
    let (_, shown) = generation(&["2.1-print.jsonl"]);
    let calls = ["r1", "r2", "r3", "r4"];
    assert_eq!(
        shown,
        calls.map(|call| format!("{call} permission_refused: nobody"))
    );
}

#[test]
fn a_history_that_was_written_again_with_spaces() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/generations/2.1-print.jsonl");
    let text = fs::read_to_string(kept).unwrap();
    let spaced = text.replace("\":", "\": ").replace(",\"", ", \"");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("spaced.jsonl");
    store(&path, spaced.as_bytes());
    assert_eq!(import(&path).1.undecided, 4);
}
