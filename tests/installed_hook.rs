//! The installed copy of the hook: made once, replaced whole, never missing, and gone in the end.
#![cfg(unix)]
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test may panic, its helpers too"
)]

mod common;

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use plantune_domain::atomic_file;
use serde_json::{Value, json};

const VERSION: &str = env!("CARGO_PKG_VERSION");

struct World {
    root: tempfile::TempDir,
}

#[derive(Debug)]
struct Ran {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl World {
    fn new() -> Self {
        common::hook();
        let world = Self {
            root: tempfile::tempdir().unwrap(),
        };
        fs::create_dir_all(world.path("home/code/.git")).unwrap();
        world
    }

    fn installed() -> Self {
        let world = Self::new();
        let ran = world.run(&["install", "--yes"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        world
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn hook(&self) -> PathBuf {
        self.path("data/bin/plantune-hook")
    }

    fn user(&self) -> PathBuf {
        self.path("home/.claude/settings.json")
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plantune"));
        command
            .args(words)
            .env_clear()
            .env("HOME", self.path("home"))
            .env("PLANTUNE_HOME", self.path("data"))
            .env("PLANTUNE_NOW", "2026-11-20T10:00:00Z")
            .env("TZ", "UTC")
            .env("COLUMNS", "80")
            .current_dir(self.path("home/code"))
            .stdin(Stdio::null());
        command
    }

    fn run(&self, words: &[&str]) -> Ran {
        self.run_at("2026-11-20T10:00:00Z", words)
    }

    fn run_at(&self, now: &str, words: &[&str]) -> Ran {
        let mut command = self.command(words);
        let output = command.env("PLANTUNE_NOW", now).output().unwrap();
        Ran {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Status and message of the finding of `doctor` called `name`; the first one.
    fn finding(&self, name: &str) -> (String, String) {
        let ran = self.run(&["doctor", "--json"]);
        let json: Value = serde_json::from_str(&ran.stdout).unwrap();
        let checks = json["checks"].as_array().unwrap();
        let found = checks.iter().find(|check| check["name"] == name);
        let text = |key: &str| {
            found.map_or(String::new(), |check| {
                check[key].as_str().unwrap().to_owned()
            })
        };
        (text("status"), text("message"))
    }

    /// Makes what is installed a copy of another release, as an upgrade or a downgrade finds it.
    fn make_release(&self, version: &str) {
        let bin = self.path("data/bin");
        let bytes = common::hook_of_release(version);
        fs::create_dir_all(bin.join(version)).unwrap();
        fs::set_permissions(bin.join(version), fs::Permissions::from_mode(0o700)).unwrap();
        atomic_file::replace(&bin.join(version).join("plantune-hook"), &bytes, 0o700).unwrap();
        fs::remove_dir_all(bin.join(VERSION)).unwrap();
        fs::remove_file(self.hook()).unwrap();
        symlink(Path::new(version).join("plantune-hook"), self.hook()).unwrap();
    }

    fn copies(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path("data/bin")).unwrap().flatten();
        let mut names: Vec<_> = entries
            .map(|entry| entry.file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// Calls the hook as settings name it; true when it works.
    fn calls(&self) -> bool {
        let call = json!({"hook_event_name": "Stop", "session_id": "s", "cwd": "/"});
        let mut hook = Command::new(self.hook());
        hook.env_clear().env("PLANTUNE_HOME", self.path("other"));
        let output = common::call_hook(&mut hook, &call);
        output.status.success() && output.stdout.is_empty()
    }
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn install_copies_what_it_registers() {
    let world = World::new();
    let ran = world.run(&["install", "--dry-run"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(!world.path("data").exists());
    let ran = world.run(&["install", "--yes", "--statusline"]);
    assert!(
        ran.stdout
            .contains(&format!("copied the hook of {VERSION} to ")),
        "{ran:?}"
    );
    assert_eq!(world.copies(), [VERSION, "plantune-hook"]);
    assert_eq!(
        fs::read(world.hook()).unwrap(),
        fs::read(common::hook()).unwrap()
    );
    let settings: Value = serde_json::from_str(&text(&world.user())).unwrap();
    let hook = world.hook().display().to_string();
    assert_eq!(
        settings["hooks"]["Stop"][0]["hooks"][0]["command"],
        json!(hook)
    );
    assert_eq!(
        settings["statusLine"]["command"],
        json!(format!("{hook} --statusline"))
    );
    assert!(world.calls());
    let (status, message) = world.finding("hook_release");
    assert_eq!(
        (status.as_str(), message.as_str()),
        ("ok", format!("{VERSION}, as this plantune").as_str())
    );
    assert_eq!(world.finding("hook_place"), Default::default());
    assert_eq!(
        world.finding("data_folder").0,
        "ok",
        "its own link is no stranger's"
    );
    // Who says no gets no copy.
    let other = World::new();
    let ran = other.run(&["install"]);
    assert_eq!(
        (ran.code, other.path("data/bin").exists()),
        (Some(4), false),
        "{ran:?}"
    );
}

#[test]
fn an_older_hook_and_a_newer_one_are_replaced_while_sessions_call_it() {
    let world = World::installed();
    let settings = text(&world.user());
    for (version, words, order) in [
        ("0.0.9", &["doctor", "--fix"][..], "older"),
        ("9.9.9", &["doctor", "--fix"][..], "newer"),
        ("0.0.8", &["install"][..], "older"),
    ] {
        world.make_release(version);
        let (status, message) = world.finding("hook_release");
        assert_eq!(status, "warning");
        assert!(
            message.contains(&format!("of release {version}, {order} than")),
            "{message}"
        );
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            let calls = scope.spawn(|| {
                let mut calls = 0;
                while !done.load(Ordering::Relaxed) {
                    assert!(world.calls());
                    calls += 1;
                }
                calls
            });
            let ran = world.run(words);
            done.store(true, Ordering::Relaxed);
            let said = format!("the one before was of release {version}\n");
            assert!(ran.stdout.contains(&said), "{ran:?}");
            assert!(calls.join().unwrap() > 0);
        });
        assert_eq!(world.finding("hook_release").0, "ok");
        assert_eq!(text(&world.user()), settings);
        let copies = world.copies();
        assert!(copies.contains(&version.to_owned()), "{copies:?}");
    }
    // The old ones stay for two weeks, and go with the next occasion.
    let gc = world.run_at("2026-12-04T09:59:59Z", &["gc"]);
    assert_eq!((gc.code, world.copies().len()), (Some(0), 5), "{gc:?}");
    let gc = world.run_at("2026-12-04T10:00:00Z", &["gc"]);
    assert!(
        gc.stdout.starts_with("3 old copies of the hook removed\n"),
        "{gc:?}"
    );
    assert_eq!(world.copies(), [VERSION, "plantune-hook"]);
    assert!(world.calls());
}

#[test]
fn another_build_of_the_same_release_is_noticed() {
    let world = World::installed();
    let copy = world.path("data/bin").join(VERSION).join("plantune-hook");
    let mut bytes = fs::read(&copy).unwrap();
    bytes.push(0);
    atomic_file::replace(&copy, &bytes, 0o700).unwrap();
    let (status, message) = world.finding("hook_release");
    assert!(
        status == "warning" && message.contains("another build"),
        "{message}"
    );
    assert_eq!(world.run(&["install"]).code, Some(0));
    assert_eq!(world.finding("hook_release").0, "ok");
}

#[test]
fn registrations_of_other_places_are_repaired() {
    for old in [
        "bin/plantune-hook",
        "home/.npm/_npx/0a1b2c/node_modules/p/bin/plantune-hook",
        "gone/plantune-hook",
    ] {
        let world = World::new();
        let old_hook = world.path(old);
        fs::create_dir_all(old_hook.parent().unwrap()).unwrap();
        fs::copy(common::hook(), &old_hook).unwrap();
        let given = old_hook.to_str().unwrap();
        fs::create_dir_all(world.user().parent().unwrap()).unwrap();
        fs::write(world.user(), "{\n  \"model\": \"opus\"\n}\n").unwrap();
        let ran = world.run(&["install", "--yes", "--statusline", "--hook-path", given]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(
            !world.path("data/bin").exists(),
            "what is named is not copied"
        );
        if old.starts_with("gone") {
            fs::remove_file(&old_hook).unwrap();
            assert_eq!(world.finding("registration").0, "failed");
        } else {
            let wanted = if old.contains("_npx") {
                "warning"
            } else {
                "note"
            };
            assert_eq!(world.finding("hook_place").0, wanted);
        }
        let before = text(&world.user());
        // It asks, and nobody is there to answer.
        let unasked = world.run(&["doctor", "--fix"]);
        assert_eq!(
            (unasked.code, text(&world.user())),
            (Some(4), before.clone()),
            "{unasked:?}"
        );
        assert!(
            unasked.stdout.contains("-  ") && unasked.stderr.contains("--yes"),
            "{unasked:?}"
        );
        let fixed = world.run(&["doctor", "--fix", "--yes"]);
        assert!(
            fixed.stdout.contains("repaired ") && fixed.stdout.contains("backup: "),
            "{fixed:?}"
        );
        let after = text(&world.user());
        let hook = world.hook().display().to_string();
        assert_eq!(after, before.replace(given, &hook));
        assert_eq!(after.matches(&hook).count(), 10);
        assert!(world.calls());
        // As every change, it can be rolled back to the byte.
        assert_eq!(world.run(&["install", "--rollback", "--yes"]).code, Some(0));
        assert_eq!(text(&world.user()), before);
        // And install does the same.
        assert_eq!(world.run(&["install", "--yes"]).code, Some(0));
        assert_eq!(text(&world.user()), after);
    }
}

#[test]
fn fixing_registers_nothing_and_is_not_for_agents() {
    let world = World::new();
    assert_eq!(
        world.run(&["doctor", "--fix", "--yes"]).code,
        Some(1),
        "not registered"
    );
    assert!(!world.path("data/bin").exists() && !world.user().exists());
    let world = World::installed();
    world.make_release("0.0.9");
    for words in [&["doctor", "--fix", "--yes"][..], &["install", "--yes"]] {
        let refused = world
            .command(words)
            .env("CLAUDECODE", "1")
            .output()
            .unwrap();
        assert_eq!(refused.status.code(), Some(4), "{refused:?}");
    }
    assert_eq!(world.finding("hook_release").0, "warning");
}

#[test]
fn a_hook_of_another_release_is_not_installed() {
    let world = World::new();
    let folder = world.path("bin");
    fs::create_dir_all(&folder).unwrap();
    fs::copy(env!("CARGO_BIN_EXE_plantune"), folder.join("plantune")).unwrap();
    atomic_file::replace(
        &folder.join("plantune-hook"),
        &common::hook_of_release("0.0.9"),
        0o755,
    )
    .unwrap();
    let mut command = Command::new(folder.join("plantune"));
    let given = world.command(&[]);
    for (name, value) in given.get_envs() {
        command.env(name, value.unwrap());
    }
    let ran = command
        .args(["install", "--yes"])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let errors = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(ran.status.code(), Some(1), "{errors}");
    assert!(
        errors.contains("is of release 0.0.9, and this is plantune"),
        "{errors}"
    );
    assert!(!world.user().exists() && !world.path("data/bin").exists());
}

#[test]
fn installers_that_are_killed_leave_the_old_hook_or_the_new_one() {
    let world = World::installed();
    world.make_release("0.0.9");
    for round in 0..24 {
        let mut child: Child = world
            .command(&["install", "--yes"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        thread::sleep(Duration::from_millis(4 * round));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(world.calls(), "round {round}");
        let bytes = fs::read(world.hook()).unwrap();
        let is_new = bytes == fs::read(common::hook()).unwrap();
        assert!(
            is_new || bytes == common::hook_of_release("0.0.9"),
            "round {round}"
        );
        if is_new {
            world.make_release("0.0.9");
        }
    }
    assert_eq!(world.run(&["install", "--yes"]).code, Some(0));
    assert_eq!(world.copies(), ["0.0.9", VERSION, "plantune-hook"]);
    assert_eq!(world.finding("hook_release").0, "ok");
}

#[test]
fn installers_at_once_make_one_copy() {
    let world = World::new();
    let spawn = |_| {
        world
            .command(&["install", "--yes"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let children: Vec<Child> = (0..4).map(spawn).collect();
    let said: Vec<String> = children
        .into_iter()
        .map(|child| {
            let output = child.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(0));
            String::from_utf8(output.stdout).unwrap()
        })
        .collect();
    let copied = said.iter().filter(|said| said.contains("copied the hook"));
    assert_eq!(copied.count(), 1, "{said:?}");
    assert_eq!(world.copies(), [VERSION, "plantune-hook"]);
    assert!(world.calls());
}

#[test]
fn uninstall_takes_the_copies_when_nobody_calls_them_any_more() {
    let world = World::installed();
    assert_eq!(
        world.run(&["install", "--yes", "--scope", "local"]).code,
        Some(0)
    );
    let local = world.path("home/code/.claude/settings.local.json");
    // From another folder, by the record of what was changed.
    let mut elsewhere = world.command(&["uninstall", "--yes"]);
    let ran = elsewhere.current_dir(world.path("home")).output().unwrap();
    let said = String::from_utf8(ran.stdout).unwrap();
    assert!(
        said.contains(&format!(
            "kept {}: {} still calls it",
            world.hook().display(),
            local.display()
        )),
        "{said}"
    );
    assert!(world.calls());
    let ran = world.run(&["uninstall", "--yes", "--scope", "local", "--dry-run"]);
    assert!(ran.code == Some(0) && world.hook().exists());
    let ran = world.run(&["uninstall", "--yes", "--scope", "local"]);
    assert!(
        ran.stdout
            .contains(&format!("removed {}", world.hook().display())),
        "{ran:?}"
    );
    assert!(!world.path("data/bin").exists() && !world.user().exists() && !local.exists());
    // Entries that were taken out by hand leave the copies to a later uninstall.
    let world = World::installed();
    fs::remove_file(world.user()).unwrap();
    let mut agent = world.command(&["uninstall", "--yes"]);
    assert_eq!(
        agent.env("CLAUDECODE", "1").status().unwrap().code(),
        Some(4)
    );
    let ran = world.run(&["uninstall", "--yes"]);
    assert!(
        ran.stdout.starts_with("not installed: ") && ran.stdout.contains("removed "),
        "{ran:?}"
    );
    assert!(!world.path("data/bin").exists());
}
