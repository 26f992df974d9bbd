//! A history that holds a night: hook calls of three days with a dialog that stood open until the morning, and what
//! reports, estimates and the settings make of it.

use chrono::TimeDelta;
use serde_json::{Value, json};

use crate::world::{Ran, World, call_of, question};

/// Friday, 20 November 2026; its week is 2026-W47.
fn empty() -> World {
    World::at("work").on("2026-11-20T12:00:00Z")
}

fn json_of(world: &World, words: &[&str]) -> Value {
    world.json(&[words, &["--json"]].concat())
}

/// A call with these headers in `session`, asked at `at` and answered `seconds` later, as the client tells the
/// hook of it. What the hook printed before the question.
fn ask(world: &mut World, session: &str, headers: &[&str], at: &str, seconds: i64) -> Value {
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
    let mut world = empty();
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
        ask(&mut world, session, headers, at, seconds);
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
        let printed = ask(&mut world, "again", &["Scope"], "2026-11-19T09:00:00Z", 0);
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
    let empty = empty();
    let csv = empty.stdout_of(&["report", "--by", "skill", "--csv"]);
    assert!(csv.starts_with("\"name\""));
    assert_eq!(
        json_of(&empty, &["report", "--by", "skill"])["groups"],
        json!([])
    );
}

#[test]
fn groups_that_make_no_sense_are_refused() {
    let world = empty();
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
