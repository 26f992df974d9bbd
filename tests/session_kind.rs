//! `plantune session-kind`: the built binary in several environments.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::process::Command;

use serde_json::{Value, json};

/// What is printed with these words, where these variables are set.
fn printed(words: &[&str], variables: &[(&str, &str)]) -> String {
    let home = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_plantune"))
        .env_clear()
        .env("HOME", home.path())
        .env("PLANTUNE_HOME", home.path().join("plantune"))
        .env("COLUMNS", "80")
        .envs(variables.iter().copied())
        .arg("session-kind")
        .args(words)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    assert_eq!(
        std::fs::read_dir(home.path()).unwrap().count(),
        0,
        "nothing is written"
    );
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn scripts_read_one_word() {
    for (variables, kind) in [
        (&[][..], "interactive\n"),
        (&[("OPENCLAW_SESSION", "1"), ("CI", "1")], "spawned\n"),
        (&[("GSTACK_HEADLESS", "1")], "headless\n"),
        (&[("CONDUCTOR_PORT", "1"), ("CI", "1")], "interactive\n"),
        (&[("CI", "true")], "headless\n"),
        (&[("CI", ""), ("GITHUB_ACTIONS", "")], "interactive\n"),
    ] {
        assert_eq!(printed(&[], variables), kind, "{variables:?}");
    }
}

#[test]
fn json_names_the_variable() {
    let read = |variables: &[(&str, &str)]| -> Value {
        serde_json::from_str(&printed(&["--json"], variables)).unwrap()
    };
    assert_eq!(
        read(&[("CLAUDE_CODE_ENTRYPOINT", "cli"), ("CI", "1")]),
        json!({"schema_version": 1, "session_kind": "interactive", "variable": "CLAUDE_CODE_ENTRYPOINT"})
    );
    assert_eq!(
        read(&[("CLAUDE_CODE_ENTRYPOINT", "sdk-cli")]),
        json!({"schema_version": 1, "session_kind": "interactive", "variable": null})
    );
}
