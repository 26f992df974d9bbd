//! `plantune prefs`: the built binary on files of preferences.

use std::fs;
use std::process::Stdio;

use plantune_agents::AGENTS;
use plantune_domain::preferences::Policy;
use serde_json::Value;

use crate::world::person::{run_on_terminal, run_with_person};
use crate::world::{PLANTUNE, PROJECT, UNREGISTERED, World, run};

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
    assert_eq!((ran.code, ran.stderr.as_str()), (0, UNREGISTERED));
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
        (0, "layout is already set that way.\n")
    );
    assert_eq!(fs::read(&file).unwrap(), written);

    let ran = run_with_person(
        &mut world.command(&["prefs", "clear", "layout"]),
        &["d", "y"],
    );
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(
        ran.stdout
            .starts_with("From now on, you are asked \"Which layout?\" again in o/r.\n"),
        "{}",
        ran.stdout
    );
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
    assert!(ran.stderr.contains("there is no preference for layout\n"));
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
    // By each of the variables that one sets: an agent may have unset the others.
    let words = ["prefs", "set", "layout", "always-ask", "--yes"];
    let variables = AGENTS
        .iter()
        .flat_map(|agent| agent.profile().session_variables);
    for variable in variables.chain(&["AI_AGENT"]) {
        let ran = run(world.command(&words).env(variable, "1"));
        assert_eq!(ran.code, 4, "{ran:?}");
        assert!(
            ran.stderr.contains(&format!("({variable} is set)")),
            "{ran:?}"
        );
    }
    // By what started it, when all of them are taken away.
    for agent in AGENTS {
        let known = agent.profile();
        let program = world.path(known.program);
        fs::copy("/bin/sh", &program).unwrap();
        let line = format!("{PLANTUNE} {}; exit $?", words.join(" "));
        let ran = run(&mut world.start(&program, &["-c", &line]));
        assert_eq!(ran.code, 4, "{ran:?}");
        let said = format!("({} started it)", known.title);
        assert!(ran.stderr.contains(&said), "{ran:?}");
    }
    // Nor does anybody whose `--yes` no terminal and no word of the person's stands behind.
    let mut unsaid = world.command(&words);
    let ran = run(unsaid.env_remove("PLANTUNE_ALLOW_UNATTENDED"));
    assert_eq!(ran.code, 4, "{ran:?}");
    assert!(ran.stderr.contains("no terminal to ask on"), "{ran:?}");
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
        "data/registry.toml",
        "[[question]]\nkey = \"gate\"\ndoor = \"one-way\"\n",
    );
    for (key, policy) in [
        ("tables", "never-ask"),
        ("tables", "ask-only-for-one-way"),
        ("x-split-2", "never-ask"),
        ("gate", "never-ask"),
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
        &["prefs", "show"],
    ] {
        assert_eq!(world.run(words).code, 2, "{words:?}");
    }
    let ran = world.run(&["prefs", "set", "txt-0123456789abcdef", "never-ask", "--yes"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stderr.contains("a question with this key"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_key_nobody_has_asked_yet_can_be_set_anywhere_by_force() {
    let world = World::new();
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
                && refused.stderr.contains("`plantune prefs set --help`")
                && !refused.stderr.contains("--force"),
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
    // It is set twice: which one is to be said.
    assert_eq!(world.run(&["prefs", "clear", "todos", "--yes"]).code, 2);
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
        ] {
            let ran = world.run(words);
            assert_eq!(ran.code, 3, "{words:?}: {ran:?}");
            assert!(ran.stderr.contains("preferences.json"), "{}", ran.stderr);
        }
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
        let ran = world.run(&["prefs", "list"]);
        assert_eq!(ran.code, 0);
        assert!(ran.stdout.contains("ignored:"), "{}", ran.stdout);
    }
    assert!(world.events().is_empty());
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
        &["suggest", "--json"],
        &["log", "layout", "--json"],
    ] {
        let with = |project| world.run(&[verb, &["--project", project]].concat());
        let (by_key, by_end) = (with(PROJECT), with(short));
        assert_eq!(by_key.code, 0, "{verb:?} {}", by_key.stderr);
        assert_eq!(by_key.stdout, by_end.stdout, "{verb:?}");
        let unknown = with("nowhere");
        assert_eq!(unknown.code, 2, "{verb:?}");
        assert!(unknown.stderr.contains("unknown project \"nowhere\""));
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

/// Sets `layout` with the answer in the project, or everywhere.
fn set_layout(world: &World, answer: &str, place: &[&str]) {
    let set = [
        "prefs",
        "set",
        "layout",
        "never-ask",
        "--answer",
        answer,
        "--yes",
    ];
    world.done(&[&set, place].concat());
}

#[test]
fn a_preference_is_found_wherever_it_stands() {
    let world = World::with_habits();
    let elsewhere = world.path("home");
    let from_home = |words: &[&str]| run(world.command(words).current_dir(&elsewhere));
    set_layout(&world, "Grid", &["--project", PROJECT]);
    let shown = from_home(&["prefs", "show", "layout"]).done();
    assert!(
        shown.starts_with("layout: on,") && shown.contains(PROJECT),
        "{shown}"
    );
    // As it is there, and nothing new where the person stands.
    let ran = from_home(&[
        "prefs",
        "set",
        "layout",
        "never-ask",
        "--answer",
        "List",
        "--yes",
    ]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(world.names("data/projects").len(), 1);
    let answer = |global| {
        world
            .preference("layout", global)
            .and_then(|one| one.answer)
    };
    assert_eq!(answer(false).as_deref(), Some("List"));
    assert_eq!(from_home(&["prefs", "clear", "layout", "--yes"]).code, 0);
    assert_eq!(answer(false), None);
    let gone = from_home(&["prefs", "show", "layout"]);
    assert!(
        gone.code == 1 && gone.stderr.contains("there is no preference for layout\n"),
        "{gone:?}"
    );
}

#[test]
fn a_key_that_is_set_twice_is_asked_about() {
    let world = World::with_habits();
    set_layout(&world, "Grid", &["--project", PROJECT]);
    set_layout(&world, "List", &["--global"]);
    for (words, typed) in [
        (
            &["prefs", "clear", "layout", "--yes"][..],
            "plantune prefs clear layout",
        ),
        (&["prefs", "show", "layout"], "plantune prefs show layout"),
        (
            &["prefs", "set", "layout", "always-ask", "--yes"],
            "plantune prefs set layout always-ask",
        ),
    ] {
        let ran = world.run(words);
        assert_eq!(ran.code, 2, "{ran:?}");
        for place in [&format!("--project {PROJECT}"), "--global"] {
            let command = format!("`{typed} {place}`");
            assert!(ran.stderr.contains(&command), "{command}: {}", ran.stderr);
        }
    }
    let clear = ["prefs", "clear", "layout"];
    let (shown, code) = run_on_terminal(&mut world.command(&clear), &["3"]);
    assert_eq!(code, Some(2), "{shown}");
    assert!(shown.contains("layout is set in 2 places:"), "{shown}");
    let (shown, code) = run_on_terminal(&mut world.command(&clear), &["2", "y"]);
    assert_eq!(code, Some(0), "{shown}");
    assert!(world.preference("layout", true).is_none());
    assert!(world.preference("layout", false).is_some());
}
