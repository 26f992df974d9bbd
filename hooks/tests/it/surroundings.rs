//! What surrounds a call of the built hook: files of the person, repositories, folders, input that is none.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use crate::common::{Home, OPTIONS, ask as call, create_one, decide, never_ask, question};
use plantune_domain::project::project_key;
use serde_json::{Value, json};

#[test]
fn disabled_hook_only_logs() {
    let asked = [create_one()];
    for (value, reasons) in [
        ("1", vec!["disabled".into()]),
        ("true", vec!["disabled".into()]),
        ("00", vec!["disabled".into()]),
        ("0", Vec::<String>::new()),
        ("", Vec::new()),
    ] {
        let home = Home::new().with("PLANTUNE_DISABLE", value);
        home.never_ask(&asked);
        let (printed, asked_because) = decide(&home, &asked);
        assert_eq!(asked_because, reasons, "{value:?}");
        assert_eq!(printed.is_null(), !reasons.is_empty(), "{value:?}");
    }
    let home = Home::new();
    home.never_ask(&asked);
    fs::write(home.paths().config_file(), "enabled = false\n").unwrap();
    assert_eq!(
        decide(&home, &asked),
        (Value::Null, vec!["disabled".into()])
    );
    fs::write(home.paths().config_file(), "enabled = maybe\n").unwrap();
    assert_eq!(
        decide(&home, &asked),
        (Value::Null, vec!["disabled".into()])
    );
    assert!(
        home.events()
            .iter()
            .any(|event| event["kind"] == "hook_error")
    );
}

#[test]
fn invalid_or_writable_preferences_are_ignored() {
    let home = Home::new();
    let asked = [create_one()];
    home.never_ask(&asked);
    let path = home.paths().global_preferences();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).unwrap();
    assert_eq!(
        decide(&home, &asked),
        (Value::Null, vec!["ambiguous".into()])
    );
    fs::write(
        &path,
        "{\"version\":1,\"preferences\":{\"k\":{\"preference\":\"never-ask\"}",
    )
    .unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    assert_eq!(
        decide(&home, &asked),
        (Value::Null, vec!["ambiguous".into()])
    );
    assert_eq!(
        home.events()
            .iter()
            .filter(|event| event["kind"] == "hook_error")
            .count(),
        2
    );
}

#[test]
fn invalid_registry_still_logs_and_asks() {
    let home = Home::new();
    let asked = [create_one()];
    home.never_ask(&asked);
    fs::write(home.paths().registry_file(), "[[question]\n").unwrap();
    assert_eq!(
        decide(&home, &asked),
        (Value::Null, vec!["ambiguous".into()])
    );
    assert!(
        home.events()
            .iter()
            .any(|event| event["kind"] == "hook_error")
    );
}

#[test]
fn linked_worktree_uses_its_repositorys_preferences() {
    let home = Home::new();
    let git = |folder: &Path, words: &[&str]| {
        let done = Command::new("git")
            .current_dir(folder)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("HOME", home.path())
            .args([
                "-c",
                "user.name=t",
                "-c",
                "user.email=t@example.org",
                "-c",
                "protocol.file.allow=always",
            ])
            .args(words)
            .output()
            .unwrap();
        assert!(
            done.status.success(),
            "git {words:?}: {}",
            String::from_utf8_lossy(&done.stderr)
        );
    };
    let repository = home.path().join("shop");
    fs::create_dir_all(repository.join("src/deep")).unwrap();
    git(&repository, &["init", "-q"]);
    git(&repository, &["commit", "-q", "--allow-empty", "-m", "one"]);
    let without_remote = project_key(&repository);
    assert_eq!(
        without_remote,
        fs::canonicalize(&repository).unwrap().to_str().unwrap()
    );
    let linked = home.path().join("elsewhere/linked");
    git(
        &repository,
        &["worktree", "add", "-q", linked.to_str().unwrap()],
    );
    fs::create_dir_all(linked.join("sub")).unwrap();
    assert_eq!(project_key(&linked.join("sub")), without_remote);
    assert_eq!(project_key(&repository.join("src/deep")), without_remote);

    git(
        &repository,
        &["remote", "add", "origin", "git@github.com:dev/shop.git"],
    );
    for folder in [
        &repository,
        &repository.join("src/deep"),
        &linked,
        &linked.join("sub"),
    ] {
        assert_eq!(project_key(folder), "github.com/dev/shop");
    }
    // A submodule is a repository of its own.
    let library = home.path().join("library");
    fs::create_dir_all(&library).unwrap();
    git(&library, &["init", "-q"]);
    git(&library, &["commit", "-q", "--allow-empty", "-m", "one"]);
    git(
        &repository,
        &[
            "submodule",
            "-q",
            "add",
            library.to_str().unwrap(),
            "vendor/library",
        ],
    );
    let inside = repository.join("vendor/library");
    assert_eq!(
        project_key(&inside),
        fs::canonicalize(&inside).unwrap().to_str().unwrap()
    );
    git(
        &inside,
        &[
            "remote",
            "set-url",
            "origin",
            "https://github.com/dev/library",
        ],
    );
    assert_eq!(project_key(&inside), "github.com/dev/library");

    let questions = [create_one()];
    home.prefer(
        Some("github.com/dev/shop"),
        &json!({"k": never_ask(&questions[0])}),
    );
    let printed = home.call(&call("toolu_1", &linked.join("sub"), &questions));
    assert!(printed.contains("\"allow\""), "{printed}");
    assert_eq!(home.question_events()[0]["project"], "github.com/dev/shop");
    assert_eq!(home.question_events()[0]["preference_scope"], "project");
}

#[test]
fn invalid_input_exits_zero_and_prints_nothing() {
    let home = Home::new();
    let deep = "[".repeat(100_000);
    let inputs: [&[u8]; 12] = [
        b"",
        b"{",
        b"null",
        b"[]",
        b"\xff\xfe\0\0",
        deep.as_bytes(),
        br#"{"hook_event_name":7,"session_id":[],"tool_name":{}}"#,
        br#"{"hook_event_name":"PreToolUse","tool_name":"AskUserQuestion"}"#,
        br#"{"hook_event_name":"PreToolUse","tool_name":"AskUserQuestion","tool_input":{"questions":7}}"#,
        br#"{"hook_event_name":"PostToolUse","tool_name":"AskUserQuestion","tool_input":{"questions":[{}]},"tool_response":[[]]}"#,
        br#"{"hook_event_name":"Stop","stop_hook_active":true}"#,
        br#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"AskUserQuestion"}}"#,
    ];
    for input in inputs {
        assert_eq!(
            home.run(input),
            "",
            "{}",
            String::from_utf8_lossy(&input[..input.len().min(80)])
        );
    }
}

#[test]
fn unwritable_home_still_asks() {
    let home = Home::new();
    fs::write(home.plantune(), "a file where the folder should be").unwrap();
    let printed = home.call(&call(
        "toolu_1",
        home.path(),
        &[question("k", "Create one?", OPTIONS)],
    ));
    assert_eq!(printed, "");
}

#[test]
fn files_are_private() {
    let home = Home::new();
    home.call(&call(
        "toolu_1",
        home.path(),
        &[question("k", "Create one?", OPTIONS)],
    ));
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&home.paths().events()), 0o700);
    assert_eq!(mode(&home.paths().events().join("2026-11-20.jsonl")), 0o600);
}

#[test]
fn unpaired_surrogate_is_logged_but_not_decided() {
    let home = Home::new();
    let half = [question("k", "Create one HALF?", OPTIONS)];
    home.never_ask(&[question("k", "Create one \u{fffd}?", OPTIONS)]);
    let call = call("toolu_1", home.path(), &half);
    let cut = call.to_string().replace("HALF", "\\ud83d");
    assert_eq!(home.run(cut.as_bytes()), "");
    assert_eq!(home.question_events()[0]["ask_reason"], "ambiguous");
}
