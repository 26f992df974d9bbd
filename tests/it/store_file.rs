//! The store's file: who holds it, which version it is, and that one which is damaged is computed again.

use std::collections::BTreeMap;
use std::fs;
use std::fs::File;
use std::process::Stdio;
use std::time::Duration;

use duckdb::{AccessMode, Connection};
use serde_json::Value;

use crate::segments::day;
use crate::store_content::Tables;
use crate::world::{Files, Ran, World};

/// Verbs that need the store and change nothing in the log.
const READING: [&[&str]; 7] = [
    &["ingest"],
    &["ingest", "--rebuild"],
    &["report"],
    &["suggest"],
    &["log"],
    &["log", "k1"],
    &["doctor", "--quarantine"],
];

/// Verbs that need the store, and log something or may do so.
const CHANGING: [&[&str]; 2] = [
    &["prefs", "set", "k1", "never-ask", "--yes"],
    &["import", "claude-code", "."],
];

/// Every verb that needs the store.
fn verbs() -> Vec<&'static [&'static str]> {
    READING.into_iter().chain(CHANGING).collect()
}

fn world() -> World {
    let world = World::new();
    for old in ["2026-10-01", "2026-10-02", "2026-11-19"] {
        day(&world.path("data"), old, 20);
    }
    world
}

fn ingested() -> World {
    let world = world();
    assert_eq!(world.run(&["ingest"]).code, 0);
    world
}

fn open(world: &World, access: AccessMode) -> Connection {
    plantune_migrations::open(&world.paths().store(), access).unwrap()
}

/// Runs all at once; what each wrote.
fn all_at_once(world: &World, calls: &[&[&str]]) -> Vec<Ran> {
    let started: Vec<_> = calls
        .iter()
        .map(|words| {
            let mut command = world.command(words);
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
            command.spawn().unwrap()
        })
        .collect();
    let ended = started
        .into_iter()
        .map(|run| run.wait_with_output().unwrap().into());
    ended.collect()
}

#[test]
fn runs_at_the_same_time() {
    let world = world();
    let ended = all_at_once(
        &world,
        &[&["ingest"], &["ingest"], &["report"], &["ingest"]],
    );
    for run in &ended {
        assert_eq!(run.code, 0, "{run:?}");
    }
    assert_eq!(Tables::of(&world.paths().store()).count("questions"), 60);
    assert_eq!(files(&world).len(), 1);
}

#[test]
fn the_holder_is_named() {
    let world = ingested();
    let held = open(&world, AccessMode::ReadWrite);
    let holder = format!("(PID {})", std::process::id());
    // All at once, for each of them waits for seconds; what only concerns preferences goes on.
    let preferences: [&[&str]; 2] = [&["prefs", "list"], &["prefs", "clear", "k1"]];
    let mut ended = all_at_once(&world, &[&verbs()[..], &preferences].concat());
    let cleared = ended.pop().unwrap();
    assert!(cleared.stderr.contains("no preference"), "{cleared:?}");
    assert_eq!(ended.pop().unwrap().code, 0);
    for (call, run) in verbs().iter().zip(ended) {
        let errors = &run.stderr;
        assert_eq!(run.code, 1, "{call:?}: {errors}");
        assert!(
            errors.contains(&holder) && errors.contains("hint: wait"),
            "{call:?}: {errors}"
        );
        assert!(run.stdout.is_empty(), "{call:?}");
    }
    drop(held);
    assert_eq!(world.run(&["report"]).code, 0);
}

#[test]
fn a_short_hold_is_waited_for() {
    let world = ingested();
    let held = open(&world, AccessMode::ReadWrite);
    let letting_go = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(400));
        drop(held);
    });
    for run in all_at_once(&world, &[&["report"], &["log"], &["ingest"]]) {
        assert_eq!(run.code, 0, "{run:?}");
    }
    letting_go.join().unwrap();
}

#[test]
#[ignore = "takes long: make test-long"]
fn a_report_beside_another_reader() {
    let world = ingested();
    let before = world.run(&["report", "--json"]).stdout;
    let held = open(&world, AccessMode::ReadOnly);
    day(&world.path("data"), "2026-11-18", 3);
    let ended = all_at_once(&world, &[&["report", "--json"], &["suggest"], &["ingest"]]);
    let holder = format!("(PID {})", std::process::id());
    let codes: Vec<_> = ended.iter().map(|run| run.code).collect();
    assert_eq!(codes, [0, 0, 1]);
    for run in &ended {
        // Each waits for the reader, or for another that does.
        let errors = &run.stderr;
        assert!(
            errors.contains(&holder) || errors.contains("another plantune"),
            "{errors}"
        );
    }
    assert_eq!(ended[0].stdout, before);
    drop(held);
    assert_ne!(world.run(&["report", "--json"]).stdout, before);
}

/// Another run computes the store again: the one that is there is shown.
#[test]
#[ignore = "takes long: make test-long"]
fn a_report_beside_a_writer() {
    let world = ingested();
    let before = world.run(&["report", "--json"]).stdout;
    let folder = File::open(world.paths().events()).unwrap();
    folder.lock().unwrap();
    day(&world.path("data"), "2026-11-18", 3);
    let words: [&[&str]; 3] = [&["report", "--json"], &["log"], &["ingest"]];
    let ended = all_at_once(&world, &words);
    let codes: Vec<_> = ended.iter().map(|run| run.code).collect();
    assert_eq!(codes, [0, 0, 1]);
    for run in &ended {
        let errors = &run.stderr;
        assert!(errors.contains("another plantune"), "{errors}");
    }
    assert_eq!(ended[0].stdout, before);
    // Preferences are changed as well.
    assert_eq!(world.run(CHANGING[0]).code, 0);
    drop(folder);
    assert_eq!(world.run(&["report"]).stderr, "");
}

fn make_newer(world: &World) {
    let store = open(world, AccessMode::ReadWrite);
    store
        .execute_batch("INSERT INTO migrations VALUES (99, TIMESTAMP '2026-11-20')")
        .unwrap();
    store.close().unwrap();
}

#[test]
fn a_newer_store_is_left_alone() {
    let world = ingested();
    make_newer(&world);
    // Also when its writer was killed.
    let log = world.path("data/plantune.duckdb.wal");
    for is_killed in [false, true] {
        if is_killed {
            fs::write(&log, "").unwrap();
        }
        let before = files(&world);
        for call in verbs() {
            let run = world.run(call);
            assert_eq!(run.code, 1, "{call:?}");
            assert!(
                run.stderr.contains("schema version 99") && run.stderr.contains("a newer plantune"),
                "{call:?}: {}",
                run.stderr
            );
            assert_eq!(files(&world), before, "{call:?}");
        }
    }
}

#[test]
fn an_older_store_is_computed_again() {
    let world = ingested();
    let expected = ingested();
    let store = open(&world, AccessMode::ReadWrite);
    store
        .execute_batch(
            "DELETE FROM migrations; INSERT INTO migrations VALUES (4, TIMESTAMP '2026-11-20')",
        )
        .unwrap();
    store.close().unwrap();
    let run = world.run(&["report"]);
    assert_eq!(
        (run.code, run.stderr.as_str()),
        (
            0,
            "plantune: computing the store again from the log: an earlier plantune wrote it\n"
        )
    );
    assert_as_expected(&world, &expected, "older");
}

/// The store holds what that of an undisturbed run does, and no file beside it is left.
fn assert_as_expected(world: &World, expected: &World, made: &str) {
    assert_eq!(
        files(world).into_keys().collect::<Vec<_>>(),
        ["plantune.duckdb"],
        "{made}"
    );
    Tables::of(&world.paths().store()).assert_same(&Tables::of(&expected.paths().store()), made);
}

/// Everything in the data folder itself.
fn files(world: &World) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(world.path("data")).unwrap();
    let files = entries
        .map(Result::unwrap)
        .filter(|entry| entry.path().is_file());
    files
        .map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, fs::read(entry.path()).unwrap())
        })
        .collect()
}

fn spoil(kind: &str, mut bytes: Vec<u8>) -> Vec<u8> {
    match kind {
        "zero bytes" => bytes.clear(),
        "a text" => bytes = b"Dear diary, today I learned\n".repeat(900),
        "noise" => bytes.iter_mut().zip(0u32..).for_each(|(byte, at)| {
            *byte = at.wrapping_mul(2_654_435_761).to_be_bytes()[0];
        }),
        "half a header" => bytes.truncate(5000),
        "cut" => bytes.truncate(bytes.len() / 2),
        "flipped magic" => bytes[9] ^= 0xff,
        "flipped header" => bytes[100] ^= 1,
        "flipped blocks" => {
            for block in bytes[12_288..].chunks_mut(262_144) {
                block[9] ^= 1;
            }
        }
        _ => unreachable!(),
    }
    bytes
}

const SPOILED: [&str; 8] = [
    "zero bytes",
    "a text",
    "noise",
    "half a header",
    "cut",
    "flipped magic",
    "flipped header",
    "flipped blocks",
];

const DAMAGED: &str = "plantune: computing the store again from the log: it is damaged";

#[test]
#[ignore = "takes long: make test-long"]
fn a_damaged_store_is_computed_again() {
    let world = ingested();
    let expected = ingested();
    let good = fs::read(world.paths().store()).unwrap();
    let undisturbed: Vec<String> = READING.iter().map(|call| world.run(call).stdout).collect();
    for (kind, first) in SPOILED.into_iter().zip((0..5).cycle()) {
        let bad = spoil(kind, good.clone());
        // Each verb on some of the kinds.
        for (call, undisturbed) in READING.iter().zip(&undisturbed).skip(first).step_by(5) {
            fs::write(world.paths().store(), &bad).unwrap();
            let made = format!("{kind}, {call:?}");
            let run = world.run(call);
            assert_eq!(run.code, 0, "{made}: {}", run.stderr);
            let is_asked = call.last() == Some(&"--rebuild");
            assert!(
                is_asked && run.stderr.is_empty() || run.stderr.starts_with(DAMAGED),
                "{made}: {}",
                run.stderr
            );
            assert!(run.stderr.lines().count() < 2, "{made}: {}", run.stderr);
            if call[0] != "ingest" {
                assert_eq!(run.stdout, *undisturbed, "{made}");
            }
            assert_as_expected(&world, &expected, &made);
        }
        fs::write(world.paths().store(), &bad).unwrap();
        let doctor = world.doctor(&[]);
        assert!(
            doctor.contains("rebuilds the store from the log"),
            "{kind}: {doctor}"
        );
        assert_eq!(files(&world)["plantune.duckdb"], bad, "{kind}");
    }
    for call in CHANGING {
        fs::write(world.paths().store(), spoil("cut", good.clone())).unwrap();
        let run = world.run(call);
        assert!(run.stderr.starts_with(DAMAGED), "{call:?}: {}", run.stderr);
        assert_eq!(world.run(&["report"]).stderr, "", "{call:?}");
    }
}

/// Damage in a block that is only read when its rows are: nothing notices before.
#[test]
#[ignore = "takes long: make test-long"]
fn a_damaged_block() {
    let world = ingested();
    let expected = ingested();
    let good = fs::read(world.paths().store()).unwrap();
    let undisturbed: Vec<String> = READING.iter().map(|call| world.run(call).stdout).collect();
    let mut noticed = 0;
    for block in 0..(good.len() - 12_288) / 262_144 {
        let mut bad = good.clone();
        bad[12_288 + block * 262_144 + 9] ^= 1;
        for (call, undisturbed) in READING.iter().zip(&undisturbed).skip(block % 2).step_by(2) {
            fs::write(world.paths().store(), &bad).unwrap();
            let run = world.run(call);
            let made = format!("block {block}, {call:?}");
            assert_eq!(run.code, 0, "{made}: {}", run.stderr);
            assert!(
                run.stderr.is_empty() || run.stderr.starts_with(DAMAGED),
                "{made}: {}",
                run.stderr
            );
            noticed += u32::from(!run.stderr.is_empty());
            if call[0] != "ingest" {
                assert_eq!(run.stdout, *undisturbed, "{made}");
            }
        }
        // What a person's statement meets may be the statement's fault, so that nothing is computed again.
        fs::write(world.paths().store(), &bad).unwrap();
        let run = world.run(&["sql", "FROM questions", "--csv"]);
        let made = format!("block {block}: {}", run.stderr);
        if run.code == 0 {
            let is_well = run.stderr.is_empty() || run.stderr.starts_with(DAMAGED);
            assert!(is_well, "{made}");
        } else {
            assert!(run.stderr.contains("Corrupt database file"), "{made}");
            assert!(run.stderr.contains("plantune ingest --rebuild"), "{made}");
            assert!(!run.stderr.contains(DAMAGED), "{made}");
        }
        world.run(&["ingest", "--rebuild"]);
        assert_as_expected(&world, &expected, "repaired");
    }
    assert!(noticed > 0);
}

#[test]
#[ignore = "takes long: make test-long"]
fn a_damaged_block_and_new_events() {
    let world = ingested();
    let good = fs::read(world.paths().store()).unwrap();
    for block in 0..(good.len() - 12_288) / 262_144 {
        let mut bad = good.clone();
        bad[12_288 + block * 262_144 + 9] ^= 1;
        fs::write(world.paths().store(), &bad).unwrap();
        let name = format!("2026-11-0{}", block % 9 + 1);
        day(&world.path("data"), &name, 3);
        // The same questions once more.
        day(&world.path("data"), "2026-11-19", 20);
        let run = world.run(&["report"]);
        assert_eq!(run.code, 0, "block {block}: {}", run.stderr);
        let expected = World::new();
        expected.copy_log(&world);
        expected.run(&["ingest"]);
        assert_as_expected(&world, &expected, &format!("block {block}"));
    }
}

// What shows something first reads transcripts that are new.

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
