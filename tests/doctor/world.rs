//! A home with an installed hook, and what `doctor` reports on it.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use duckdb::AccessMode;
use plantune_domain::paths::Paths;
use plantune_domain::spool;
use plantune_ingest::{Progress, Writer};
use serde_json::Value;
use tempfile::TempDir;

use crate::common;

/// A folder with programs, made before anything is started: a file that is open for writing while
/// a process is forked cannot be run.
pub(crate) fn programs() -> &'static Path {
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

pub(crate) fn write(path: &Path, text: &str, mode: u32) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    plantune_domain::atomic_file::replace(path, text.as_bytes(), mode).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// A home, a project in it, and plantune's folder.
pub(crate) struct World {
    root: TempDir,
    pub(crate) path: String,
}

impl World {
    /// Nothing but an empty home; Claude Code is new enough.
    pub(crate) fn new() -> Self {
        let world = Self {
            path: programs().join("new").display().to_string(),
            root: tempfile::tempdir().unwrap(),
        };
        fs::create_dir_all(world.at("home/code/.git")).unwrap();
        world
    }

    /// An installed hook that logged two questions, which are in the store.
    pub(crate) fn installed() -> Self {
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

    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    pub(crate) fn paths(&self) -> Paths {
        Paths::below(self.at("data"))
    }

    pub(crate) fn ingest(&self) {
        let mut writer = Writer::open(&self.paths(), "UTC").unwrap();
        writer.ingest(&Progress::default()).unwrap();
    }

    pub(crate) fn plantune(&self, words: &[&str]) -> Output {
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
    pub(crate) fn text(&self) -> (i32, String) {
        self.text_of(&["doctor"])
    }

    pub(crate) fn text_of(&self, words: &[&str]) -> (i32, String) {
        let output = self.plantune(words);
        let text = common::unwrapped(&String::from_utf8(output.stdout).unwrap());
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
    pub(crate) fn deep(&self) -> (i32, String) {
        let (code, text) = self.text_of(&["doctor", "--deep"]);
        let lines: Vec<_> = text.lines().collect();
        let is_ours = |line: &&str| line.contains(" tables: ");
        let first = lines.iter().position(is_ours).unwrap();
        let after = |line: &&str| line.contains(" config: ");
        let end = lines.iter().position(after).unwrap();
        (code, lines[first..end].join("\n"))
    }

    pub(crate) fn damage(&self, sql: &str) {
        let store = self.paths().store();
        let store = plantune_migrations::open(&store, AccessMode::ReadWrite).unwrap();
        store.execute_batch(sql).unwrap();
        store.close().unwrap();
    }

    /// The findings called `name`: status, message and remedy.
    pub(crate) fn findings(&self, name: &str) -> Vec<(String, String, String)> {
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
    pub(crate) fn finding(&self, name: &str) -> (String, String, String) {
        let mut found = self.findings(name);
        assert_eq!(found.len(), 1, "{found:?}");
        found.remove(0)
    }

    /// Every file and folder below the home with its mode and content.
    pub(crate) fn everything(&self) -> Vec<(PathBuf, u32, Vec<u8>)> {
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
