//! `plantune gc`: the built binary on a spool with old days.
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
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use dump::{COMPUTED, dump};
use spool::{age, append, day, names, question};
use store_fixture::{Ran, World};

/// Three old days, an import, something torn, and yesterday.
fn world() -> World {
    let world = World::empty();
    let home = world.path("data");
    for old in ["2026-10-01", "2026-10-02", "2026-10-03"] {
        day(&home, old, 30);
    }
    let import = "import-claude-code-2026-10-04.jsonl";
    append(&home, import, question("2025-01-01", 1).as_bytes());
    age(&home, import, "2026-10-04T12:00:00Z");
    append(&home, "2026-10-05.jsonl", b"{\"torn");
    age(&home, "2026-10-05.jsonl", "2026-10-05T12:00:00Z");
    day(&home, "2026-11-19", 5);
    world
}

fn ok(world: &World, words: &[&str]) -> String {
    let Ran {
        code,
        stdout,
        stderr,
    } = world.run(words);
    assert_eq!(code, 0, "{words:?}: {stderr}");
    stdout
}

fn computed(world: &World) -> BTreeMap<String, Vec<String>> {
    dump(&world.paths().store(), &COMPUTED)
}

/// Every file below a folder with its content.
fn everything(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(everything(&path));
        } else {
            found.insert(path.clone(), fs::read(&path).unwrap());
        }
    }
    found
}

#[test]
fn a_plan_changes_nothing_and_the_run_keeps_to_it() {
    let world = world();
    let nothing = World::empty();
    assert_eq!(ok(&nothing, &["gc"]), "nothing has been logged yet\n");
    // Without a store, nothing may be touched, and none is made.
    let plan = ok(&world, &["gc", "--dry-run"]);
    assert!(plan.contains("to compress: 0 segments"), "{plan}");
    assert!(!world.paths().store().exists());

    ok(&world, &["ingest"]);
    let before = (
        everything(&world.path("data")),
        ok(&world, &["report", "--json"]),
    );
    insta::assert_snapshot!(ok(&world, &["gc", "--dry-run"]), @r"
    segment                                   size  would     because
    2026-10-01.jsonl                      25.5 KiB  compress
    2026-10-02.jsonl                      25.5 KiB  compress
    2026-10-03.jsonl                      25.5 KiB  compress
    2026-10-05.jsonl                       6 bytes  keep      ends in half a line
    2026-11-19.jsonl                       4.2 KiB  keep      too recent
    import-claude-code-2026-10-04.jsonl  868 bytes  compress

    to compress: 4 segments of 77.3 KiB
    to drop: 0 segments of 0 bytes
    nothing was changed
    ");
    assert_eq!(everything(&world.path("data")), before.0);

    let told = ok(&world, &["gc"]);
    assert!(
        told.starts_with("4 segments compressed, 0 segments dropped: ")
            && told.ends_with(" KiB freed\n"),
        "{told}"
    );
    assert_eq!(ok(&world, &["report", "--json"]), before.1);
    assert_eq!(
        names(&world.path("data")),
        [
            "2026-10-01.jsonl.gz",
            "2026-10-02.jsonl.gz",
            "2026-10-03.jsonl.gz",
            "2026-10-05.jsonl",
            "2026-11-19.jsonl",
            "import-claude-code-2026-10-04.jsonl.gz",
        ]
    );
    assert_eq!(
        ok(&world, &["gc"]),
        "0 segments compressed, 0 segments dropped: 0 bytes freed\n"
    );
}

#[test]
fn what_is_new_is_read_before_anything_is_compressed() {
    let world = world();
    let told = ok(&world, &["gc"]);
    assert!(
        told.starts_with("4 segments compressed, 0 segments dropped"),
        "{told}"
    );
    assert_eq!(computed(&world)["events"].len(), 2 * (3 * 30 + 1 + 5));
}

#[test]
fn dropping_is_asked_for_in_words_that_are_checked() {
    let world = world();
    let config = world.paths().config_file();
    world.put(&config, "[retention]\ndrop_after_days = \"soon\"\n");
    for words in [&["gc"][..], &["gc", "--dry-run"]] {
        let ran = world.run(words);
        assert_eq!(ran.code, 3, "{ran:?}");
        assert!(ran.stderr.contains("config.toml") && ran.stderr.contains("\"never\""));
    }
    // Nothing else minds.
    ok(&world, &["ingest"]);
    world.put(
        &config,
        "[retention]\ncompress_after_days = \"never\"\ndrop_after_days = 48\n",
    );
    let before = computed(&world);
    let told = ok(&world, &["gc"]);
    assert!(
        told.starts_with("0 segments compressed, 3 segments dropped"),
        "{told}"
    );
    assert_eq!(computed(&world), before);
    let told = ok(&world, &["ingest", "--start-over"]);
    assert!(
        told.contains(
            "the new store lacks 180 events of 3 segments, 2026-10-01.jsonl to 2026-10-03.jsonl"
        ),
        "{told}"
    );
}

#[test]
fn a_run_that_is_killed_loses_nothing() {
    let reference = world();
    ok(&reference, &["ingest"]);
    let expected = computed(&reference);
    let world = world();
    for delay in 0..24 {
        let mut run = world
            .command(&["gc"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(7 * delay));
        // It may have ended by itself.
        let _ = run.kill();
        run.wait().unwrap();
        if delay % 8 == 7 {
            // A hook with a wrong clock: the segment is there again.
            let name = "2026-10-02.jsonl";
            let late = question("2026-10-02", 100 + u32::try_from(delay).unwrap());
            for home in [&world, &reference] {
                append(&home.path("data"), name, late.as_bytes());
                age(&home.path("data"), name, "2026-10-06T12:00:00Z");
            }
        }
    }
    ok(&world, &["gc"]);
    ok(&reference, &["ingest"]);
    assert!(computed(&reference)["events"].len() > expected["events"].len());
    assert_eq!(computed(&world), computed(&reference));
    let left = names(&world.path("data"));
    assert!(left.iter().all(|name| !name.ends_with(".tmp")), "{left:?}");
    // And from the spool alone.
    ok(&world, &["ingest", "--start-over"]);
    assert_eq!(computed(&world), computed(&reference));
}

#[test]
fn a_damaged_segment_is_named() {
    let world = world();
    ok(&world, &["gc"]);
    let path = world.path("data/events/2026-10-02.jsonl.gz");
    let good = fs::read(&path).unwrap();
    fs::write(&path, &good[..good.len() / 2]).unwrap();
    let ran = world.run(&["ingest", "--start-over"]);
    assert_eq!(ran.code, 0);
    assert!(
        ran.stderr.contains("2026-10-02.jsonl.gz is damaged") && ran.stderr.contains("hint:"),
        "{}",
        ran.stderr
    );
    let doctor = world.run(&["doctor"]).stdout;
    assert!(
        doctor.contains("2026-10-02.jsonl.gz is damaged"),
        "{doctor}"
    );
    assert!(
        doctor.contains("everything logged is in the store"),
        "{doctor}"
    );
    fs::write(&path, &good).unwrap();
    ok(&world, &["ingest"]);
    let doctor = world.run(&["doctor"]).stdout;
    assert!(
        doctor.contains("6 segments, 4 of them compressed"),
        "{doctor}"
    );
    assert!(
        doctor.contains("everything logged is in the store"),
        "{doctor}"
    );
}
