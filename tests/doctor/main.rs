//! `plantune doctor`: the built binaries in homes that are whole, empty and broken.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test may panic, its helpers too"
)]

#[allow(unreachable_pub, reason = "shared by several tests")]
mod common;

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use duckdb::AccessMode;
use plantune_domain::paths::Paths;
use plantune_domain::spool;
use plantune_ingest::{Progress, Writer};
use serde_json::Value;
use tempfile::TempDir;

/// A folder with programs, made before anything is started: a file that is open for writing while
/// a process is forked cannot be run.
fn programs() -> &'static Path {
    static PROGRAMS: OnceLock<TempDir> = OnceLock::new();
    let folder = PROGRAMS.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        for (name, script) in [
            ("new/claude", "echo '2.1.197 (Claude Code)'"),
            ("old/claude", "echo '2.1.84 (Claude Code)'"),
            ("loud/plantune-hook", "echo '{}'"),
            ("mute/plantune-hook", "cat > /dev/null"),
            ("failing/plantune-hook", "exit 7"),
            ("tale/plantune-hook", "/usr/bin/touch \"$0.started\""),
        ] {
            let path = folder.path().join(name);
            write(&path, &format!("#!/bin/sh\n{script}\n"), 0o755);
        }
        common::hook();
        folder
    });
    folder.path()
}

fn write(path: &Path, text: &str, mode: u32) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    plantune_domain::atomic_file::replace(path, text.as_bytes(), mode).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// A home, a project in it, and plantune's folder.
struct World {
    root: TempDir,
    path: String,
}

impl World {
    /// Nothing but an empty home; Claude Code is new enough.
    fn new() -> Self {
        let world = Self {
            path: programs().join("new").display().to_string(),
            root: tempfile::tempdir().unwrap(),
        };
        fs::create_dir_all(world.at("home/code/.git")).unwrap();
        world
    }

    /// An installed hook that logged two questions, which are in the store.
    fn installed() -> Self {
        let world = Self::new();
        assert!(world.plantune(&["install", "--yes"]).status.success());
        let now = "2026-11-19T10:00:00Z".parse().unwrap();
        let line = |number: u32| {
            format!(
                r#"{{"v":1,"id":"{number:032x}","ts":"2026-11-19T10:00:0{number}.000Z","kind":"asked","session_id":"s","session_kind":"interactive","project":"p","cwd":"/p","source":"hook","tool_name":"AskUserQuestion","tool_use_id":"t{number}","question_index":0,"question_count":1,"question_key":"k","key_source":"marker","question":"Q?","door":"two-way"}}"#
            ) + "\n"
        };
        let lines: String = (1..=2).map(line).collect();
        spool::append(&world.paths(), now, lines.as_bytes()).unwrap();
        world.ingest();
        world
    }

    fn at(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn paths(&self) -> Paths {
        Paths::below(self.at("data"))
    }

    fn ingest(&self) {
        let mut writer = Writer::open(&self.paths(), "UTC").unwrap();
        writer.ingest(&Progress::default()).unwrap();
    }

    fn plantune(&self, words: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_plantune"))
            .args(words)
            .env_clear()
            .env("HOME", self.at("home"))
            .env("PATH", &self.path)
            .env("PLANTUNE_HOME", self.at("data"))
            .env("PLANTUNE_NOW", "2026-11-20T10:00:00Z")
            .env("TZ", "UTC")
            .env("COLUMNS", "80")
            .current_dir(self.at("home/code"))
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    /// The exit code and the text, free of what differs between machines and runs.
    fn text(&self) -> (i32, String) {
        self.text_of(&["doctor"])
    }

    fn text_of(&self, words: &[&str]) -> (i32, String) {
        let output = self.plantune(words);
        let text = String::from_utf8(output.stdout).unwrap();
        let hook = common::hook();
        let root = self.root.path().display().to_string();
        let text = text
            .replace(&root, "ROOT")
            .replace(&hook.display().to_string(), "HOOK")
            .replace(&programs().display().to_string(), "PROGRAMS")
            .replace(env!("CARGO_PKG_VERSION"), "VERSION");
        (output.status.code().unwrap(), text)
    }

    /// What `doctor --deep` reports on the store beyond `doctor`: its exit code and the lines.
    fn deep(&self) -> (i32, String) {
        let (code, text) = self.text_of(&["doctor", "--deep"]);
        let lines: Vec<_> = text.lines().collect();
        let is_ours = |line: &&str| line.contains(" tables: ");
        let first = lines.iter().position(is_ours).unwrap();
        let after = |line: &&str| line.contains(" config: ");
        let end = lines.iter().position(after).unwrap();
        (code, lines[first..end].join("\n"))
    }

    fn damage(&self, sql: &str) {
        let store = self.paths().store();
        let store = plantune_migrations::open(&store, AccessMode::ReadWrite).unwrap();
        store.execute_batch(sql).unwrap();
        store.close().unwrap();
    }

    /// The findings called `name`: status, message and remedy.
    fn findings(&self, name: &str) -> Vec<(String, String, String)> {
        let output = self.plantune(&["doctor", "--json"]);
        let json: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(json["schema_version"], 1);
        let checks = json["checks"].as_array().unwrap();
        let failed = checks.iter().any(|check| check["status"] == "failed");
        assert_eq!(output.status.code(), Some(i32::from(failed)));
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        checks
            .iter()
            .filter(|check| check["name"] == name)
            .map(|check| {
                (
                    text(&check["status"]),
                    text(&check["message"]),
                    text(&check["remedy"]),
                )
            })
            .collect()
    }

    /// The only finding called `name`.
    fn finding(&self, name: &str) -> (String, String, String) {
        let mut found = self.findings(name);
        assert_eq!(found.len(), 1, "{found:?}");
        found.remove(0)
    }

    /// Every file and folder below the home with its mode and content.
    fn everything(&self) -> Vec<(PathBuf, u32, Vec<u8>)> {
        let mut found = Vec::new();
        let mut folders = vec![self.root.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let metadata = fs::symlink_metadata(&path).unwrap();
                let content = fs::read(&path).unwrap_or_default();
                if metadata.is_dir() {
                    folders.push(path.clone());
                }
                found.push((path, metadata.permissions().mode(), content));
            }
        }
        found.sort();
        found
    }
}

/// The text with figures of this machine taken out.
macro_rules! assert_text {
    ($text:expr, @$snapshot:literal) => {
        insta::with_settings!({filters => vec![
            (r"(?m)^\w+ +latency: the hook takes [\d.]+ ms, `true` [\d.]+ ms \(medians of 40\): [\d.]+ times as long\n( {9}.*\n)*", "[latency]\n"),
            (r"\(schema \d+\)", "(schema [version])"),
            (r"(?m)^\w+ +free space: .*\n( {9}.*\n)*", "[free space]\n"),
        ]}, {
            insta::assert_snapshot!($text, @$snapshot);
        });
    };
}

#[test]
fn a_home_without_anything() {
    let world = World::new();
    let before = world.everything();
    let (code, text) = world.text();
    assert_eq!(code, 1);
    assert_text!(text, @r"
    ok       hook binary: HOOK (beside plantune)
    ok       hook alive: starts, and is silent where it has nothing to say
    ok       hook decides: answers a question by a preference
    FAILED   registration: the hook is not registered in Claude Code's settings
             run `plantune install`
    ok       other hooks: no other hook is called for questions
    ok       claude code: version 2.1.197 (2.1.89 or newer is needed)
    ok       data folder: ROOT/data is not there yet; it is made when it is needed
    [free space]
    ok       spool: nothing has been logged yet
    note     store: there is none yet; the first `plantune report` makes it
             run `plantune import claude-code` to learn from past sessions
    ok       config: no ROOT/data/config.toml: the defaults hold
    ok       registry: no ROOT/data/registry.toml: the defaults hold
    ok       time zone: UTC
    ok       deciding: on: preferences are obeyed
    ok       preferences: none is set: every question is asked
    [latency]
    ");
    assert_eq!(world.everything(), before);
}

#[test]
fn all_is_well() {
    let world = World::installed();
    let before = world.everything();
    let (code, text) = world.text();
    assert_text!(text, @r"
    ok       hook binary: ROOT/data/bin/plantune-hook (registered, beside plantune)
    ok       hook alive: starts, and is silent where it has nothing to say
    ok       hook decides: answers a question by a preference
    ok       hook release: VERSION, as this plantune
    ok       registration: once for each event, in ROOT/home/.claude/settings.json: PreToolUse, PostToolUse, PostToolUseFailure, PermissionRequest, PermissionDenied, UserPromptSubmit, Stop, SessionStart, SessionEnd
    ok       other hooks: no other hook is called for questions
    ok       claude code: version 2.1.197 (2.1.89 or newer is needed)
    ok       data folder: ROOT/data, private to you
    [free space]
    ok       spool: 1 segment, 1 KiB
    ok       store: 2 events, 2 questions (schema [version])
    ok       not ingested: everything logged is in the store
    ok       last event: the hook last logged something yesterday (2026-11-19)
    ok       quarantine: every line that was read is an event
    note     permissions: no prompt for permission is known yet
             the hook logs those from now on; `plantune import claude-code` reads earlier ones, approvals from Claude Code 2.1.294 on
    ok       config: no ROOT/data/config.toml: the defaults hold
    ok       registry: ROOT/data/registry.toml
    ok       time zone: UTC
    ok       deciding: on: preferences are obeyed
    ok       preferences: none is set: every question is asked
    [latency]
    ");
    assert_eq!(code, 0);
    assert_eq!(world.everything(), before);
}

#[test]
fn the_store_is_what_the_log_says() {
    let world = World::installed();
    let before = world.everything();
    let (code, text) = world.deep();
    assert_eq!(code, 0);
    insta::assert_snapshot!(text, @"ok       tables: the store is what the log says");
    assert_eq!(world.everything(), before);
    // Only when it is asked for.
    assert!(!world.text().1.contains(" tables: "));
}

#[test]
fn a_store_that_differs_from_the_log() {
    let world = World::installed();
    world.damage(
        "UPDATE questions SET question_key = 'other' WHERE tool_use_id = 't1';
        INSERT INTO questions FROM questions WHERE tool_use_id = 't2';
        INSERT INTO sessions VALUES
            ('s9', 'interactive', 'p', '2026-11-19 10:00:00', '2026-11-19 10:00:00', NULL)",
    );
    let before = world.everything();
    let (code, text) = world.deep();
    assert_eq!(code, 1);
    insta::assert_snapshot!(text, @r#"
    FAILED   tables: questions differs from the log (rows: 3 instead of 2)
             t1 0: question_key is "other", not "k"
             t2 0: rows: 2 instead of 1
             run `plantune ingest --rebuild`: it computes the store again from the log
    FAILED   tables: sessions differs from the log (rows: 1 instead of 0)
             s9: the log makes no such row
             run `plantune ingest --rebuild`: it computes the store again from the log
    "#);
    assert_eq!(world.everything(), before);

    let (code, text) = world.text_of(&["ingest", "--rebuild"]);
    assert_eq!((code, text.as_str()), (0, "2 events read\n"));
    assert_eq!(world.deep().0, 0);
}

#[test]
fn a_store_that_cannot_be_compared() {
    let world = World::new();
    insta::assert_snapshot!(world.deep().1, @"note     tables: nothing to compare yet; `plantune ingest` computes the store from the log");
    let world = World::installed();
    world.damage("INSERT INTO migrations VALUES (99, TIMESTAMP '2026-11-20')");
    let (code, text) = world.deep();
    assert_eq!(code, 1);
    insta::assert_snapshot!(text.replace(&plantune_migrations::newest().to_string(), "[newest]"), @r"
    FAILED   tables: ROOT/data/plantune.duckdb: the store has schema version 99, and this plantune knows [newest] at most
             install the newest plantune; a newer one wrote this store, and it was left as it is
    ");
    world.damage(
        "DELETE FROM migrations; INSERT INTO migrations VALUES (2, TIMESTAMP '2026-11-20')",
    );
    let (code, text) = world.deep();
    assert_eq!(code, 0);
    insta::assert_snapshot!(text, @"note     tables: nothing to compare yet; `plantune ingest` computes the store from the log");
    write(&world.paths().store(), &"no database ".repeat(2000), 0o600);
    let (code, text) = world.deep();
    assert_eq!(code, 0);
    insta::assert_snapshot!(text, @"note     tables: not compared: the store is damaged");
}

#[test]
fn hooks_that_do_not_work() {
    for (name, check, words) in [
        ("loud", "hook_alive", "prints something"),
        ("failing", "hook_alive", "ends with exit status: 7"),
        ("mute", "hook_decides", "does not answer"),
    ] {
        let world = World::new();
        let hook = programs().join(name).join("plantune-hook");
        let path = hook.to_str().unwrap();
        assert!(
            world
                .plantune(&["install", "--yes", "--hook-path", path])
                .status
                .success()
        );
        let found = world.findings(check);
        let failed: Vec<_> = found.iter().filter(|found| found.0 == "failed").collect();
        assert_eq!(failed.len(), 1, "{found:?}");
        assert!(failed[0].1.contains(words) && failed[0].2.contains("plantune doctor --fix"));
        // The one beside plantune still works, and is measured.
        assert!(world.finding("latency").1.contains("times as long"));
    }
}

#[test]
fn a_foreign_repository_starts_nothing() {
    let world = World::new();
    let hook = programs().join("tale/plantune-hook");
    let path = hook.to_str().unwrap();
    let words = [
        "install",
        "--yes",
        "--scope",
        "project",
        "--hook-path",
        path,
    ];
    assert!(world.plantune(&words).status.success());
    let found = world.findings("hook_binary");
    assert!(
        found
            .iter()
            .any(|found| found.1.contains("it is not tried")),
        "{found:?}"
    );
    assert!(!hook.with_file_name("plantune-hook.started").exists());
}

#[test]
fn registrations_that_do_not_work() {
    let world = World::new();
    let lost = world.at("bin/plantune-hook");
    write(&lost, "#!/bin/sh\n", 0o755);
    let path = lost.to_str().unwrap();
    assert!(
        world
            .plantune(&["install", "--yes", "--hook-path", path])
            .status
            .success()
    );
    fs::remove_file(&lost).unwrap();
    let (status, message, remedy) = world.finding("registration");
    assert_eq!(
        (status.as_str(), remedy.as_str()),
        ("failed", "run `plantune install`")
    );
    assert!(message.ends_with("where there is no program"), "{message}");

    assert!(world.plantune(&["install", "--yes"]).status.success());
    assert_eq!(world.finding("registration").0, "ok");
    assert!(
        world
            .plantune(&["install", "--yes", "--scope", "local"])
            .status
            .success()
    );
    let (status, message, remedy) = world.finding("registration");
    assert_eq!(
        (status.as_str(), remedy.as_str()),
        ("warning", "run `plantune uninstall --scope local`")
    );
    assert!(message.contains("runs twice"), "{message}");

    write(
        &world.at("home/.claude/settings.json"),
        "{\"hooks\": ",
        0o600,
    );
    let (status, message, remedy) = world.finding("settings");
    assert_eq!(status, "failed");
    assert!(message.contains("settings.json: line 1"), "{message}");
    assert!(!remedy.is_empty());
}

#[test]
fn other_hooks_are_named() {
    let world = World::installed();
    let theirs = r#"{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"theirs \u001b[31m--all\u202e"}]}]}}"#;
    write(&world.at("home/code/.claude/settings.json"), theirs, 0o600);
    let (status, message, remedy) = world.finding("other_hooks");
    assert_eq!(status, "warning");
    assert!(message.starts_with("`theirs --all` in "), "{message:?}");
    assert!(
        message.ends_with("is called for every tool too"),
        "{message:?}"
    );
    assert!(remedy.contains("the last to finish wins"));
}

#[test]
fn claude_code_is_old_or_missing() {
    let mut world = World::new();
    world.path = programs().join("old").display().to_string();
    let (status, message, remedy) = world.finding("claude_code");
    assert_eq!(
        (status.as_str(), remedy.as_str()),
        ("failed", "run `claude update`")
    );
    assert!(message.contains("2.1.84"));
    world.path = "/nowhere".to_owned();
    assert_eq!(world.finding("claude_code").0, "note");
}

#[test]
fn files_that_others_may_read_stay_as_they_are() {
    let world = World::installed();
    let segment = world.at("data/events/2026-11-19.jsonl");
    fs::set_permissions(&segment, fs::Permissions::from_mode(0o644)).unwrap();
    symlink("/etc", world.at("data/sessions")).unwrap();
    let before = world.everything();
    let found = world.findings("data_folder");
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(found[0].2, format!("run `chmod 600 {}`", segment.display()));
    assert!(found[1].1.ends_with("data/sessions is a symbolic link"));
    assert_eq!(world.everything(), before);
}

#[test]
fn the_store_is_held_newer_older_or_broken() {
    let world = World::installed();
    let path = world.paths().store();
    let open = || plantune_migrations::open(&path, AccessMode::ReadWrite).unwrap();
    let held = open();
    let (status, message, _) = world.finding("store");
    assert_eq!(status, "warning");
    assert!(
        message.contains(&format!("(PID {})", std::process::id())),
        "{message}"
    );
    let (code, text) = world.deep();
    assert_eq!(code, 0);
    assert!(text.starts_with("warning  tables: "), "{text}");
    assert!(text.contains("is in use by another process"), "{text}");

    held.execute_batch("INSERT INTO migrations VALUES (99, TIMESTAMP '2026-11-20')")
        .unwrap();
    held.close().unwrap();
    let (status, message, remedy) = world.finding("store");
    assert_eq!(status, "failed");
    assert!(message.contains("schema version 99"), "{message}");
    assert!(remedy.contains("newest plantune"));

    let older = open();
    older
        .execute_batch(
            "DELETE FROM migrations; INSERT INTO migrations VALUES (1, TIMESTAMP '2026-11-20')",
        )
        .unwrap();
    older.close().unwrap();
    let before = fs::read(&path).unwrap();
    let (status, message, _) = world.finding("store");
    assert_eq!(status, "note");
    assert!(message.contains("computes it again"), "{message}");
    assert_eq!(fs::read(&path).unwrap(), before);

    write(&path, &"no database ".repeat(2000), 0o600);
    let before = fs::read(&path).unwrap();
    let (status, _, remedy) = world.finding("store");
    assert_eq!(status, "warning");
    assert!(remedy.contains("computes it again"), "{remedy}");
    assert_eq!(fs::read(&path).unwrap(), before);
    assert!(world.plantune(&["report"]).status.success());
    assert_eq!(world.finding("store").0, "ok");
}

#[test]
fn deleted_segments_are_named() {
    let world = World::installed();
    let now = "2026-11-18T10:00:00Z".parse().unwrap();
    let line = r#"{"v":1,"id":"00000000000000000000000000000009","ts":"2026-11-18T10:00:00.000Z","kind":"session_started","session_id":"s","session_kind":"interactive","project":"p","cwd":"/p","source":"hook"}"#;
    spool::append(&world.paths(), now, format!("{line}\n").as_bytes()).unwrap();
    world.ingest();
    for (day, words) in [("18", "1 event"), ("19", "2 events")] {
        let segment = format!("2026-11-{day}.jsonl");
        let path = world.paths().events().join(&segment);
        let kept = fs::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        let gone = format!("gone from the log: {segment}, with {words} of 2026-11-{day}");
        let doctor = world.plantune(&["doctor"]);
        let said = String::from_utf8(doctor.stdout).unwrap();
        assert!(said.contains(&gone), "{said}");
        for verb in [&["ingest", "--rebuild"][..], &["report"]] {
            let ran = world.plantune(verb);
            let said = String::from_utf8(ran.stderr).unwrap();
            assert!(
                said.contains(&format!("plantune: {gone}\n  hint: ")),
                "{verb:?}: {said}"
            );
            // Back, and gone again.
            plantune_domain::atomic_file::replace(&path, &kept, 0o600).unwrap();
            assert!(world.plantune(&["ingest"]).status.success());
            fs::remove_file(&path).unwrap();
        }
        plantune_domain::atomic_file::replace(&path, &kept, 0o600).unwrap();
        world.ingest();
    }
    let doctor = world.plantune(&["doctor"]);
    assert!(
        !String::from_utf8(doctor.stdout)
            .unwrap()
            .contains("gone from the log")
    );
}

#[test]
fn what_was_logged_since_and_what_is_no_event() {
    let world = World::installed();
    let now = "2026-11-20T09:30:00Z".parse().unwrap();
    spool::append(&world.paths(), now, b"{\"v\":1,\n\x1b[31m\nnothing\n").unwrap();
    let (status, message, _) = world.finding("not_ingested");
    assert_eq!(status, "note");
    assert!(message.starts_with("3 lines are"), "{message}");
    world.ingest();
    assert_eq!(world.finding("not_ingested").0, "ok");
    let found = world.findings("quarantine");
    let all: Vec<_> = found.iter().map(|found| found.1.as_str()).collect();
    assert_eq!(
        all,
        [
            "2 lines not JSON, last on 2026-11-20",
            "1 line torn off, last on 2026-11-20",
            "the latest lines, each kept as it was",
        ]
    );
    let latest: Vec<_> = found[2].2.lines().collect();
    assert_eq!(latest.len(), 4);
    assert!(latest[3].contains("plantune quarantine list"), "{latest:?}");
    assert!(
        latest[0].starts_with("2026-11-20.jsonl at byte 14 (7 bytes): not JSON"),
        "{latest:?}"
    );
}

#[test]
fn files_that_are_not_understood() {
    let world = World::installed();
    write(&world.at("data/config.toml"), "enabled = maybe\n", 0o600);
    write(
        &world.at("data/registry.toml"),
        "[[question]]\nkey = 1\n",
        0o600,
    );
    write(
        &world.at("data/preferences.json"),
        "{\"version\":1,\"preferences\":{}}",
        0o666,
    );
    for name in ["config", "registry", "preferences"] {
        let (status, message, remedy) = world.finding(name);
        assert_eq!(status, "failed", "{name}: {message}");
        assert!(!remedy.is_empty());
    }
    assert_eq!(world.finding("deciding").0, "note");
    write(
        &world.at("data/config.toml"),
        "enabled = false\ntime_zone = \"Nowhere\"\n",
        0o600,
    );
    assert!(world.finding("deciding").1.contains("switched off"));
    let (status, message, _) = world.finding("time_zone");
    assert_eq!(status, "failed");
    assert!(message.contains("Nowhere"));
}
