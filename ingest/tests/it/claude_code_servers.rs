//! Questions that a server asked, as transcripts tell of them: read by the code that the hook uses.

use crate::support::by_hand::*;
use serde_json::{Value, json};

fn asked_by_server() -> Value {
    assistant(&json!([{
        "type": "tool_use", "id": "t", "name": "mcp__any-server__AskUserQuestion",
        "input": {"question": "Which?", "options": ["One", "Two, or three"]}
    }]))
}

/// What the events say of the call when the model was given `content` and the tool returned `returned`.
fn ending(content: &Value, is_error: bool, returned: &Value) -> String {
    let result = result("t", content, &json!(is_error), returned);
    let (events, _) = import_lines(&[asked_by_server(), result]);
    let mut found = summaries(&events);
    assert_eq!(found.first().map(String::as_str), Some("asked"));
    found.pop().unwrap()
}

#[test]
fn answers_come_by_position_in_blocks_and_in_json() {
    let block = |text: &str| json!([{"type": "text", "text": text}]);
    for content in [
        block("User responses:\n1. Two, or three"),
        json!("User responses:\n1. Two, or three"),
        block("Two, or three"),
        block("{\"answers\": [\"Two, or three\"]}"),
        block("{\"answers\": {\"Which?\": \"Two, or three\"}}"),
        block("[{\"option_label\": \"Two, or three\"}]"),
        json!([{"type": "text", "text": "They said:"},
            {"type": "text", "text": "{\"answers\": [\"Two, or three\"]}"}]),
        json!("[{\"type\":\"text\",\"text\":\"User responses:\\n1. Two, or three\"}]"),
    ] {
        // In some versions the tool's own result stands beside what the model was given.
        for returned in [Value::Null, content.clone()] {
            assert_eq!(
                ending(&content, false, &returned),
                "answered answer=[\"Two, or three\"]",
                "{content}"
            );
        }
    }
}

#[test]
fn failures_are_told_from_answers() {
    let block = |text: &str| json!([{"type": "text", "text": text}]);
    for (content, is_error, expected) in [
        (
            block("[Tool result missing due to internal error]"),
            false,
            "failed error_kind=\"missing_result\"",
        ),
        (
            block("{\"isError\": true, \"content\": []}"),
            false,
            "failed error_kind=\"tool_error\"",
        ),
        (
            json!("MCP error -32603: boom"),
            true,
            "failed error_kind=\"mcp_error\"",
        ),
        (
            block("{\"is_error\": false, \"answers\": [\"One\"]}"),
            false,
            "answered answer=[\"One\"]",
        ),
        (
            block("{\"answers\": {}, \"afkTimeoutMs\": 300000}"),
            false,
            "dismissed reason=\"afk_timeout\"",
        ),
        (
            block("User responses:\n1. an internal error, look into that"),
            false,
            "answered answer=[] free_text=\"an internal error, look into that\"",
        ),
    ] {
        assert_eq!(
            ending(&content, is_error, &Value::Null),
            expected,
            "{content}"
        );
    }
}
