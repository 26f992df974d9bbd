//! `install` and `uninstall` beside what others set up: a plugin that is on, a file system that runs no programs.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a failed setup must fail the test"
)]

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use plantune_domain::atomic_file;
use serde_json::json;
use tempfile::TempDir;

struct World(TempDir);

impl World {
    fn new() -> Self {
        common::hook();
        let world = Self(tempfile::tempdir().unwrap());
        fs::create_dir_all(world.path("home/code/.git")).unwrap();
        world
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// `program` with the home and nothing else of the environment, but what the system's own programs need.
    fn command(&self, program: impl AsRef<Path>, words: &[&str]) -> Command {
        let mut command = Command::new(program.as_ref());
        command
            .args(words)
            .env_clear()
            .env("HOME", self.path("home"))
            .env("PLANTUNE_HOME", self.path("data"))
            .env("PLANTUNE_NOW", "2026-11-20T10:00:00Z")
            .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
            .env("TZ", "UTC")
            .env("COLUMNS", "80")
            .current_dir(self.path("home/code"))
            .stdin(Stdio::null());
        command
    }

    /// What `plantune` prints, which must end well.
    fn done(&self, words: &[&str]) -> String {
        let program = env!("CARGO_BIN_EXE_plantune");
        let output = self.command(program, words).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn write(&self, name: &str, content: &[u8]) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        atomic_file::replace(&path, content, 0o700).unwrap();
    }

    /// Puts a plugin there as Claude Code installs it, with a hook for this machine in it, and switches it on.
    fn add_plugin(&self) {
        let system = match std::env::consts::OS {
            "macos" => "darwin",
            other => other,
        };
        let processor = match std::env::consts::ARCH {
            "x86_64" => "x64",
            "aarch64" => "arm64",
            other => other,
        };
        let hook = format!("plugin/hooks/{system}-{processor}/plantune-hook");
        self.write(&hook, &fs::read(common::hook()).unwrap());
        let installation =
            json!({"scope": "user", "version": "0.1.0", "installPath": self.path("plugin")});
        let installed = json!({"version": 2, "plugins": {"plantune@plantune": [installation]}});
        self.write(
            "home/.claude/plugins/installed_plugins.json",
            installed.to_string().as_bytes(),
        );
        let settings = json!({"enabledPlugins": {"plantune@plantune": true}});
        self.write(
            "home/.claude/settings.json",
            settings.to_string().as_bytes(),
        );
    }
}

#[test]
fn uninstall_says_that_a_plugin_goes_on_and_how_to_end_that() {
    let world = World::new();
    world.add_plugin();
    world.done(&["install", "--yes"]);
    for words in [&["uninstall", "--dry-run"][..], &["uninstall", "--yes"]] {
        let said = world.done(words);
        assert!(
            said.contains("note: the plugin plantune@plantune is on, and goes on logging")
                && said.contains("`claude plugin uninstall plantune@plantune` ends that"),
            "{said}"
        );
    }
    // The plugin carries a hook of its own, and does not need the copy.
    assert!(!world.path("data/bin").exists());
    // Switched off, it logs nothing more.
    let settings = json!({"enabledPlugins": {"plantune@plantune": false}});
    world.write(
        "home/.claude/settings.json",
        settings.to_string().as_bytes(),
    );
    let said = world.done(&["uninstall", "--yes"]);
    assert!(!said.contains("plugin"), "{said}");
}

/// Runs `script` with sh where the data folder is a file system that runs no programs; `None` where none can be
/// mounted.
fn with_noexec_data(world: &World, script: &str) -> Option<Output> {
    fs::create_dir_all(world.path("data")).unwrap();
    let mount = r#"mount -t tmpfs -o noexec,mode=700 none "$PLANTUNE_HOME" && "#;
    let unshare = |script: &str| {
        let words = ["--user", "--map-root-user", "--mount", "sh", "-c"];
        let mut command = world.command("unshare", &words);
        command.args([script, env!("CARGO_BIN_EXE_plantune")]);
        command.output()
    };
    let can_mount = unshare(&format!("{mount} :")).is_ok_and(|output| output.status.success());
    can_mount.then(|| unshare(&format!("{mount} {{ {script}; }}")).unwrap())
}

#[test]
fn a_copy_that_may_not_be_run_where_it_lies_is_not_registered() {
    let world = World::new();
    let script =
        r#""$0" install --yes >/dev/null; code=$?; find "$PLANTUNE_HOME/bin" -type f; exit $code"#;
    let Some(output) = with_noexec_data(&world, script) else {
        eprintln!("skipped: no file system can be mounted here");
        return;
    };
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(
        errors.contains("the copy of the hook cannot be started: Permission denied")
            && errors.contains("findmnt -T")
            && errors.contains("--hook-path"),
        "{errors}"
    );
    // Neither registered nor left behind.
    assert!(!world.path("home/.claude/settings.json").exists());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "");
    // What the hint says: a hook that lies elsewhere.
    let hook = common::hook();
    let script = format!(r#""$0" install --yes --hook-path '{}'"#, hook.display());
    let output = with_noexec_data(&world, &script).unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let settings = fs::read_to_string(world.path("home/.claude/settings.json")).unwrap();
    assert!(settings.contains(&*hook.to_string_lossy()), "{settings}");
}

#[test]
fn what_is_suggested_can_be_typed_where_npx_started_it() {
    let world = World::new();
    let run = |words: &[&str], launcher: &str| {
        let mut command = world.command(env!("CARGO_BIN_EXE_plantune"), words);
        let output = command.env("PLANTUNE_STARTED_BY", launcher).output();
        let output = output.unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (text(output.stdout), text(output.stderr))
    };
    for (launcher, program) in [
        ("npx", "npx plantune"),
        ("bun", "bunx plantune"),
        ("npm", "plantune"),
    ] {
        let (said, _) = run(&["prefs", "list"], launcher);
        assert!(
            said.contains(&format!("`{program} suggest` says")),
            "{said}"
        );
        // A report's text, a hint of a failure, a finding's remedy, the next step after an import.
        let (said, _) = run(&["questions"], launcher);
        assert!(
            said.contains(&format!("`{program} import claude-code`")),
            "{said}"
        );
        let (_, said) = run(&["prefs", "show", "no-such-key"], launcher);
        assert!(
            said.contains(&format!("`{program} prefs list --all`")),
            "{said}"
        );
        let (said, _) = run(&["doctor"], launcher);
        assert!(said.contains(&format!("run `{program} install`")), "{said}");
    }
    // What programs read is the same whoever started it.
    let (said, _) = run(&["doctor", "--json"], "npx");
    assert!(
        said.contains("run `plantune install`") && !said.contains("npx"),
        "{said}"
    );
}
