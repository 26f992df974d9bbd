//! What `doctor` reports on hooks, their registration and Claude Code.

use std::fs;

use super::home::{empty, installed, made_up_programs};

#[test]
fn hooks_that_do_not_work() {
    for (name, check, words) in [
        ("loud", "hook_alive", "prints something"),
        ("failing", "hook_alive", "ends with exit status: 7"),
        ("mute", "hook_decides", "does not answer"),
    ] {
        let world = empty();
        let hook = made_up_programs().join(name).join("plantune-hook");
        let path = hook.to_str().unwrap();
        world.done(&["install", "--yes", "--hook-path", path]);
        let found = world.findings(check);
        let failed: Vec<_> = found.iter().filter(|found| found.0 == "failed").collect();
        assert_eq!(failed.len(), 1, "{found:?}");
        assert!(failed[0].1.contains(words) && failed[0].2.contains("plantune doctor --fix"));
        // The one beside plantune still works, and is measured.
        assert!(world.finding("latency").1.contains("times as long"));
    }
}

#[test]
fn a_foreign_repository_starts_nothing() {
    let world = empty();
    let hook = made_up_programs().join("tale/plantune-hook");
    let path = hook.to_str().unwrap();
    let words = [
        "install",
        "--yes",
        "--scope",
        "project",
        "--hook-path",
        path,
    ];
    world.done(&words);
    let found = world.findings("hook_binary");
    assert!(
        found
            .iter()
            .any(|found| found.1.contains("it is not tried")),
        "{found:?}"
    );
    assert!(!hook.with_file_name("plantune-hook.started").exists());
}

#[test]
fn registrations_that_do_not_work() {
    let world = empty();
    let lost = world.path("bin/plantune-hook");
    world.put_program(&lost, "#!/bin/sh\n");
    let path = lost.to_str().unwrap();
    world.done(&["install", "--yes", "--hook-path", path]);
    fs::remove_file(&lost).unwrap();
    let (status, message, remedy) = world.finding("registration");
    assert_eq!(
        (status.as_str(), remedy.as_str()),
        ("failed", "run `plantune install`")
    );
    assert!(message.ends_with("where there is no program"), "{message}");

    world.done(&["install", "--yes"]);
    assert_eq!(world.finding("registration").0, "ok");
    world.done(&["install", "--yes", "--scope", "local"]);
    let (status, message, remedy) = world.finding("registration");
    assert_eq!(
        (status.as_str(), remedy.as_str()),
        ("warning", "run `plantune uninstall --scope local`")
    );
    assert!(message.contains("runs twice"), "{message}");

    world.put("home/.claude/settings.json", "{\"hooks\": ");
    let (status, message, remedy) = world.finding("settings");
    assert_eq!(status, "failed");
    assert!(message.contains("settings.json: line 1"), "{message}");
    assert!(!remedy.is_empty());
}

#[test]
fn other_hooks_are_named() {
    let world = installed();
    let theirs = r#"{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"theirs \u001b[31m--all\u202e"}]}]}}"#;
    world.put("home/code/.claude/settings.json", theirs);
    let (status, message, remedy) = world.finding("other_hooks");
    assert_eq!(status, "warning");
    assert!(message.starts_with("`theirs --all` in "), "{message:?}");
    assert!(
        message.ends_with("is called for every tool too"),
        "{message:?}"
    );
    assert!(remedy.contains("the last to finish wins"));
}

#[test]
fn claude_code_is_old_or_missing() {
    let world = empty().with("PATH", made_up_programs().join("old"));
    let (status, message, remedy) = world.finding("claude_code");
    assert_eq!(
        (status.as_str(), remedy.as_str()),
        ("failed", "run `claude update`")
    );
    assert!(message.contains("2.1.84"));
    let world = world.with("PATH", "/nowhere");
    assert_eq!(world.finding("claude_code").0, "note");
}
