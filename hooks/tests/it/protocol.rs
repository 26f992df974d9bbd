//! The captured scenarios, replayed through the built hook.

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use plantune_domain::project::project_key;
use serde_json::{Value, json};

use crate::common::{
    HOOK, Home, OPTIONS, after, alone, ask, create_one, decide, json_of, lines_of, never_ask,
    pinned, question, scenario, stop, with_text,
};

fn scenario_lines(name: &str) -> Vec<String> {
    lines_of("2.1.197", name)
}

/// The events of each scenario: for every question their kinds, in order.
const EXPECTED: [(&str, &[&str]); 14] = [
    ("auto-answered-allow-updated-input", &["asked", "answered"]),
    ("auto-decided-deny", &["asked"]),
    ("mcp-answered", &["asked", "answered"]),
    ("mcp-is-error-result", &["asked", "failed"]),
    ("mcp-json-rpc-error", &["asked", "failed"]),
    ("mcp-missing-result-sentinel-as-text", &["asked", "failed"]),
    ("mcp-server-crash", &["asked", "failed"]),
    ("native-answered", &["asked", "answered"]),
    ("native-chat-about-this", &["asked", "asked"]),
    ("native-declined-with-escape", &["asked"]),
    ("native-notes-only", &["asked", "answered"]),
    ("native-option-with-preview", &["asked", "answered"]),
    (
        "native-two-questions-free-text-and-multiselect",
        &["asked", "asked", "answered", "answered"],
    ),
    ("sdk-answered", &["asked", "answered"]),
];

#[test]
fn captured_scenarios_give_expected_events() {
    for (name, kinds) in EXPECTED {
        let home = Home::new();
        let mut printed_calls = 0;
        for call in scenario_lines(name) {
            let printed = home.run(call.as_bytes());
            assert!(!printed.contains("permissionDecision"), "{name}: {printed}");
            printed_calls += usize::from(!printed.is_empty());
        }
        // Without a preference only failures print something.
        let failures = kinds.iter().filter(|kind| **kind == "failed").count();
        assert_eq!(printed_calls, failures, "{name}");
        let events = home.events();
        let found: Vec<&str> = home
            .question_events()
            .iter()
            .map(|event| event["kind"].as_str().unwrap().to_owned())
            .map(|kind| {
                *kinds
                    .iter()
                    .find(|known| **known == kind)
                    .unwrap_or(&"other")
            })
            .collect();
        assert_eq!(found, kinds, "{name}");
        assert_eq!(events.first().unwrap()["kind"], "session_started", "{name}");
        assert_eq!(events.last().unwrap()["kind"], "session_ended", "{name}");
        assert!(
            events
                .iter()
                .all(|event| event["v"] == 1 && event["source"] == "hook"),
            "{name}"
        );
        assert!(
            events.iter().all(|event| event["kind"] != "hook_error"),
            "{name}"
        );
    }
}

fn last_event(name: &str) -> Value {
    let home = Home::new();
    scenario_lines(name)
        .iter()
        .for_each(|call| drop(home.run(call.as_bytes())));
    home.question_events().pop().unwrap()
}

#[test]
fn answers_are_read_as_given() {
    let event = last_event("native-two-questions-free-text-and-multiselect");
    assert_eq!(event["answer"], json!(["Lint", "Tests, unit"]));
    assert_eq!(event["question_index"], 1);
    assert_eq!(event["followed_recommendation"], Value::Null);
    let event = last_event("native-notes-only");
    assert_eq!(
        (&event["answer"], &event["notes"]),
        (&json!([]), &json!("because cards"))
    );
    assert_eq!(event["followed_recommendation"], Value::Null);
    let event = last_event("native-option-with-preview");
    assert_eq!(event["answer"], json!(["Grid (Recommended)"]));
    assert_eq!(event["followed_recommendation"], true);
    let event = last_event("mcp-answered");
    assert_eq!(event["answer"], json!(["Skip"]));
    assert_eq!(event["followed_recommendation"], false);
    assert_eq!(event["question"], "No TODOS.md found. Create one?");
    assert_eq!(event["was_auto_decided"], false);
}

#[test]
fn failures_are_distinguished() {
    let kind = |name: &str| last_event(name)["error_kind"].clone();
    assert_eq!(kind("mcp-is-error-result"), "missing_result");
    assert_eq!(
        kind("mcp-missing-result-sentinel-as-text"),
        "missing_result"
    );
    assert_eq!(kind("mcp-json-rpc-error"), "mcp_error");
    assert_eq!(kind("mcp-server-crash"), "connection_closed");
}

#[test]
fn hook_registered_twice_gives_equal_ids() {
    let home = Home::new();
    for call in scenario_lines("native-answered") {
        home.run(call.as_bytes());
        home.run(call.as_bytes());
    }
    let ids: Vec<String> = home
        .question_events()
        .iter()
        .map(|event| event["id"].to_string())
        .collect();
    assert_eq!(ids.len(), 4);
    assert_eq!((&ids[0], &ids[2]), (&ids[1], &ids[3]));
    assert_ne!(ids[0], ids[2]);
}

#[test]
fn preference_answers_with_the_whole_input() {
    let home = Home::new();
    let calls = scenario_lines("auto-answered-allow-updated-input");
    let pre = calls
        .iter()
        .find(|call| call.contains("\"PreToolUse\""))
        .unwrap();
    let sent: Value = serde_json::from_str(pre).unwrap();
    let skip = pinned(&sent["tool_input"]["questions"][0], "Skip");
    home.prefer(None, &json!({"ship-todos-create": skip}));
    let decision: Value = serde_json::from_str(&home.run(pre.as_bytes())).unwrap();
    let output = &decision["hookSpecificOutput"];
    assert_eq!(output["permissionDecision"], "allow");
    assert_eq!(
        output["updatedInput"]["questions"],
        sent["tool_input"]["questions"]
    );
    assert_eq!(
        output["updatedInput"]["answers"],
        json!({"<gstack-qid:ship-todos-create> No TODOS.md found. Create one?": "Skip"})
    );
    assert!(
        decision["systemMessage"]
            .as_str()
            .unwrap()
            .contains("plantune undo toolu_")
    );
    assert!(
        output["additionalContext"]
            .as_str()
            .unwrap()
            .contains("\"Skip\"")
    );
    assert_eq!(fs::read_dir(home.paths().sessions()).unwrap().count(), 1);

    // The answer as Claude Code gives it back.
    let mut post: Value = serde_json::from_str(
        calls
            .iter()
            .find(|call| call.contains("\"PostToolUse\""))
            .unwrap(),
    )
    .unwrap();
    post["tool_response"]["answers"] = output["updatedInput"]["answers"].clone();
    let context: Value = serde_json::from_str(&home.call(&post)).unwrap();
    assert!(context["hookSpecificOutput"]["classifierContext"].is_string());
    let events = home.question_events();
    assert_eq!(events[0]["kind"], "auto_decided");
    assert_eq!(events[0]["mechanism"], "allow");
    assert_eq!(events[0]["preference_scope"], "global");
    assert_eq!(
        (&events[1]["kind"], &events[1]["was_auto_decided"]),
        (&json!("answered"), &json!(true))
    );
    let marks = || fs::read_dir(home.paths().sessions()).unwrap().count();
    assert_eq!(marks(), 1);
    let end = calls.iter().find(|call| call.contains("\"SessionEnd\""));
    assert_eq!(home.run(end.unwrap().as_bytes()), "");
    assert_eq!(marks(), 0, "the mark goes with its session");
}

#[test]
fn mcp_question_is_answered_by_deny() {
    let home = Home::new();
    let calls = scenario_lines("mcp-answered");
    let pre = calls
        .iter()
        .find(|call| call.contains("\"PreToolUse\""))
        .unwrap();
    let sent: Value = serde_json::from_str(pre).unwrap();
    let never = never_ask(&sent["tool_input"]["questions"][0]);
    home.prefer(None, &json!({"ship-todos-create": never}));
    let decision: Value = serde_json::from_str(&home.run(pre.as_bytes())).unwrap();
    let output = &decision["hookSpecificOutput"];
    assert_eq!(output["permissionDecision"], "deny");
    let reason = output["permissionDecisionReason"].as_str().unwrap();
    assert!(
        reason.starts_with("[plan-tune auto-decide] ship-todos-create → Create it (recommended)"),
        "{reason}"
    );
    assert_eq!(output["updatedInput"], Value::Null);
    assert_eq!(home.question_events()[0]["mechanism"], "deny");
}

/// The event of what came back for a question of this `text`, as `answer` with `notes`.
fn answered(text: &str, answer: &str, notes: &str) -> Value {
    let home = Home::new();
    let call = ask("t", home.path(), &[with_text(text, &["Later", "Skip"])]);
    home.call(&call);
    let response = json!({"answers": {text: answer}, "annotations": {text: {"notes": notes}}});
    home.call(&after(call, response));
    let log = home.events().remove(1);
    let files = fs::read_dir(home.paths().sessions());
    for mark in files.into_iter().flatten().flatten() {
        assert!(!format!("{mark:?}").contains("Horse"));
    }
    log
}

#[test]
fn blank_answers_are_none() {
    for blank in ["", "  \n", "\u{200b}\t"] {
        let event = answered("Which port?", blank, "");
        assert_eq!(event["kind"], "dismissed", "{blank:?}");
        assert_eq!(event["reason"], "no_answer", "{blank:?}");
    }
    let noted = answered("Which port?", " ", "8080");
    assert_eq!(
        (&noted["kind"], &noted["notes"], &noted["free_text"]),
        (&json!("answered"), &json!("8080"), &Value::Null)
    );
}

#[test]
fn what_is_typed_where_a_secret_is_asked_for_is_masked_whole() {
    for text in [
        "Type the password for the admin user",
        "Which DB password should I put in .env?",
        "Tapez votre mot de passe dans le champ 'Autre' ci-dessous",
        "Введите пароль",
        "パスワードは？",
    ] {
        let event = answered(text, "Blue-Horse77!", "my Horse");
        assert_eq!(event["free_text"], "MASKED", "{text}");
        assert_eq!(event["notes"], "MASKED", "{text}");
        assert!(!event.to_string().contains("Horse"), "{event}");
    }
    let event = answered("Which animal?", "Blue-Horse77!", "");
    assert_eq!(event["free_text"], "Blue-Horse77!");
    let event = answered("Type the password in Other", "Later", "");
    assert_eq!(event["answer"], json!(["Later"]));
}

// What surrounds a call of the built hook: files of the person, repositories, folders, input that is none.

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
    let printed = home.call(&ask("toolu_1", &linked.join("sub"), &questions));
    assert!(printed.contains("\"allow\""), "{printed}");
    assert_eq!(home.question_events()[0]["project"], "github.com/dev/shop");
    assert_eq!(home.question_events()[0]["preference_scope"], "project");
}

/// Some callers begin with the mark of a byte order.
#[test]
fn a_byte_order_mark_before_a_call_is_passed_over() {
    let home = Home::new();
    let calls = scenario_lines("auto-answered-allow-updated-input");
    let pre = calls.iter().find(|call| call.contains("\"PreToolUse\""));
    let sent: Value = serde_json::from_str(pre.unwrap()).unwrap();
    let skip = pinned(&sent["tool_input"]["questions"][0], "Skip");
    home.prefer(None, &json!({"ship-todos-create": skip}));
    let marked = format!("\u{feff}{}", pre.unwrap());
    let decision: Value = serde_json::from_str(&home.run(marked.as_bytes())).unwrap();
    assert_eq!(
        decision["hookSpecificOutput"]["permissionDecision"],
        "allow"
    );
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
    let printed = home.call(&ask(
        "toolu_1",
        home.path(),
        &[question("k", "Create one?", OPTIONS)],
    ));
    assert_eq!(printed, "");
}

#[test]
fn files_are_private() {
    let home = Home::new();
    home.call(&ask(
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
    let call = ask("toolu_1", home.path(), &half);
    let cut = call.to_string().replace("HALF", "\\ud83d");
    assert_eq!(home.run(cut.as_bytes()), "");
    assert_eq!(home.question_events()[0]["ask_reason"], "ambiguous");
}

// The session kind, on every event that the built hook logs.

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

// What the caller's streams may be: slow, full, closed, or of a length that is forbidden.

fn home() -> Home {
    let home = Home::new();
    home.never_ask(&[create_one()]);
    home
}

fn call(home: &Home) -> Value {
    ask("toolu_1", home.path(), &[create_one()])
}

/// Starts the hook by `script`, which a shell runs with its path as `$0`.
fn start(home: &Home, script: &str) -> Child {
    alone("/bin/sh")
        .args(["-c", script, HOOK])
        .env("PLANTUNE_HOME", home.plantune())
        .spawn()
        .unwrap()
}

fn send(home: &Home, hook: &mut Child) {
    let text = call(home).to_string();
    hook.stdin
        .take()
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
}

fn assert_silent(hook: Child) {
    let output = hook.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(
        output.stdout.is_empty() && output.stderr.is_empty(),
        "{output:?}"
    );
}

fn kinds(home: &Home) -> Vec<(Value, Value)> {
    let events = home.question_events();
    let kind = |event: &Value| (event["kind"].clone(), event["reason"].clone());
    events.iter().map(kind).collect()
}

#[test]
fn unprinted_answers_are_withdrawn() {
    let closed_reader = "sleep 0.2; exec \"$0\"";
    for script in ["exec \"$0\" > /dev/full", "exec \"$0\" >&-", closed_reader] {
        let home = home();
        let mut hook = start(&home, script);
        if script == closed_reader {
            drop(hook.stdout.take());
        }
        send(&home, &mut hook);
        assert_silent(hook);
        let asked = (json!("asked"), json!("not_printed"));
        let decided = (json!("auto_decided"), Value::Null);
        assert_eq!(kinds(&home), [decided, asked], "{script}");
        assert_eq!(home.question_events()[1]["ask_reason"], "ambiguous");
        // What the person answers is theirs, and nothing was answered for them.
        let text = "<plantune:k> Create one?";
        let response = json!({"answers": {text: "Create it (Recommended)"}});
        assert_eq!(home.call(&after(call(&home), response)), "");
        let last = home.question_events().pop().unwrap();
        assert_eq!(
            (&last["kind"], &last["was_auto_decided"]),
            (&json!("answered"), &json!(false))
        );
        assert_eq!(home.call(&stop()), "", "{script}");
    }
}

#[test]
fn a_dialog_that_opens_for_an_answered_question_is_the_persons() {
    let home = home();
    assert!(home.call(&call(&home)).contains("\"allow\""));
    let mut dialog = call(&home);
    dialog["hook_event_name"] = json!("PermissionRequest");
    dialog.as_object_mut().unwrap().remove("tool_use_id");
    // Another question's dialog says nothing about this one.
    let mut other = dialog.clone();
    other["tool_input"]["questions"][0]["question"] = json!("Delete all?");
    assert_eq!(home.call(&other), "");
    assert_eq!(kinds(&home).len(), 1);
    assert_eq!(home.call(&dialog), "");
    assert_eq!(kinds(&home)[1], (json!("asked"), json!("not_printed")));
    let text = "<plantune:k> Create one?";
    let answer = json!({"answers": {text: "Create it (Recommended)"}});
    assert_eq!(home.call(&after(call(&home), answer)), "");
    let last = home.question_events().pop().unwrap();
    assert_eq!(
        (&last["kind"], &last["was_auto_decided"]),
        (&json!("answered"), &json!(false))
    );
    assert_eq!(home.call(&stop()), "");
    // The same question once more, which is asked: its dialog withdraws nothing.
    let count = kinds(&home).len();
    home.call(&dialog);
    assert_eq!(kinds(&home).len(), count);
}

#[test]
fn an_answer_that_another_hook_dropped_is_withdrawn() {
    let home = home();
    assert!(home.call(&call(&home)).contains("\"allow\""));
    assert_eq!(home.call(&after(call(&home), json!({"answers": {}}))), "");
    assert_eq!(
        kinds(&home),
        [
            (json!("auto_decided"), Value::Null),
            (json!("asked"), json!("not_printed")),
            (json!("dismissed"), json!("no_answer"))
        ]
    );
    // The summary at the end of the turn does not name it.
    assert_eq!(home.call(&stop()), "");
}

#[test]
fn printed_answers_stay() {
    let home = home();
    let mut hook = start(&home, "exec \"$0\"");
    send(&home, &mut hook);
    let mut printed = String::new();
    hook.stdout
        .take()
        .unwrap()
        .read_to_string(&mut printed)
        .unwrap();
    assert!(printed.contains("\"allow\"") && hook.wait().unwrap().success());
    assert_eq!(kinds(&home), [(json!("auto_decided"), Value::Null)]);
}

#[test]
fn files_that_may_not_grow_end_in_silence() {
    let home = home();
    let mut hook = start(&home, "ulimit -f 0; exec \"$0\"");
    send(&home, &mut hook);
    assert_silent(hook);
}

#[test]
fn closed_streams_do_no_harm() {
    let home = home();
    assert_silent(start(&home, "exec \"$0\" <&- >&- 2>&-"));
    let mut hook = start(&home, "exec \"$0\" >&- 2>&-");
    send(&home, &mut hook);
    assert_silent(hook);
    assert_eq!(kinds(&home).len(), 2, "every line of the log is an event");
}

#[test]
fn input_that_is_not_wanted_is_read_to_its_end() {
    let home = home();
    let mut hook = start(&home, "PLANTUNE_HOME=relative exec \"$0\"");
    // More than a pipe holds.
    let input = vec![b' '; 1024 * 1024];
    hook.stdin.take().unwrap().write_all(&input).unwrap();
    assert_silent(hook);
}

#[test]
fn input_without_end_is_not_waited_for() {
    let home = home();
    let start_of_wait = Instant::now();
    // Both wait at the same time.
    let hooks = [false, true].map(|sent| {
        let mut hook = start(&home, "exec \"$0\"");
        let mut stdin = hook.stdin.take().unwrap();
        if sent {
            stdin.write_all(call(&home).to_string().as_bytes()).unwrap();
        }
        (hook, stdin)
    });
    for (hook, stdin) in hooks {
        assert_silent(hook);
        let waited = start_of_wait.elapsed();
        assert!(waited >= Duration::from_secs(2), "{waited:?}");
        drop(stdin);
    }
    let errors = home.events();
    assert!(
        errors.iter().all(|event| event["kind"] == "hook_error"),
        "{errors:?}"
    );
    assert_eq!(errors.len(), 2);
    let error = errors[0]["error"].as_str().unwrap();
    assert!(error.starts_with("standard input: "), "{error}");
}

#[test]
fn clock_before_1970_is_logged() {
    let home = home().with("PLANTUNE_NOW", "1969-12-31T23:59:58Z");
    assert!(home.call(&call(&home)).contains("\"allow\""));
    assert_eq!(home.events()[0]["ts"], "1969-12-31T23:59:58.000Z");
    assert!(home.paths().events().join("1969-12-31.jsonl").exists());
}

// What happens when a question fails, and that nothing else counts as a failure.

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
        let theirs = fs::read_to_string(log).unwrap();
        assert_eq!(theirs.lines().count(), calls.len());
    }
}

// The hook runs while a person waits, so it waits for nothing itself: on a full disk, too, it tries
// once and goes on. The one exception is a reviewer, which the person switched on: it is waited for in one
// file, with a limit (`tests/it/fallback.rs`).

/// The calls by which a program waits or tries again.
const WAITING: [&str; 8] = [
    "sleep(",
    "park_timeout",
    "recv_timeout",
    "wait_timeout",
    ".wait(",
    ".join()",
    "Command::new",
    ".lock_exclusive(",
];

/// Where the reviewer is run.
const REVIEWER: &str = "src/reviewer.rs";

#[test]
fn nothing_in_the_hook_waits_or_starts_a_program() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join("src"), root.join("domain/src")];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            files += 1;
            if path.ends_with(REVIEWER) {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            // Tests stand at the end of their file, and are no part of the hook.
            let hook = text.split("#[cfg(test)]").next().unwrap_or_default();
            for line in hook.lines() {
                let code = line.split("//").next().unwrap_or_default();
                let waits = WAITING.iter().find(|word| code.contains(**word));
                assert_eq!(waits, None, "{}: {line}", path.display());
            }
        }
    }
    assert!(files > 20, "{files}");
}

// The tests that `docs/development/hooks.md` and CONTRIBUTING.md name are there.

#[test]
fn every_test_named_in_the_documents_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let pages = ["docs/development/hooks.md", "CONTRIBUTING.md"]
        .map(|page| fs::read_to_string(root.join(page)).unwrap());
    let page = pages.join("\n");
    let mut named = 0;
    for name in page.split('`').skip(1).step_by(2) {
        let Some((file, test)) = name.split_once("::") else {
            continue;
        };
        if file == "file" || test.contains(|c: char| c != '_' && !c.is_alphanumeric()) {
            continue;
        }
        let path = match file.contains('/') || file == "tests" {
            true => root.join(file),
            false => root.join("hooks/tests/it").join(file),
        };
        let text = text_of(&path);
        assert!(text.contains(&format!("fn {test}()")), "{name}");
        named += 1;
    }
    assert!(named > 40, "{named}");
}

/// The test file `path` (without its ending), or all files of the folder of that name.
fn text_of(path: &Path) -> String {
    let files = match fs::read_dir(path) {
        Ok(entries) => entries.map(|entry| entry.unwrap().path()).collect(),
        Err(_) => vec![path.with_extension("rs")],
    };
    let read = |file: &PathBuf| {
        fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
    };
    files.iter().map(read).collect()
}
