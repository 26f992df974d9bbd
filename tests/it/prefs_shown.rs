//! The output of `prefs list`, `prefs show` and `log KEY`.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use duckdb::AccessMode;
use serde_json::Value;

use crate::world::{PROJECT, World, is_inert};

#[test]
fn list_needs_no_store() {
    let world = World::with_habits();
    world.put(world.paths().store(), "no store");
    let listed = world.run(&["prefs", "list"]);
    assert_eq!((listed.code, listed.stderr.as_str()), (0, ""));
    let listed = world.run(&["prefs", "list", "--standing"]);
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
    let listed = world.run(&["prefs", "list", "--standing"]);
    assert_eq!(listed.code, 0);
    assert!(listed.stderr.contains("cannot say how they are doing: "));
}

#[test]
fn the_list_says_what_holds_and_what_does_not() {
    let world = World::with_habits();
    let none = world.run(&["prefs", "list"]);
    assert!(
        none.stdout.starts_with("You have no preferences, "),
        "{}",
        none.stdout
    );
    let other = world.paths().project_preferences("github.com/o/other");
    world.put(
        &other,
        r#"{"version":1,"project":"github.com/o/other","preferences":{
            "layout":{"preference":"always-ask"}}}"#,
    );
    insta::assert_snapshot!(world.run(&["prefs", "list", "--here"]).stdout, @r"
    You have no preferences for this project, so plantune answers nothing.
    To see what it could answer: `plantune suggest`
    ");
    fs::remove_file(other).unwrap();
    world.put(
        world.paths().project_preferences(PROJECT),
        r#"{"version":1,"project":"github.com/o/r","preferences":{
            "layout":{"preference":"never-ask","answer":"Grid","question":"Which\u001b[31m layout?",
                "options":["Grid","List"],
                "set_at":"2026-11-19T23:30:00Z","set_by":"suggest"},
            "tables":{"preference":"never-ask","question":"Delete the old tables?"},
            "todos":{"preference":"always-ask"}}}"#,
    );
    world.put(
        world.paths().global_preferences(),
        r#"{"version":1,"preferences":{"loose":{"preference":"never-ask"},
            "style":{"preference":"ask-only-for-one-way","question":"Which style?",
                "options":["Plain","Rich"]}}}"#,
    );
    let ran = world.run(&["prefs", "list", "--standing"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(is_inert(&ran.stdout));
    insta::assert_snapshot!(ran.stdout, @r#"
    project o/r:
      layout: on, "Grid" (set today by suggest)
        Which layout?
        no answer yet; not checked yet
      tables: on, as recommended
        Delete the old tables?
        ignored: it can't be undone (delete)
      todos: always asked
    global:
      loose: on, as recommended
        ignored: it does not say what it was given for; set it again
      style: on, as recommended
        Which style?
        ignored: it does not say what it was given for; set it again
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
    assert!(
        rows[1]["inert"]
            .as_str()
            .unwrap()
            .starts_with("it can't be undone")
    );
    assert_eq!(
        (&rows[3]["scope"], &rows[3]["project"]),
        (&"global".into(), &Value::Null)
    );
}

#[test]
fn what_others_may_write_is_shown_as_not_obeyed() {
    let world = World::new();
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
}

#[test]
fn all_projects_are_listed_and_checked() {
    let world = World::with_habits();
    for (project, answer) in [(PROJECT, "Grid"), ("github.com/o/other", "Tree")] {
        world.put(
            world.paths().project_preferences(project),
            format!(
                r#"{{"version":1,"project":"{project}","preferences":{{
                    "layout":{{"preference":"never-ask","answer":"{answer}",
                        "question":"Which layout?","options":["Grid","List"]}}}}}}"#
            ),
        );
    }
    world.put(
        world.paths().global_preferences(),
        r#"{"version":1,"preferences":{
            "layout":{"preference":"never-ask","answer":"grid",
                "question":"Which layout?","options":["Grid","List"]},
            "unheard-of":{"preference":"never-ask"}}}"#,
    );
    let listed = world.run(&["prefs", "list"]);
    assert!(
        listed.stdout.contains("project o/other:"),
        "{}",
        listed.stdout
    );
    let found = world.findings("preferences").into_iter();
    let noted = found.filter(|(status, ..)| status == "note");
    let found: Vec<String> = noted.map(|(_, message, _)| message).collect();
    insta::assert_snapshot!(found.join("\n"), @r#"
    layout (github.com/o/other): not obeyed, it does not say what it was given for; set it again
    unheard-of (global): not obeyed, it does not say what it was given for; set it again
    "#);
}

#[test]
fn how_a_question_is_judged_is_explained() {
    let world = World::new();
    let explain = |words: &[&str]| {
        let ran = world.run(&[&["classify", "--question"], words].concat());
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{words:?}");
        assert!(is_inert(&ran.stdout));
        ran.stdout
    };
    insta::assert_snapshot!(explain(&["Delete the old tables?"]), @r#"
    {
      "schema_version": 1,
      "act": null,
      "consent": "never",
      "why": [
        "Its answer can't be undone (\"delete\")."
      ],
      "rule": null
    }
    "#);
    insta::assert_snapshot!(explain(&["Which layout?"]), @r#"
    {
      "schema_version": 1,
      "act": null,
      "consent": null,
      "why": [],
      "rule": null
    }
    "#);
    let refers = [
        "The old TABLES?",
        "--header",
        "Cleanup",
        "--option",
        "Drop\u{1b}[31m them",
    ];
    insta::assert_snapshot!(explain(&refers), @r#"
    {
      "schema_version": 1,
      "act": "refers",
      "consent": "never",
      "why": [
        "Its answer can't be undone (\"drop\").",
        "\"Drop them\" refers to the question, so only questions you agreed to are answered."
      ],
      "rule": null
    }
    "#);
    let described = [
        "What next?",
        "--option",
        "Write the summary",
        "--description",
        "Then drops the old tables",
    ];
    insta::assert_snapshot!(explain(&described), @r#"
    {
      "schema_version": 1,
      "act": "own",
      "consent": "never",
      "why": [
        "Its answer can't be undone (\"drop\").",
        "\"Write the summary\" says itself what it does, so the question may vary."
      ],
      "rule": null
    }
    "#);
    insta::assert_snapshot!(explain(&["Fix them?", "--option", "Skip"]), @r#"
    {
      "schema_version": 1,
      "act": "leaves",
      "consent": "yes",
      "why": [
        "\"Skip\" leaves things as they are, so the question may vary."
      ],
      "rule": null
    }
    "#);
    world.put(
        "data/registry.toml",
        "[[question]]\nkey = \"ledger\"\ntext = \"*ledger*\"\ndoor = \"one-way\"\ncategory = \"money\"\n\
         [[question]]\nkey = \"layout\"\nheader = \"layout\"\ncategory = \"looks\"\n",
    );
    insta::assert_snapshot!(explain(&["<plantune:x> Sort the ledger?"]), @r#"
    {
      "schema_version": 1,
      "act": null,
      "consent": "never",
      "why": [
        "Rule ledger of registry.toml says that its answer can't be undone, category money."
      ],
      "rule": "ledger"
    }
    "#);
    insta::assert_snapshot!(explain(&["Which?", "--header", "Layout"]), @r#"
    {
      "schema_version": 1,
      "act": null,
      "consent": null,
      "why": [
        "Rule layout of registry.toml names it and lets it be answered, category looks."
      ],
      "rule": "layout"
    }
    "#);
    insta::assert_snapshot!(explain(&["<plantune:a-split-1> Fine?"]), @r#"
    {
      "schema_version": 1,
      "act": null,
      "consent": "never",
      "why": [
        "It is a part of a split question."
      ],
      "rule": null
    }
    "#);
    assert_eq!(world.run(&["classify", "--header", "x"]).code, 2);
}

#[test]
fn questions_of_one_name_are_told_apart() {
    let world = World::with_habits();
    world.put(
        world.paths().global_preferences(),
        r#"{"version":1,"preferences":{
            "first":{"preference":"always-ask","question":"Which tests should run first?"},
            "one":{"preference":"always-ask","question":"Which tests should run?"},
            "other":{"preference":"always-ask","question":"Which tests should run?"}}}"#,
    );
    let several = |word: &str| {
        let ran = world.run(&["prefs", "clear", word]);
        assert_eq!(ran.code, 2);
        ran.stderr
    };
    insta::assert_snapshot!(several("Which tests should run?"), @r#"
    plantune: more than one question is called "Which tests should run?"
      hint: give one of: one, other
    "#);
    insta::assert_snapshot!(several("which tests…"), @r#"
    plantune: more than one question is called "which tests…"
      hint: give one of: "Which tests should run first?", one, other
    "#);
    let one = world.run(&["prefs", "clear", "Which tests should run first?", "--yes"]);
    assert_eq!((one.code, one.stderr.as_str()), (0, ""), "{}", one.stdout);
}
