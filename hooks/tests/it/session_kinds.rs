//! The session kind, on every event that the built hook logs.

use crate::common::{Home, scenario};

/// Variables, and the kind of a session in which they are set.
const KINDS: [(&[(&str, &str)], &str); 15] = [
    (&[], "interactive"),
    (&[("OPENCLAW_SESSION", "1")], "spawned"),
    (
        &[("OPENCLAW_SESSION", "1"), ("PLANTUNE_HEADLESS", "1")],
        "spawned",
    ),
    (&[("OPENCLAW_SESSION", ""), ("CI", "true")], "headless"),
    (&[("PLANTUNE_HEADLESS", "1")], "headless"),
    (
        &[("GSTACK_HEADLESS", "1"), ("CONDUCTOR_PORT", "7")],
        "headless",
    ),
    (
        &[("GSTACK_HEADLESS", ""), ("CONDUCTOR_PORT", "7")],
        "interactive",
    ),
    (
        &[("CONDUCTOR_WORKSPACE_PATH", "/w"), ("CI", "1")],
        "interactive",
    ),
    (
        &[("CLAUDE_CODE_ENTRYPOINT", "cli"), ("CI", "1")],
        "interactive",
    ),
    (
        &[("CLAUDE_CODE_ENTRYPOINT", "sdk-cli"), ("CI", "1")],
        "headless",
    ),
    (&[("CLAUDE_CODE_ENTRYPOINT", "sdk-ts")], "interactive"),
    (
        &[("CLAUDE_CODE_ENTRYPOINT", "claude-vscode")],
        "interactive",
    ),
    (&[("CI", "")], "interactive"),
    (&[("CI", ""), ("GITHUB_ACTIONS", "true")], "headless"),
    // Set, and not empty: whatever the value.
    (&[("CI", "false")], "headless"),
];

#[test]
fn every_event_has_the_session_kind() {
    for (variables, kind) in KINDS {
        let home = variables
            .iter()
            .fold(Home::new(), |home, (name, value)| home.with(name, value));
        // Started, asked, failed, an error of the hook's own, ended.
        for call in scenario("mcp-server-crash") {
            home.call(&call);
        }
        home.run(b"{");
        let events = home.events();
        let kinds: Vec<&str> = events
            .iter()
            .map(|event| event["kind"].as_str().unwrap())
            .collect();
        for wanted in [
            "session_started",
            "asked",
            "failed",
            "session_ended",
            "hook_error",
        ] {
            assert!(kinds.contains(&wanted), "{kinds:?}");
        }
        for event in events {
            assert_eq!(event["session_kind"], kind, "{variables:?}: {event}");
        }
    }
}
