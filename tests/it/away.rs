//! Away and back: the person says for how long, sees what was answered, changes it, and the agent is
//! told. With the built programs in an empty home.

use std::path::PathBuf;

use chrono::TimeDelta;
use serde_json::{Value, json};

use crate::world::person::run_on_terminal;
use crate::world::{Ran, World, call_of, question, unwrapped};

/// Nobody was ever asked anything.
fn empty() -> World {
    World::at("shop")
        .without_plantune_home()
        .on("2026-11-20T09:00:00Z")
        .with("TZ", "UTC")
        .with("COLUMNS", "100")
}

fn away_file(world: &World) -> PathBuf {
    world.path("home/.config/plantune/away.json")
}

/// Exit code, and what was printed.
fn run(world: &World, words: &[&str]) -> (i32, String) {
    let ran = world.run(words);
    (ran.code, ran.text())
}

/// Asks `text`; what was answered for the person, null when they are asked.
fn ask(world: &World, id: &str, text: &str, labels: &[&str]) -> Value {
    let question = question(text, "H", labels);
    let mut call = call_of(id, std::slice::from_ref(&question));
    let printed = world.hook("PreToolUse", call.clone());
    let input = &printed["hookSpecificOutput"]["updatedInput"];
    if !input.is_null() {
        // The client gives back what the hook answered.
        call["tool_input"] = input.clone();
        call["tool_response"] = json!({"questions": [question], "answers": input["answers"]});
        world.hook("PostToolUse", call);
    }
    input["answers"][text].clone()
}

fn ask_layout(world: &World, id: &str) -> Value {
    ask(
        world,
        id,
        "Review the layout?",
        &["Later (Recommended)", "Now"],
    )
}

fn prompted(world: &World) -> Value {
    let printed = world.hook("UserPromptSubmit", json!({"prompt": "go on"}));
    printed["hookSpecificOutput"]["additionalContext"].clone()
}

#[test]
fn away_and_back() {
    let mut world = empty();
    assert_eq!(ask_layout(&world, "toolu_0"), Value::Null);
    world.later(1);
    world.done(&["away", "3h", "--yes"]);
    world.later(10);
    assert_eq!(ask_layout(&world, "toolu_1"), "Later (Recommended)");
    let waits = ask(
        &world,
        "toolu_2",
        "Drop the old tables?",
        &["Yes (Recommended)", "No"],
    );
    assert_eq!(waits, Value::Null, "it cannot be taken back");
    for words in [&["report"][..], &["prefs", "list"]] {
        let text = unwrapped(&run(&world, words).1);
        assert!(text.contains("away until today 12:01"), "{words:?}: {text}");
    }
    let until = "2026-11-20T12:01:00.000Z";
    assert_eq!(world.json(&["report", "--json"])["away_until"], until);
    assert_eq!(
        world.json(&["prefs", "list", "--json"])["away_until"],
        until
    );
    let log = world.done(&["log"]);
    let words: Vec<&str> = log.split_whitespace().collect();
    assert!(
        words.join(" ").contains("Review the layout? Later away"),
        "{log}"
    );
    let logged = &world.json(&["log", "--auto", "--json"])["decisions"][0];
    assert_eq!(
        (&logged["level"], &logged["undone"]),
        (&json!("away"), &json!(false))
    );

    let back = world.done(&["away", "off"]);
    let wanted = "While you were away 1 question was answered as recommended. None of it counts as your answer.\n\
        today 09:11  Review the layout?\n    \"Later (Recommended)\" (not \"Now\")\n    \
        to change it: plantune undo toolu_1 --answer LABEL\n    in ";
    assert!(back.starts_with(wanted), "{back}");
    assert!(!away_file(&world).exists());
    assert_eq!(ask_layout(&world, "toolu_3"), Value::Null, "they are back");
    assert!(world.done(&["away", "off"]).starts_with("You are not away"));
    assert_eq!(world.json(&["report", "--json"])["away_until"], Value::Null);
}

#[test]
fn the_agent_is_told_of_a_changed_answer() {
    let mut world = empty();
    world.done(&["away", "3h", "--yes"]);
    ask_layout(&world, "toolu_1");
    world.later(5);
    ask_layout(&world, "toolu_2");
    world.done(&["away", "off"]);
    assert_eq!(prompted(&world), Value::Null);
    for (words, why) in [
        (
            ["undo", "toolu_1", "--yes", "--answer", "Table"],
            "was not offered",
        ),
        (
            ["undo", "toolu_1", "--yes", "--answer", "Later"],
            "is what was answered",
        ),
    ] {
        let (code, text) = run(&world, &words);
        assert_eq!(code, 2, "{text}");
        assert!(text.contains(why), "{text}");
    }
    let (code, _) = run(&world, &["undo", "toolu_1"]);
    assert_eq!(code, 4, "nobody is there to be asked");
    world.later(1);
    let text = world.done(&["undo", "toolu_1", "--yes", "--answer", "Now"]);
    assert!(
        text.ends_with("The agent learns of it in its next turn.\n"),
        "{text}"
    );
    let message = prompted(&world);
    let words =
        "The user has changed the answer to \"Review the layout?\" from \"Later\" to \"Now\".";
    assert!(message.as_str().unwrap().contains(words), "{message}");
    assert_eq!(prompted(&world), Value::Null, "once");
    let log = world.done(&["log"]);
    assert!(log.contains("  Later, taken back  away  "), "{log}");
    // The last one that was not taken back; its session is over meanwhile.
    world.later(1);
    world.hook("SessionEnd", json!({"reason": "other"}));
    world.later(1);
    let text = world.done(&["undo", "--yes"]);
    assert!(
        text.ends_with("The session is over, so the next one in this project learns of it.\n"),
        "{text}"
    );
    let started = world.hook("SessionStart", json!({"source": "startup"}));
    let context = started["hookSpecificOutput"]["additionalContext"]
        .as_str()
        .unwrap();
    assert!(
        context.contains("has taken back the answer \"Later\""),
        "{context}"
    );
    assert_eq!(
        run(&world, &["undo", "toolu_2", "--yes"]).0,
        1,
        "taken back already"
    );
}

#[test]
#[ignore = "takes long: make test-long"]
fn nothing_of_it_is_evidence() {
    let mut world = empty();
    // As often, on as many days and in as many sessions as a habit needs.
    for day in 0..12 {
        world.done(&["away", "1h", "--yes"]);
        ask_layout(&world, &format!("toolu_{day}"));
        world.done(&["away", "off"]);
        world.later(24 * 60);
    }
    world.done(&["undo", "toolu_3", "--yes", "--answer", "Now"]);
    let suggested = world.json(&["suggest", "--json"]);
    assert_eq!(suggested["suggestions"], json!([]));
    assert_eq!(
        suggested["rejected"],
        json!([]),
        "no answer of theirs is known"
    );
    let backtest = world.json(&["suggest", "--backtest", "--json"]);
    assert_eq!(backtest["questions"], 0);
    let report = world.json(&["report", "--since", "2026-11-01", "--json"]);
    let totals = &report["totals"];
    assert_eq!(totals["auto_decided_by"]["away"], 12);
    assert_eq!(totals["auto_decided_by"]["preferences"], 0);
    assert_eq!(totals["answered"], 0);
    assert_eq!(totals["seconds_saved"], 0.0);
    assert_eq!(report["standing_preferences"], json!([]));
    // Computed again from the log alone it is the same.
    world.done(&["ingest", "--rebuild"]);
    assert_eq!(
        world.json(&["report", "--since", "2026-11-01", "--json"]),
        report
    );
}

#[test]
fn only_the_person_goes_away() {
    let world = empty();
    let (code, text) = run(&world, &["away", "3h"]);
    assert_eq!(code, 4, "{text}");
    for words in [&["away", "3h", "--yes"][..], &["away", "off"]] {
        assert_eq!(world.run_in_session(words).code, 4, "{words:?}");
    }
    assert!(!away_file(&world).exists());
    for words in ["13h", "12h1m", "3", "forever", "0m"] {
        assert_eq!(run(&world, &["away", words, "--yes"]).0, 2, "{words}");
    }
    assert_eq!(ask_layout(&world, "toolu_1"), Value::Null);
    let (shown, code) = run_on_terminal(&mut world.command(&["away", "12h"]), &["n"]);
    assert_eq!(code, Some(0));
    assert!(shown.contains("Are you away? [y/N]"), "{shown}");
    assert!(!away_file(&world).exists());
    let (_, code) = run_on_terminal(&mut world.command(&["away", "12h"]), &["y"]);
    assert_eq!(code, Some(0));
    assert_eq!(ask_layout(&world, "toolu_2"), "Later (Recommended)");
}

#[test]
fn after_the_end_the_first_command_shows_the_list() {
    let mut world = empty();
    world.done(&["away", "1h", "--yes"]);
    ask_layout(&world, "toolu_1");
    world.later(30);
    // Longer than first said: what was answered before is still to be reviewed.
    world.done(&["away", "1h", "--yes", "--project", "."]);
    ask_layout(&world, "toolu_2");
    world.later(60);
    assert_eq!(
        ask_layout(&world, "toolu_3"),
        Value::Null,
        "the time is over"
    );
    // A script does not see it in the person's place, and neither does an agent.
    assert!(!world.done(&["log"]).contains("While you were away"));
    let mut of_agent = world.command(&["log"]);
    let (shown, _) = run_on_terminal(of_agent.env("CLAUDECODE", "1"), &[]);
    assert!(!shown.contains("While you were away"), "{shown}");
    let (shown, _) = run_on_terminal(&mut world.command(&["log"]), &[]);
    assert!(
        shown.contains("While you were away 2 questions were answered"),
        "{shown}"
    );
    assert!(
        shown.contains("plantune undo toolu_1 --answer LABEL"),
        "{shown}"
    );
    let (shown, _) = run_on_terminal(&mut world.command(&["log"]), &[]);
    assert!(!shown.contains("While you were away 2"), "once: {shown}");
    assert!(!away_file(&world).exists());
}

#[test]
fn a_preference_that_is_undone_is_told_as_well() {
    let mut world = empty();
    ask_layout(&world, "toolu_0");
    world.later(1);
    let key = world.json(&["log", "--json"])["decisions"][0]["question_key"].clone();
    world.put("home/.config/plantune/config.toml", "spot_check = 0\n");
    let key = key.as_str().unwrap();
    world.done(&["prefs", "set", key, "never-ask", "--answer", "Now", "--yes"]);
    assert_eq!(ask_layout(&world, "toolu_1"), "Now");
    world.later(1);
    world.done(&["undo", "toolu_1", "--yes", "--answer", "Later"]);
    let message = prompted(&world);
    assert!(
        message
            .as_str()
            .unwrap()
            .contains("from \"Now\" to \"Later\""),
        "{message}"
    );
    assert_eq!(ask_layout(&world, "toolu_2"), Value::Null);
}

// A history that holds a night: hook calls of three days with a dialog that stood open until the morning, and what
// reports, estimates and the settings make of it.

/// Friday, 20 November 2026; its week is 2026-W47.
fn at_noon() -> World {
    World::at("work").on("2026-11-20T12:00:00Z")
}

fn json_of(world: &World, words: &[&str]) -> Value {
    world.json(&[words, &["--json"]].concat())
}

/// A call with these headers in `session`, asked at `at` and answered `seconds` later, as the client tells the
/// hook of it. What the hook printed before the question.
fn ask_headers(
    world: &mut World,
    session: &str,
    headers: &[&str],
    at: &str,
    seconds: i64,
) -> Value {
    world.calls += 1;
    let question = |header: &&str| {
        question(
            &format!("What about {header}?"),
            header,
            &["Keep", "Change"],
        )
    };
    let questions: Vec<Value> = headers.iter().map(question).collect();
    let mut call = call_of(&format!("toolu_{}", world.calls), &questions);
    call["session_id"] = json!(session);
    let today = std::mem::replace(&mut world.now, at.parse().unwrap());
    let printed = world.hook("PreToolUse", call.clone());
    let answers = questions.iter().map(|one| {
        let text = one["question"].as_str().unwrap();
        (text.to_owned(), json!("Keep"))
    });
    call["tool_response"] =
        json!({"questions": questions, "answers": answers.collect::<serde_json::Map<_, _>>()});
    world.now += TimeDelta::seconds(seconds);
    world.hook("PostToolUse", call);
    world.now = today;
    printed
}

/// Three days, and a night of ten hours and a half.
fn with_a_night() -> World {
    let mut world = at_noon();
    for (session, headers, at, seconds) in [
        ("monday", &["Scope"][..], "2026-11-16T09:00:00Z", 30),
        (
            "monday",
            &["Scope", "Tests", "Style", "Names"],
            "2026-11-16T09:05:00Z",
            60,
        ),
        ("tuesday", &["Scope"], "2026-11-17T21:00:00Z", 37_800),
        // Another session waits through a part of that night on its own.
        ("evening", &["Tests"], "2026-11-17T22:00:00Z", 1200),
        ("wednesday", &["Scope"], "2026-11-18T09:00:00Z", 50),
    ] {
        ask_headers(&mut world, session, headers, at, seconds);
    }
    world
}

#[test]
fn a_night_is_said_apart() {
    let world = with_a_night();
    let report = json_of(&world, &["report"]);
    let totals = &report["totals"];
    assert_eq!(totals["answered"], 8);
    assert_eq!(totals["human_seconds"], 140.0);
    assert_eq!(totals["away_answers"], 2);
    assert_eq!(totals["away_seconds"], 39_000.0);
    assert_eq!(totals["waiting_seconds"], 39_140.0);
    assert_eq!(totals["waiting_away_seconds"], 39_000.0);
    assert_eq!(report["away_after_seconds"], 600.0);
    assert_eq!(report["answering_times"]["away_answers"], 2);
    // Of 30, 15 and 50 seconds; the night is none of them.
    let mut scope = report["questions"].as_array().unwrap().iter();
    let scope = scope.find(|one| one["header"] == "Scope").unwrap();
    assert_eq!(
        (&scope["answered"], &scope["median_seconds"]),
        (&json!(4), &json!(30.0))
    );
    let text = world.stdout_of(&["report", "--by", "weekday"]);
    insta::assert_snapshot!(text);
}

#[test]
fn the_bound_is_configured() {
    let world = with_a_night();
    world.put("data/config.toml", "[report]\naway_after_minutes = 30\n");
    let totals = json_of(&world, &["report"])["totals"].clone();
    assert_eq!(
        (&totals["human_seconds"], &totals["away_answers"]),
        (&json!(1340.0), &json!(1))
    );
    let settings = json_of(&world, &["config", "show"]);
    let mut setting = settings["settings"].as_array().unwrap().iter();
    let setting = setting
        .find(|one| one["key"] == "report.away_after_minutes")
        .unwrap();
    assert_eq!(
        (&setting["value"], &setting["line"]),
        (&json!(30), &json!(2))
    );
    for (wrong, said) in [
        ("[report]\naway_after_minutes = 0\n", "1 to 1440 minutes"),
        ("[report]\naway_after_minutes = 1441\n", "1 to 1440 minutes"),
        (
            "[report]\naway_after_minutes = \"ten\"\n",
            "away_after_minutes",
        ),
        ("[report]\naway_minutes = 3\n", "away_after_minutes"),
    ] {
        world.put("data/config.toml", wrong);
        for words in [&["report"][..], &["suggest"], &["config", "show"]] {
            let Ran {
                code,
                stderr: errors,
                ..
            } = world.run(words);
            assert_eq!(code, 3, "{words:?} {errors}");
            assert!(
                errors.contains("config.toml") && errors.contains(said),
                "{errors}"
            );
        }
        assert!(world.doctor(&[]).contains("config.toml"), "{wrong}");
    }
}

#[test]
fn the_hook_answers_whatever_the_table_says() {
    let mut world = with_a_night();
    let key = json_of(&world, &["report"])["questions"][0]["question_key"].clone();
    let set = [
        "prefs",
        "set",
        key.as_str().unwrap(),
        "never-ask",
        "--answer",
        "Keep",
        "--global",
        "--yes",
    ];
    world.done(&set);
    for table in [
        "away_after_minutes = 30",
        "away_after_minutes = \"soon\"",
        "unknown = [1]",
    ] {
        world.put(
            "data/config.toml",
            format!("spot_check = 0\n\n[report]\n{table}\n"),
        );
        let printed = ask_headers(&mut world, "again", &["Scope"], "2026-11-19T09:00:00Z", 0);
        assert!(printed.to_string().contains("Keep"), "{table}: {printed}");
    }
}

#[test]
fn groups_in_every_format() {
    let world = with_a_night();
    let report = json_of(&world, &["report", "--by", "header"]);
    assert_eq!(report["by"], "header");
    let groups = report["groups"].as_array().unwrap();
    let names: Vec<_> = groups
        .iter()
        .map(|one| one["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["Scope", "Tests", "Names", "Style"]);
    let sum = |field: &str| -> f64 { groups.iter().map(|one| one[field].as_f64().unwrap()).sum() };
    for field in [
        "questions",
        "answered",
        "human_seconds",
        "away_seconds",
        "waiting_seconds",
    ] {
        assert_eq!(
            Some(sum(field)),
            report["totals"][field].as_f64(),
            "{field}"
        );
    }
    let csv = world.stdout_of(&["report", "--by", "header", "--csv", "--top", "1"]);
    assert_eq!(csv.lines().count(), 5);
    assert!(
        csv.contains("\"Scope\",4,4,4,0,0,0,0,0,95,30,1,37800,37895,37800\r\n"),
        "{csv}"
    );
    let markdown = world.stdout_of(&["report", "--by", "header", "--markdown", "--top", "2"]);
    assert!(markdown.contains("## By header (2 of 4)") && !markdown.contains("usual answer"));
    let page = world.stdout_of(&["report", "--by", "header", "--html", "-"]);
    assert!(page.contains("data-json=\"/groups/3/waiting_seconds\""));
    let skills = world.stdout_of(&["report", "--by", "skill"]);
    assert!(skills.contains("(no command)"), "{skills}");
    let empty = at_noon();
    let csv = empty.stdout_of(&["report", "--by", "skill", "--csv"]);
    assert!(csv.starts_with("\"name\""));
    assert_eq!(
        json_of(&empty, &["report", "--by", "skill"])["groups"],
        json!([])
    );
}

#[test]
fn groups_that_make_no_sense_are_refused() {
    let world = at_noon();
    for (words, said) in [
        (
            &["--by", "project", "--project", "shop"][..],
            "leave --project out",
        ),
        (&["--by", "weekday", "--prompts"], "by asker or framework"),
        (&["--by", "month"], "weekday"),
        (&["--by"], "session-kind"),
    ] {
        let Ran {
            code,
            stderr: errors,
            ..
        } = world.run(&[&["report"], words].concat());
        assert_eq!(code, 2, "{words:?}");
        assert!(errors.contains(said), "{words:?}: {errors}");
    }
}
