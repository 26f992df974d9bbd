//! A home of its own for the built binaries, with a fixed clock.

use std::ffi::OsStr;
use std::fmt;
use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use plantune_domain::paths::{Paths, create_private_dir};

pub(crate) struct Home(tempfile::TempDir);

impl Drop for Home {
    /// What a failed test left stays, to be looked at.
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.disable_cleanup(true);
            eprintln!("kept: {}", self.path().display());
        }
    }
}

impl Home {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Makes the log the same as another home's.
    pub(crate) fn copy_log(&self, other: &Self) {
        let events = self.paths().events();
        create_private_dir(&events).unwrap();
        for segment in fs::read_dir(other.paths().events()).unwrap() {
            let segment = segment.unwrap();
            let copy = events.join(segment.file_name());
            fs::copy(segment.path(), &copy).unwrap();
            let modified = segment.metadata().unwrap().modified().unwrap();
            File::open(copy).unwrap().set_modified(modified).unwrap();
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn paths(&self) -> Paths {
        Paths::below(self.path().join("plantune"))
    }

    /// Where transcripts lie.
    pub(crate) fn transcripts(&self) -> PathBuf {
        self.path().join(".claude/projects")
    }

    /// A built program in this home.
    pub(crate) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("HOME", self.path())
            .env("PLANTUNE_HOME", self.paths().data())
            .env("PLANTUNE_NOW", "2026-11-20T10:00:00Z")
            .env("PLANTUNE_TRACE", "1")
            .env("TZ", "Europe/Berlin")
            .env("COLUMNS", "80")
            .current_dir(self.path())
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn plantune(&self, words: &[impl AsRef<OsStr>]) -> Command {
        let mut command = self.command(env!("CARGO_BIN_EXE_plantune").as_ref());
        command.args(words);
        command
    }

    /// Runs plantune undisturbed; it must succeed. Returns its output, and how long it took.
    pub(crate) fn run(&self, words: &[impl AsRef<OsStr> + fmt::Debug]) -> (String, Duration) {
        let start = Instant::now();
        let output = self.plantune(words).output().unwrap();
        assert!(
            output.status.success(),
            "{words:?}: {}: {}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
        (String::from_utf8(output.stdout).unwrap(), start.elapsed())
    }

    /// Every file and folder below the data, with its mode: for the person alone, and nothing that
    /// a killed run left behind, but for a summary that was not in its place yet: who writes it an hour later removes
    /// that.
    pub(crate) fn assert_tidy(&self) {
        let mut folders = vec![self.paths().data().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).unwrap() {
                let entry = entry.unwrap();
                let kind = entry.metadata().unwrap();
                let mode = kind.permissions().mode() & 0o777;
                let path = entry.path();
                let expected = if kind.is_dir() { 0o700 } else { 0o600 };
                assert_eq!(mode, expected, "{mode:o} {}", path.display());
                let name = entry.file_name().into_string().unwrap();
                let is_known = name.ends_with(".jsonl")
                    || ["events", "plantune.duckdb", "summaries"].contains(&name.as_str())
                    || folder.ends_with("summaries")
                        && (name.ends_with(".json") || name.contains(".json.plantune-"));
                assert!(is_known, "left behind: {}", path.display());
                if kind.is_dir() {
                    folders.push(path);
                }
            }
        }
    }
}
