//! What nobody is asked about: a rule allows it, or the classifier of auto mode decides.

use serde_json::{Value, json};

use super::client::{self, Session};
use super::home::{Home, assert_fields, nobody};
use super::prompts::{TESTS, deciding_client, one_command};
use super::server::Script;

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn what_a_rule_allows_is_neither_asked_nor_logged() {
    let Some(client) = deciding_client() else {
        return;
    };
    let home = Home::with_tests(client);
    let rules = json!({"permissions": {"allow": ["Bash(npm test)"]}});
    home.put("shop/.claude/settings.local.json", &rules.to_string());
    let session = home.session(one_command(), nobody);
    assert!(session.result_of("toolu_a").contains("3 passing"));
    assert!(!session.hook_events().contains("PermissionRequest"));
    home.done(&["ingest"]);
    let log = home.log();
    let is_about_it = |event: &&Value| event["kind"].as_str().unwrap().starts_with("permission");
    assert_eq!(log.iter().find(is_about_it), None);
    // An import counts it: of the turn, and not call by call.
    home.done(&["import", "claude-code"]);
    home.reports(json!({"auto_calls": 1}));
    let auto = home.of_kind("permission_auto");
    assert_eq!(auto.len(), 1);
    assert_fields(&auto[0], json!({"calls": 1, "input": null}));
}

/// A session in auto mode, whose classifier says `verdict`.
fn auto_session(home: &Home, verdict: Option<&'static str>) -> Session {
    let mut client = home.claude();
    client
        .args(["--permission-mode", "auto"])
        .env("CLAUDE_CODE_AUTO_MODE_SERVER", "0");
    let script = Script {
        verdict,
        ..one_command().into()
    };
    let session = client::run(client, script, nobody);
    assert!(!session.classifier_reads().is_empty());
    session
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn the_classifier_denies() {
    let Some(client) = deciding_client() else {
        return;
    };
    let home = Home::with_tests(client);
    let verdict =
        "<thinking>no</thinking><severity>90</severity><category>Production Deploy</category>";
    let session = auto_session(&home, Some(verdict));
    assert!(session.result_of("toolu_a").contains("denied"));
    home.done(&["ingest"]);
    let denied = home.of_kind("permission_denied");
    assert_eq!(denied.len(), 1);
    assert_fields(
        &denied[0],
        json!({
            "tool_name": "Bash", "subject": TESTS, "reach": "reads", "input": TESTS, "permission_mode": "auto",
            "tool_use_id": "toolu_a", "reason": "[Production Deploy]", "source": "hook",
        }),
    );
    assert_eq!(home.prompts_logged(), 0);
    home.reports(json!({"denied": 1}));
    home.done(&["import", "claude-code"]);
    home.reports(json!({"denied": 1}));
}

#[test]
#[ignore = "needs the real client: make test-claude-code"]
fn what_the_classifier_allows_is_not_logged() {
    let Some(client) = deciding_client() else {
        return;
    };
    let home = Home::with_tests(client);
    let session = auto_session(&home, None);
    assert!(session.result_of("toolu_a").contains("3 passing"));
    home.done(&["ingest"]);
    let log = home.log();
    let is_about_it = |event: &&Value| event["kind"].as_str().unwrap().starts_with("permission");
    assert_eq!(log.iter().find(is_about_it), None);
}
