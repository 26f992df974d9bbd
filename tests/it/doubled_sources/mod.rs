//! The same event from two sources is one event: a hook registered twice, an import of what the
//! hook logged, a session resumed under another id, a copied segment.

mod copies;
mod imports;
mod order;
mod sessions;
mod twice;

use std::fs;
use std::path::Path;
use std::process::Child;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::Value;

use crate::store_content::Tables;
use crate::world::{Ran, World, programs};

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
fn start_hook(world: &World, at: DateTime<Utc>, call: &Value) -> Child {
    let mut hook = world.start(programs::hook(), &[]);
    hook.env("PLANTUNE_NOW", at.to_rfc3339());
    programs::start_with(&mut hook, &call.to_string())
}

/// What the hook printed; it must have ended well.
fn printed(hook: Child) -> String {
    Ran::from(hook.wait_with_output().unwrap()).stdout()
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
fn log(world: &World, calls: &[(DateTime<Utc>, Value)]) {
    for (at, call) in calls {
        assert_undecided(&printed(start_hook(world, *at, call)));
    }
}

/// A home in which every call was logged once, and is in the store.
fn logged_once() -> World {
    let world = World::at("work");
    log(&world, &calls());
    world.done(&["ingest"]);
    world
}

/// How many events a home's hook logged.
fn logged_events(world: &World) -> usize {
    let segment = world.paths().events().join("2026-11-20.jsonl");
    let text = fs::read_to_string(segment).unwrap();
    text.lines().filter(|line| !line.is_empty()).count()
}

/// The home's store holds what the other's does, and nothing is bad; a rebuild changes nothing.
fn assert_same_store(world: &World, expected: &World, made: &str) {
    assert_same_but(world, expected, &[], made);
}

/// [`assert_same_store`], but for the tables `except`.
fn assert_same_but(world: &World, expected: &World, except: &[&str], made: &str) {
    let expected = Tables::of(&expected.paths().store());
    Tables::of(&world.paths().store()).assert_same_but(&expected, except, made);
    world.done(&["ingest", "--rebuild"]);
    Tables::of(&world.paths().store()).assert_same_but(&expected, except, made);
    assert_eq!(expected.count("quarantine"), 0);
}

/// The totals of `plantune report --json` over everything.
fn totals(world: &World) -> Value {
    world.json(&["report", "--json", "--since", "2025-01-01"])["totals"].take()
}
