//! What a run leaves that is killed while it writes: private files, and a store that the next run
//! puts in order. The signal comes from a limit on the length of files, so always at one place.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test may panic, its helpers too"
)]

#[path = "../ingest/tests/support/spool.rs"]
mod spool;
mod store_fixture;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::process::Command;

use spool::day;
use store_fixture::World;

/// A spool whose first report was killed while it wrote the commit into the write-ahead log.
fn killed() -> World {
    let world = World::empty();
    day(&world.path("data"), "2026-11-19", 400);
    fs::set_permissions(world.path("data"), fs::Permissions::from_mode(0o700)).unwrap();
    let report = world.command(&["report"]);
    let mut limited = Command::new("/bin/sh");
    limited
        // In blocks of 512 bytes: more than the migrations write, and less than the events.
        .args(["-c", "umask 000; ulimit -f 100; exec \"$@\"", "sh"])
        .arg(report.get_program())
        .args(report.get_args())
        .env_clear()
        .current_dir(report.get_current_dir().unwrap());
    for (name, value) in report.get_envs() {
        limited.env(name, value.unwrap());
    }
    let ended = limited.output().unwrap();
    assert!(ended.status.signal().is_some(), "{ended:?}");
    assert!(world.path("data/plantune.duckdb.wal").exists());
    world
}

fn told(world: &World, words: &[&str]) -> String {
    let ran = world.run(words);
    let about_store = |line: &&str| {
        let name = line.split_whitespace().nth(1);
        name.is_some_and(|name| ["store:", "log:", "derived"].contains(&name))
    };
    let lines: Vec<&str> = ran.stdout.lines().filter(about_store).collect();
    lines.join("\n")
}

#[test]
fn its_files_are_private() {
    let world = killed();
    for entry in fs::read_dir(world.path("data")).unwrap() {
        let entry = entry.unwrap();
        let metadata = entry.metadata().unwrap();
        if metadata.is_file() {
            assert_eq!(metadata.permissions().mode() & 0o777, 0o600, "{entry:?}");
        }
    }
}

#[test]
fn doctor_waits_for_the_next_run_and_does_not_take_it_for_damage() {
    let world = killed();
    insta::assert_snapshot!(told(&world, &["doctor", "--deep"]), @r"
    note     store: the last run was killed, and what it had begun may be shown in part
    note     log: the last run was killed, and what it had begun may be shown in part
    ");
    assert_eq!(world.run(&["report"]).code, 0);
    let told = told(&world, &["doctor", "--deep"]);
    insta::assert_snapshot!(told.replace(&format!("schema {}", plantune_migrations::newest()), "[newest]"), @r"
    ok       store: 800 events, 400 questions ([newest])
    ok       log: every event is in the store once, with all it refers to
    ok       derived tables: what is derived agrees with the log
    ");
}
