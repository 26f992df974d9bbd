//! The life of a preference: it answers, is checked, is stopped, and is taken back; and the
//! person alone decides about it.

use std::fs;

use chrono::TimeDelta;
use serde_json::{Value, json};

use crate::statusline;
use crate::world::files::SHOP;
use crate::world::person::run_with_person;
use crate::world::{World, call_of, folded, question, run};

const SET: &[&str] = &[
    "prefs",
    "set",
    "layout",
    "never-ask",
    "--answer",
    "Grid",
    "--force",
    "--yes",
];

/// Sets a preference for the question, as the person was asked it once.
fn set(world: &mut World) {
    assert!(world.ask("Grid (Recommended)"));
    world.stdout_of(SET);
}

#[test]
fn the_life_of_a_preference() {
    let mut world = World::shop();
    set(&mut world);

    // It answers, but for its spot checks.
    let asked: Vec<bool> = (0..200).map(|_| world.ask("Grid (Recommended)")).collect();
    let checks = asked.iter().filter(|asked| **asked).count();
    assert!((8..=16).contains(&checks), "{checks} of 200");
    assert!(asked.windows(40).all(|calls| calls.contains(&true)));
    let events = world.events();
    let is_marked = |one: &&Value| one["kind"] == "asked" && one["ask_reason"] != "no_preference";
    let marked: Vec<&Value> = events.iter().filter(is_marked).collect();
    assert_eq!(marked.len(), checks);
    for event in marked {
        assert_eq!(event["ask_reason"], "spot_check");
        assert_eq!(event["answer"], json!(["Grid (Recommended)"]));
        assert_eq!(event["preference_scope"], "project");
    }
    let standing = world.standing();
    assert_eq!(standing["state"], "on");
    assert_eq!(standing["decided"], json!(200 - checks));
    assert_eq!(standing["spot_checks"], json!(checks));
    assert_eq!(standing["agreed"], json!(checks));
    assert_eq!(
        world.evidence()["answers"],
        json!(1 + checks),
        "its own answers prove nothing"
    );

    // A disagreement puts it back on trial, and both answers are shown.
    let said = world.until_checked("List");
    let said = said["systemMessage"].as_str().unwrap();
    assert!(said.contains("so it is on trial again"), "{said}");
    let listed = folded(&world.stdout_of(&["prefs", "list", "--standing"]));
    let words = "0 of 8 checks agreed since one disagreed: it would have answered \"Grid\"";
    assert!(listed.contains(words), "{listed}");
    let standing = world.standing();
    assert_eq!(
        (&standing["state"], &standing["reason"]),
        (&json!("on_trial"), &json!("one_disagreed"))
    );
    assert_eq!(
        (&standing["would_answer"], &standing["chosen_instead"]),
        (&json!("Grid"), &json!("List"))
    );
    let record = format!("{checks} of {} checks agreed", checks + 1);
    assert!(listed.contains(&record), "{listed}");

    // Another one: no command has to run for it to stop, and all of them say the same.
    let said = world.until_checked("List");
    let said = said["systemMessage"].as_str().unwrap();
    assert!(said.contains("so it is stopped"), "{said}");
    let status = statusline::line(&world);
    assert!(status.contains("1 stopped"), "{status}");
    let doctor = world.doctor(&[]);
    assert!(
        doctor.contains("stopped: you are asked every time"),
        "{doctor}"
    );
    let stopped = world.standing();
    assert_eq!(stopped["state"], "stopped");
    assert_eq!(stopped["reason"], "two_disagreed");
    let report = world.stdout_of(&["report"]);
    assert!(
        folded(&report).contains("two checks disagreed: it would have answered \"Grid\""),
        "{report}"
    );
    assert!((0..10).all(|_| world.ask("List")));
    assert!(
        (0..3).all(|_| world.ask_where("List", &[("PLANTUNE_HEADLESS", "1")])),
        "whoever is there"
    );
    let before = world.standing();
    world.stdout_of(&["ingest", "--rebuild"]);
    assert_eq!(world.standing(), before);
    let listed = world.stdout_of(&["prefs", "list", "--standing"]);
    assert!(listed.contains("layout: stopped"), "{listed}");
    assert!(
        folded(&world.stdout_of(&["suggest"]))
            .contains("To remove it: `plantune prefs clear layout"),
        "suggest says it too"
    );

    // The person takes it back; that counts against the habit.
    let regretted = world.evidence();
    let last_auto = world.json(&["log", "--auto", "--limit", "1", "--json"]);
    let id = last_auto["decisions"][0]["tool_use_id"]
        .as_str()
        .unwrap()
        .to_owned();
    let undone = run_with_person(&mut world.command(&["undo"]), &["y"]);
    assert_eq!(undone.code, 0, "{}", undone.stderr);
    assert!(
        undone
            .stdout
            .contains("answered for you: \"Grid (Recommended)\"")
    );
    assert!(folded(&undone.stdout).contains("From now on, you are asked \"Which layout?\" again"));
    let event = world.last_change();
    assert_eq!(
        (&event["reason"], &event["tool_use_id"], &event["project"]),
        (&json!("undo"), &json!(id), &json!(SHOP))
    );
    let detail: Value = serde_json::from_str(event["detail"].as_str().unwrap()).unwrap();
    assert_eq!(detail["by"]["user"], "ann");
    assert!(
        detail["by"]["terminal"]
            .as_str()
            .unwrap()
            .starts_with("/dev/")
    );
    assert_eq!(detail["by"]["yes"], false);
    assert!(detail["spot_checks"].as_u64().unwrap() > checks as u64);
    let after = world.evidence();
    assert_eq!(
        after["answers"].as_u64(),
        regretted["answers"].as_u64().map(|n| n + 1)
    );
    let today = (world.now + TimeDelta::hours(1)).date_naive().to_string();
    assert_eq!(after["last_disagreement"], json!(today), "in Berlin");
    assert_eq!(world.standing(), Value::Null);
    assert!(world.ask("List"));
    assert_eq!(world.events().last().unwrap()["answer"], json!(["List"]));

    let gone = world.run(&["undo", &id, "--yes"]);
    assert_eq!(gone.code, 1);
    assert!(gone.stderr.contains("is already gone"), "{}", gone.stderr);
    let counts = fs::read_dir(world.data().join("checks")).unwrap().count();
    assert_eq!(counts, 0, "nothing is counted for what is no more");
}

#[test]
fn no_spot_check_without_a_person_or_when_switched_off() {
    let mut world = World::shop();
    set(&mut world);
    assert!((0..60).all(|_| !world.ask_where("List", &[("PLANTUNE_HEADLESS", "1")])));
    let config = world.data().join("config.toml");
    world.put(&config, "spot_check = 0\n");
    assert!((0..60).all(|_| !world.ask("List")));
    world.put(&config, "spot_check = 1\n");
    assert!((0..3).all(|_| world.ask("Grid (Recommended)")));
}

#[test]
fn what_was_set_again_is_trusted_again() {
    let mut world = World::shop();
    set(&mut world);
    // Nothing has to be confirmed, however long it is on.
    world.now += TimeDelta::days(400);
    assert_eq!(world.standing()["state"], "on");
    world.until_asked("List");
    world.until_asked("List");
    assert_eq!(world.standing()["state"], "stopped");
    assert!(world.ask("Grid (Recommended)"));
    world.now += TimeDelta::hours(1);
    let refused = world.run_in_session(SET);
    assert_eq!(refused.code, 4);
    world.stdout_of(SET);
    let standing = world.standing();
    assert_eq!(
        (&standing["state"], &standing["spot_checks"]),
        (&json!("on"), &json!(0))
    );
    assert!((0..5).any(|_| !world.ask("List")));
    let again = world.stdout_of(SET);
    assert_eq!(again, "layout is already set that way.\n");
}

#[test]
fn what_no_preference_answered_is_not_undone() {
    let mut world = World::shop();
    world.put("data/config.toml", "reask = \"once_per_session\"\n");
    // The fourth call begins another session.
    let asked: Vec<bool> = (0..4).map(|_| world.ask("List")).collect();
    assert_eq!(asked, [true, false, false, true]);
    for words in [&["undo", "--yes"][..], &["undo", "toolu_3", "--yes"]] {
        let undone = world.run(words);
        assert_eq!(undone.code, 1);
        assert!(undone.stderr.contains("no preference"), "{}", undone.stderr);
    }
    let log = world.stdout_of(&["log", "--auto"]);
    assert!(log.contains("toolu_3") && log.contains("toolu_2"), "{log}");
    let by = &world.json(&["report", "--json"])["totals"]["auto_decided_by"];
    assert_eq!(
        *by,
        json!({"preferences": 0, "session": 2, "reviewer": 0, "turned_down": 0, "away": 0})
    );
}

#[test]
fn what_a_reviewer_turned_down_is_no_preferences_answer() {
    let world = World::shop();
    // It was given for other options, so that it answers nothing here.
    world.stdout_of(&[
        "prefs",
        "set",
        "layout",
        "never-ask",
        "--answer",
        "Tabs",
        "--question",
        "Which layout?",
        "--option",
        "Grid",
        "--option",
        "Tabs",
        "--force",
        "--yes",
    ]);
    let script = world.path("review");
    let text = "#!/bin/sh\necho '{\"decision\":\"deny\",\"feedback\":\"Read the guide.\"}'\n";
    world.put_program(&script, text);
    let config = format!("reviewer = [{:?}]\n", script.to_str().unwrap());
    world.put("data/config.toml", config);
    let question = question(
        "<plantune:layout> Which layout?",
        "Layout",
        &["Grid", "List"],
    );
    let denied = world.hook("PreToolUse", call_of("toolu_1", &[question]));
    assert_eq!(denied["hookSpecificOutput"]["permissionDecision"], "deny");
    let report = world.json(&["report", "--json"]);
    assert_eq!(report["totals"]["auto_decided"], 1);
    assert_eq!(
        report["totals"]["auto_decided_by"],
        json!({"preferences": 0, "session": 0, "reviewer": 0, "turned_down": 1, "away": 0})
    );
    assert_eq!(report["standing_preferences"][0]["decided"], 0);
    let text = world.stdout_of(&["report"]);
    let words: Vec<&str> = text.split_whitespace().collect();
    let said = "Your reviewer turned down 1 question.";
    assert!(words.join(" ").contains(said), "{text}");
    let log = world.stdout_of(&["log", "--auto"]);
    assert!(log.contains("  (rejected)  reviewer  "), "{log}");
}

#[test]
fn a_clock_that_was_wrong_keeps_nothing_from_counting() {
    let mut world = World::shop();
    world.now += TimeDelta::days(4000);
    set(&mut world);
    world.now -= TimeDelta::days(4000);
    world.until_asked("List");
    world.until_asked("List");
    assert_eq!(world.standing()["state"], "stopped");
}

#[test]
fn nothing_is_wider_than_the_terminal() {
    let mut world = World::shop();
    let wide = "次はどうしますか".repeat(12);
    let text = format!("<plantune:layout> {wide}?");
    for number in 0..9 {
        world.now += TimeDelta::days(1);
        let id = format!("toolu_{}{number}", "x".repeat(40));
        let mut call = call_of(&id, &[question(&text, "Layout", &[&wide, "List"])]);
        call["session_id"] = json!(format!("s{number}"));
        assert_eq!(world.hook("PreToolUse", call.clone()), Value::Null);
        call["tool_response"] = json!({"answers": {text.as_str(): wide}});
        world.hook("PostToolUse", call);
    }
    for columns in ["80", "140"] {
        for words in [
            &["log"][..],
            &["log", "layout"],
            &["suggest"],
            &["suggest", "--backtest"],
            &["report", "layout"],
            &["prefs", "list", "--standing"],
        ] {
            let ran = run(world.command(words).env("COLUMNS", columns));
            assert_eq!(ran.code, 0, "{}", ran.stderr);
            let room: usize = columns.parse().unwrap();
            let wide = |line: &&str| plantune_reports::text::width(line) > room;
            assert_eq!(ran.stdout.lines().find(wide), None, "{words:?}");
        }
    }
}

#[test]
fn only_the_person_undoes() {
    let mut world = World::shop();
    let nothing = world.run(&["undo", "--yes"]);
    assert_eq!(nothing.code, 1);
    assert!(
        nothing.stderr.contains("plantune log --auto"),
        "{}",
        nothing.stderr
    );
    set(&mut world);
    while world.ask("Grid (Recommended)") {}
    let in_session = world.run_in_session(&["undo", "--yes"]);
    assert_eq!(in_session.code, 4);
    let command = format!(
        "run `plantune undo toolu_{}` yourself in another terminal",
        world.calls
    );
    assert!(
        in_session.stderr.contains(&command),
        "{}",
        in_session.stderr
    );
    let nobody = world.run(&["undo"]);
    assert_eq!(nobody.code, 4);
    assert!(nobody.stderr.contains("there is no terminal to ask on"));
    let no = run_with_person(&mut world.command(&["undo"]), &["n"]);
    assert_eq!(no.code, 0);
    assert!(
        no.stdout.ends_with("Nothing was changed.\n"),
        "{}",
        no.stdout
    );
    assert_eq!(world.standing()["state"], "on");
    assert_eq!(world.last_change()["reason"], "prefs set");
    let elsewhere = world.run(&["undo", "--project", "other", "--yes"]);
    assert_eq!(elsewhere.code, 2);
    assert!(elsewhere.stderr.contains("unknown project \"other\""));
    let elsewhere = world.run(&["undo", "--project", "/other", "--yes"]);
    assert_eq!(elsewhere.code, 1);
    world.stdout_of(&["undo", "--yes"]);
    assert_eq!(world.standing(), Value::Null);
}

#[test]
fn what_was_decided_is_listed_and_explained() {
    let mut world = World::shop();
    assert_eq!(world.stdout_of(&["log"]), "Nothing was asked.\n");
    assert!(world.ask("Grid (Recommended)"));
    set(&mut world);
    while world.ask("Grid (Recommended)") {}
    let log = world.stdout_of(&["log"]);
    let lines: Vec<&str> = log.lines().collect();
    assert!(
        lines[1].contains("  Which layout?  Grid    plantune  "),
        "{log}"
    );
    assert!(lines[2].contains("  Which layout?  Grid    you  "), "{log}");
    let auto = world.json(&["log", "--auto", "--json"]);
    assert_eq!(auto["decisions"].as_array().unwrap().len(), 1);
    let id = auto["decisions"][0]["tool_use_id"].as_str().unwrap();

    let call = world.stdout_of(&["log", id]);
    // The end of an id will do, where it is long enough to mean one call.
    assert_eq!(world.stdout_of(&["log", &id[id.len() - 6..]]), call);
    assert_eq!(world.run(&["log", &id[id.len() - 1..]]).code, 1);
    for part in [
        "answered for you: \"Grid (Recommended)\" (automatic, project)",
        "recognised by the marker in its text",
        "can be undone",
        "on, \"Grid\", in dev/shop (set today by prefs)",
        "Your answers (",
        "prefs set: answered, \"Grid\" in dev/shop",
    ] {
        assert!(call.contains(part), "{part}: {call}");
    }
    let document = world.json(&["log", "layout", "--json"]);
    assert_eq!(document["schema_version"], 1);
    let key = &document["explanations"];
    assert_eq!(key[0]["question_key"], "layout");
    assert_eq!(key[0]["preferences"][0]["standing"]["state"], "on");
    assert!(key[0]["decisions"].as_array().unwrap().len() >= 2);
    let unknown = world.run(&["log", "no-such\u{1b}[31m"]);
    assert_eq!(unknown.code, 1);
    assert!(!unknown.stderr.contains('\u{1b}'));
}

/// What is new in a question often stands at its end.
#[test]
fn the_log_shows_how_a_question_ends() {
    let world = World::shop();
    let text = format!(
        "Shall I go through {}once more? Then publish the package to npm.",
        "the open points of the list ".repeat(6)
    );
    let mut call = call_of("toolu_long", &[question(&text, "Next", &["Go on", "Skip"])]);
    assert_eq!(world.hook("PreToolUse", call.clone()), Value::Null);
    call["tool_response"] = json!({"answers": {text.as_str(): "Skip"}});
    world.hook("PostToolUse", call);
    let log = world.stdout_of(&["log"]);
    let line = log.lines().nth(1).unwrap();
    assert!(
        line.contains("Shall I go") && line.contains(" to npm.  Skip"),
        "{log}"
    );
    let call = world.stdout_of(&["log", "toolu_long"]);
    assert!(
        call.contains(" Then publish the package to npm.\n"),
        "{call}"
    );
    let wide = |line: &str| plantune_reports::text::width(line) > 80;
    assert!(!log.lines().chain(call.lines()).any(wide), "{log}{call}");
}
