//! `plantune suggest`: the built binary on a store of known habits.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use plantune_domain::preferences::{Level, Policy};
use serde_json::Value;

use crate::world::person::{run_on_terminal, run_with_person};
use crate::world::{PROJECT, UNREGISTERED, World, folded, is_inert};

/// The keys of the standing proposals.
fn proposed(world: &World, words: &[&str]) -> Vec<String> {
    let ran = world.run(&[&["suggest", "--json"], words].concat());
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let document: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(document["schema_version"], 1);
    let mut keys: Vec<String> = document["suggestions"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["level"] == "standing")
        .map(|one| one["question_key"].as_str().unwrap().to_owned())
        .collect();
    keys.sort();
    keys
}

#[test]
fn an_empty_store_says_what_to_do_next() {
    let world = World::new();
    let ran = world.run(&["suggest"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.contains("plantune install"), "{}", ran.stdout);
    assert_eq!(proposed(&world, &[]), [""; 0]);
    assert_eq!(world.run(&["suggest", "--apply", "--yes"]).code, 0);
    assert!(!world.path("data/projects").exists());
}

#[test]
fn proposals_come_with_their_evidence() {
    let world = World::with_habits();
    let ran = world.run(&["suggest"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(is_inert(&ran.stdout));
    insta::assert_snapshot!(ran.stdout, @r"
    plantune could answer 3 questions for you, about 28 times a week.

    Automatic: plantune answers, and sometimes asks to check. Saves 14 min a week.
    #  handle  question             your answer       given  asked      project
    1  mvwd    Which layout? (o/r)  Grid         210 of 210  21 a week  o/r
    2  jbwm    Styleguide?          Grid           60 of 60  7 a week   o/r

    Trial: plantune answers, but asks one time in three at first. If you answer
    differently, it stops. Saves 23 s a week.
    #  handle  question                 your answer   given  asked       project
    3  jmth    Which layout? (o/other)  Grid         3 of 3  0.8 a week  o/other

    Not set yet. Next:
      plantune suggest 1            the evidence for this one
      plantune suggest --apply      decide one by one
      plantune suggest 1,2 --apply  decide on these only
    ");
}

#[test]
fn json_says_the_same_to_scripts() {
    let world = World::with_habits();
    let ran = world.run(&["suggest", "--json"]);
    assert!(is_inert(&ran.stdout));
    let document: Value = serde_json::from_str(&ran.stdout).unwrap();
    let many = &document["suggestions"][0];
    assert_eq!(many["question_key"], "many");
    assert_eq!(many["preference"], "never-ask");
    assert_eq!(
        (&many["scope"], &many["project"]),
        (&"project".into(), &PROJECT.into())
    );
    assert_eq!(many["answer"], "Grid");
    assert_eq!(many["evidence"]["answers"], 210);
    assert_eq!(many["evidence"]["last_disagreement"], Value::Null);
    assert!(many["confidence"].as_f64().unwrap() > 0.8);
    let hostile = document["suggestions"][1]["question"].as_str().unwrap();
    assert_eq!(hostile, "Style\u{1b}]0;owned\u{7}\u{202e}guide?");
    let reasons: Vec<&str> = document["rejected"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["reason"].as_str().unwrap())
        .collect();
    assert!(reasons.contains(&"one_way"), "{reasons:?}");
    assert_eq!(proposed(&world, &["--project", "."]), ["hostile", "many"]);
    assert_eq!(
        proposed(&world, &["--project", "github.com/o/other"]),
        [""; 0]
    );
}

#[test]
fn an_agent_cannot_apply_anything() {
    let world = World::with_habits();
    for words in [
        &["suggest", "--apply", "--yes"][..],
        &["suggest", "--apply"],
    ] {
        let ran = world.run_in_session(words);
        assert_eq!(ran.code, 4, "{ran:?}");
        assert!(ran.stderr.contains("CLAUDECODE"), "{}", ran.stderr);
        assert!(ran.stderr.contains("plantune suggest --apply"));
    }
    // Nobody to ask, and no --yes.
    assert_eq!(world.run(&["suggest", "--apply"]).code, 4);
    assert!(!world.path("data/projects").exists() && world.events().is_empty());
}

#[test]
fn applying_shows_writes_and_logs_exactly_that() {
    let world = World::with_habits();
    let ran = world.run(&["suggest", "--apply", "--only", "many", "--yes"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, UNREGISTERED));
    insta::assert_snapshot!(ran.stdout, @r#"
    From now on, plantune answers "Which layout?" in o/r with "Grid", and sometimes
    asks to check.
    To undo: `plantune undo many`
    "#);

    let file = world.paths().project_preferences(PROJECT);
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&file), mode(file.parent().unwrap())), (0o600, 0o700));
    let preference = world.preference("many", false).unwrap();
    assert_eq!(preference.preference, Policy::NeverAsk);
    assert_eq!(preference.answer.as_deref(), Some("Grid"));
    assert_eq!(preference.set_by.as_deref(), Some("suggest"));
    assert_eq!(preference.evidence.unwrap()["answers"], 210);
    assert_eq!(world.preference("hostile", false), None);

    let events = world.events();
    assert_eq!(events.len(), 1);
    let event = &events[0];
    assert_eq!(event["kind"], "preference_changed");
    assert_eq!(
        (&event["source"], &event["reason"]),
        (&"cli".into(), &"suggest".into())
    );
    assert_eq!(event["question_key"], "many");
    assert_eq!(event["answer"], serde_json::json!(["Grid"]));
    assert_eq!(event["preference"], "never-ask");
    assert_eq!(event["preference_scope"], "project");
    assert_eq!(event["project"], PROJECT);
    let detail: Value = serde_json::from_str(event["detail"].as_str().unwrap()).unwrap();
    assert_eq!(detail["agreed"], 210);

    assert_eq!(proposed(&world, &[]), ["hostile"]);
    assert_eq!(world.run(&["suggest", "--apply", "--yes"]).code, 0);
    assert_eq!(proposed(&world, &[]), [""; 0]);
    let again = world.run(&["suggest", "--apply", "--yes"]);
    assert_eq!(again.code, 0);
    assert!(
        again.stdout.starts_with("Nothing more can be answered"),
        "{again:?}"
    );
    assert_eq!(world.events().len(), 3);
    assert_eq!(
        world.preference("many", false).unwrap().level,
        Some(Level::Standing)
    );
}

#[test]
fn proposals_are_chosen_by_their_numbers() {
    let world = World::with_habits();
    let keys = |document: &Value, list: &str| -> Vec<String> {
        let listed = document[list].as_array().unwrap().iter();
        let keys = listed.map(|one| one["question_key"].as_str().unwrap().to_owned());
        keys.collect()
    };
    let document = world.json(&["suggest", "2", "--json"]);
    assert_eq!(keys(&document, "suggestions"), ["hostile"]);
    assert_eq!(keys(&document, "rejected"), [""; 0]);
    let refused = world.json(&["suggest", "tables", "--json"]);
    assert_eq!(keys(&refused, "suggestions"), [""; 0]);
    assert_eq!(keys(&refused, "rejected"), ["tables"]);
    let shown = world.run(&["suggest", "1-2"]).stdout;
    assert!(
        shown.contains("1. Which layout?") && shown.contains("\n2. "),
        "{shown}"
    );
    for word in ["2-1", "0", "1,9"] {
        let ran = world.run(&["suggest", word]);
        assert_eq!(ran.code, 1, "{ran:?}");
        assert!(ran.stderr.contains("1 to 3"), "{ran:?}");
    }
    world.done(&["suggest", "2,3", "--apply", "--yes"]);
    assert_eq!(world.preference("many", false), None);
    assert!(world.preference("hostile", false).is_some());
    assert_eq!(world.events().len(), 2);
    world.done(&["suggest", "--apply", "--only", "1", "--yes"]);
    assert!(world.preference("many", false).is_some());
}

#[test]
fn hostile_text_is_inert_in_the_diff_and_in_the_file() {
    let world = World::with_habits();
    let ran = world.run(&["suggest", "--apply", "--only", "hostile", "--yes"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(is_inert(&ran.stdout), "{}", ran.stdout);
    let file = fs::read_to_string(world.paths().project_preferences(PROJECT)).unwrap();
    assert!(is_inert(&file));
    // The label itself is kept, or it would never be found among the options.
    let preference = world.preference("hostile", false).unwrap();
    assert_eq!(preference.answer.as_deref(), Some("Gr\u{9b}31mid"));
}

#[test]
fn what_is_not_proposed_cannot_be_applied() {
    let world = World::with_habits();
    let ran = world.run(&["suggest", "--apply", "--only", "tables", "--yes"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stderr.contains("nothing is proposed under \"tables\""),
        "{}",
        ran.stderr
    );
    assert!(world.events().is_empty());
    assert_eq!(world.run(&["suggest", "--yes"]).code, 2);
    assert_eq!(world.run(&["suggest", "--json", "--apply"]).code, 2);
}

#[test]
fn a_file_that_is_not_understood_stops_it_and_stays() {
    for (path, text) in [
        ("preferences.json", "{\"version\": 1, \"preferences\": {"),
        ("preferences.json", "{\"version\": 9, \"preferences\": {}}"),
        ("registry.toml", "key ="),
        ("config.toml", "suggest = 3"),
    ] {
        let world = World::with_habits();
        let path = world.path("data").join(path);
        world.put(&path, text);
        for words in [&["suggest"][..], &["suggest", "--apply", "--yes"]] {
            let ran = world.run(words);
            assert_eq!(ran.code, 3, "{ran:?}");
            assert!(
                ran.stderr
                    .contains(path.file_name().unwrap().to_str().unwrap())
            );
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
        assert!(!world.path("data/projects").exists() && world.events().is_empty());
    }
}

#[test]
fn what_a_newer_version_wrote_is_kept() {
    let world = World::with_habits();
    let file = world.paths().project_preferences(PROJECT);
    let text =
        r#"{"version":1,"colour":"red","preferences":{"a":{"preference":"always-ask","x":[1]}}}"#;
    world.put(&file, text);
    assert_eq!(
        world
            .run(&["suggest", "--apply", "--only", "many", "--yes"])
            .code,
        0
    );
    let written: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(written["colour"], "red");
    assert_eq!(written["preferences"]["a"]["x"], serde_json::json!([1]));
    assert_eq!(written["preferences"]["many"]["preference"], "never-ask");
}

#[test]
fn the_registry_can_close_a_door() {
    let world = World::with_habits();
    world.put(
        "data/registry.toml",
        "[[question]]\nkey = \"many\"\ndoor = \"one-way\"\n",
    );
    assert_eq!(proposed(&world, &[]), ["hostile"]);
}

#[test]
fn a_person_goes_through_the_proposals() {
    let world = World::with_habits();
    let apply = &["suggest", "--apply"];
    let output = run_with_person(&mut world.command(apply), &["what?", "d", "a", "y", "n"]);
    let shown = output.stdout;
    assert!(output.code == 0 && is_inert(&shown), "{shown}");
    assert_eq!(shown.matches("  y  yes, set it\n").count(), 2, "{shown}");
    assert!(
        shown.ends_with(
            "You set 2 of 3:\n  Which layout? → always asked, in o/r\n  Styleguide? → automatic, \"Grid\", in o/r\n\
             `plantune prefs list` shows all you have set.\n"
        ),
        "{shown}"
    );
    assert!(shown.contains("+    \"many\": {"), "{shown}");
    let never = world.preference("many", false).unwrap();
    assert_eq!((never.preference, never.answer), (Policy::AlwaysAsk, None));
    assert_eq!(
        world.preference("hostile", false).unwrap().preference,
        Policy::NeverAsk
    );
    let events = world.events();
    assert_eq!(events[0]["reason"], "suggest never");
    assert_eq!(events[1]["reason"], "suggest");
    let detail: Value = serde_json::from_str(events[0]["detail"].as_str().unwrap()).unwrap();
    assert_eq!(
        (&detail["agreed"], &detail["by"]["yes"]),
        (&210.into(), &false.into())
    );
    assert_eq!(proposed(&world, &[]), [""; 0]);
    // Never can be taken back.
    assert_eq!(world.run(&["prefs", "clear", "many", "--yes"]).code, 0);
    assert_eq!(proposed(&world, &[]), ["many"]);
}

#[test]
fn q_leaves_the_rest_and_so_does_the_end_of_input() {
    for (words, set) in [(&["n", "q"][..], 0), (&["q"], 0), (&[], 0), (&["y"], 1)] {
        let world = World::with_habits();
        let output = run_with_person(&mut world.command(&["suggest", "--apply"]), words);
        let shown = output.stdout;
        assert!(output.code == 0, "{shown}");
        assert!(
            shown.ends_with("The rest will be proposed again.\n"),
            "{shown}"
        );
        assert_eq!(world.events().len(), set, "{words:?}");
        assert_eq!(proposed(&world, &[]).len(), 2 - set);
    }
}

#[test]
fn what_no_hook_answers_yet_is_said_and_the_hook_is_offered() {
    let apply = ["suggest", "--apply", "--only", "many"];
    let without = World::with_habits();
    let words = [&apply[..], &["--yes"]].concat();
    let ran = without.run(&words);
    assert_eq!(ran.code, 0, "{ran:?}");
    let note = "nothing is answered for you yet; run `plantune install` first";
    assert!(ran.stderr.contains(note), "{ran:?}");
    // On a terminal the person is asked, and says no or yes.
    for (word, is_registered) in [("n", false), ("y", true)] {
        let world = World::with_habits();
        let (shown, code) = run_on_terminal(&mut world.command(&apply), &["y", word]);
        assert_eq!(code, Some(0), "{shown}");
        assert!(folded(&shown).contains(note), "{shown}");
        assert_eq!(world.user().exists(), is_registered, "{shown}");
        assert!(world.preference("many", false).is_some(), "{shown}");
    }
    // Once it is there, nothing more is said.
    let world = World::with_habits();
    world.done(&["install", "--yes"]);
    let ran = world.run(&words);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran:?}");
}

/// The handle of a proposal stays, whatever is decided about the others.
#[test]
fn a_handle_means_the_same_proposal_when_numbers_have_changed() {
    let world = World::with_habits();
    let handles = |world: &World| -> Vec<(String, String)> {
        let found = world.json(&["suggest", "--json"]);
        let all = found["suggestions"].as_array().unwrap().iter();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        all.map(|one| (text(&one["handle"]), text(&one["question_key"])))
            .collect()
    };
    let before = handles(&world);
    let [(first, layout), (second, styleguide)] = before.get(..2).unwrap() else {
        panic!("{before:?}")
    };
    assert_ne!(first, second);
    let shown = world.stdout_of(&["suggest"]);
    assert!(
        folded(&shown).contains(&format!("2 {second} Styleguide?")),
        "{shown}"
    );
    let both = world.stdout_of(&["suggest", &format!("{second},1")]);
    assert!(
        both.contains(&format!("`plantune suggest {second} --apply`")),
        "{both}"
    );
    assert!(
        both.contains(&format!("`plantune suggest {first} --apply`")),
        "{both}"
    );
    world.stdout_of(&["suggest", first, "--apply", "--yes"]);
    assert!(world.preference(layout, false).is_some());
    assert!(handles(&world).contains(&(second.clone(), styleguide.clone())));
    let evidence = world.stdout_of(&["suggest", second]);
    assert!(evidence.starts_with("1. Styleguide?"), "{evidence}");
    let gone = world.run(&["suggest", first]);
    assert_eq!(gone.code, 1, "{gone:?}");
}
