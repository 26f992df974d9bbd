//! What a run leaves that is killed while it writes: private files, and a store that the next run computes
//! again. The signal comes from a limit on the length of files, so always at one place.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::process::Command;

use crate::segments::day;
use crate::world::World;

/// A log that no store was computed from yet.
fn logged() -> World {
    let world = World::new();
    day(&world.path("data"), "2026-11-19", 400);
    fs::set_permissions(world.path("data"), fs::Permissions::from_mode(0o700)).unwrap();
    world
}

/// Runs a report that is killed when a file of its own grows beyond 50 KiB.
fn kill_report(world: &World) {
    let report = world.command(&["report"]);
    let mut limited = Command::new("/bin/sh");
    limited
        // In blocks of 512 bytes.
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
}

/// A log whose first report was killed while it computed the store.
fn killed_at_first() -> World {
    let world = logged();
    kill_report(&world);
    assert_eq!(
        files(&world),
        ["plantune.duckdb.new", "plantune.duckdb.new.wal"]
    );
    world
}

/// A log whose second report was killed while it wrote the commit into the write-ahead log.
fn killed_later() -> World {
    let world = logged();
    assert_eq!(world.run(&["report"]).code, 0);
    day(&world.path("data"), "2026-11-18", 400);
    kill_report(&world);
    assert_eq!(files(&world), ["plantune.duckdb", "plantune.duckdb.wal"]);
    world
}

/// The names of the store's files.
fn files(world: &World) -> Vec<String> {
    let entries = fs::read_dir(world.path("data")).unwrap();
    let entries = entries.map(Result::unwrap);
    let files = entries.filter(|entry| entry.file_type().unwrap().is_file());
    let mut names: Vec<String> = files
        .map(|file| file.file_name().into_string().unwrap())
        .filter(|name| name.starts_with("plantune.duckdb"))
        .collect();
    names.sort();
    names
}

/// What doctor reports on the store.
fn doctor(world: &World) -> String {
    let found = world.doctor(&["--deep"]);
    let about_store = |line: &&str| {
        let name = line.split_whitespace().nth(1);
        name.is_some_and(|name| ["store:", "tables:"].contains(&name))
    };
    let lines: Vec<&str> = found.lines().filter(about_store).collect();
    lines.join("\n").replace(
        &format!("schema {}", plantune_migrations::newest()),
        "[newest]",
    )
}

#[test]
fn files_of_a_killed_run_are_private() {
    for world in [killed_at_first(), killed_later()] {
        for name in files(&world) {
            let metadata = fs::metadata(world.path("data").join(&name)).unwrap();
            assert_eq!(metadata.permissions().mode() & 0o777, 0o600, "{name}");
        }
    }
}

#[test]
fn a_killed_first_run() {
    let world = killed_at_first();
    insta::assert_snapshot!(doctor(&world), @r"
    note     store: there is none yet; the first `plantune report` makes it
    note     tables: nothing to compare yet; `plantune ingest` computes the store from the log
    ");
    let ran = world.run(&["report"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert_eq!(files(&world), ["plantune.duckdb"]);
    insta::assert_snapshot!(doctor(&world), @r"
    ok       store: 800 events, 400 questions ([newest])
    ok       tables: the store is what the log says
    ");
}

#[test]
#[ignore = "takes long: make test-long"]
fn a_killed_later_run() {
    let world = killed_later();
    insta::assert_snapshot!(doctor(&world), @r"
    note     store: the last run was killed; the next `plantune report` computes it again
    note     tables: nothing to compare yet; `plantune ingest` computes the store from the log
    ");
    assert_eq!(files(&world), ["plantune.duckdb", "plantune.duckdb.wal"]);
    let ran = world.run(&["report"]);
    assert_eq!(ran.code, 0);
    insta::assert_snapshot!(ran.stderr, @"plantune: computing the store again from the log: the last run was killed");
    assert_eq!(files(&world), ["plantune.duckdb"]);
    insta::assert_snapshot!(doctor(&world), @r"
    ok       store: 1600 events, 800 questions ([newest])
    ok       tables: the store is what the log says
    ");
}
