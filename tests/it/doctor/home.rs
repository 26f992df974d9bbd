//! A home with an installed hook, and programs that `doctor` tries.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::OnceLock;
use std::{fs, io};

use duckdb::AccessMode;
use plantune_domain::spool;
use plantune_ingest::{Progress, Writer};
use tempfile::TempDir;

use crate::world::{World, programs, unwrapped};

/// A folder with programs, made before anything is started: a file that is open for writing while
/// a process is forked cannot be run.
pub(crate) fn made_up_programs() -> &'static Path {
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

/// What `doctor --deep` reports on the store beyond `doctor`: its exit code and the lines.
pub(crate) fn deep(world: &World) -> (i32, String) {
    let (code, text) = text_of(world, &["doctor", "--deep"]);
    let lines: Vec<_> = text.lines().collect();
    let is_ours = |line: &&str| line.contains(" tables: ");
    let first = lines.iter().position(is_ours).unwrap();
    let after = |line: &&str| line.contains(" config: ");
    let end = lines.iter().position(after).unwrap();
    (code, lines[first..end].join("\n"))
}

pub(crate) fn damage(world: &World, sql: &str) {
    let store = world.paths().store();
    let store = plantune_migrations::open(&store, AccessMode::ReadWrite).unwrap();
    store.execute_batch(sql).unwrap();
    store.close().unwrap();
}
