//! `plantune report`: the built binary on the store of `query/tests/report.sql`.

use std::io::Read as _;
use std::process::{Command, Stdio};

use chrono::TimeDelta;
use duckdb::AccessMode;
use plantune_domain::keys::is_made_up;
use serde_json::Value;

use crate::world::{PLANTUNE, World, run};

#[test]
fn seven_days_on_a_terminal() {
    insta::assert_snapshot!(text_of(&filled(), &[]));
}

#[test]
fn seven_days_in_markdown() {
    insta::assert_snapshot!(text_of(&filled(), &["--markdown", "--top", "3"]));
}

#[test]
fn seven_days_in_json() {
    let json = json_of(&filled(), &["--top", "1"]);
    assert_eq!(json["schema_version"], 1);
    assert_eq!(json["period"]["start"], "2026-11-14");
    assert_eq!(json["period"]["end"], "2026-11-20");
    assert_eq!(json["period"]["time_zone"], "Europe/Berlin");
    assert_eq!(json["totals"]["questions"], 18);
    assert_eq!(json["totals"]["human_seconds"], 220.5);
    assert_eq!(json["totals"]["seconds_saved"], 35.0);
    assert_eq!(json["previous"]["questions"], 2);
    assert_eq!(json["timeline"]["parts"].as_array().unwrap().len(), 7);
    // All of them, whatever --top says.
    assert_eq!(json["questions"].as_array().unwrap().len(), 6);
    assert_eq!(json["questions"][0]["agreement"], 0.75);
    assert_eq!(json["questions"][2]["agreement"], Value::Null);
    assert_eq!(json["quarantined"], 3);
    assert_eq!(json["suggestions_waiting"], 0);
}

#[test]
fn other_periods() {
    let world = filled();
    for (arguments, start, end, questions) in [
        (&[][..], "2026-11-14", "2026-11-20", 18),
        (&["--week", "2026-W46"], "2026-11-09", "2026-11-15", 3),
        (&["--week", "2026-W01"], "2025-12-29", "2026-01-04", 1),
        (&["--since", "2026-11-18"], "2026-11-18", "2026-11-20", 9),
        (
            &["--since", "2026-11-15", "--until", "2026-11-16"],
            "2026-11-15",
            "2026-11-16",
            7,
        ),
        // The ends of what a date may be.
        (
            &["--since", "1000-01-01", "--until", "9999-12-31"],
            "1000-01-01",
            "9999-12-31",
            23,
        ),
    ] {
        let json = json_of(&world, arguments);
        assert_eq!(json["period"]["start"], start, "{arguments:?}");
        assert_eq!(json["period"]["end"], end, "{arguments:?}");
        assert_eq!(json["totals"]["questions"], questions, "{arguments:?}");
    }
}

#[test]
fn the_persons_time_zone() {
    let mut world = filled();
    world.put("data/config.toml", "time_zone = \"Pacific/Kiritimati\"\n");
    // An hour later it is Saturday there.
    world.now += TimeDelta::hours(1);
    let json = world.done(&["report", "--since", "2026-11-21", "--json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["period"]["time_zone"], "Pacific/Kiritimati");
    assert_eq!(json["period"]["end"], "2026-11-21");

    world.put("data/config.toml", "time_zone = \"Middle/Earth\"\n");
    let (code, errors) = failure(&world, &[]);
    assert_eq!(code, 3);
    assert!(errors.contains("Middle/Earth"), "{errors}");
}

#[test]
fn one_project() {
    let world = filled();
    for wanted in ["github.com/acme/site", "acme/site", "site"] {
        let json = json_of(&world, &["--project", wanted]);
        assert_eq!(json["totals"]["questions"], 5, "{wanted}");
    }
    let text = text_of(&world, &["--project", "site"]);
    assert!(text.contains("Project github.com/acme/site\n"), "{text}");

    let (code, errors) = failure(&world, &["--project", "sites"]);
    assert_eq!(code, 2);
    assert!(errors.contains("\"sites\""), "{errors}");
    assert!(errors.contains("github.com/acme/shop"), "{errors}");
}

#[test]
fn what_is_passed_on_has_no_texts() {
    let world = filled();
    let formats: [&[&str]; 6] = [
        &[],
        &["--markdown"],
        &["--csv"],
        &["--json"],
        &["--html", "-"],
        &["--by", "project"],
    ];
    let whole = json_of(&world, &[]);
    let keys = whole["questions"].as_array().unwrap().iter();
    let keys: Vec<&str> = keys
        .filter_map(|one| one["question_key"].as_str())
        .collect();
    let named: Vec<&str> = keys.into_iter().filter(|key| !is_made_up(key)).collect();
    assert!(named.len() > 2, "{named:?}");
    for format in formats {
        let text = text_of(&world, &[&["--redact", "--all"][..], format].concat());
        assert!(text.contains("project-1"), "{format:?}: {text}");
        for key in &named {
            assert!(!text.contains(key), "{format:?}: {key} in {text}");
        }
        for secret in [
            "acme",
            "More questions",
            "Next area",
            "Commit the changes",
            "Drop the table",
        ] {
            assert!(!text.contains(secret), "{format:?}: {secret} in {text}");
        }
    }
    assert_eq!(failure(&world, &["--redact", "commit"]).0, 2);
    assert_eq!(
        failure(&world, &["--redact", "--prompts", "--by", "asker"]).0,
        2
    );
}

#[test]
fn the_project_of_this_folder() {
    let world = World::with_checkout("work", "git@github.com:acme/site.git");
    world.fill(include_str!("../../query/tests/report.sql"));
    for words in [&["--project", "."][..], &["--here"]] {
        assert_eq!(json_of(&world, words)["totals"]["questions"], 5);
    }
    assert_eq!(failure(&world, &["--here", "--project", "site"]).0, 2);
}

#[test]
fn nothing_yet() {
    let (missing, blank) = (empty(), empty());
    blank.fill("");
    for world in [&missing, &blank] {
        let text = text_of(world, &[]);
        assert!(text.contains("plantune import claude-code`"), "{text}");
        let json = json_of(world, &[]);
        assert_eq!(json["totals"], json["previous"]);
        assert_eq!(json["totals"]["questions"], 0);
        assert_eq!(json["totals"]["seconds_saved"], 0.0);
        assert_eq!(json["questions"], Value::Array(vec![]));
        assert_eq!(json["session_kinds"], Value::Array(vec![]));
        assert_eq!(json["errors"], Value::Array(vec![]));
        assert_eq!(json["timeline"]["parts"][6]["start"], "2026-11-20");
        assert_eq!(json["quarantined"], 0);
        let keys = |json: &Value| {
            json.as_object()
                .unwrap()
                .keys()
                .cloned()
                .collect::<Vec<_>>()
        };
        assert_eq!(keys(&json), keys(&json_of(&filled(), &[])));
    }
    // Nothing was made where there was nothing.
    assert!(!missing.paths().store().exists());
}

#[test]
fn nothing_in_the_period() {
    let text = text_of(&filled(), &["--week", "2026-W48", "--project", "acme/shop"]);
    assert!(
        text.contains("The last day with a question was Fri 20 Nov 2026."),
        "{text}"
    );
    assert!(
        text.contains("`plantune report --week 2026-W47 --project github.com/acme/shop`"),
        "{text}"
    );
}

#[test]
fn no_seven_days_are_empty_that_have_something_before() {
    let mut world = filled();
    world.now += TimeDelta::days(30);
    let text = text_of(&world, &[]);
    assert!(
        text.starts_with("Nothing in the last 7 days. Before that: Sat 14 – Fri 20 Nov 2026,"),
        "{text}"
    );
    let json = json_of(&world, &[]);
    assert_eq!(json["period"]["end"], "2026-11-20");
    assert_eq!(json["totals"]["questions"], 18);
    // What was asked for is shown, empty or not.
    let json = json_of(&world, &["--since", "7d"]);
    assert_eq!(json["totals"]["questions"], 0);
}

#[test]
fn each_sentence_names_a_command_that_works() {
    let mut world = World::new();
    let work = world.path("home/work");
    let sample = include_str!("../../demo/sample-history.jsonl");
    let sample = sample.replace("@WORK@", work.to_str().unwrap());
    world.put(world.transcripts().join("p/a.jsonl"), sample);
    world.now += TimeDelta::minutes(1);
    let mut tried = 0;
    for words in [
        &["--json"][..],
        &["report", "--json"],
        &["report", "--since", "8w", "--json"],
        &["report", "--week", "2026-W46", "--json"],
    ] {
        let document: Value = serde_json::from_str(&world.done(words)).unwrap();
        let sentences = ["summary", "stands_out"].map(|part| document[part].as_array().unwrap());
        let shows = sentences.into_iter().flatten().map(|one| &one["show"]);
        for show in shows.filter_map(Value::as_str) {
            // As a person's shell reads it.
            let line = show.replacen("plantune", PLANTUNE, 1);
            let shown = run(&mut world.start("/bin/sh", &["-c", &line])).done();
            assert!(!shown.is_empty(), "{show}");
            tried += 1;
        }
    }
    assert!(tried > 3, "{tried}");
}

#[test]
fn usage_errors() {
    let world = filled();
    for (arguments, value) in [
        (&["--week", "2026-W54"][..], "2026-W54"),
        (&["--since", "2026-11-31"], "2026-11-31"),
        (
            &["--since", "2026-11-10", "--until", "2026-11-09"],
            "2026-11-10",
        ),
        (&["--week", "2026-W46", "--since", "7d"], "--since"),
        (&["--until", "2026-11-09"], "--since"),
        (&["--json", "--markdown"], "--markdown"),
        (&["--top", "0"], "0"),
    ] {
        let (code, errors) = failure(&world, arguments);
        assert_eq!(code, 2, "{arguments:?}");
        assert!(errors.contains(value), "{errors}");
    }
}

#[test]
fn a_broken_configuration_is_left_alone() {
    let world = filled();
    world.put("data/config.toml", "time_zone = [\n");
    let (code, errors) = failure(&world, &[]);
    assert_eq!(code, 3);
    assert!(errors.contains("config.toml"), "{errors}");
}

#[test]
fn a_store_of_a_newer_plantune_is_named() {
    let world = filled();
    let store = plantune_migrations::open(&world.paths().store(), AccessMode::ReadWrite).unwrap();
    store
        .execute_batch("INSERT INTO migrations VALUES (999, now()::TIMESTAMP)")
        .unwrap();
    store.close().unwrap();
    let (code, errors) = failure(&world, &[]);
    assert_eq!(code, 1);
    assert!(
        errors.contains("plantune.duckdb") && errors.contains("a newer plantune wrote this store"),
        "{errors}"
    );
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let world = empty();
    // More than a pipe holds, so that the writer meets the closed end.
    world.fill(
        "INSERT INTO questions BY NAME
         SELECT '2026-11-16'::DATE AS day, '2026-11-16 09:00:00'::TIMESTAMP AS ts, 'p' AS project,
             'k' || i AS question_key, repeat('Q', 500) AS question, 'answered' AS outcome
         FROM range(2000) AS numbers(i)",
    );
    let mut child = report(&world, &["--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 16];
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut first).unwrap();
    drop(stdout);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

// `plantune report` in a world of tests.

/// Friday, 20 November 2026, 10:00 in Berlin; nothing was ever logged.
pub(crate) fn empty() -> World {
    World::at("work").on("2026-11-20T09:00:00Z")
}

/// With the store of `query/tests/report.sql`.
pub(crate) fn filled() -> World {
    let world = empty();
    world.fill(include_str!("../../query/tests/report.sql"));
    world
}

pub(crate) fn report(world: &World, words: &[&str]) -> Command {
    world.command(&[&["report"], words].concat())
}

/// The output of a report that works.
pub(crate) fn text_of(world: &World, words: &[&str]) -> String {
    run(&mut report(world, words)).stdout()
}

pub(crate) fn json_of(world: &World, words: &[&str]) -> Value {
    serde_json::from_str(&text_of(world, &[words, &["--json"]].concat())).unwrap()
}

/// The exit code and the errors of a report that does not work.
pub(crate) fn failure(world: &World, words: &[&str]) -> (i32, String) {
    let ran = run(&mut report(world, words));
    assert_eq!(ran.stdout, "");
    (ran.code, ran.stderr)
}

// A store in which no figure of a report is 0.

/// Questions and permission prompts such that every figure has rows: nine of one question, for a line that
/// stands out; dialogs left alone, calls at once, and waits that go on into the next week.
pub(crate) fn fill_every_figure(world: &World) {
    world.fill(concat!(
        include_str!("../../query/tests/report.sql"),
        "DROP TABLE asked;",
        include_str!("../../query/tests/permissions.sql"),
        "UPDATE permission_events SET waited_seconds = 900 WHERE waited_seconds = 40;
         INSERT INTO questions BY NAME
         SELECT TIMESTAMP '2026-11-17 09:00:00' + to_minutes(i::INTEGER) AS ts, DATE '2026-11-17' AS day,
             'github.com/acme/shop' AS project, 's9' AS session_id, 'pick-one' AS question_key,
             'marker' AS key_source, 'Which one?' AS question, '[\"A\",\"B\",\"C\"]' AS options,
             'answered' AS outcome, 'A' AS answer_name, true AS followed_recommendation, 12.5 AS human_seconds
         FROM range(9) AS numbers(i);
         INSERT INTO questions BY NAME
         SELECT asked AS ts, asked AS asked_at, day, 'github.com/acme/shop' AS project, session AS session_id,
             call AS tool_use_id, i AS question_index, times AS question_count, 'plan-' || call AS question_key,
             'marker' AS key_source, outcome,
             if(outcome = 'answered', ended, NULL) AS answered_at,
             if(outcome = 'dismissed', ended, NULL) AS dismissed_at,
             if(outcome = 'answered', 'Yes', NULL) AS answer_name,
             if(outcome = 'answered', epoch(ended - asked) / times, NULL) AS human_seconds
         FROM (VALUES
             (TIMESTAMP '2026-11-15 22:50:00', DATE '2026-11-15', 'w1', 'sunday', 1, TIMESTAMP '2026-11-16 00:00:00',
                 'answered'),
             ('2026-11-15 23:10:00', '2026-11-16', 'w1', 'covered', 2, '2026-11-15 23:30:00', 'answered'),
             ('2026-11-15 23:50:00', '2026-11-16', 'w1', 'overlaps', 1, '2026-11-16 00:20:00', 'dismissed'),
             ('2026-11-17 08:00:00', '2026-11-17', 'w1', 'four', 4, '2026-11-17 08:01:00', 'answered'),
             ('2026-11-17 08:00:30', '2026-11-17', 'w1', 'beside', 1, '2026-11-17 08:02:00.25', 'dismissed'),
             ('2026-11-17 08:00:30', '2026-11-17', 'w2', 'elsewhere', 3, '2026-11-17 08:22:00', 'answered')
         ) AS calls (asked, day, session, call, times, ended, outcome)
         CROSS JOIN LATERAL (SELECT unnest(range(times)) AS i)",
    ));
}
