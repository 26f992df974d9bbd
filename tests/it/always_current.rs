//! What shows something first reads transcripts that are new.

use std::fs;

use serde_json::Value;

use crate::world::{Files, World};

const SAMPLE: &str = include_str!("../../demo/sample-history.jsonl");
const PROMPTS: &str = include_str!("../../demo/sample-permissions.jsonl");

const ALL: [&str; 4] = ["report", "--since", "2026-01-01", "--json"];

fn transcript(world: &World, name: &str, lines: &str) {
    let work = world.path("home/work");
    let lines = lines.replace("@WORK@", work.to_str().unwrap());
    world.put(world.transcripts().join(name), lines);
}

fn questions(world: &World) -> u64 {
    world.json(&ALL)["totals"]["questions"].as_u64().unwrap()
}

fn log(world: &World) -> Files {
    world.everything("data/events", &[])
}

#[test]
fn what_is_new_is_read_and_nothing_else() {
    let world = World::new();
    let mut lines: Vec<&str> = SAMPLE.lines().collect();
    let later = lines.split_off(lines.len() / 2);
    transcript(&world, "p/a.jsonl", &lines.join("\n"));
    let first = questions(&world);
    assert!(first > 0);
    // The session goes on.
    transcript(&world, "p/a.jsonl", &[lines, later].concat().join("\n"));
    let all = questions(&world);
    assert!(all > first, "{all} {first}");
    // Nothing is new: nothing is written.
    let before = (log(&world), world.everything("data/summaries", &[]));
    assert_eq!(questions(&world), all);
    assert_eq!(
        (log(&world), world.everything("data/summaries", &[])),
        before
    );
    // Another transcript, and any of the verbs.
    transcript(&world, "q/b.jsonl", PROMPTS);
    let count = "SELECT count(*) AS prompts FROM prompts";
    let found = world.json(&["sql", count, "--json"]);
    assert!(found[0]["prompts"].as_u64() > Some(0), "{found}");
    // What was read counts once, also where all of it is imported.
    let events = log(&world);
    world.stdout_of(&["import", "claude-code"]);
    assert_eq!(log(&world), events);
    assert_eq!(questions(&world), all);
}

#[test]
fn in_an_agents_session_nothing_is_read() {
    let world = World::new();
    transcript(&world, "p/a.jsonl", SAMPLE);
    let ran = world.run_in_session(&ALL);
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(json["totals"]["questions"], 0, "{json}");
    assert!(!world.data().join("events").exists());
}

#[test]
fn a_registry_that_is_not_understood_keeps_from_reading() {
    let world = World::new();
    transcript(&world, "p/a.jsonl", SAMPLE);
    world.put("data/registry.toml", "rules = [\n");
    assert_eq!(world.run(&["log"]).code, 0);
    assert!(!world.data().join("events").exists());
    fs::remove_file(world.data().join("registry.toml")).unwrap();
    assert!(questions(&world) > 0);
}
