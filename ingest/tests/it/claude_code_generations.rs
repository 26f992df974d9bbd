//! Histories of earlier versions of Claude Code, a file for each shape that public histories have: sub-agents in the
//! main file (1.0), the first questions (2.0), and the words for calls that did not run (until 2.1.294).

use std::path::Path;
use std::{fs, io};

use plantune_ingest::claude_code::TranscriptSummary;
use serde::Serialize as _;
use serde_json::ser::{Formatter, Serializer};
use serde_json::{Value, json};

use crate::home::{ASKED, import, store};

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

/// Writes JSON with white space wherever it may be.
struct Spaced;

impl Formatter for Spaced {
    fn begin_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b"{ ")
    }

    fn begin_object_key<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        is_first: bool,
    ) -> io::Result<()> {
        writer.write_all(if is_first { b" " } else { b" ,\t" })
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b"\t: ")
    }
}

/// The lines of `text`, each in that form; those that are no JSON as they are.
fn spaced(text: &str) -> String {
    let line = |line: &str| {
        let mut written = Vec::new();
        let mut writer = Serializer::with_formatter(&mut written, Spaced);
        let value = serde_json::from_str::<Value>(line).ok();
        match value.map(|value| value.serialize(&mut writer)) {
            Some(Ok(())) => String::from_utf8(written).unwrap() + "\n",
            _ => line.to_owned() + "\n",
        }
    };
    text.lines().map(line).collect()
}

#[test]
fn white_space_between_tokens_changes_nothing() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let (written, again) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for folder in ["askers", "forms", "generations", "permissions/transcripts"] {
        for entry in fs::read_dir(fixtures.join(folder)).unwrap() {
            let text = fs::read_to_string(entry.as_ref().unwrap().path()).unwrap();
            let name = entry.unwrap().file_name();
            store(&written.path().join(&name), text.as_bytes());
            store(&again.path().join(&name), spaced(&text).as_bytes());
        }
    }
    let (expected, counted) = import(written.path());
    let (found, counted_again) = import(again.path());
    assert!(expected.iter().any(|event| event["skill"].is_string()));
    assert!(
        expected
            .iter()
            .any(|event| event["kind"] == "permission_refused")
    );
    assert_eq!(found, expected);
    let without_bytes = |summary| TranscriptSummary {
        bytes: 0,
        ..summary
    };
    assert_eq!(without_bytes(counted_again), without_bytes(counted));
}

#[test]
fn looking_back_stops_at_another_answer_however_it_is_written() {
    let mut text = String::new();
    for number in 0..400 {
        let id = format!("toolu_{number}");
        let called = json!([{"type": "tool_use", "id": id, "name": "Bash", "input": {"command": "npm test"}}]);
        let failed = json!([{"type": "tool_result", "tool_use_id": id, "is_error": true, "content": "x".repeat(2000)}]);
        let message =
            json!({"role": "assistant", "id": format!("msg_{number}"), "content": called});
        for (kind, message) in [
            ("assistant", message),
            ("user", json!({"role": "user", "content": failed})),
        ] {
            text += &json!({"type": kind, "uuid": id, "sessionId": "s", "version": "2.1.330", "timestamp": ASKED,
                "toolDenialKind": "user-rejected", "toolDenialBeforeRun": true, "message": message}).to_string();
            text += "\n";
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let read = |name: &str, text: &str| {
        let path = folder.path().join(name);
        store(&path, text.as_bytes());
        let summary = import(&path).1;
        assert_eq!(summary.refused, 400);
        summary.bytes
    };
    let (compact, again) = (
        read("compact.jsonl", &text),
        read("spaced.jsonl", &spaced(&text)),
    );
    assert!(
        again < compact + compact / 5,
        "{again} bytes were read, of compact lines {compact}"
    );
}
