//! `plantune install` and `plantune uninstall`: the built binary on real files.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may panic, its helpers too")]

mod common;

use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

const SETTINGS: &str = "{\n    \"model\": \"opus\",\n    \"hooks\": {\n        \"PreToolUse\": [\n            {\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"theirs\"}]}\n        ]\n    }\n}";

/// An empty home, a project in it, and a hook binary.
struct World {
    root: TempDir,
}

/// What a run gave.
#[derive(Debug)]
struct Ran {
    code: i32,
    stdout: String,
    stderr: String,
}

impl World {
    fn new() -> Self {
        let world = Self {
            root: tempfile::tempdir().unwrap(),
        };
        fs::create_dir_all(world.path("home/code/deep")).unwrap();
        program(&world.path("bin/plantune-hook"));
        world
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn user(&self) -> PathBuf {
        self.path("home/.claude/settings.json")
    }

    fn put(&self, path: &Path, text: impl AsRef<[u8]>) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        #[allow(clippy::disallowed_methods, reason = "a file of the test's own")]
        fs::write(path, text).unwrap();
    }

    fn command(&self, program: &Path, words: &[&str]) -> Command {
        let mut command = Command::new(program);
        command
            .args(words)
            .env_clear()
            .env("HOME", self.path("home"))
            .env("PLANTUNE_HOME", self.path("data"))
            .env("PLANTUNE_NOW", "2026-11-20T18:36:00Z")
            .env("COLUMNS", "80")
            .current_dir(self.path("home/code/deep"))
            .stdin(Stdio::null());
        command
    }

    fn run(&self, words: &[&str]) -> Ran {
        run(&mut self.command(Path::new(env!("CARGO_BIN_EXE_plantune")), words))
    }

    fn install(&self, words: &[&str]) -> Ran {
        let hook = self.path("bin/plantune-hook");
        self.run(&[&["install", "--hook-path", hook.to_str().unwrap()], words].concat())
    }

    /// The names in a folder, sorted.
    fn names(&self, folder: &str) -> Vec<String> {
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

fn run(command: &mut Command) -> Ran {
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

fn program(path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let file = File::create(path).unwrap();
    file.set_permissions(fs::Permissions::from_mode(0o755))
        .unwrap();
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn installs_once_and_leaves_no_trace() {
    let world = World::new();
    world.put(&world.user(), SETTINGS);
    fs::set_permissions(world.user(), fs::Permissions::from_mode(0o640)).unwrap();
    let ran = world.install(&["--yes"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran:?}");
    let installed = text(&world.user());
    let value: serde_json::Value = serde_json::from_str(&installed).unwrap();
    let hook = world.path("bin/plantune-hook");
    let entry = serde_json::json!({"type": "command", "command": hook, "args": [], "timeout": 5});
    for event in [
        "PostToolUse",
        "PostToolUseFailure",
        "PermissionRequest",
        "PermissionDenied",
        "UserPromptSubmit",
        "Stop",
        "SessionStart",
        "SessionEnd",
    ] {
        assert_eq!(value["hooks"][event][0]["hooks"][0], entry, "{event}");
    }
    assert_eq!(value["hooks"]["PreToolUse"][1]["hooks"][0], entry);
    assert_eq!(mode(&world.user()), 0o640);
    let backup = "settings.json.plantune-backup-20261120T183600Z";
    assert_eq!(world.names("home/.claude"), ["settings.json", backup]);
    assert_eq!(text(&world.path("home/.claude").join(backup)), SETTINGS);

    let again = world.install(&["--yes"]);
    assert_eq!(
        (again.code, again.stdout.starts_with("already installed: ")),
        (0, true)
    );
    assert_eq!(text(&world.user()), installed);
    assert_eq!(world.names("home/.claude").len(), 2);

    let gone = world.run(&["uninstall", "--yes"]);
    assert_eq!(
        (gone.code, text(&world.user()).as_str()),
        (0, SETTINGS),
        "{gone:?}"
    );
    assert_eq!(mode(&world.user()), 0o640);
    assert_eq!(
        world.names("home/.claude").len(),
        3,
        "the first backup is not overwritten"
    );
    let nothing = world.run(&["uninstall", "--yes"]);
    assert_eq!(
        (nothing.code, nothing.stdout.starts_with("not installed: ")),
        (0, true)
    );
}

/// What an earlier plantune registered is completed, and what it left to others is theirs.
#[test]
fn an_earlier_installation_gets_what_is_new() {
    let world = World::new();
    world.put(&world.user(), SETTINGS);
    assert_eq!(world.install(&["--yes"]).code, 0);
    let installed: serde_json::Value = serde_json::from_str(&text(&world.user())).unwrap();
    let mut earlier = installed.clone();
    let events = earlier["hooks"].as_object_mut().unwrap();
    for event in ["PermissionRequest", "PermissionDenied"] {
        events.remove(event).unwrap();
    }
    let theirs = serde_json::json!([{"hooks": [{"type": "command", "command": "theirs"}]}]);
    events.insert("PermissionRequest".to_owned(), theirs.clone());
    world.put(&world.user(), format!("{earlier:#}\n"));
    let ran = world.install(&["--yes"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let value: serde_json::Value = serde_json::from_str(&text(&world.user())).unwrap();
    assert_eq!(value["hooks"]["PermissionRequest"][0], theirs[0]);
    for (event, at) in [("PermissionRequest", 1), ("PermissionDenied", 0)] {
        let group = &value["hooks"][event][at];
        assert_eq!(group, &installed["hooks"][event][0], "{event}");
        assert!(group.get("matcher").is_none(), "called for every tool");
    }
    assert_eq!(world.run(&["uninstall", "--yes"]).code, 0);
    let left: serde_json::Value = serde_json::from_str(&text(&world.user())).unwrap();
    assert_eq!(left["hooks"]["PermissionRequest"], theirs);
    assert!(!left.to_string().contains("plantune-hook"), "{left}");
}

#[test]
fn shows_the_change() {
    let world = World::new();
    world.put(
        &world.user(),
        "{\n  \"model\": \"\u{1b}[31mopus\u{9b}\"\n}\n".replace('\u{1b}', "\u{7f}"),
    );
    let ran = world.install(&["--dry-run"]);
    let shown = ran.stdout.replace(world.root.path().to_str().unwrap(), "");
    let head: String = shown
        .lines()
        .take(11)
        .map(|line| format!("{line}\n"))
        .collect();
    insta::assert_snapshot!(head, @r#"
    --- /home/.claude/settings.json
    +++ /home/.claude/settings.json
    @@ -1,3 +1,116 @@
     {
    -  "model": "�[31mopus�"
    +  "model": "�[31mopus�",
    +  "hooks": {
    +    "PreToolUse": [
    +      {
    +        "matcher": "(AskUserQuestion|mcp__.*__AskUserQuestion)",
    +        "hooks": [
    "#);
    assert!(shown.ends_with("nothing was written (--dry-run)\n"));
    assert!(!world.path("data").exists() && world.names("home/.claude").len() == 1);
}

#[test]
fn what_was_not_there_is_gone_afterwards() {
    let world = World::new();
    assert_eq!(world.install(&["--yes"]).code, 0);
    assert_eq!(mode(&world.user()), 0o600);
    assert_eq!(world.names("home/.claude"), ["settings.json"]);
    assert_eq!(world.run(&["uninstall", "--yes"]).code, 0);
    assert!(!world.user().exists());
    for before in [
        "",
        "{}",
        "{ }\n",
        "{\"hooks\":{}}",
        "\u{feff}{\"hooks\":{\"PreToolUse\":[]}}\r\n",
    ] {
        world.put(&world.user(), before);
        assert_eq!(world.install(&["--yes"]).code, 0, "{before:?}");
        assert_eq!(world.run(&["uninstall", "--yes"]).code, 0);
        assert_eq!(text(&world.user()), before);
    }
}

#[test]
fn asks_before_it_writes() {
    let world = World::new();
    world.put(&world.user(), SETTINGS);
    let unasked = world.install(&[]);
    assert_eq!(unasked.code, 4, "{unasked:?}");
    assert!(
        unasked.stderr.contains("no terminal to ask on"),
        "{unasked:?}"
    );
    let hook = world.path("bin/plantune-hook");
    let words = ["install", "--yes", "--hook-path", hook.to_str().unwrap()];
    let mut agent = world.command(Path::new(env!("CARGO_BIN_EXE_plantune")), &words);
    let agent = run(agent.env("CLAUDECODE", "1"));
    assert_eq!(agent.code, 4, "{agent:?}");
    assert_eq!(text(&world.user()), SETTINGS);
    assert_eq!(world.names("home/.claude"), ["settings.json"]);
}

#[test]
fn leaves_settings_it_cannot_read() {
    let world = World::new();
    for (settings, place) in [
        ("{\n  // mine\n  \"a\": 1\n}", "line 2, column 3: not JSON"),
        ("{\"a\": 1,}", "line 1, column 9: not JSON"),
        ("[]", "line 1, column 1: the file holds no JSON object"),
        ("{\"hooks\": 7}", "line 1, column 11: `hooks` is no object"),
        (
            "{\"hooks\": {\"SessionEnd\": \"x\"}}",
            "line 1, column 26: `hooks.SessionEnd`",
        ),
        (
            "{\"hooks\": {}, \"hooks\": {}}",
            "line 1, column 15: `hooks` stands here twice",
        ),
    ] {
        world.put(&world.user(), settings);
        for ran in [
            world.install(&["--yes"]),
            world.run(&["uninstall", "--yes"]),
        ] {
            assert_eq!(ran.code, 3, "{ran:?}");
            let named = format!("plantune: {}: {place}", world.user().display());
            assert!(
                ran.stderr.starts_with(&named) && ran.stderr.contains("hint: "),
                "{ran:?}"
            );
        }
        assert_eq!(text(&world.user()), settings);
    }
    world.put(&world.user(), b"{\n\"a\": \"\xff\"}");
    assert!(
        world
            .install(&["--yes"])
            .stderr
            .contains("line 2: not UTF-8")
    );
    fs::remove_file(world.user()).unwrap();
    fs::create_dir(world.user()).unwrap();
    assert_eq!(world.install(&["--yes"]).code, 3);
    fs::remove_dir(world.user()).unwrap();
    symlink("/dev/null", world.user()).unwrap();
    assert_eq!(world.install(&["--yes"]).code, 3);
    assert_eq!(world.names("home/.claude"), ["settings.json"]);
}

#[test]
fn follows_links_even_to_a_file_that_is_not_there_yet() {
    let world = World::new();
    fs::create_dir_all(world.path("home/.claude")).unwrap();
    symlink("../dotfiles/claude.json", world.user()).unwrap();
    assert_eq!(world.install(&["--yes"]).code, 0);
    assert!(fs::symlink_metadata(world.user()).unwrap().is_symlink());
    assert!(text(&world.path("home/dotfiles/claude.json")).contains("plantune-hook"));
    assert_eq!(world.run(&["uninstall", "--yes"]).code, 0);
    assert_eq!(world.names("home/dotfiles").len(), 0);
}

#[test]
fn each_scope_has_its_file() {
    let world = World::new();
    world.put(&world.path("home/code/.git/HEAD"), "ref: refs/heads/main\n");
    assert_eq!(world.install(&["--yes", "--scope", "local"]).code, 0);
    assert_eq!(world.names("home/code/.claude"), ["settings.local.json"]);
    world.put(
        &world.path("home/code/.claude/settings.local.json"),
        SETTINGS,
    );
    assert_eq!(world.install(&["--yes", "--scope", "local"]).code, 0);
    assert_eq!(
        world.names("home/code/.claude"),
        ["settings.local.json"],
        "a backup in plantune's data"
    );
    assert_eq!(world.names("data/backups").len(), 1);
    let elsewhere = world.path("elsewhere");
    let hook = world.path("bin/plantune-hook");
    let words = ["install", "--yes", "--hook-path", hook.to_str().unwrap()];
    let mut command = world.command(Path::new(env!("CARGO_BIN_EXE_plantune")), &words);
    assert_eq!(run(command.env("CLAUDE_CONFIG_DIR", &elsewhere)).code, 0);
    assert!(elsewhere.join("settings.json").exists() && !world.user().exists());
}

#[test]
fn a_shared_file_names_no_machine() {
    let world = World::new();
    let words = ["install", "--yes", "--scope", "project"];
    let none = world.run(&words);
    assert_eq!(
        (none.code, none.stderr.contains("not in your PATH")),
        (1, true),
        "{none:?}"
    );
    let mut command = world.command(Path::new(env!("CARGO_BIN_EXE_plantune")), &words);
    let ran = run(command.env("PATH", world.path("bin")));
    assert_eq!(
        (ran.code, ran.stdout.contains("note: this file is shared")),
        (0, true),
        "{ran:?}"
    );
    let settings = text(&world.path("home/code/deep/.claude/settings.json"));
    assert_eq!(
        settings.matches("\"command\": \"plantune-hook\",").count(),
        9
    );
    assert_eq!(
        mode(&world.path("home/code/deep/.claude/settings.json")) & 0o444,
        0o444
    );
    // In the home folder, the two files are one.
    let mut command = world.command(Path::new(env!("CARGO_BIN_EXE_plantune")), &words);
    let home = run(command
        .env("PATH", world.path("bin"))
        .current_dir(world.path("home")));
    assert_eq!((home.code, world.user().exists()), (2, false), "{home:?}");
}

/// From wherever plantune is started, a copy in its data folder is registered, and stays registered there.
#[test]
fn what_is_registered_stays_where_it_is() {
    let world = World::new();
    let beside = world.path("cellar/1.0/plantune");
    program(&beside);
    fs::copy(env!("CARGO_BIN_EXE_plantune"), &beside).unwrap();
    let lonely = run(&mut world.command(&beside, &["install", "--yes"]));
    assert_eq!(
        (lonely.code, lonely.stderr.contains("make install")),
        (1, true),
        "{lonely:?}"
    );
    let hook = world.path("cellar/1.0/plantune-hook");
    fs::copy(common::hook(), &hook).unwrap();
    let ran = run(&mut world.command(&beside, &["install", "--yes"]));
    assert_eq!(ran.code, 0, "{ran:?}");
    let installed = world.path("data/bin/plantune-hook");
    let settings = text(&world.user());
    assert_eq!(settings.matches(installed.to_str().unwrap()).count(), 9);
    assert_eq!(settings.matches("plantune-hook").count(), 9);
    assert!(fs::symlink_metadata(&installed).unwrap().is_symlink());
    assert_eq!(mode(&installed), 0o700);

    // Through a package manager's links, and when that has taken its folder away.
    fs::create_dir(world.path("links")).unwrap();
    for name in ["plantune", "plantune-hook"] {
        let (from, to) = (world.path("cellar/1.0"), world.path("links"));
        symlink(from.join(name), to.join(name)).unwrap();
    }
    let ran = run(&mut world.command(&world.path("links/plantune"), &["install", "--yes"]));
    assert!(ran.stdout.starts_with("already installed"), "{ran:?}");
    fs::remove_dir_all(world.path("cellar")).unwrap();
    assert_eq!(text(&world.user()), settings);
    assert!(installed.is_file());
}

#[test]
fn refuses_a_hook_that_cannot_run() {
    let world = World::new();
    let hook = world.path("bin/plantune-hook");
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o644)).unwrap();
    assert_eq!(world.install(&["--yes"]).code, 1);
    program(&world.path("bin/other"));
    let other = world.path("bin/other");
    let ran = world.run(&["install", "--yes", "--hook-path", other.to_str().unwrap()]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(!world.user().exists());
}

#[test]
fn two_installers_do_not_meet() {
    let world = World::new();
    world.put(&world.user(), SETTINGS);
    let hook = world.path("bin/plantune-hook");
    let words = ["install", "--yes", "--hook-path", hook.to_str().unwrap()];
    let program = Path::new(env!("CARGO_BIN_EXE_plantune"));
    let spawn = |_| {
        world
            .command(program, &words)
            .stdout(Stdio::null())
            .spawn()
            .unwrap()
    };
    let children: Vec<_> = (0..8).map(spawn).collect();
    for mut child in children {
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
    assert_eq!(text(&world.user()).matches("plantune-hook").count(), 9);
    assert_eq!(world.names("home/.claude").len(), 2, "one of them wrote");

    let lock = File::open(world.path("data/install.lock")).unwrap();
    lock.lock().unwrap();
    let waiting = world.install(&["--yes"]);
    assert_eq!(
        (waiting.code, waiting.stderr.contains("is at work")),
        (1, true),
        "{waiting:?}"
    );
}
