//! `plantune session-kind`: the built binary in several environments.

use serde_json::{Value, json};

use crate::world::{World, run};

/// What is printed with these words, where these variables are set.
fn printed(words: &[&str], variables: &[(&str, &str)]) -> String {
    let world = World::at("home");
    let mut command = world.command(&[&["session-kind"], words].concat());
    let printed = run(command.envs(variables.iter().copied())).stdout();
    assert_eq!(world.names(""), ["home"], "nothing is written");
    assert!(world.names("home").is_empty(), "nothing is written");
    printed
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
