//! A run that is killed while it writes leaves private files, and a store that the next run computes
//! again. The signal comes from a limit on the length of files, so always at one place.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::segments::day;
use crate::world::{Ran, World, call_of, programs, question};

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
        store_files(&world),
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
    assert_eq!(
        store_files(&world),
        ["plantune.duckdb", "plantune.duckdb.wal"]
    );
    world
}

/// The names of the store's files.
fn store_files(world: &World) -> Vec<String> {
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

/// The report of `doctor` on the store.
fn doctor(world: &World) -> String {
    let found = world.doctor(&[]);
    let is_about_store = |line: &&str| line.split_whitespace().nth(1) == Some("store:");
    let lines: Vec<&str> = found.lines().filter(is_about_store).collect();
    lines.join("\n") + "\n" + &world.done(&["debug", "compare"])
}

#[test]
fn files_of_a_killed_run_are_private() {
    for world in [killed_at_first(), killed_later()] {
        for name in store_files(&world) {
            let metadata = fs::metadata(world.path("data").join(&name)).unwrap();
            assert_eq!(metadata.permissions().mode() & 0o777, 0o600, "{name}");
        }
    }
}

#[test]
fn a_killed_first_run() {
    let world = killed_at_first();
    insta::assert_snapshot!(doctor(&world), @r"
    note     store: it doesn't exist yet; the first `plantune report` makes it
    nothing to compare yet; `plantune report` computes the store from the log
    ");
    let ran = world.run(&["report"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert_eq!(store_files(&world), ["plantune.duckdb"]);
    insta::assert_snapshot!(doctor(&world), @r"
    ok       store: 800 events, 400 questions
    the store matches the log
    ");
}

#[test]
#[ignore = "takes long: make test-long"]
fn a_killed_later_run() {
    let world = killed_later();
    insta::assert_snapshot!(doctor(&world), @r"
    note     store: the last run was killed; the next `plantune report` rebuilds it
    nothing to compare yet; `plantune report` computes the store from the log
    ");
    assert_eq!(
        store_files(&world),
        ["plantune.duckdb", "plantune.duckdb.wal"]
    );
    let ran = world.run(&["report"]);
    assert_eq!(ran.code, 0);
    insta::assert_snapshot!(ran.stderr, @"plantune: computing the store again from the log: the last run was killed");
    assert_eq!(store_files(&world), ["plantune.duckdb"]);
    insta::assert_snapshot!(doctor(&world), @r"
    ok       store: 1600 events, 800 questions
    the store matches the log
    ");
}

// A plantune over the data of an older or a newer one: what it cannot read it refuses, and nothing is lost.

/// The files of `folder`, with their contents.
fn files(world: &World, folder: &str) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![world.path(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.file_type().unwrap().is_dir() {
                true => folders.push(entry.path()),
                false => drop(found.insert(entry.path(), fs::read(entry.path()).unwrap())),
            }
        }
    }
    found
}

fn event(version: u32, number: u32) -> String {
    format!(
        r#"{{"v":{version},"id":"{number:032x}","ts":"2026-11-19T10:00:0{number}.000Z","kind":"asked","session_id":"s","session_kind":"interactive","project":"p","cwd":"/p","source":"hook","tool_name":"AskUserQuestion","tool_use_id":"t{number}","question_index":0,"question_count":1,"question_key":"k","key_source":"marker","question":"Q?","door":"two-way"}}"#
    ) + "\n"
}

fn questions(ran: &Ran) -> u64 {
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    json["totals"]["questions"].as_u64().unwrap()
}

/// Events that a newer hook logged are kept as they came, and read by the plantune that knows them.
#[test]
fn events_of_a_newer_hook_wait_for_the_newer_plantune() {
    let world = World::at("home/code");
    let log = format!("{}{}", event(1, 1), event(2, 2));
    world.put("data/events/2026-11-19.jsonl", &log);
    let report = world.run(&["report", "--json"]);
    assert_eq!((report.code, questions(&report)), (0, 1), "{report:?}");
    let listed = world.run(&["doctor", "--quarantine"]);
    assert!(listed.stdout.contains("schema version 2"), "{listed:?}");
    let doctor = world.run(&["doctor"]);
    assert!(
        doctor
            .stdout
            .contains("a newer hook wrote them; install the newest plantune"),
        "{doctor:?}"
    );
    // Months later the segment is not sealed, so nothing of it is lost.
    let gc = world.run(&["gc"]);
    assert_eq!(gc.code, 0, "{gc:?}");
    assert_eq!(
        fs::read_to_string(world.path("data/events/2026-11-19.jsonl")).unwrap(),
        log
    );
    // What a newer plantune does, which knows these events: reads them again. Here they become ones that are known.
    world.put(
        "data/events/2026-11-19.jsonl",
        log.replace("\"v\":2", "\"v\":1"),
    );
    assert_eq!(questions(&world.run(&["report", "--json"])), 2);
}

/// A file that the person's consent stands in is not understood by halves.
#[test]
fn preferences_of_a_newer_plantune_are_refused_and_kept() {
    let world = World::at("home/code");
    let newer = json!({"version": 99, "preferences": {"k": {"preference": "never-ask", "answer": "A", "when": "noon"}}});
    world.put("data/preferences.json", format!("{newer}\n"));
    let before = files(&world, "data");
    let set = world.run(&["prefs", "set", "k", "always-ask", "--global"]);
    assert_eq!(set.code, 3, "{set:?}");
    assert!(
        set.stderr.contains("version 99 is not understood") && set.stderr.contains("hint:"),
        "{set:?}"
    );
    let clear = world.run(&["prefs", "clear", "k", "--global"]);
    assert_eq!(clear.code, 3, "{clear:?}");
    let kept = files(&world, "data");
    for (path, bytes) in &before {
        assert_eq!(kept.get(path), Some(bytes), "{}", path.display());
    }
    // The hook asks; it does not guess.
    let call = call_of("t", &[question("<plantune:k> Q?", "Q", &["A", "B"])]);
    assert!(world.hook("PreToolUse", call).is_null());
    let doctor = world.doctor(&[]);
    assert!(doctor.contains("version 99"), "{doctor}");
}

/// An older plantune names what it does not know in a file of the person, and changes nothing.
#[test]
fn settings_of_a_newer_plantune_are_named() {
    for (name, text, word) in [
        ("data/config.toml", "later = true\n", "later"),
        (
            "data/registry.toml",
            "[[question]]\nkey = \"k\"\ntext = \"Q\"\nlater = 1\n",
            "later",
        ),
    ] {
        let world = World::at("home/code");
        world.put(name, text);
        world.put("data/events/2026-11-19.jsonl", event(1, 1));
        let ran = world.run(&["suggest"]);
        assert_eq!(ran.code, 3, "{ran:?}");
        assert!(ran.stderr.contains(word), "{ran:?}");
        assert_eq!(fs::read_to_string(world.path(name)).unwrap(), text);
    }
}

/// The record of what was changed in settings.json decides what `uninstall` takes out.
#[test]
fn a_record_of_a_newer_plantune_is_refused() {
    let world = World::at("home/code");
    assert_eq!(world.run(&["install", "--yes"]).code, 0);
    let journals = files(&world, "data/installed");
    let (path, bytes) = journals.first_key_value().unwrap();
    let newer = String::from_utf8(bytes.clone())
        .unwrap()
        .replace("\"version\": 1", "\"version\": 2");
    assert_ne!(newer.as_bytes(), bytes.as_slice());
    plantune_domain::atomic_file::replace(path, newer.as_bytes(), 0o600).unwrap();
    let settings = fs::read(world.path("home/.claude/settings.json")).unwrap();
    for words in [
        &["uninstall", "--yes"][..],
        &["install", "--rollback", "--yes"],
        &["install", "--yes", "--guard"],
    ] {
        let ran = world.run(words);
        assert_eq!(ran.code, 3, "{words:?} {ran:?}");
        assert!(
            ran.stderr.contains("version 2; this plantune knows 1"),
            "{ran:?}"
        );
    }
    assert_eq!(
        fs::read(world.path("home/.claude/settings.json")).unwrap(),
        settings
    );
    assert!(world.path("data/bin/plantune-hook").exists());
    assert_eq!(fs::read_to_string(path).unwrap(), newer);
}

#[test]
fn version_names_the_formats_and_the_hook() {
    let world = World::at("home/code");
    let json = |world: &World| -> Value {
        let ran = world.run(&["debug", "version", "--json"]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
        serde_json::from_str(&ran.stdout).unwrap()
    };
    let before = json(&world);
    assert_eq!(before["schema_version"], 1);
    assert_eq!(before["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(
        before["event_format"],
        plantune_domain::event::SCHEMA_VERSION
    );
    assert_eq!(before["store_schema"], plantune_migrations::newest());
    assert_eq!(
        before["platform"],
        json!({"os": std::env::consts::OS, "architecture": std::env::consts::ARCH})
    );
    assert!(
        before["duckdb"].as_str().unwrap().starts_with('v'),
        "{before}"
    );
    let hook = |path: &Path, installed: bool| json!({"path": path, "current": true, "installed": installed});
    assert_eq!(before["hook"], hook(&programs::hook(), false));
    assert!(!world.path("data").exists(), "it writes nothing");
    assert_eq!(world.run(&["install", "--yes"]).code, 0);
    assert_eq!(
        json(&world)["hook"],
        hook(&world.path("data/bin/plantune-hook"), true)
    );
    let text = world.run(&["debug", "version"]).stdout;
    let first = text.lines().next().unwrap();
    assert!(
        first.starts_with(&format!("plantune {}", env!("CARGO_PKG_VERSION"))),
        "{text}"
    );
    let short = world.run(&["--version"]).stdout;
    assert_eq!(short, format!("plantune {}\n", env!("CARGO_PKG_VERSION")));
}
