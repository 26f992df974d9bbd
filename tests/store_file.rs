//! The store's file: who holds it, which version it is, and what happens when it is broken.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test may panic, its helpers too"
)]

#[path = "../ingest/tests/support/dump.rs"]
mod dump;
#[path = "../ingest/tests/support/spool.rs"]
mod spool;
mod store_fixture;

use std::collections::BTreeMap;
use std::fs;
use std::process::{Output, Stdio};
use std::time::Duration;

use duckdb::{AccessMode, Connection};
use dump::{COMPUTED, dump};
use spool::day;
use store_fixture::World;

/// Every verb that needs the store.
const VERBS: [&[&str]; 9] = [
    &["ingest"],
    &["ingest", "--rebuild"],
    &["report"],
    &["suggest"],
    &["gc"],
    &["gc", "--dry-run"],
    &["log"],
    &["prefs", "set", "k1", "never-ask", "--yes"],
    &["import", "claude-code", "."],
];

fn world() -> World {
    let world = World::empty();
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
fn all_at_once(world: &World, calls: &[&[&str]]) -> Vec<Output> {
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
        .map(|run| run.wait_with_output().unwrap());
    ended.collect()
}

fn words(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn ingesters_that_meet_wait_for_each_other() {
    let world = world();
    let ended = all_at_once(
        &world,
        &[&["ingest"], &["ingest"], &["report"], &["ingest"]],
    );
    for run in &ended {
        assert_eq!(run.status.code(), Some(0), "{}", words(&run.stderr));
    }
    assert_eq!(
        dump(&world.paths().store(), &["events"])["events"].len(),
        120
    );
}

#[test]
fn whoever_holds_the_store_is_named() {
    let world = ingested();
    let held = open(&world, AccessMode::ReadWrite);
    let holder = format!("(PID {})", std::process::id());
    for (call, run) in VERBS.iter().zip(all_at_once(&world, &VERBS)) {
        let errors = words(&run.stderr);
        assert_eq!(run.status.code(), Some(1), "{call:?}: {errors}");
        assert!(
            errors.contains(&holder) && errors.contains("hint: wait"),
            "{call:?}: {errors}"
        );
        assert!(run.stdout.is_empty(), "{call:?}");
    }
    // What only concerns preferences goes on.
    assert_eq!(world.run(&["prefs", "list"]).code, 0);
    assert!(
        world
            .run(&["prefs", "clear", "k1"])
            .stderr
            .contains("no preference")
    );
    drop(held);
    assert_eq!(world.run(&["report"]).code, 0);
}

#[test]
fn a_store_that_is_let_go_in_time_is_waited_for() {
    let world = ingested();
    let held = open(&world, AccessMode::ReadWrite);
    let letting_go = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(400));
        drop(held);
    });
    for run in all_at_once(&world, &[&["report"], &["gc", "--dry-run"], &["ingest"]]) {
        assert_eq!(run.status.code(), Some(0), "{}", words(&run.stderr));
    }
    letting_go.join().unwrap();
}

#[test]
fn a_store_that_somebody_reads_is_reported_on() {
    let world = ingested();
    let before = words(&all_at_once(&world, &[&["report", "--json"]])[0].stdout);
    let held = open(&world, AccessMode::ReadOnly);
    day(&world.path("data"), "2026-11-18", 3);
    let ended = all_at_once(&world, &[&["report", "--json"], &["suggest"], &["ingest"]]);
    let holder = format!("(PID {})", std::process::id());
    let codes: Vec<_> = ended.iter().map(|run| run.status.code()).collect();
    assert_eq!(codes, [Some(0), Some(0), Some(1)]);
    for run in &ended {
        assert!(
            words(&run.stderr).contains(&holder),
            "{}",
            words(&run.stderr)
        );
    }
    assert_eq!(words(&ended[0].stdout), before);
    drop(held);
    assert_ne!(
        words(&all_at_once(&world, &[&["report", "--json"]])[0].stdout),
        before
    );
}

#[test]
fn a_newer_store_is_left_alone() {
    let world = ingested();
    let store = open(&world, AccessMode::ReadWrite);
    store
        .execute_batch("INSERT INTO migrations VALUES (99, TIMESTAMP '2026-11-20'); CHECKPOINT")
        .unwrap();
    store.close().unwrap();
    let before = files(&world);
    for call in VERBS {
        let run = world.run(call);
        assert_eq!(run.code, 1, "{call:?}");
        assert!(
            run.stderr.contains("schema version 99") && run.stderr.contains("newest plantune"),
            "{call:?}: {}",
            run.stderr
        );
        assert_eq!(files(&world), before, "{call:?}");
    }
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

#[test]
fn a_broken_store_is_told_of_and_left_alone() {
    let world = ingested();
    let store = open(&world, AccessMode::ReadWrite);
    store.execute_batch("CHECKPOINT").unwrap();
    store.close().unwrap();
    let good = fs::read(world.paths().store()).unwrap();
    for kind in [
        "zero bytes",
        "a text",
        "noise",
        "half a header",
        "cut",
        "flipped magic",
        "flipped header",
        "flipped blocks",
    ] {
        fs::write(world.paths().store(), spoil(kind, good.clone())).unwrap();
        let before = files(&world);
        for call in VERBS {
            let run = world.run(call);
            assert_eq!(run.code, 1, "{kind}, {call:?}: {}", run.stderr);
            assert!(
                run.stderr
                    .contains("plantune.duckdb is damaged, or no store")
                    && run.stderr.contains("left as it is")
                    && run.stderr.contains("plantune ingest --start-over"),
                "{kind}, {call:?}: {}",
                run.stderr
            );
            assert_eq!(files(&world), before, "{kind}, {call:?}");
        }
        let doctor = world.run(&["doctor"]).stdout;
        assert!(
            doctor.contains("plantune ingest --start-over"),
            "{kind}: {doctor}"
        );
        assert_eq!(files(&world), before, "{kind}, doctor");
    }
}

#[test]
fn starting_over_moves_the_store_and_fills_a_new_one() {
    let world = ingested();
    let computed = |world: &World| dump(&world.paths().store(), &COMPUTED);
    let before = computed(&world);
    assert!(
        world
            .run(&["gc"])
            .stdout
            .starts_with("2 segments compressed")
    );
    // Somebody writes to it: nothing is moved.
    let held = open(&world, AccessMode::ReadWrite);
    let run = world.run(&["ingest", "--start-over"]);
    assert_eq!(run.code, 1);
    assert!(
        run.stderr
            .contains(&format!("(PID {})", std::process::id())),
        "{}",
        run.stderr
    );
    held.close().unwrap();
    assert!(!files(&world).keys().any(|name| name.contains("broken")));

    let broken = spoil("a text", Vec::new());
    fs::write(world.paths().store(), &broken).unwrap();
    let run = world.run(&["ingest", "--start-over"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let aside = "plantune.duckdb.broken-20261120T100000Z";
    let told = format!(
        "the old store lies in {} now\n120 new events\n",
        world.path("data").join(aside).display()
    );
    assert_eq!(run.stdout, told);
    assert_eq!(files(&world)[aside], broken);
    assert_eq!(computed(&world), before);
    // Again, and without any store.
    assert_eq!(world.run(&["ingest", "--start-over"]).code, 0);
    assert!(files(&world).contains_key(&format!("{aside}-2")));
    fs::remove_file(world.paths().store()).unwrap();
    let run = world.run(&["ingest", "--start-over"]);
    assert_eq!(run.stdout, "there was no store\n120 new events\n");
    assert_eq!(computed(&world), before);
    assert_eq!(world.run(&["ingest", "--start-over", "--rebuild"]).code, 2);
}
