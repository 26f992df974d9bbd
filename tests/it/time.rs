//! The week's report where the calendar is crooked: the built binary over a spool that it loads.

use std::fs;

use serde_json::Value;

use crate::store_content::Tables;
use crate::world::{Ran, World, run};

fn in_zone(world: &World, zone: &str, words: &[&str]) -> Ran {
    run(world.command(words).env("TZ", zone))
}

/// A world whose log holds a question for each moment, answered ten seconds later.
fn world(moments: &[&str]) -> World {
    let world = World::at("work").on("2027-01-10T12:00:00Z");
    let lines = moments.iter().enumerate().map(|(call, at)| {
        let line = |kind: &str, id: usize, ts: &str, more: &str| {
            format!(
                r#"{{"v":1,"id":"{id:032x}","ts":"{ts}","kind":"{kind}","session_id":"s{call}","session_kind":"interactive","project":"p","cwd":"/p","source":"hook","tool_name":"AskUserQuestion","tool_use_id":"t{call}","question_index":0,"question_count":1,"question_key":"k","key_source":"marker","question":"Q?","options":["Yes","No"],"door":"two-way"{more}}}"#
            ) + "\n"
        };
        let answered = at.replace("00Z", "10Z");
        line("asked", call * 2, at, "")
            + &line("answered", call * 2 + 1, &answered, r#","answer":["Yes"],"was_auto_decided":false"#)
    });
    let text: String = lines.collect();
    world.put("data/events/2027-01-05.jsonl", text);
    world
}

/// Start and end of the week, its questions, and those of the week before.
fn week(world: &World, zone: &str, week: &str) -> (String, String, u64, u64) {
    let report = in_zone(world, zone, &["report", "--json", "--week", week]).stdout();
    let report: Value = serde_json::from_str(&report).unwrap();
    let text = |name: &str| report["period"][name].as_str().unwrap().to_owned();
    let answered = report["totals"]["answered"].as_u64().unwrap();
    assert_eq!(report["totals"]["questions"], answered);
    assert_eq!(report["totals"]["human_seconds"], 10.0 * answered as f64);
    let previous = report["previous"]["questions"].as_u64().unwrap();
    (text("start"), text("end"), answered, previous)
}

/// A rebuild changes nothing.
fn assert_rebuilds(world: &World, zone: &str) {
    let (store, before) = (world.paths().store(), world.path("before.duckdb"));
    fs::copy(&store, &before).unwrap();
    in_zone(world, zone, &["ingest", "--rebuild"]).stdout();
    Tables::of(&store).assert_same(&Tables::of(&before), zone);
}

/// In another zone than the last run's, the store is computed again, which one line says.
fn move_to(world: &World, zone: &str) {
    let ran = in_zone(world, zone, &["report"]);
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (
            0,
            "plantune: computing the store again from the log: the time zone is another one\n"
        )
    );
}

#[test]
#[ignore = "takes long: make test-long"]
fn a_week_that_begins_in_the_old_year() {
    // 1 January 2027 is a Friday: it belongs to week 53 of 2026, and 2027 begins on the 4th.
    let world = world(&[
        "2026-12-27T22:59:00Z", // still Sunday of week 52 in Berlin
        "2026-12-27T23:00:00Z", // Monday of week 53
        "2026-12-31T22:30:00Z",
        "2026-12-31T23:30:00Z", // New Year's Day in Berlin
        "2027-01-03T22:59:00Z", // Sunday
        "2027-01-03T23:00:00Z", // Monday of week 1
        "2027-01-04T08:00:00Z",
    ]);
    let zone = "Europe/Berlin";
    let weeks = |zone: &str, names: &[&str]| -> Vec<_> {
        names.iter().map(|name| week(&world, zone, name)).collect()
    };
    let days = |start: &str, end: &str, count: u64, previous: u64| {
        (start.to_owned(), end.to_owned(), count, previous)
    };
    assert_eq!(
        weeks(zone, &["2026-W52", "2026-W53", "2027-W01", "2027-W02"]),
        [
            days("2026-12-21", "2026-12-27", 1, 0),
            days("2026-12-28", "2027-01-03", 4, 1),
            days("2027-01-04", "2027-01-10", 2, 4),
            days("2027-01-11", "2027-01-17", 0, 2),
        ]
    );
    assert_rebuilds(&world, zone);
    // Somewhere else the same moments are other days; each report has the week before, too.
    for (zone, w52, w1) in [("UTC", 2, 1), ("Asia/Kathmandu", 0, 3)] {
        move_to(&world, zone);
        assert_eq!(
            weeks(zone, &["2026-W53", "2027-W02"]),
            [
                days("2026-12-28", "2027-01-03", 4, w52),
                days("2027-01-11", "2027-01-17", 0, w1),
            ]
        );
        assert_rebuilds(&world, zone);
    }
}

#[test]
fn weeks_in_which_the_clocks_change() {
    // Sunday of week 13 has 23 hours in Berlin, Sunday of week 43 has 25.
    let world = world(&[
        "2026-03-22T23:00:00Z", // Monday of week 13, in winter time
        "2026-03-29T00:59:00Z",
        "2026-03-29T01:00:00Z",
        "2026-03-29T21:59:00Z", // Sunday's last minute, in summer time
        "2026-03-29T22:00:00Z", // Monday of week 14
        "2026-10-18T22:00:00Z", // Monday of week 43, in summer time
        "2026-10-25T00:30:00Z", // half past two
        "2026-10-25T01:30:00Z", // half past two once more
        "2026-10-25T22:59:00Z",
        "2026-10-25T23:00:00Z", // Monday of week 44
    ]);
    let zone = "Europe/Berlin";
    let counts = |name: &str| {
        let (_, _, count, previous) = week(&world, zone, name);
        (previous, count)
    };
    assert_eq!(counts("2026-W13"), (0, 4));
    assert_eq!(counts("2026-W14"), (4, 1));
    assert_eq!(counts("2026-W43"), (0, 4));
    assert_eq!(counts("2026-W44"), (4, 1));
    assert_rebuilds(&world, zone);
}
