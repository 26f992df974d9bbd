//! The same event from two sources is one event: a hook registered twice, an import of what the
//! hook logged, a session resumed under another id, a copied segment.
#![allow(
    missing_docs,
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stderr,
    clippy::unwrap_used
)]

#[path = "../common/mod.rs"]
mod common;
mod copies;
#[path = "../torture/home.rs"]
#[allow(dead_code, reason = "another test kills what runs in it")]
mod home;
mod imports;
mod order;
mod sessions;
#[path = "../store_content/mod.rs"]
#[allow(dead_code, reason = "another test counts rows")]
mod store_content;
mod twice;

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Stdio};

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::Value;

use home::Home;
use store_content::Tables;

/// The captured calls, a session a scenario, in order.
fn scenarios() -> Vec<Vec<Value>> {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("hooks/tests/fixtures/claude-code-2.1.197");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    let calls = |file| {
        let text = fs::read_to_string(file).unwrap();
        let calls = text.lines().map(|line| serde_json::from_str(line).unwrap());
        calls.collect()
    };
    files.iter().map(calls).collect()
}

/// Every captured call with its time: a second apart.
fn calls() -> Vec<(DateTime<Utc>, Value)> {
    let start: DateTime<Utc> = "2026-11-20T09:00:00Z".parse().unwrap();
    let times = (0..).map(|second| start + TimeDelta::seconds(second));
    times.zip(scenarios().into_iter().flatten()).collect()
}

/// Starts the hook on a call, with the clock at `at`.
fn start_hook(home: &Home, at: DateTime<Utc>, call: &Value) -> Child {
    let mut hook = home
        .command(&common::hook())
        .env("PLANTUNE_NOW", at.to_rfc3339())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = hook.stdin.take().unwrap();
    input.write_all(call.to_string().as_bytes()).unwrap();
    hook
}

/// What the hook printed; it must have ended well.
fn printed(hook: Child) -> String {
    let output = hook.wait_with_output().unwrap();
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{output:?}"
    );
    String::from_utf8(output.stdout).unwrap()
}

/// Without a preference nothing is decided; the model may be given a message about a failed question.
fn assert_undecided(printed: &str) {
    let is_words = printed.is_empty() || printed.contains("\"additionalContext\"");
    assert!(
        is_words && !printed.contains("permissionDecision"),
        "{printed}"
    );
}

/// Gives each call to the hook once.
fn log(home: &Home, calls: &[(DateTime<Utc>, Value)]) {
    for (at, call) in calls {
        assert_undecided(&printed(start_hook(home, *at, call)));
    }
}

/// A home in which every call was logged once, and is in the store.
fn logged_once() -> Home {
    let home = Home::new();
    log(&home, &calls());
    home.run(&["ingest"]);
    home
}

/// How many events a home's hook logged.
fn logged_events(home: &Home) -> usize {
    let segment = home.paths().events().join("2026-11-20.jsonl");
    let text = fs::read_to_string(segment).unwrap();
    text.lines().filter(|line| !line.is_empty()).count()
}

/// The home's store holds what the other's does, and nothing is bad; a rebuild changes nothing.
fn assert_same_store(home: &Home, expected: &Home, made: &str) {
    assert_same_but(home, expected, &[], made);
}

/// [`assert_same_store`], but for the tables `except`.
fn assert_same_but(home: &Home, expected: &Home, except: &[&str], made: &str) {
    let expected = Tables::of(&expected.paths().store());
    Tables::of(&home.paths().store()).assert_same_but(&expected, except, made);
    home.run(&["ingest", "--rebuild"]);
    Tables::of(&home.paths().store()).assert_same_but(&expected, except, made);
    assert_eq!(expected.count("quarantine"), 0);
}

/// The totals of `plantune report --json` over everything.
fn totals(home: &Home) -> Value {
    let (report, _) = home.run(&["report", "--json", "--since", "2025-01-01"]);
    serde_json::from_str::<Value>(&report).unwrap()["totals"].take()
}
