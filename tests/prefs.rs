//! `plantune prefs`: the built binary on files of preferences.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test may panic, its helpers too"
)]

mod store_fixture;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Stdio;

use duckdb::AccessMode;
use plantune_domain::preferences::Policy;
use serde_json::Value;
use store_fixture::{PROJECT, World, is_inert};

#[test]
fn setting_and_clearing_is_exact_and_logged() {
    let world = World::with_habits();
    let words = [
        "prefs",
        "set",
        "layout",
        "never-ask",
        "--answer",
        "grid",
        "--yes",
    ];
    let ran = world.run(&words);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let preference = world.preference("layout", false).unwrap();
    assert_eq!(preference.preference, Policy::NeverAsk);
    // As it is offered, not as it was typed.
    assert_eq!(preference.answer.as_deref(), Some("Grid"));
    assert_eq!(preference.question.as_deref(), Some("Which layout?"));
    assert_eq!(preference.set_by.as_deref(), Some("prefs"));
    let file = world.paths().project_preferences(PROJECT);
    let written = fs::read(&file).unwrap();

    let again = world.run(&words);
    assert_eq!(
        (again.code, again.stdout.as_str()),
        (0, "layout is set so already\n")
    );
    assert_eq!(fs::read(&file).unwrap(), written);

    let ran = world.run(&["prefs", "clear", "layout", "--yes"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.stdout.contains("-    \"layout\": {"), "{}", ran.stdout);
    assert_eq!(world.preference("layout", false), None);
    let reasons: Vec<Value> = world
        .events()
        .iter()
        .map(|event| event["reason"].clone())
        .collect();
    assert_eq!(reasons, ["prefs set", "prefs clear"]);

    let ran = world.run(&["prefs", "clear", "layout", "--yes"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stderr
            .contains("there is no preference for layout in project github.com/o/r")
    );
}

#[test]
fn changes_made_at_once_are_all_made() {
    let world = World::with_habits();
    let keys: Vec<String> = (0..8).map(|number| format!("key-{number}")).collect();
    let set = |key: &String| {
        let mut command = world.command(&["prefs", "set", key, "never-ask", "--force", "--yes"]);
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let started: Vec<_> = keys.iter().map(set).collect();
    for process in started {
        let output = process.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }
    for key in &keys {
        assert!(world.preference(key, false).is_some(), "{key}");
    }
}

#[test]
fn an_agent_can_neither_set_nor_clear() {
    let world = World::with_habits();
    assert_eq!(
        world
            .run(&["prefs", "set", "layout", "never-ask", "--yes"])
            .code,
        0
    );
    let file = world.paths().project_preferences(PROJECT);
    let before = fs::read(&file).unwrap();
    for words in [
        &["prefs", "set", "layout", "always-ask", "--yes"][..],
        &["prefs", "set", "many", "never-ask", "--global", "--yes"],
        &["prefs", "clear", "layout", "--yes"],
    ] {
        let ran = world.run_in_session(words);
        assert_eq!(ran.code, 4, "{ran:?}");
        assert!(
            ran.stderr.contains("run `plantune prefs "),
            "{}",
            ran.stderr
        );
    }
    assert_eq!(fs::read(&file).unwrap(), before);
    assert_eq!(
        (world.preference("many", true), world.events().len()),
        (None, 1)
    );
}

#[test]
fn what_cannot_be_taken_back_cannot_be_set() {
    let world = World::with_habits();
    world.put(
        &world.path("data/registry.toml"),
        "[[question]]\nkey = \"gate\"\ndoor = \"one-way\"\n",
    );
    for (key, policy) in [
        ("tables", "never-ask"),
        ("tables", "ask-only-for-one-way"),
        ("x-split-2", "never-ask"),
        ("gate", "never-ask"),
        ("delete-user-data", "never-ask"),
    ] {
        let ran = world.run(&["prefs", "set", key, policy, "--yes"]);
        assert_eq!(ran.code, 4, "{key}: {ran:?}");
        assert!(ran.stderr.contains("is always asked"), "{}", ran.stderr);
    }
    let pinned = [
        "prefs",
        "set",
        "new-one",
        "never-ask",
        "--answer",
        "Drop the tables",
        "--yes",
    ];
    assert_eq!(world.run(&pinned).code, 4);
    assert!(!world.path("data/projects").exists() && world.events().is_empty());
    assert_eq!(
        world
            .run(&["prefs", "set", "tables", "always-ask", "--yes"])
            .code,
        0
    );
}

#[test]
fn words_that_do_not_fit_are_named() {
    let world = World::with_habits();
    let ran = world.run(&[
        "prefs",
        "set",
        "layout",
        "never-ask",
        "--answer",
        "Tree",
        "--yes",
    ]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.contains("\"Grid (Recommended)\", \"List\""),
        "{}",
        ran.stderr
    );
    for words in [
        &["prefs", "set", "../x", "never-ask", "--yes"][..],
        &["prefs", "set", "layout", "sometimes", "--yes"],
        &[
            "prefs",
            "set",
            "layout",
            "always-ask",
            "--answer",
            "Grid",
            "--yes",
        ],
        &[
            "prefs",
            "set",
            "layout",
            "never-ask",
            "--global",
            "--project",
            "x",
            "--yes",
        ],
        &["prefs"],
    ] {
        assert_eq!(world.run(words).code, 2, "{words:?}");
    }
    let ran = world.run(&["prefs", "set", "fp-0123456789abcdef", "never-ask", "--yes"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stderr.contains("no question with this fingerprint"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_key_nobody_has_asked_yet_can_be_set_anywhere_by_force() {
    let world = World::empty();
    let words = [
        "prefs",
        "set",
        "todos",
        "ask-only-for-one-way",
        "--answer",
        "Skip",
        "--yes",
    ];
    for words in [
        [&words[..], &["--global"]].concat(),
        vec!["prefs", "set", "todos", "always-ask", "--yes"],
    ] {
        let refused = world.run(&words);
        assert_eq!(refused.code, 1);
        assert!(
            refused
                .stderr
                .contains("todos: no question, rule or preference has this key")
                && refused.stderr.contains("--force"),
            "{}",
            refused.stderr
        );
    }
    assert_eq!(world.preference("todos", true), None);
    let words = [&words[..], &["--force"]].concat();
    assert_eq!(world.run(&[&words[..], &["--global"]].concat()).code, 0);
    let preference = world.preference("todos", true).unwrap();
    assert_eq!(preference.preference, Policy::AskOnlyForOneWay);
    let elsewhere = [
        "prefs",
        "set",
        "todos",
        "never-ask",
        "--project",
        "/other",
        "--yes",
    ];
    // A preference has it by now.
    assert_eq!(world.run(&elsewhere).code, 0);
    assert!(world.paths().project_preferences("/other").exists());
    assert_eq!(world.preference("todos", false), None);
    assert_eq!(world.run(&["prefs", "clear", "todos", "--yes"]).code, 1);
    assert_eq!(
        world
            .run(&["prefs", "clear", "todos", "--global", "--yes"])
            .code,
        0
    );
    assert_eq!(world.preference("todos", true), None);
}

#[test]
fn a_corrupt_file_is_left_alone() {
    let world = World::with_habits();
    let file = world.paths().project_preferences(PROJECT);
    for text in [
        "{",
        "[]",
        r#"{"version":1,"preferences":{"a":{"preference":"always-ask"},"a":{"preference":"never-ask"}}}"#,
    ] {
        world.put(&file, text);
        for words in [
            &["prefs", "set", "layout", "never-ask", "--yes"][..],
            &["prefs", "clear", "a", "--yes"],
            &["prefs", "check"],
        ] {
            let ran = world.run(words);
            assert_eq!(ran.code, 3, "{words:?}: {ran:?}");
            assert!(ran.stderr.contains("preferences.json"), "{}", ran.stderr);
        }
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
        let ran = world.run(&["prefs", "list"]);
        assert_eq!(ran.code, 0);
        assert!(ran.stdout.contains("not obeyed:"), "{}", ran.stdout);
    }
    assert!(world.events().is_empty());
}

#[test]
fn list_needs_no_store() {
    let world = World::with_habits();
    world.put(&world.paths().store(), "no store");
    let listed = world.run(&["prefs", "list", "--all"]);
    assert_eq!((listed.code, listed.stderr.as_str()), (0, ""));
    let listed = world.run(&["prefs", "list", "--all", "--standing"]);
    assert_eq!(listed.code, 0);
    assert!(
        listed
            .stderr
            .starts_with("plantune: computing the store again from the log: it is damaged: "),
        "{}",
        listed.stderr
    );
}

#[test]
fn list_without_how_preferences_stand() {
    let world = World::with_habits();
    let store = plantune_migrations::open(&world.paths().store(), AccessMode::ReadWrite).unwrap();
    store
        .execute_batch("INSERT INTO migrations VALUES (99, TIMESTAMP '2026-11-20')")
        .unwrap();
    store.close().unwrap();
    let listed = world.run(&["prefs", "list", "--all", "--standing"]);
    assert_eq!(listed.code, 0);
    assert!(listed.stderr.contains("how they stand is left out: "));
}

#[test]
fn the_list_says_what_holds_and_what_does_not() {
    let world = World::with_habits();
    let none = world.run(&["prefs", "list"]);
    assert!(
        none.stdout.starts_with("no preferences: "),
        "{}",
        none.stdout
    );
    let other = world.paths().project_preferences("github.com/o/other");
    world.put(
        &other,
        r#"{"version":1,"project":"github.com/o/other","preferences":{
            "layout":{"preference":"always-ask"}}}"#,
    );
    insta::assert_snapshot!(world.run(&["prefs", "list"]).stdout, @"
    no preferences here: every question is asked
    `plantune prefs list --all` shows the one of another project
    `plantune suggest` says which ones you answer alike
    ");
    fs::remove_file(other).unwrap();
    world.put(
        &world.paths().project_preferences(PROJECT),
        r#"{"version":1,"project":"github.com/o/r","preferences":{
            "layout":{"preference":"never-ask","answer":"Grid","question":"Which\u001b[31m layout?",
                "options":["Grid","List"],
                "set_at":"2026-11-19T23:30:00Z","set_by":"suggest"},
            "tables":{"preference":"never-ask","question":"Delete the old tables?"},
            "todos":{"preference":"always-ask"}}}"#,
    );
    world.put(
        &world.paths().global_preferences(),
        r#"{"version":1,"preferences":{"loose":{"preference":"never-ask"},
            "style":{"preference":"ask-only-for-one-way","question":"Which style?",
                "options":["Plain","Rich"]}}}"#,
    );
    let ran = world.run(&["prefs", "list", "--standing"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(is_inert(&ran.stdout));
    insta::assert_snapshot!(ran.stdout, @r#"
    project o/r:
      layout: never-ask, "Grid" (set 2026-11-20 by suggest)
        Which layout?
        answered nothing yet; no spot check yet
      tables: never-ask, follow the recommendation
        Delete the old tables?
        not obeyed: one-way (pair: delete × table)
      todos: always-ask
    global:
      loose: never-ask, follow the recommendation
        not obeyed: it does not say what it was given for: `plantune prefs bind
        loose --global`
      style: ask-only-for-one-way, follow the recommendation
        Which style?
        answered nothing yet; no spot check yet
        style, due for renewal: when it was set is not known. If it is still right:
        `plantune prefs renew style --global`
    "#);
    let ran = world.run(&["prefs", "list", "--json"]);
    let document: Value = serde_json::from_str(&ran.stdout).unwrap();
    let rows = document["preferences"].as_array().unwrap();
    assert_eq!(document["schema_version"], 1);
    assert_eq!(rows.len(), 5);
    assert_eq!(rows[0]["question_key"], "layout");
    assert_eq!(
        (&rows[0]["scope"], &rows[0]["project"]),
        (&"project".into(), &PROJECT.into())
    );
    assert_eq!(rows[0]["inert"], Value::Null);
    assert!(rows[1]["inert"].as_str().unwrap().starts_with("one-way"));
    assert_eq!(
        (&rows[3]["scope"], &rows[3]["project"]),
        (&"global".into(), &Value::Null)
    );
}

#[test]
fn what_others_may_write_is_shown_as_not_obeyed() {
    let world = World::empty();
    let file = world.paths().global_preferences();
    world.put(
        &file,
        r#"{"version":1,"preferences":{"style":{"preference":"never-ask"}}}"#,
    );
    fs::set_permissions(&file, fs::Permissions::from_mode(0o666)).unwrap();
    let ran = world.run(&["prefs", "list", "--json"]);
    let document: Value = serde_json::from_str(&ran.stdout).unwrap();
    let inert = document["preferences"][0]["inert"].as_str().unwrap();
    assert!(inert.contains("others may write it"), "{inert}");
    assert_eq!(world.run(&["prefs", "check"]).code, 3);
}

#[test]
fn keys_without_a_preference_are_named() {
    let world = World::with_habits();
    world.put(
        &world.paths().global_preferences(),
        r#"{"version":1,"preferences":{"layout":{"preference":"never-ask"}}}"#,
    );
    assert_eq!(world.run(&["prefs", "check", "layout"]).code, 0);
    let ran = world.run(&["prefs", "check", "layout", "layuot"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stderr.contains("there is no preference for layuot\n"),
        "{}",
        ran.stderr
    );
}

#[test]
fn empty_answers_are_refused() {
    let world = World::with_habits();
    for answer in ["", "  "] {
        let ran = world.run(&[
            "prefs",
            "set",
            "layout",
            "never-ask",
            "--answer",
            answer,
            "--yes",
        ]);
        assert_eq!(ran.code, 2, "{answer:?}");
        assert!(ran.stderr.contains("--answer is empty"), "{}", ran.stderr);
    }
}

#[test]
fn a_project_is_named_alike_in_every_verb() {
    let world = World::with_habits();
    let short = PROJECT.rsplit('/').next().unwrap();
    for verb in [
        &["report", "--json"][..],
        &["log", "--json"],
        &["questions", "--json"],
        &["suggest", "--json"],
        &["explain", "layout", "--json"],
    ] {
        let with = |project| world.run(&[verb, &["--project", project]].concat());
        let (by_key, by_end) = (with(PROJECT), with(short));
        assert_eq!(by_key.code, 0, "{verb:?} {}", by_key.stderr);
        assert_eq!(by_key.stdout, by_end.stdout, "{verb:?}");
        let unknown = with("nowhere");
        assert_eq!(unknown.code, 2, "{verb:?}");
        assert!(unknown.stderr.contains("no project \"nowhere\" is known"));
    }
    let set = [
        "prefs",
        "set",
        "layout",
        "never-ask",
        "--project",
        short,
        "--yes",
    ];
    assert_eq!(world.run(&set).code, 0);
    assert!(world.paths().project_preferences(PROJECT).exists());
    let clear = ["prefs", "clear", "layout", "--project", short, "--yes"];
    assert_eq!(world.run(&clear).code, 0);
}

#[test]
fn all_projects_are_listed_and_checked() {
    let world = World::with_habits();
    for (project, answer) in [(PROJECT, "Grid"), ("github.com/o/other", "Tree")] {
        world.put(
            &world.paths().project_preferences(project),
            &format!(
                r#"{{"version":1,"project":"{project}","preferences":{{
                    "layout":{{"preference":"never-ask","answer":"{answer}",
                        "question":"Which layout?","options":["Grid","List"]}}}}}}"#
            ),
        );
    }
    world.put(
        &world.paths().global_preferences(),
        r#"{"version":1,"preferences":{
            "layout":{"preference":"never-ask","answer":"grid",
                "question":"Which layout?","options":["Grid","List"]},
            "unheard-of":{"preference":"never-ask"}}}"#,
    );
    let listed = world.run(&["prefs", "list", "--all"]);
    assert!(
        listed.stdout.contains("project o/other:"),
        "{}",
        listed.stdout
    );
    let ran = world.run(&["prefs", "check"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    insta::assert_snapshot!(ran.stdout, @r#"
    layout (github.com/o/other): its answer "Tree" was not among the options when it was last asked
    unheard-of (global): no such question was ever asked
    layout (github.com/o/other): the global preference says otherwise, so it is asked
    layout (github.com/o/r): the global preference says the same
    4 preferences checked
    "#);
    let one = world.run(&["prefs", "check", "unheard-of"]);
    assert_eq!(one.stdout.lines().count(), 2, "{}", one.stdout);
    // A file where nothing looks for it holds for nobody.
    world.put(
        &world.path("data/projects/abc/preferences.json"),
        r#"{"version":1,"project":"x","preferences":{}}"#,
    );
    assert_eq!(world.run(&["prefs", "check"]).code, 3);
}

#[test]
fn the_net_explains_itself() {
    let world = World::empty();
    let explain = |words: &[&str]| {
        let ran = world.run(&[&["prefs", "check", "--explain"], words].concat());
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{words:?}");
        assert!(is_inert(&ran.stdout));
        ran.stdout
    };
    insta::assert_snapshot!(explain(&["Delete the old tables?"]), @r#"
    one-way: pair: delete × table
      "delete" in the question
      "tables" in the question
    "#);
    assert_eq!(
        explain(&["Which layout?"]),
        "two-way: no door rule matches\n"
    );
    let split = [
        "The old TABLES?",
        "--header",
        "Cleanup",
        "--option",
        "Drop\u{1b}[31m them",
    ];
    insta::assert_snapshot!(explain(&split), @r#"
    one-way: pair: drop × table
      "drop" in the option
      "tables" in the question
    "#);
    world.put(
        &world.path("data/registry.toml"),
        "[[question]]\nkey = \"ledger\"\ntext = \"*ledger*\"\ndoor = \"one-way\"\ncategory = \"money\"\n\
         [[question]]\nkey = \"layout\"\nheader = \"layout\"\ncategory = \"looks\"\n",
    );
    insta::assert_snapshot!(explain(&["<plantune:x> Sort the ledger?"]), @"one-way: rule ledger of registry.toml, category money");
    insta::assert_snapshot!(explain(&["Which?", "--header", "Layout"]), @"
    two-way: no door rule matches
      named by rule layout of registry.toml (two-way, category looks)
    ");
    assert!(explain(&["<plantune:a-split-1> Fine?"]).starts_with("always asked"));
    assert_eq!(world.run(&["prefs", "check", "--header", "x"]).code, 2);
}

#[test]
fn a_category_is_shown_where_preferences_are_checked() {
    let world = World::empty();
    world.put(
        &world.path("data/registry.toml"),
        "[[question]]\nkey = \"style\"\ncategory = \"looks\"\n",
    );
    world.put(
        &world.paths().global_preferences(),
        r#"{"version":1,"preferences":{"style":{"preference":"never-ask"}}}"#,
    );
    let ran = world.run(&["prefs", "check"]);
    assert!(
        ran.stdout.starts_with("style (global): category looks\n"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_registry_is_written_once_and_never_overwritten() {
    let world = World::empty();
    let file = world.path("data/registry.toml");
    let ran = world.run(&["registry", "init"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.starts_with("wrote ") && ran.stdout.contains("registry.toml"));
    assert_eq!(
        fs::metadata(&file).unwrap().permissions().mode() & 0o777,
        0o600
    );
    let written = fs::read_to_string(&file).unwrap();
    assert!(
        written.lines().all(|line| line.starts_with('#')),
        "{written}"
    );
    world.put(&file, "# mine\n");
    let again = world.run(&["registry", "init"]);
    assert_eq!(again.code, 0);
    assert!(again.stdout.contains("left as it is"), "{}", again.stdout);
    assert_eq!(fs::read_to_string(&file).unwrap(), "# mine\n");
    fs::remove_file(&file).unwrap();
    std::os::unix::fs::symlink("/no/such/file", &file).unwrap();
    assert!(
        world
            .run(&["registry", "init"])
            .stdout
            .contains("left as it is")
    );
}
