//! When the built hook answers, and when it asks and why.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use common::Home;
use plantune_domain::project::project_key;
use serde_json::{Value, json};

fn question(key: &str, text: &str, options: &[&str]) -> Value {
    let options: Vec<Value> = options
        .iter()
        .map(|label| json!({"label": label, "description": ""}))
        .collect();
    json!({
        "question": format!("<plantune:{key}> {text}"),
        "header": "Header",
        "options": options,
        "multiSelect": false
    })
}

fn call(id: &str, cwd: &Path, questions: &[Value]) -> Value {
    json!({
        "session_id": "s", "cwd": cwd, "hook_event_name": "PreToolUse",
        "tool_name": "AskUserQuestion", "tool_input": {"questions": questions}, "tool_use_id": id
    })
}

/// The decision (null for none) and why each question was asked.
fn decide(home: &Home, questions: &[Value]) -> (Value, Vec<String>) {
    let before = home.events().len();
    let printed = home.call(&call(&format!("toolu_{before}"), home.path(), questions));
    let decision = if printed.is_empty() {
        Value::Null
    } else {
        serde_json::from_str(&printed).unwrap()
    };
    let reasons = home.events().split_off(before);
    (
        decision,
        reasons
            .iter()
            .filter_map(|event| Some(event["ask_reason"].as_str()?.to_owned()))
            .collect(),
    )
}

const OPTIONS: &[&str] = &["Create it (Recommended)", "Skip"];

#[test]
fn every_ask_reason_is_logged() {
    let home = Home::new();
    home.prefer(
        None,
        &json!({
            "never": {"preference": "never-ask"},
            "always": {"preference": "always-ask"},
            "pinned": {"preference": "never-ask", "answer": "skip (recommended)"},
            "gone": {"preference": "never-ask", "answer": "Archive"},
            "only": {"preference": "ask-only-for-one-way"},
            "part-split-2": {"preference": "never-ask"},
            "drop": {"preference": "never-ask", "answer": "Drop them"},
        }),
    );
    let one =
        |key: &str, text: &str, options: &[&str]| decide(&home, &[question(key, text, options)]);
    let asked = |key: &str, text: &str, options: &[&str]| {
        let (decision, reasons) = one(key, text, options);
        assert_eq!(decision, Value::Null, "{key}: {text}");
        reasons.join(",")
    };
    assert_eq!(asked("unknown", "Create one?", OPTIONS), "no_preference");
    assert_eq!(asked("always", "Create one?", OPTIONS), "always_ask");
    assert_eq!(
        asked(
            "never",
            "Delete the old tables?",
            &["Yes (Recommended)", "No"]
        ),
        "one_way"
    );
    assert_eq!(
        asked(
            "only",
            "Force push the branch?",
            &["Yes (Recommended)", "No"]
        ),
        "one_way"
    );
    assert_eq!(
        asked(
            "drop",
            "What about the old tables?",
            &["Drop them", "Keep them"]
        ),
        "one_way"
    );
    assert_eq!(
        asked("never", "Create one?", &["Create it", "Skip"]),
        "ambiguous"
    );
    assert_eq!(
        asked(
            "never",
            "Create one?",
            &["A (Recommended)", "B (recommended)"]
        ),
        "ambiguous"
    );
    assert_eq!(asked("gone", "Create one?", OPTIONS), "ambiguous");
    assert_eq!(asked("part-split-2", "Create one?", OPTIONS), "split");
    let label = |decision: &Value| {
        decision["hookSpecificOutput"]["updatedInput"]["answers"]
            .as_object()
            .unwrap()
            .values()
            .next()
            .unwrap()
            .clone()
    };
    assert_eq!(
        label(&one("never", "Create one?", OPTIONS).0),
        "Create it (Recommended)"
    );
    assert_eq!(
        label(&one("only", "Create one?", OPTIONS).0),
        "Create it (Recommended)"
    );
    assert_eq!(label(&one("pinned", "Create one?", OPTIONS).0), "Skip");
}

#[test]
fn call_is_decided_completely_or_not_at_all() {
    let home = Home::new();
    home.prefer(
        None,
        &json!({"a": {"preference": "never-ask"}, "b": {"preference": "never-ask"}}),
    );
    let (a, b, c) = (
        question("a", "A?", OPTIONS),
        question("b", "B?", OPTIONS),
        question("c", "C?", OPTIONS),
    );
    let (decision, reasons) = decide(&home, &[a.clone(), c]);
    assert_eq!(
        (decision, reasons),
        (
            Value::Null,
            vec!["partial_call".into(), "no_preference".into()]
        )
    );
    let (decision, _) = decide(&home, &[a.clone(), b]);
    assert_eq!(
        decision["hookSpecificOutput"]["updatedInput"]["answers"]
            .as_object()
            .unwrap()
            .len(),
        2
    );
    // Answers are keyed by text: the same text twice cannot be answered.
    let (decision, reasons) = decide(&home, &[a.clone(), a]);
    assert_eq!((decision, reasons.len()), (Value::Null, 2));
}

#[test]
fn preferences_that_disagree_are_not_obeyed() {
    let home = Home::new();
    let project = project_key(home.path());
    home.prefer(
        None,
        &json!({"k": {"preference": "never-ask", "answer": "Skip"}}),
    );
    home.prefer(Some(&project), &json!({"k": {"preference": "never-ask"}}));
    let asked = [question("k", "Create one?", OPTIONS)];
    assert_eq!(
        decide(&home, &asked),
        (Value::Null, vec!["ambiguous".into()])
    );
    home.prefer(
        Some(&project),
        &json!({"k": {"preference": "never-ask", "answer": "Skip"}}),
    );
    assert_ne!(decide(&home, &asked).0, Value::Null);
    home.prefer(Some(&project), &json!({"k": {"preference": "always-ask"}}));
    assert_eq!(
        decide(&home, &asked),
        (Value::Null, vec!["always_ask".into()])
    );
}

#[test]
fn disabled_hook_only_logs() {
    let preference = json!({"k": {"preference": "never-ask"}});
    let asked = [question("k", "Create one?", OPTIONS)];
    let home = Home::new().with("PLANTUNE_DISABLE", "1");
    home.prefer(None, &preference);
    assert_eq!(
        decide(&home, &asked),
        (Value::Null, vec!["disabled".into()])
    );
    let home = Home::new();
    home.prefer(None, &preference);
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
    let asked = [question("k", "Create one?", OPTIONS)];
    home.prefer(None, &json!({"k": {"preference": "never-ask"}}));
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
    home.prefer(None, &json!({"k": {"preference": "never-ask"}}));
    fs::write(home.paths().registry_file(), "[[question]\n").unwrap();
    let asked = [question("k", "Create one?", OPTIONS)];
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
fn repository_cannot_set_preferences() {
    let home = Home::new();
    for folder in ["", ".plantune", ".claude", ".config/plantune"] {
        let folder = home.path().join(folder);
        fs::create_dir_all(&folder).unwrap();
        fs::write(
            folder.join("preferences.json"),
            "{\"version\":1,\"preferences\":{\"k\":{\"preference\":\"never-ask\"}}}",
        )
        .unwrap();
    }
    assert_eq!(
        decide(&home, &[question("k", "Create one?", OPTIONS)]).1,
        ["no_preference"]
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

    home.prefer(
        Some("github.com/dev/shop"),
        &json!({"k": {"preference": "never-ask"}}),
    );
    let questions = [question("k", "Create one?", OPTIONS)];
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
fn ids_from_outside_never_become_paths() {
    let home = Home::new();
    home.prefer(None, &json!({"k": {"preference": "never-ask"}}));
    for id in [
        "../../../escaped",
        "/etc/escaped",
        "a\u{0}b",
        &"x".repeat(5000),
        "",
    ] {
        let mut call = call(id, home.path(), &[question("k", "Create one?", OPTIONS)]);
        call["session_id"] = json!(id);
        home.call(&call);
    }
    let mut names = Vec::new();
    let mut waiting = vec![home.path().to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_dir() {
                waiting.push(entry.path());
            }
            names.push(entry.file_name().into_string().unwrap());
        }
    }
    assert!(
        names
            .iter()
            .all(|name| !name.contains("escaped") && !name.contains("xxx")),
        "{names:?}"
    );
    assert!(!Path::new("/etc/escaped").exists());
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
    home.prefer(None, &json!({"k": {"preference": "never-ask"}}));
    let call = call(
        "toolu_1",
        home.path(),
        &[question("k", "Create one HALF?", OPTIONS)],
    );
    let cut = call.to_string().replace("HALF", "\\ud83d");
    assert_eq!(home.run(cut.as_bytes()), "");
    assert_eq!(home.question_events()[0]["ask_reason"], "ambiguous");
}

#[test]
fn spot_check_logs_the_planned_answer() {
    let home = Home::new();
    home.configure("spot_check = 1\n");
    let (global, mine) = (
        json!({"a": {"preference": "never-ask"}}),
        json!({"b": {"preference": "ask-only-for-one-way", "answer": "skip"}}),
    );
    home.prefer(None, &global);
    home.prefer(Some(&project_key(home.path())), &mine);
    let questions = [question("a", "A?", OPTIONS), question("b", "B?", OPTIONS)];
    let (decision, reasons) = decide(&home, &questions);
    assert_eq!(
        (decision, reasons),
        (Value::Null, vec!["spot_check".to_owned(); 2])
    );
    let events: Vec<Value> = home
        .events()
        .iter()
        .map(|event| {
            json!([
                event["answer"],
                event["preference"],
                event["preference_scope"]
            ])
        })
        .collect();
    assert_eq!(
        events,
        [
            json!([["Create it (Recommended)"], "never-ask", "global"]),
            json!([["Skip"], "ask-only-for-one-way", "project"]),
        ]
    );
    // What could not have been answered is no spot check.
    assert_eq!(
        decide(&home, &[question("c", "C?", OPTIONS)]).1,
        ["no_preference"]
    );
}

#[test]
fn hook_registered_twice_decides_once() {
    let home = Home::new();
    home.configure("spot_check = 0.3\n");
    home.prefer(None, &json!({"a": {"preference": "never-ask"}}));
    let question = question("a", "A?", OPTIONS);
    let mut asked = 0;
    for number in 0..30 {
        let call = call(
            &format!("toolu_{number}"),
            home.path(),
            std::slice::from_ref(&question),
        );
        let both = [home.call(&call), home.call(&call)];
        assert_eq!(both[0], both[1]);
        asked += u32::from(both[0].is_empty());
    }
    assert!((5..=15).contains(&asked), "{asked} of 30");
}

/// A question without a marker.
fn unmarked(text: &str, options: &[&str]) -> Value {
    let mut question = question("x", "", options);
    question["question"] = json!(text);
    question
}

#[test]
fn family_is_answered_while_options_and_template_match() {
    use plantune_domain::family::{set_key, template_key};
    let owned = |texts: &[&str]| {
        texts
            .iter()
            .map(|&text| text.to_owned())
            .collect::<Vec<_>>()
    };
    let areas = ["More questions", "Next area"];
    let set = set_key(&owned(&areas));
    let yes_no = set_key(&owned(&["Yes", "No"]));
    let linter = owned(&["run", "the", "linter"]);
    let tabs = owned(&["use", "tabs", "here"]);
    let drafts = ["Format draft", "Leave draft alone"];
    let draft_set = set_key(&owned(&drafts));
    let home = Home::new();
    home.prefer(
        None,
        &json!({
            &set: {"preference": "never-ask", "answer": "Next area", "template": []},
            &template_key(&yes_no, &linter): {"preference": "never-ask", "answer": "Yes", "template": linter},
            &template_key(&yes_no, &tabs): {"preference": "never-ask", "answer": "No", "template": tabs},
            &draft_set: {"preference": "never-ask", "answer": "Format draft", "template": ["format", "the", "draft"]},
            &set_key(&owned(&["Grid view", "List view"])): {"preference": "never-ask", "answer": "Grid view"},
        }),
    );
    let one = |text: &str, options: &[&str]| {
        let (decision, reasons) = decide(&home, &[unmarked(text, options)]);
        let answers = &decision["hookSpecificOutput"]["updatedInput"]["answers"];
        match answers[text].as_str() {
            Some(label) => label.to_owned(),
            None => reasons.join(","),
        }
    };
    assert_eq!(one("Enough of login?", &areas), "Next area");
    assert_eq!(
        one(
            "What about `x`",
            &["next area (Recommended)", "More questions"]
        ),
        "next area (Recommended)"
    );
    assert_eq!(
        one("Enough?", &["More questions", "Next area", "Stop"]),
        "no_preference"
    );
    assert_eq!(one("search: run the linter now?", &["Yes", "No"]), "Yes");
    assert_eq!(one("Use tabs here, in `x`?", &["No", "Yes"]), "No");
    // Words that fit two families which say different things.
    assert_eq!(
        one("Run the linter and use tabs here?", &["Yes", "No"]),
        "ambiguous"
    );
    assert_eq!(one("Overwrite the schema?", &["Yes", "No"]), "ambiguous");
    assert_eq!(
        one("billing: shall I format the draft?", &drafts),
        "Format draft"
    );
    // Not the text that the person decided about: asked, with a reason.
    assert_eq!(
        one("billing: shall I polish the draft?", &drafts),
        "ambiguous"
    );
    assert_eq!(
        one("Delete the old tables: format the draft?", &drafts),
        "one_way"
    );
    // A preference that does not say its words holds for nothing.
    assert_eq!(
        one("Which view?", &["Grid view", "List view"]),
        "no_preference"
    );
    // A marked question has the key of its marker, whatever its options are.
    let (decision, _) = decide(&home, &[question("other", "Enough?", &areas)]);
    assert_eq!(decision, Value::Null);
    let decided = home
        .events()
        .into_iter()
        .find(|event| event["kind"] == "auto_decided")
        .unwrap();
    assert_eq!(
        (&decided["question_key"], &decided["key_source"]),
        (&json!(set), &json!("family"))
    );
}
