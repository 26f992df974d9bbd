//! What happens when a question fails, and that nothing else counts as a failure.

use std::io::Write as _;

use crate::common::{Home, alone, json_of, scenario};
use serde_json::{Value, json};

const SPAWNED: (&str, &str) = ("OPENCLAW_SESSION", "1");
const HEADLESS: (&str, &str) = ("PLANTUNE_HEADLESS", "1");
const INTERACTIVE: (&str, &str) = ("CLAUDE_CODE_ENTRYPOINT", "cli");

const MCP: &str = "mcp__conductor__AskUserQuestion";

/// PostToolUse of a call with one question, which came back with `response`.
fn came_back(tool: &str, response: &Value) -> Value {
    json!({
        "session_id": "s", "cwd": "/w", "hook_event_name": "PostToolUse", "tool_name": tool,
        "tool_use_id": "toolu_1", "tool_response": response,
        "tool_input": {"questions": [{"question": "Create one?", "header": "H", "multiSelect": false,
            "options": [{"label": "Create it (Recommended)"}, {"label": "Skip"}]}]}
    })
}

fn failed(error: &str) -> Value {
    let mut call = came_back(MCP, &Value::Null);
    call["hook_event_name"] = json!("PostToolUseFailure");
    call["error"] = json!(error);
    call.as_object_mut().unwrap().remove("tool_response");
    call
}

/// The directive for the model, and the last event.
fn results(home: &Home, call: &Value) -> (String, Value) {
    let printed = json_of(&home.call(call));
    let event = home.question_events().pop().unwrap_or_default();
    if printed.is_null() {
        return (String::new(), event);
    }
    let output = &printed["hookSpecificOutput"];
    assert_eq!(output["hookEventName"], call["hook_event_name"]);
    assert_eq!(
        output.as_object().unwrap().len(),
        2,
        "decides nothing: {output}"
    );
    assert_eq!(printed.as_object().unwrap().len(), 1, "{printed}");
    (
        output["additionalContext"].as_str().unwrap().to_owned(),
        event,
    )
}

#[test]
fn directive_depends_on_the_session_kind() {
    let directive = |(name, value): (&'static str, &str)| {
        let home = Home::new().with(name, value);
        let (directive, event) = results(&home, &failed("MCP error -32000: Connection closed"));
        assert_eq!(event["kind"], "failed");
        directive
    };
    let spawned = directive(SPAWNED);
    for words in ["Choose the recommended option", "no prose", "do not block"] {
        assert!(spawned.contains(words), "{spawned}");
    }
    let headless = directive(HEADLESS);
    assert!(
        headless.contains("`BLOCKED — AskUserQuestion unavailable` and stop"),
        "{headless}"
    );
    let interactive = directive(INTERACTIVE);
    for words in [
        "If no answer can have surfaced, retry the call once",
        "what is at stake",
        "recommendation with its reason",
        "one paragraph a choice",
        "ompleteness score",
        "eply with a letter",
        "Then stop",
    ] {
        assert!(interactive.contains(words), "{words}: {interactive}");
    }
    // No failure is consent.
    for text in [spawned, headless, interactive] {
        assert!(text.contains("permission"), "{text}");
    }
}

#[test]
fn failures_have_their_kind() {
    for (error, kind) in [
        ("MCP error -32603: boom", "mcp_error"),
        ("MCP error -32000: Connection closed", "connection_closed"),
        (
            "[Tool result missing due to internal error]",
            "missing_result",
        ),
        ("InputValidationError: too_big, maximum 4", "validation"),
        ("No such tool", "tool_error"),
        ("", "tool_error"),
    ] {
        let home = Home::new();
        let (directive, event) = results(&home, &failed(error));
        assert!(!directive.is_empty(), "{error}");
        assert_eq!(
            (&event["kind"], &event["error_kind"]),
            (&json!("failed"), &json!(kind)),
            "{error}"
        );
        assert_eq!(event["error"], error);
        // Of the error's words, none reach the model.
        assert!(
            error.is_empty() || !directive.contains(error),
            "{directive}"
        );
    }
}

#[test]
fn a_missing_result_is_a_failure() {
    let blocks = |text: &str| json!([{"type": "text", "text": text}]);
    for response in [
        Value::Null,
        json!(""),
        json!("[Tool result missing due to internal error]"),
        json!("Error: tool result missing"),
        blocks("[Tool result missing due to internal error]"),
        json!([{"type": "text", "text": "Sorry."}, {"type": "text", "text": "Tool Result Missing"}]),
        json!({"content": [{"type": "text", "text": "tool result missing"}]}),
        blocks(""),
        json!({"is_error": true}),
        json!({"isError": true, "content": [{"type": "text", "text": "no"}]}),
        json!({"error": "it broke"}),
        blocks("{\"isError\": true}"),
        blocks("{\"error\": \"it broke\"}"),
        json!([{"type": "text", "text": "it broke", "is_error": true}]),
    ] {
        for tool in ["AskUserQuestion", MCP] {
            let home = Home::new();
            let (directive, event) = results(&home, &came_back(tool, &response));
            assert_eq!(event["kind"], "failed", "{tool}: {response}");
            assert!(!directive.is_empty(), "{response}");
        }
    }
    let mut absent = came_back(MCP, &Value::Null);
    absent.as_object_mut().unwrap().remove("tool_response");
    assert_eq!(
        results(&Home::new(), &absent).1["error_kind"],
        "missing_result"
    );
}

#[test]
fn other_results_are_no_failures() {
    let blocks = |text: &str| json!([{"type": "text", "text": text}]);
    let native = |answer: &str| json!({"answers": {"Create one?": answer}});
    for (response, kind) in [
        (native("Skip"), "answered"),
        (native("there was an internal error, try again"), "answered"),
        (native("error: tool result missing"), "answered"),
        (
            json!({"is_error": false, "answers": {"Create one?": "Skip"}}),
            "answered",
        ),
        (
            json!({"isError": "true", "answers": {"Create one?": "Skip"}}),
            "answered",
        ),
        (
            json!({"is_error": 1, "answers": {"Create one?": "Skip"}}),
            "answered",
        ),
        (
            json!({"error": "", "answers": {"Create one?": "Skip"}}),
            "answered",
        ),
        (
            json!({"error": null, "answers": {"Create one?": "Skip"}}),
            "answered",
        ),
        (
            blocks("{\"is_error\": false, \"answers\": [\"Skip\"]}"),
            "answered",
        ),
        (blocks("an internal error made me think: Skip"), "answered"),
        (
            blocks("User responses:\n1. fix the 'tool result missing' bug first"),
            "answered",
        ),
        (
            json!(
                "The user answered: \"Create one?\"=\"no, tool result missing comes first\". Read the answers carefully"
            ),
            "answered",
        ),
        (json!({"answers": {}}), "dismissed"),
        (json!({}), "dismissed"),
    ] {
        let home = Home::new();
        let (directive, event) = results(&home, &came_back(MCP, &response));
        assert_eq!(
            (event["kind"].as_str(), directive.as_str()),
            (Some(kind), ""),
            "{response}"
        );
    }
}

#[test]
fn afk_timeout_is_a_dismissal() {
    for response in [
        json!({"questions": [], "answers": {}, "annotations": {}, "afkTimeoutMs": 300_000}),
        json!({"answers": {"Create one?": "Skip"}, "afkTimeoutMs": 300_000}),
        json!("No response after 300s — the user may be away from keyboard."),
        json!([{"type": "text", "text": "{\"answers\": {}, \"afkTimeoutMs\": 60000}"}]),
    ] {
        let home = Home::new().with(INTERACTIVE.0, INTERACTIVE.1);
        let (directive, event) = results(&home, &came_back("AskUserQuestion", &response));
        assert_eq!(directive, "", "{response}");
        assert_eq!(
            (&event["kind"], &event["reason"]),
            (&json!("dismissed"), &json!("afk_timeout")),
            "{response}"
        );
        assert_eq!(event["was_auto_decided"], Value::Null);
    }
}

#[test]
fn own_denial_is_no_failure() {
    let home = Home::new();
    let denial = "[plan-tune auto-decide] ship-todos-create → Skip";
    let blocks = json!([{"type": "text", "text": denial}]);
    for call in [
        failed(denial),
        failed(&format!("Error: {denial}")),
        came_back(MCP, &json!(denial)),
        came_back(MCP, &blocks),
    ] {
        assert_eq!(home.call(&call), "", "{call}");
    }
    assert_eq!(home.question_events(), Vec::<Value>::new());
}

#[test]
fn interrupted_call_is_dismissed() {
    let home = Home::new();
    let mut call = failed("whatever");
    call["is_interrupt"] = json!(true);
    let (directive, event) = results(&home, &call);
    assert_eq!(
        (directive.as_str(), &event["reason"]),
        ("", &json!("interrupted"))
    );
}

#[test]
fn failed_call_without_questions_prints_the_directive() {
    let home = Home::new();
    let mut call = failed("MCP error -32603: boom");
    call["tool_input"] = json!({"questions": []});
    assert!(!results(&home, &call).0.is_empty());
    assert_eq!(home.question_events(), Vec::<Value>::new());
}

/// Somebody's logging hook on the same matcher: started at the same time, on the same input.
#[test]
fn logging_hook_beside_ours_changes_nothing() {
    let log_all = "cat >> \"$LOG\"; echo >> \"$LOG\"; echo noise; echo noise >&2; exit 1";
    for name in [
        "native-answered",
        "mcp-server-crash",
        "mcp-missing-result-sentinel-as-text",
    ] {
        let (by_itself, beside) = (Home::new(), Home::new());
        let log = beside.path().join("theirs.log");
        let calls = scenario(name);
        for call in &calls {
            let mut theirs = alone("/bin/sh")
                .args(["-c", log_all])
                .env("LOG", &log)
                .env("PLANTUNE_HOME", beside.plantune())
                .spawn()
                .unwrap();
            let text = call.to_string();
            theirs
                .stdin
                .take()
                .unwrap()
                .write_all(text.as_bytes())
                .unwrap();
            assert_eq!(beside.call(call), by_itself.call(call), "{name}");
            theirs.wait().unwrap();
        }
        assert_eq!(beside.events(), by_itself.events(), "{name}");
        let theirs = std::fs::read_to_string(log).unwrap();
        assert_eq!(theirs.lines().count(), calls.len());
    }
}
