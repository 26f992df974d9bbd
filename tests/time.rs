//! The week's report where the calendar is crooked: the built binary over a spool that it loads.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test may panic, its helpers too"
)]

#[path = "store_content/mod.rs"]
#[allow(dead_code, reason = "another test counts rows")]
mod store_content;

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use store_content::Tables;
use tempfile::TempDir;

const NOW: &str = "2027-01-10T12:00:00Z";

/// Standard output and standard error of a run that succeeds.
fn run(home: &Path, zone: &str, words: &[&str]) -> (String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_plantune"))
        .args(words)
        .env_clear()
        .env("HOME", home)
        .env("PLANTUNE_HOME", home)
        .env("PLANTUNE_NOW", NOW)
        .env("TZ", zone)
        .env("COLUMNS", "80")
        .current_dir(home)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let (written, errors) = (text(output.stdout), text(output.stderr));
    assert_eq!(output.status.code(), Some(0), "{errors}");
    (written, errors)
}

fn plantune(home: &Path, zone: &str, words: &[&str]) -> String {
    let (written, errors) = run(home, zone, words);
    assert_eq!(errors, "");
    written
}

/// A home whose spool holds a question for each moment, answered ten seconds later.
fn home(moments: &[&str]) -> TempDir {
    let home = tempfile::tempdir().unwrap();
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
    let events = home.path().join("events");
    fs::create_dir(&events).unwrap();
    plantune_domain::atomic_file::replace(&events.join("2027-01-05.jsonl"), text.as_bytes(), 0o600)
        .unwrap();
    home
}

/// Start and end of the week, its questions, and those of the week before.
fn week(home: &TempDir, zone: &str, week: &str) -> (String, String, u64, u64) {
    let report = plantune(home.path(), zone, &["report", "--json", "--week", week]);
    let report: Value = serde_json::from_str(&report).unwrap();
    let text = |name: &str| report["period"][name].as_str().unwrap().to_owned();
    let answered = report["totals"]["answered"].as_u64().unwrap();
    assert_eq!(report["totals"]["questions"], answered);
    assert_eq!(report["totals"]["human_seconds"], 10.0 * answered as f64);
    let previous = report["previous"]["questions"].as_u64().unwrap();
    (text("start"), text("end"), answered, previous)
}

/// A rebuild changes nothing.
fn assert_rebuilds(home: &TempDir, zone: &str) {
    let (store, before) = (
        home.path().join("plantune.duckdb"),
        home.path().join("before.duckdb"),
    );
    fs::copy(&store, &before).unwrap();
    plantune(home.path(), zone, &["ingest", "--rebuild"]);
    Tables::of(&store).assert_same(&Tables::of(&before), zone);
}

/// In another zone than the last run's, the store is computed again, which one line says.
fn move_to(home: &TempDir, zone: &str) {
    let (_, errors) = run(home.path(), zone, &["report"]);
    assert_eq!(
        errors,
        "plantune: computing the store again from the log: the time zone is another one\n"
    );
}

#[test]
fn a_week_that_begins_in_the_old_year() {
    // 1 January 2027 is a Friday: it belongs to week 53 of 2026, and 2027 begins on the 4th.
    let home = home(&[
        "2026-12-27T22:59:00Z", // still Sunday of week 52 in Berlin
        "2026-12-27T23:00:00Z", // Monday of week 53
        "2026-12-31T22:30:00Z",
        "2026-12-31T23:30:00Z", // New Year's Day in Berlin
        "2027-01-03T22:59:00Z", // Sunday
        "2027-01-03T23:00:00Z", // Monday of week 1
        "2027-01-04T08:00:00Z",
    ]);
    let zone = "Europe/Berlin";
    let weeks = |zone: &str| {
        ["2026-W52", "2026-W53", "2027-W01", "2027-W02"].map(|name| week(&home, zone, name))
    };
    let expected = |counts: [u64; 5]| {
        let [before, w52, w53, w1, w2] = counts;
        [
            ("2026-12-21", "2026-12-27", w52, before),
            ("2026-12-28", "2027-01-03", w53, w52),
            ("2027-01-04", "2027-01-10", w1, w53),
            ("2027-01-11", "2027-01-17", w2, w1),
        ]
        .map(|(start, end, count, previous)| (start.to_owned(), end.to_owned(), count, previous))
    };
    assert_eq!(weeks(zone), expected([0, 1, 4, 2, 0]));
    assert_rebuilds(&home, zone);
    assert_eq!(weeks(zone), expected([0, 1, 4, 2, 0]));
    // Somewhere else the same moments are other days.
    move_to(&home, "UTC");
    assert_eq!(weeks("UTC"), expected([0, 2, 4, 1, 0]));
    assert_rebuilds(&home, "UTC");
    move_to(&home, "Asia/Kathmandu");
    assert_eq!(weeks("Asia/Kathmandu"), expected([0, 0, 4, 3, 0]));
    assert_rebuilds(&home, "Asia/Kathmandu");
}

#[test]
fn weeks_in_which_the_clocks_change() {
    // Sunday of week 13 has 23 hours in Berlin, Sunday of week 43 has 25.
    let home = home(&[
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
        let (_, _, count, previous) = week(&home, zone, name);
        (previous, count)
    };
    assert_eq!(counts("2026-W13"), (0, 4));
    assert_eq!(counts("2026-W14"), (4, 1));
    assert_eq!(counts("2026-W43"), (0, 4));
    assert_eq!(counts("2026-W44"), (4, 1));
    assert_rebuilds(&home, zone);
    assert_eq!(counts("2026-W13"), (0, 4));
    assert_eq!(counts("2026-W44"), (4, 1));
}
