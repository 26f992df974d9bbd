//! A home with a store of known habits, a project in it, and the built binary run there.

#![allow(dead_code, reason = "each test file uses what it needs of this")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use duckdb::AccessMode;
use plantune_domain::paths::Paths;
use plantune_domain::preferences::{Preference, PreferenceFile};
use plantune_domain::sanitize::is_dangerous;
use tempfile::TempDir;

/// The project of the current directory.
pub(crate) const PROJECT: &str = "github.com/o/r";

/// An empty home with a checkout of [`PROJECT`].
pub(crate) struct World {
    root: TempDir,
}

/// What a run gave.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl World {
    /// Nothing was ever logged.
    pub(crate) fn empty() -> Self {
        let world = Self {
            root: tempfile::tempdir().unwrap(),
        };
        world.put(&world.path("work/.git/HEAD"), "ref: refs/heads/main\n");
        world.put(
            &world.path("work/.git/config"),
            "[remote \"origin\"]\n\turl = git@github.com:o/r.git\n",
        );
        world
    }

    /// With the store of `query/tests/sql/habits.sql`.
    pub(crate) fn with_habits() -> Self {
        let world = Self::empty();
        fs::create_dir_all(world.path("data")).unwrap();
        let habits = include_str!("../../query/tests/sql/habits.sql");
        fill(&world.paths().store(), habits);
        world
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    pub(crate) fn paths(&self) -> Paths {
        Paths::below(self.path("data"))
    }

    pub(crate) fn put(&self, path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        plantune_domain::atomic_file::replace(path, text.as_bytes(), 0o600).unwrap();
    }

    /// The binary, to be run outside any agent's session.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plantune"));
        command
            .args(words)
            .env_clear()
            .env("HOME", self.path("home"))
            .env("PLANTUNE_HOME", self.path("data"))
            .env("PLANTUNE_NOW", "2026-11-20T10:00:00Z")
            .env("TZ", "Europe/Berlin")
            .env("COLUMNS", "80")
            .current_dir(self.path("work"))
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, words: &[&str]) -> Ran {
        run(&mut self.command(words))
    }

    /// What `doctor` writes, each line that it wrapped in one again.
    pub(crate) fn doctor(&self, words: &[&str]) -> String {
        let ran = self.run(&[&["doctor"], words].concat());
        ran.stdout.replace("\n           ", " ")
    }

    /// The same inside an agent's session.
    pub(crate) fn run_in_session(&self, words: &[&str]) -> Ran {
        run(self.command(words).env("CLAUDECODE", "1"))
    }

    /// The preference for `key` in [`PROJECT`], or everywhere.
    pub(crate) fn preference(&self, key: &str, global: bool) -> Option<Preference> {
        let path = if global {
            self.paths().global_preferences()
        } else {
            self.paths().project_preferences(PROJECT)
        };
        let file = PreferenceFile::load(&path).unwrap()?;
        file.preferences.get(key).cloned()
    }

    /// The events logged so far.
    pub(crate) fn events(&self) -> Vec<serde_json::Value> {
        let segment = self.paths().events().join("2026-11-20.jsonl");
        let lines = fs::read_to_string(segment).unwrap_or_default();
        lines
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

/// Makes a store of no log, in the zone that commands run in, and fills it by `sql`. Questions have the
/// defaults of `query/tests/sql/defaults.sql`.
pub(crate) fn fill(path: &Path, sql: &str) {
    let store = plantune_migrations::open(path, AccessMode::ReadWrite).unwrap();
    plantune_migrations::create(&store).unwrap();
    for sql in [
        "INSERT INTO settings VALUES ('time_zone', 'Europe/Berlin')",
        include_str!("../../query/tests/sql/defaults.sql"),
        sql,
    ] {
        store.execute_batch(sql).unwrap();
    }
    store.close().unwrap();
}

/// Runs `command` to its end.
pub(crate) fn run(command: &mut Command) -> Ran {
    let output = command.output().unwrap();
    Ran {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// True when a terminal would obey nothing in `text`.
pub(crate) fn is_inert(text: &str) -> bool {
    !text.contains(|c: char| is_dangerous(c) && c != '\n' && c != '\t')
}
