//! Questions that a server asks: its names, its input, and the shapes in which it answers.

use crate::common::{Home, after, json_of, never_ask, pinned, scenario};
use serde_json::{Value, json};

/// PreToolUse in Conductor's form: question and options at top level.
fn conductor(tool: &str, question: &str, options: &[&str]) -> Value {
    json!({
        "session_id": "s", "cwd": "/w", "hook_event_name": "PreToolUse", "tool_name": tool,
        "tool_use_id": "toolu_1", "tool_input": {"question": question, "options": options}
    })
}

const TEXT: &str = "<plantune:todos> No TODOS.md found. Create one?";

#[test]
fn any_mcp_server_is_recognised() {
    for (tool, is_ours) in [
        ("mcp__conductor__AskUserQuestion", true),
        ("mcp__plugin_forms_2-x__AskUserQuestion", true),
        ("mcp__a__b__AskUserQuestion", true),
        ("AskUserQuestion", true),
        ("mcp____AskUserQuestion", false),
        ("mcp__conductor__askUserQuestion", false),
        ("mcp__conductor__AskUserQuestions", false),
        ("xmcp__conductor__AskUserQuestion", false),
    ] {
        let home = Home::new();
        home.call(&conductor(tool, TEXT, &["Create it", "Skip"]));
        assert_eq!(home.question_events().len(), usize::from(is_ours), "{tool}");
    }
}

#[test]
fn conductor_questions_are_decided() {
    let home = Home::new();
    let tool = "mcp__conductor__AskUserQuestion";
    let call = conductor(tool, TEXT, &["Create it (Recommended)", "Skip"]);
    assert_eq!(home.call(&call), "");
    let asked = home.question_events().remove(0);
    assert_eq!(asked["question"], "No TODOS.md found. Create one?");
    assert_eq!(asked["options"], json!(["Create it (Recommended)", "Skip"]));
    assert_eq!(
        (&asked["recommended"], &asked["header"]),
        (&json!("Create it"), &Value::Null)
    );

    let skip = pinned(&call["tool_input"], "Skip");
    home.prefer(None, &json!({"todos": skip}));
    let mut call = call;
    call["tool_use_id"] = json!("toolu_2");
    let decision = json_of(&home.call(&call));
    let output = &decision["hookSpecificOutput"];
    assert_eq!(output["permissionDecision"], "deny");
    let reason = output["permissionDecisionReason"].as_str().unwrap();
    assert!(
        reason.starts_with("[plan-tune auto-decide] todos → Skip\n"),
        "{reason}"
    );
    assert!(
        decision["systemMessage"]
            .as_str()
            .unwrap()
            .contains("plantune undo toolu_2")
    );
    let decided = home.question_events().pop().unwrap();
    assert_eq!(
        (&decided["kind"], &decided["mechanism"]),
        (&json!("auto_decided"), &json!("deny"))
    );
}

/// The answers in every shape that servers give.
#[test]
fn answers_come_by_position_in_blocks_and_in_json() {
    let blocks = |text: &str| json!([{"type": "text", "text": text}]);
    let one = [
        blocks("User responses:\n1. Skip"),
        json!("User responses:\n1. Skip"),
        blocks("Skip"),
        blocks("skip (Recommended)"),
        json!({"content": [{"type": "text", "text": "User responses:\n1. Skip"}]}),
        blocks("{\"answers\": {\"No TODOS.md found.  Create one?\": \"Skip\"}}"),
        blocks("{\"answers\": [\"Skip\"]}"),
        blocks("[\"Skip\"]"),
        blocks("{\"answers\": [{\"option_label\": \"Skip\"}]}"),
        blocks("{\"questions\": [{\"user_answer\": \"Skip\"}]}"),
        blocks(" {\"choice\": \"Skip\"}\n"),
        json!("[{\"type\":\"text\",\"text\":\"User responses:\\n1. Skip\"}]"),
        json!("{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"answers\\\":[\\\"Skip\\\"]}\"}]}"),
        json!([{"type": "text", "text": "Here is what they said:"},
            {"type": "text", "text": "{\"answers\": [\"Skip\"]}"}]),
        json!({"content": [], "structuredContent": {"answers": ["Skip"]}}),
    ];
    for response in one {
        let home = Home::new();
        let call = conductor(
            "mcp__conductor__AskUserQuestion",
            TEXT,
            &["Create it", "Skip"],
        );
        assert_eq!(home.call(&after(call, response.clone())), "", "{response}");
        let event = home.question_events().pop().unwrap();
        assert_eq!(event["kind"], "answered", "{response}");
        assert_eq!(event["answer"], json!(["Skip"]), "{response}");
        assert_eq!(event["free_text"], Value::Null, "{response}");
    }
}

#[test]
fn several_questions_are_matched_by_position() {
    let call = json!({
        "session_id": "s", "cwd": "/w", "hook_event_name": "PreToolUse",
        "tool_name": "mcp__conductor__AskUserQuestion", "tool_use_id": "toolu_1",
        "tool_input": {"questions": [
            {"question": "First?", "options": ["A", "B"]},
            {"question": "Second?", "options": ["C, or D", "E"], "multiSelect": true}]}
    });
    let blocks = |texts: &[&str]| -> Value {
        texts
            .iter()
            .map(|text| json!({"type": "text", "text": text}))
            .collect()
    };
    for (response, second) in [
        (
            blocks(&["User responses:\n1. B\n2. C, or D, E"]),
            json!(["C, or D", "E"]),
        ),
        (blocks(&["User responses:", "1. B", "2. E"]), json!(["E"])),
        (blocks(&["B", "E"]), json!(["E"])),
        (
            blocks(&["[\"B\", [\"C, or D\", \"E\"]]"]),
            json!(["C, or D", "E"]),
        ),
        (
            blocks(&["{\"answers\": {\"Second?\": \"E\", \"First?\": \"B\"}}"]),
            json!(["E"]),
        ),
    ] {
        let home = Home::new();
        home.call(&after(call.clone(), response.clone()));
        let events = home.question_events();
        assert_eq!(events.len(), 2, "{response}");
        assert_eq!(events[0]["answer"], json!(["B"]), "{response}");
        assert_eq!(events[1]["answer"], second, "{response}");
    }
    // Positions that do not fit name nothing.
    let home = Home::new();
    home.call(&after(call, blocks(&["B", "E", "and more"])));
    assert!(
        home.question_events()
            .iter()
            .all(|event| event["kind"] == "dismissed")
    );
}

#[test]
fn captured_server_call_is_answered() {
    let home = Home::new();
    let calls = scenario("mcp-answered");
    let pre = calls
        .iter()
        .find(|call| call["hook_event_name"] == "PreToolUse")
        .unwrap();
    let never = never_ask(&pre["tool_input"]["questions"][0]);
    home.prefer(None, &json!({"ship-todos-create": never}));
    let decision = json_of(&home.call(pre));
    assert_eq!(decision["hookSpecificOutput"]["permissionDecision"], "deny");
    assert_eq!(decision["hookSpecificOutput"].get("updatedInput"), None);
}
