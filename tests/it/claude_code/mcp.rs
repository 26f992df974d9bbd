//! Questions of an MCP server: answered, failed, lost, crashed; and answered by a preference.

use std::process::Command;

use serde_json::{Value, json};

use super::claude_code;
use super::client::Session;
use super::home::{Home, assert_fields, kinds, nobody};
use super::server::Turn;

const TOOL: &str = "mcp__asker__AskUserQuestion";

/// A call that the server meets in the way `then` says.
pub(crate) fn ask(id: &str, question: &str, then: &str) -> Turn {
    let input = json!({"question": question, "options": ["Red", "Blue"], "metadata": then});
    Turn::call(id, TOOL, input)
}

/// The client with the server.
pub(crate) fn claude(home: &Home) -> Command {
    let server = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/claude_code/asker.js");
    let config = json!({"mcpServers": {"asker": {"command": "node", "args": [server]}}});
    home.put("servers.json", &config.to_string());
    let mut client = home.claude();
    client
        .arg("--mcp-config")
        .arg(home.path("servers.json"))
        .arg("--strict-mcp-config");
    client
}

fn session(home: &Home, script: Vec<Turn>, person: impl FnMut(&Value) -> Value) -> Session {
    super::client::run(claude(home), script, person)
}

/// The person lets the tool run.
pub(crate) fn allowed(request: &Value) -> Value {
    assert_eq!(request["tool_name"], TOOL);
    json!({"behavior": "allow", "updatedInput": request["input"]})
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn an_answer_is_logged_and_every_failure_by_its_kind() {
    let client = claude_code();
    let home = Home::installed(client);
    let ways = ["answer", "error", "protocol-error", "lost", "crash"];
    let id = |way: &str| format!("toolu_{way}");
    let mut script: Vec<_> = ways
        .iter()
        .map(|way| ask(&id(way), "Which?", way))
        .collect();
    script.push(Turn::says("enough"));
    let session = session(&home, script, allowed);
    assert_eq!(session.result(), "enough", "the session goes on after each");
    assert_eq!(session.asked.len(), ways.len());

    for way in ways {
        let events = home.events_of(&id(way));
        assert_eq!(events.len(), 2, "{way}: {events:?}");
        assert_eq!(kinds(&events[..1]), ["asked: no_preference"]);
        assert_fields(
            &events[0],
            json!({"tool_name": TOOL, "question": "Which?", "options": ["Red", "Blue"]}),
        );
        assert_eq!(events[1]["question_key"], events[0]["question_key"]);
    }
    let outcome = |way: &str| home.events_of(&id(way)).remove(1);
    assert_fields(
        &outcome("answer"),
        json!({"kind": "answered", "answer": ["Red"], "was_auto_decided": false}),
    );
    assert_fields(
        &outcome("error"),
        json!({"kind": "failed", "error": "no screen", "error_kind": "tool_error"}),
    );
    // The client of 2.1.197 says `MCP error -32603: exploded` here, that of 2.1.329 `exploded`.
    let failed = outcome("protocol-error");
    assert_fields(&failed, json!({"kind": "failed"}));
    assert!(
        failed["error"].as_str().unwrap().ends_with("exploded"),
        "{failed}"
    );
    assert_fields(
        &outcome("lost"),
        json!({"kind": "failed", "error_kind": "missing_result"}),
    );
    assert_fields(
        &outcome("crash"),
        json!({"kind": "failed", "error_kind": "connection_closed"}),
    );
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn a_preference_answers_in_a_denial_that_the_model_reads() {
    let client = claude_code();
    let home = Home::installed(client);
    let which = json!({"question": "<plantune:colour> Which?", "options": ["Red", "Blue"]});
    home.prefer(&which, "Red");
    let script = vec![
        ask("toolu_x", "<plantune:colour> Which?", "crash"),
        Turn::says("red it is"),
    ];
    let session = session(&home, script, nobody);
    let said = session.result_of("toolu_x");
    assert!(
        said.contains("[plan-tune auto-decide] colour → Red"),
        "{said}"
    );
    assert!(
        said.contains("is no permission for anything else"),
        "{said}"
    );
    assert_eq!(
        kinds(&home.events_of("toolu_x")),
        ["auto_decided: deny"],
        "the server was never called"
    );
    // Nor does the transcript make it a failure.
    home.done(&["import", "claude-code"]);
    let report: Value = serde_json::from_str(&home.done(&["report", "--json"])).unwrap();
    assert_eq!(
        [
            &report["totals"]["auto_decided"],
            &report["totals"]["failed"]
        ],
        [&json!(1), &json!(0)],
        "{}",
        report["totals"]
    );
}
