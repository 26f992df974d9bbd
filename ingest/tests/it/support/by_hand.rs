//! Transcripts by hand: the lines that Claude Code writes, and what is read from them.

use std::path::Path;

use plantune_ingest::claude_code::Summary;
use serde_json::{Value, json};

use super::{import, store};

pub(crate) const ASKED: &str = "2026-01-02T03:04:05.000Z";
pub(crate) const ENDED: &str = "2026-01-02T03:05:05.000Z";

pub(crate) fn line(kind: &str, at: &str, more: &Value) -> Value {
    let mut line = json!({"type": kind, "uuid": "u", "timestamp": at, "sessionId": "s",
        "cwd": "/nowhere/shop"});
    line.as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    line
}

pub(crate) fn block(id: &str, questions: &Value) -> Value {
    json!({"type": "tool_use", "id": id, "name": "AskUserQuestion", "input": {"questions": questions}})
}

pub(crate) fn assistant(blocks: &Value) -> Value {
    line(
        "assistant",
        ASKED,
        &json!({"message": {"role": "assistant", "content": blocks}}),
    )
}

/// A call with one question, "Q?", offering Yes (recommended), No, and Maybe, later.
pub(crate) fn asked(id: &str) -> Value {
    assistant(&json!([block(id, &question("Q?"))]))
}

pub(crate) fn question(text: &str) -> Value {
    let label = |label: &str| json!({"label": label, "description": "d"});
    let options = [
        label("Yes (Recommended)"),
        label("No"),
        label("Maybe, later"),
    ];
    json!([{"question": text, "header": "H", "options": options, "multiSelect": false}])
}

pub(crate) fn user(content: &Value, more: &Value) -> Value {
    let mut line = line(
        "user",
        ENDED,
        &json!({"message": {"role": "user", "content": content}}),
    );
    line.as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    line
}

pub(crate) fn result(id: &str, content: &Value, is_error: &Value, returned: &Value) -> Value {
    let block =
        json!({"type": "tool_result", "tool_use_id": id, "content": content, "is_error": is_error});
    user(&json!([block]), &json!({"toolUseResult": returned}))
}

pub(crate) fn answered(id: &str, answer: &str) -> Value {
    let returned = json!({"questions": [], "answers": {"Q?": answer}});
    result(id, &json!("…"), &Value::Null, &returned)
}

pub(crate) fn write(path: &Path, lines: &[Value]) {
    let text: Vec<String> = lines.iter().map(|line| format!("{line}\n")).collect();
    store(path, text.concat().as_bytes());
}

pub(crate) fn import_text(text: &[u8]) -> (Vec<Value>, Summary) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("stem.jsonl");
    store(&path, text);
    import(&path)
}

pub(crate) fn import_lines(lines: &[Value]) -> (Vec<Value>, Summary) {
    let text: Vec<String> = lines.iter().map(Value::to_string).collect();
    import_text(text.join("\n").as_bytes())
}

/// Each event on one line.
pub(crate) fn summaries(events: &[Value]) -> Vec<String> {
    let shown = |event: &Value| {
        let fields = [
            "answer",
            "free_text",
            "notes",
            "reason",
            "error_kind",
            "mechanism",
        ];
        let mut line = event["kind"].as_str().unwrap().to_owned();
        for field in fields.iter().filter(|field| !event[**field].is_null()) {
            line = format!("{line} {field}={}", event[*field]);
        }
        line
    };
    events.iter().map(shown).collect()
}
