//! `plantune doctor`: the built binaries in homes that are whole, empty and broken.

use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::sync::OnceLock;
use std::{fs, io};

use duckdb::AccessMode;
use plantune_domain::spool;
use plantune_ingest::{Progress, Writer};
use tempfile::TempDir;

use crate::world::{World, call_of, programs, question, unwrapped};

/// The text with figures of this machine taken out.
macro_rules! assert_text {
    ($text:expr, @$snapshot:literal) => {
        insta::with_settings!({filters => vec![
            (r"tested with [\d.]+", "tested with [version]"),
        ]}, {
            insta::assert_snapshot!($text, @$snapshot);
        });
    };
}

#[test]
fn a_home_without_anything() {
    let world = empty();
    let before = world.everything("", &[]);
    let (code, text) = text_of(&world, &["doctor"]);
    assert_eq!(code, 1);
    assert_text!(text, @r"
    ok       hook: HOOK (beside plantune): starts, stays silent when it should, and answers by a preference
    FAILED   registration: the hook is not registered in Claude Code's settings
             run `plantune install`
    ok       other hooks: no other hook is called for questions
    ok       claude code: version 2.1.197 (2.1.101 or newer is needed; tested with [version])
    ok       folders: ROOT/data doesn't exist yet; plantune makes it when needed
    ok       spool: nothing has been logged yet
    note     store: it doesn't exist yet; the first `plantune report` makes it
             run `plantune import claude-code` to learn from past sessions
    ok       config: no ROOT/data/config.toml: the defaults hold
    ok       registry: no ROOT/data/registry.toml: the defaults hold
    ok       deciding: on: plantune answers by your preferences
    ok       preferences: no preferences: you are asked every question
    ");
    assert_eq!(world.everything("", &[]), before);
}

#[test]
fn all_is_well() {
    let world = installed();
    let before = world.everything("", &[]);
    let (code, text) = text_of(&world, &["doctor"]);
    assert_text!(text, @r"
    ok       hook: ROOT/data/bin/plantune-hook (registered, beside plantune): starts, stays silent when it should, and answers by a preference
    ok       hook release: up to date (VERSION)
    ok       hook home: the hook uses ROOT/data; no variable changes that
    ok       registration: once for each event, in ROOT/home/.claude/settings.json: PreToolUse, PostToolUse, PostToolUseFailure, PermissionRequest, PermissionDenied, UserPromptSubmit, Stop, SessionStart, SessionEnd
    ok       other hooks: no other hook is called for questions
    ok       claude code: version 2.1.197 (2.1.101 or newer is needed; tested with [version])
    ok       folders: ROOT/data, private to you
    ok       spool: 1 segment
    ok       store: 2 events, 2 questions
    ok       last event: the hook last logged something yesterday (2026-11-19)
    ok       quarantine: every line could be read
    ok       config: no ROOT/data/config.toml: the defaults hold
    ok       registry: ROOT/data/registry.toml
    ok       deciding: on: plantune answers by your preferences
    ok       preferences: no preferences: you are asked every question
    ");
    assert_eq!(code, 0);
    assert_eq!(world.everything("", &[]), before);
}

#[test]
fn no_line_is_wider_than_the_terminal_but_a_command_or_a_path() {
    let world = installed();
    let text = world.run(&["doctor"]).stdout;
    let is_long = |line: &&str| line.chars().count() > 80;
    for line in text.lines().filter(is_long) {
        let words = line.trim_start().trim_end_matches(':');
        let is_whole = !words.contains(' ') || words.starts_with('`');
        assert!(is_whole, "{line}");
    }
    assert_ne!(unwrapped(&text), text, "a line was wrapped");
}

// A home with an installed hook, and programs that `doctor` tries.

/// A folder with programs, made before anything is started: a file that is open for writing while
/// a process is forked cannot be run.
pub(crate) fn made_up_programs() -> &'static Path {
    static PROGRAMS: OnceLock<TempDir> = OnceLock::new();
    let folder = PROGRAMS.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        for (name, script) in [
            ("new/claude", "echo '2.1.197 (Claude Code)'"),
            ("newest/claude", "echo '2.1.332 (Claude Code)'"),
            ("old/claude", "echo '2.1.84 (Claude Code)'"),
            ("loud/plantune-hook", "echo '{}'"),
            ("mute/plantune-hook", "cat > /dev/null"),
            ("failing/plantune-hook", "exit 7"),
            ("tale/plantune-hook", "/usr/bin/touch \"$0.started\""),
        ] {
            let path = folder.path().join(name);
            write_program(&path, script).unwrap();
        }
        programs::hook();
        folder
    });
    folder.path()
}

fn write_program(path: &Path, script: &str) -> io::Result<()> {
    fs::create_dir_all(path.parent().unwrap())?;
    fs::write(path, format!("#!/bin/sh\n{script}\n"))?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

/// Nothing but an empty home; Claude Code is new enough.
pub(crate) fn empty() -> World {
    let world = World::at("home/code")
        .with("PATH", made_up_programs().join("new"))
        .with("TZ", "UTC");
    fs::create_dir(world.path("home/code/.git")).unwrap();
    world
}

/// An installed hook that logged two questions, which are in the store.
pub(crate) fn installed() -> World {
    let world = empty();
    world.done(&["install", "--yes"]);
    let now = "2026-11-19T10:00:00Z".parse().unwrap();
    let line = |number: u32| {
        format!(
            r#"{{"v":1,"id":"{number:032x}","ts":"2026-11-19T10:00:0{number}.000Z","kind":"asked","session_id":"s","session_kind":"interactive","project":"p","cwd":"/p","source":"hook","tool_name":"AskUserQuestion","tool_use_id":"t{number}","question_index":0,"question_count":1,"question_key":"k","key_source":"marker","question":"Q?","door":"two-way"}}"#
        ) + "\n"
    };
    let lines: String = (1..=2).map(line).collect();
    spool::append(&world.paths(), now, lines.as_bytes()).unwrap();
    ingest(&world);
    world
}

pub(crate) fn ingest(world: &World) {
    let mut writer = Writer::open(&world.paths(), "UTC").unwrap();
    writer.ingest(&Progress::default()).unwrap();
}

/// The exit code and the text, free of what differs between machines and runs.
pub(crate) fn text_of(world: &World, words: &[&str]) -> (i32, String) {
    let ran = world.run(words);
    let text = world
        .without_root(&unwrapped(&ran.stdout))
        .replace(programs::hook().to_str().unwrap(), "HOOK")
        .replace(made_up_programs().to_str().unwrap(), "PROGRAMS")
        .replace(env!("CARGO_PKG_VERSION"), "VERSION");
    (ran.code, text)
}

/// The exit code of `debug compare`, and all that it says.
pub(crate) fn compared(world: &World) -> (i32, String) {
    let ran = world.run(&["debug", "compare"]);
    (ran.code, world.without_root(&(ran.stdout + &ran.stderr)))
}

pub(crate) fn damage(world: &World, sql: &str) {
    let store = world.paths().store();
    let store = plantune_migrations::open(&store, AccessMode::ReadWrite).unwrap();
    store.execute_batch(sql).unwrap();
    store.close().unwrap();
}

// What `doctor` reports on the modes of files, and on files that are not understood.

#[test]
fn files_that_others_may_read_stay_as_they_are() {
    let world = installed();
    let segment = world.path("data/events/2026-11-19.jsonl");
    fs::set_permissions(&segment, fs::Permissions::from_mode(0o644)).unwrap();
    symlink("/etc", world.path("data/sessions")).unwrap();
    let before = world.everything("", &[]);
    let found = world.findings("folders");
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(
        found[0].2,
        format!(
            "run `plantune doctor --fix`, or `chmod -R go= {}`",
            world.path("data").display()
        )
    );
    assert!(found[1].1.ends_with("data/sessions is a symbolic link"));
    assert_eq!(world.everything("", &[]), before);
    // The mode is one action, and the link is the person's to judge.
    let said = world.run(&["doctor", "--fix", "--yes"]).stdout;
    assert!(said.contains("closed to others: 1 path in "), "{said}");
    let mode = fs::metadata(&segment).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(world.findings("folders").len(), 1);
}

#[test]
fn files_that_are_not_understood() {
    let world = installed();
    world.put("data/config.toml", "enabled = maybe\n");
    world.put("data/registry.toml", "[[question]]\nkey = 1\n");
    let preferences = world.path("data/preferences.json");
    world.put(&preferences, "{\"version\":1,\"preferences\":{}}");
    fs::set_permissions(preferences, fs::Permissions::from_mode(0o666)).unwrap();
    for name in ["config", "registry", "preferences"] {
        let (status, message, remedy) = world.finding(name);
        assert_eq!(status, "failed", "{name}: {message}");
        assert!(!remedy.is_empty());
    }
    assert_eq!(world.finding("deciding").0, "note");
    world.put(
        "data/config.toml",
        "enabled = false\ntime_zone = \"Nowhere\"\n",
    );
    assert!(world.finding("deciding").1.contains("switched off"));
    let (status, message, _) = world.finding("config");
    assert_eq!(status, "failed");
    assert!(message.contains("Nowhere"));
}

// What `doctor` reports on hooks, their registration and Claude Code.

#[test]
fn hooks_that_do_not_work() {
    for (name, check, words) in [
        ("loud", "hook", "prints something"),
        ("failing", "hook", "ends with exit status: 7"),
        ("mute", "hook", "doesn't answer"),
    ] {
        let world = empty();
        let hook = made_up_programs().join(name).join("plantune-hook");
        let path = hook.to_str().unwrap();
        world.done(&["install", "--yes", "--hook-path", path]);
        let found = world.findings(check);
        let failed: Vec<_> = found.iter().filter(|found| found.0 == "failed").collect();
        assert_eq!(failed.len(), 1, "{found:?}");
        assert!(failed[0].1.contains(words) && failed[0].2.contains("plantune doctor --fix"));
        // The one beside plantune still works.
        assert!(found.iter().any(|found| found.0 == "ok"), "{found:?}");
    }
}

#[test]
fn a_foreign_repository_starts_nothing() {
    let world = empty();
    let hook = made_up_programs().join("tale/plantune-hook");
    let path = hook.to_str().unwrap();
    let words = [
        "install",
        "--yes",
        "--scope",
        "project",
        "--hook-path",
        path,
    ];
    world.done(&words);
    let found = world.findings("hook");
    assert!(
        found
            .iter()
            .any(|found| found.1.contains("it wasn't tried")),
        "{found:?}"
    );
    assert!(!hook.with_file_name("plantune-hook.started").exists());
}

#[test]
fn registrations_that_do_not_work() {
    let world = empty();
    let lost = world.path("bin/plantune-hook");
    world.put_program(&lost, "#!/bin/sh\n");
    let path = lost.to_str().unwrap();
    world.done(&["install", "--yes", "--hook-path", path]);
    fs::remove_file(&lost).unwrap();
    let (status, message, remedy) = world.finding("registration");
    assert_eq!(
        (status.as_str(), remedy.as_str()),
        ("failed", "run `plantune install`")
    );
    assert!(message.ends_with("which doesn't exist"), "{message}");

    world.done(&["install", "--yes"]);
    assert_eq!(world.finding("registration").0, "ok");
    world.done(&["install", "--yes", "--scope", "local"]);
    let (status, message, remedy) = world.finding("registration");
    assert_eq!(
        (status.as_str(), remedy.as_str()),
        ("warning", "run `plantune uninstall --scope local`")
    );
    assert!(message.contains("runs twice"), "{message}");

    world.put("home/.claude/settings.json", "{\"hooks\": ");
    let (status, message, remedy) = world.findings("registration").remove(0);
    assert_eq!(status, "failed");
    assert!(message.contains("settings.json: line 1"), "{message}");
    assert!(!remedy.is_empty());
}

#[test]
fn other_hooks_are_named() {
    let world = installed();
    let theirs = r#"{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"theirs \u001b[31m--all\u202e"}]}]}}"#;
    world.put("home/code/.claude/settings.json", theirs);
    let (status, message, remedy) = world.finding("other_hooks");
    assert_eq!(status, "warning");
    assert!(message.starts_with("`theirs --all` in "), "{message:?}");
    assert!(
        message.ends_with("is called for every tool too"),
        "{message:?}"
    );
    assert!(remedy.contains("the last to finish wins"));
    assert!(!remedy.contains("did not reach"), "{remedy}");
    // A preference's answer that came back empty.
    let segment = world.path("data/events/2026-11-19.jsonl");
    let event = |id: u32, kind: &str, more: &str| {
        format!(
            r#"{{"v":1,"id":"{id:032x}","ts":"2026-11-19T10:00:00.000Z","kind":"{kind}","session_id":"s","tool_use_id":"t","question_index":0,"question_count":1,"question_key":"k","question":"Q?"{more}}}"#
        )
    };
    let lines = [
        event(
            1,
            "auto_decided",
            r#","answer":["Yes"],"mechanism":"allow""#,
        ),
        event(
            2,
            "asked",
            r#","ask_reason":"ambiguous","reason":"not_printed""#,
        ),
        event(3, "dismissed", r#","reason":"no_answer""#),
    ];
    world.put(&segment, lines.join("\n") + "\n");
    world.done(&["ingest"]);
    let (_, _, remedy) = world.finding("other_hooks");
    assert!(
        remedy.contains("1 answer of your preferences did not reach the agent"),
        "{remedy}"
    );
    world.put("home/code/.claude/settings.json", "{}");
    let (status, message, _) = world.finding("other_hooks");
    assert_eq!(status, "warning");
    assert!(message.contains("did not reach the agent"), "{message}");
}

#[test]
fn claude_code_is_old_or_missing() {
    let world = empty().with("PATH", made_up_programs().join("old"));
    let (status, message, remedy) = world.finding("claude_code");
    assert_eq!(
        (status.as_str(), remedy.as_str()),
        ("failed", "run `claude update`")
    );
    assert!(message.contains("2.1.84"));
    let world = world.with("PATH", "/nowhere");
    assert_eq!(world.finding("claude_code").0, "note");
}

// What `doctor` and `debug compare` report on the store and the log: held, damaged, of other versions, with lines that are no events.

#[test]
fn the_store_is_what_the_log_says() {
    let world = installed();
    let before = world.everything("", &[]);
    assert_eq!(compared(&world), (0, "the store matches the log\n".into()));
    assert_eq!(world.everything("", &[]), before);
}

#[test]
fn a_store_that_differs_from_the_log() {
    let world = installed();
    damage(
        &world,
        "UPDATE questions SET question_key = 'other' WHERE tool_use_id = 't1';
        INSERT INTO questions FROM questions WHERE tool_use_id = 't2';
        INSERT INTO sessions VALUES
            ('s9', 'interactive', 'p', '2026-11-19 10:00:00', '2026-11-19 10:00:00', NULL)",
    );
    let before = world.everything("", &[]);
    let (code, text) = compared(&world);
    assert_eq!(code, 1);
    insta::assert_snapshot!(text, @r#"
    questions differs from the log (rows: 3 instead of 2)
      t1 0: question_key is "other", not "k"
      t2 0: rows: 2 instead of 1
    sessions differs from the log (rows: 1 instead of 0)
      s9: the log makes no such row
    plantune: the store differs from the log
      hint: run `plantune ingest --rebuild`
    "#);
    assert_eq!(world.everything("", &[]), before);

    let (code, text) = text_of(&world, &["ingest", "--rebuild"]);
    assert_eq!((code, text.as_str()), (0, "2 events read\n"));
    assert_eq!(compared(&world).0, 0);
}

#[test]
fn a_store_that_cannot_be_compared() {
    let world = empty();
    let nothing = "nothing to compare yet; `plantune report` computes the store from the log\n";
    assert_eq!(compared(&world), (0, nothing.into()));
    let world = installed();
    damage(
        &world,
        "INSERT INTO migrations VALUES (99, TIMESTAMP '2026-11-20')",
    );
    let (code, text) = compared(&world);
    assert_eq!(code, 1);
    let known = format!("versions up to {}", plantune_migrations::newest());
    insta::assert_snapshot!(text.replace(&known, "versions up to [newest]"), @r"
    plantune: ROOT/data/plantune.duckdb: the store has schema version 99, and this plantune knows versions up to [newest]
      hint: a newer plantune wrote this store, and it was not changed; install that version
    ");
    damage(
        &world,
        "DELETE FROM migrations; INSERT INTO migrations VALUES (2, TIMESTAMP '2026-11-20')",
    );
    assert_eq!(compared(&world), (0, nothing.into()));
    world.put(world.paths().store(), "no database ".repeat(2000));
    let damaged = "not compared: the store is damaged\n";
    assert_eq!(compared(&world), (0, damaged.into()));
}

#[test]
#[ignore = "takes long: make test-long"]
fn the_store_is_held_newer_older_or_broken() {
    let world = installed();
    let path = world.paths().store();
    let open = || plantune_migrations::open(&path, AccessMode::ReadWrite).unwrap();
    let held = open();
    let (status, message, _) = world.finding("store");
    assert_eq!(status, "warning");
    assert!(
        message.contains(&format!("(PID {})", std::process::id())),
        "{message}"
    );
    let (code, text) = compared(&world);
    assert_eq!(code, 1);
    assert!(text.contains("is in use by another process"), "{text}");

    held.execute_batch("INSERT INTO migrations VALUES (99, TIMESTAMP '2026-11-20')")
        .unwrap();
    held.close().unwrap();
    let (status, message, remedy) = world.finding("store");
    assert_eq!(status, "failed");
    assert!(message.contains("schema version 99"), "{message}");
    assert!(remedy.contains("a newer plantune wrote this store"));

    let older = open();
    older
        .execute_batch(
            "DELETE FROM migrations; INSERT INTO migrations VALUES (1, TIMESTAMP '2026-11-20')",
        )
        .unwrap();
    older.close().unwrap();
    let before = fs::read(&path).unwrap();
    let (status, _, remedy) = world.finding("store");
    assert_eq!(status, "note");
    assert!(remedy.contains("`plantune report`"), "{remedy}");
    assert_eq!(fs::read(&path).unwrap(), before);

    world.put(&path, "no database ".repeat(2000));
    let before = fs::read(&path).unwrap();
    let (status, _, remedy) = world.finding("store");
    assert_eq!(status, "warning");
    assert!(remedy.contains("rebuilds the store"), "{remedy}");
    assert_eq!(fs::read(&path).unwrap(), before);
    world.done(&["report"]);
    assert_eq!(world.finding("store").0, "ok");
}

#[test]
#[ignore = "takes long: make test-long"]
fn deleted_segments_are_named() {
    let world = installed();
    let now = "2026-11-18T10:00:00Z".parse().unwrap();
    let line = r#"{"v":1,"id":"00000000000000000000000000000009","ts":"2026-11-18T10:00:00.000Z","kind":"session_started","session_id":"s","session_kind":"interactive","project":"p","cwd":"/p","source":"hook"}"#;
    spool::append(&world.paths(), now, format!("{line}\n").as_bytes()).unwrap();
    ingest(&world);
    for (day, words) in [("18", "1 event"), ("19", "2 events")] {
        let segment = format!("2026-11-{day}.jsonl");
        let path = world.paths().events().join(&segment);
        let kept = fs::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        let gone = format!("gone from the log: {segment}, with {words} of 2026-11-{day}");
        for verb in [&["ingest", "--rebuild"][..], &["report"]] {
            let said = world.run(verb).stderr;
            assert!(
                said.contains(&format!("plantune: {gone}\n  hint: ")),
                "{verb:?}: {said}"
            );
            // Back, and gone again.
            plantune_domain::atomic_file::replace(&path, &kept, 0o600).unwrap();
            world.done(&["ingest"]);
            fs::remove_file(&path).unwrap();
        }
        plantune_domain::atomic_file::replace(&path, &kept, 0o600).unwrap();
        ingest(&world);
    }
}

#[test]
fn what_is_no_event_is_counted_by_its_reason() {
    let world = installed();
    let now = "2026-11-20T09:30:00Z".parse().unwrap();
    spool::append(&world.paths(), now, b"{\"v\":1,\n\x1b[31m\nnothing\n").unwrap();
    ingest(&world);
    let found = world.findings("quarantine");
    let all: Vec<_> = found.iter().map(|found| found.1.as_str()).collect();
    assert_eq!(
        all,
        [
            "2 lines set aside (not json), last on 2026-11-20",
            "1 line set aside (torn), last on 2026-11-20",
        ]
    );
    assert!(found[0].2.contains("plantune doctor --quarantine"));
}

#[test]
fn a_changed_preference_is_no_event_of_the_hooks() {
    let world = empty();
    let set = ["prefs", "set", "layout", "always-ask", "--force", "--yes"];
    world.done(&set);
    let says_so = || text_of(&world, &["doctor"]).1.contains(" last event: ");
    assert!(!says_so(), "by the segment");
    ingest(&world);
    assert!(!says_so(), "by the store");
    let call = call_of(
        "toolu_1",
        &[question("Which layout?", "Layout", &["Grid", "List"])],
    );
    world.hook("PreToolUse", call);
    assert!(says_so());
    ingest(&world);
    assert!(says_so());
}
