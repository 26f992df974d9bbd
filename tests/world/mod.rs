//! An empty home, a project in it, and the built plantune with nothing else of the environment.
#![allow(
    dead_code,
    clippy::unwrap_used,
    reason = "shared by several tests, which may panic, their helpers too"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

const PLANTUNE: &str = env!("CARGO_BIN_EXE_plantune");

/// What a run gave.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// A folder with the home, the project `home/code` and plantune's `data`.
pub(crate) struct World {
    root: TempDir,
    /// Where commands are run, below the folder.
    folder: &'static str,
}

impl World {
    pub(crate) fn new() -> Self {
        Self::at("home/code")
    }

    /// Where commands are run in `folder`.
    pub(crate) fn at(folder: &'static str) -> Self {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join(folder)).unwrap();
        Self { root, folder }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    /// Claude Code's settings of the user.
    pub(crate) fn user(&self) -> PathBuf {
        self.path("home/.claude/settings.json")
    }

    pub(crate) fn put(&self, path: &Path, content: impl AsRef<[u8]>) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        #[allow(clippy::disallowed_methods, reason = "a file of the test's own")]
        fs::write(path, content).unwrap();
    }

    /// `program` in this home; the clock stands.
    pub(crate) fn start(&self, program: impl AsRef<Path>, words: &[&str]) -> Command {
        let mut command = Command::new(program.as_ref());
        command
            .args(words)
            .env_clear()
            .env("HOME", self.path("home"))
            .env("PLANTUNE_HOME", self.path("data"))
            .env("PLANTUNE_NOW", "2026-11-20T10:00:00Z")
            .env("TZ", "UTC")
            .env("COLUMNS", "80")
            .current_dir(self.path(self.folder))
            .stdin(Stdio::null());
        command
    }

    /// The built plantune.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        self.start(PLANTUNE, words)
    }

    pub(crate) fn run(&self, words: &[&str]) -> Ran {
        run(&mut self.command(words))
    }

    /// The names in a folder, sorted.
    pub(crate) fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder))
            .into_iter()
            .flatten()
            .flatten();
        let mut names: Vec<_> = entries
            .map(|entry| entry.file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

/// Runs `command` to its end.
pub(crate) fn run(command: &mut Command) -> Ran {
    // A program that was copied a moment ago is busy while another test's child, forked in between,
    // still holds the copy's descriptor.
    let output = loop {
        match command.output() {
            Err(error) if error.kind() == std::io::ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(std::time::Duration::from_millis(10));
            }
            output => break output.unwrap(),
        }
    };
    Ran {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

pub(crate) fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}
