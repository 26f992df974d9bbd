//! A home, and `plantune report` in it.

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use crate::store_fixture;

pub(crate) struct Home(pub(crate) TempDir);

impl Home {
    /// A home without a store.
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A home with the store of `query/tests/report.sql`.
    pub(crate) fn filled() -> Self {
        let home = Self::new();
        home.fill(include_str!("../../query/tests/report.sql"));
        home
    }

    pub(crate) fn fill(&self, sql: &str) {
        store_fixture::fill(&self.store(), sql);
    }

    pub(crate) fn store(&self) -> PathBuf {
        self.0.path().join("plantune.duckdb")
    }

    pub(crate) fn configure(&self, text: &str) {
        let path = self.0.path().join("config.toml");
        plantune_domain::atomic_file::replace(&path, text.as_bytes(), 0o600).unwrap();
    }

    /// `plantune report` on Friday, 20 November 2026, 10:00 in Berlin.
    pub(crate) fn report(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plantune"));
        command
            .env_clear()
            .env("HOME", self.0.path())
            .env("PLANTUNE_HOME", self.0.path())
            .env("PLANTUNE_NOW", "2026-11-20T09:00:00Z")
            .env("TZ", "Europe/Berlin")
            .env("COLUMNS", "80")
            .current_dir(self.0.path())
            .arg("report")
            .args(arguments);
        command
    }

    pub(crate) fn output(&self, arguments: &[&str]) -> Output {
        self.report(arguments).output().unwrap()
    }

    /// What a report that works writes.
    pub(crate) fn text(&self, arguments: &[&str]) -> String {
        let output = self.output(arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), errors.as_ref()), (Some(0), ""));
        String::from_utf8(output.stdout).unwrap()
    }

    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let arguments: Vec<_> = arguments.iter().copied().chain(["--json"]).collect();
        serde_json::from_str(&self.text(&arguments)).unwrap()
    }

    /// The exit code and the errors of a report that does not work.
    pub(crate) fn failure(&self, arguments: &[&str]) -> (i32, String) {
        let output = self.output(arguments);
        assert_eq!(output.stdout, b"");
        let errors = String::from_utf8(output.stderr).unwrap();
        (output.status.code().unwrap(), errors)
    }
}
