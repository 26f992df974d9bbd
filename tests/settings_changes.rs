//! `plantune install --guard` and `--rollback`: the built binary on real files.

#![cfg(unix)]
#![allow(
    missing_docs,
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::unwrap_used
)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

const SETTINGS: &str =
    "{\n    \"model\": \"opus\",\n    \"permissions\": {\"deny\": [\"WebFetch\"]}\n}";

struct World {
    root: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        let world = Self {
            root: tempfile::tempdir().unwrap(),
        };
        fs::create_dir_all(world.path("home/code")).unwrap();
        fs::create_dir_all(world.path("bin")).unwrap();
        for name in ["plantune-hook", "new/plantune-hook"] {
            let hook = world.path("bin").join(name);
            fs::create_dir_all(hook.parent().unwrap()).unwrap();
            fs::write(&hook, "#!/bin/sh\n").unwrap();
            fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
        }
        world
    }

    fn with(text: &str) -> Self {
        let world = Self::new();
        world.put(text);
        world
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn settings(&self) -> PathBuf {
        self.path("home/.claude/settings.json")
    }

    fn put(&self, text: &str) {
        fs::create_dir_all(self.settings().parent().unwrap()).unwrap();
        fs::write(self.settings(), text).unwrap();
    }

    fn text(&self) -> String {
        fs::read_to_string(self.settings()).unwrap()
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plantune"));
        command
            .args(words)
            .env_clear()
            .env("HOME", self.path("home"))
            .env("PATH", self.path("bin"))
            .env("PLANTUNE_NOW", "2026-11-20T18:36:00Z")
            .env("COLUMNS", "80")
            .current_dir(self.path("home/code"))
            .stdin(Stdio::null());
        command
    }

    fn run(&self, words: &[&str]) -> (i32, String, String) {
        ran(self.command(words).output().unwrap())
    }

    fn install(&self, words: &[&str]) -> (i32, String, String) {
        let hook = self.path("bin/plantune-hook");
        let hook = ["install", "--yes", "--hook-path", hook.to_str().unwrap()];
        self.run(&[&hook, words].concat())
    }

    fn rollback(&self) -> (i32, String, String) {
        self.run(&["install", "--rollback", "--yes"])
    }

    fn denied(&self) -> Vec<String> {
        denied(&self.settings())
    }
}

fn ran(output: Output) -> (i32, String, String) {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

fn denied(settings: &Path) -> Vec<String> {
    let value: Value = serde_json::from_str(&fs::read_to_string(settings).unwrap()).unwrap();
    let rules = value["permissions"]["deny"].as_array();
    let rules = rules.into_iter().flatten();
    rules
        .map(|rule| rule.as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_guard_is_added_once_and_leaves_no_trace() {
    let world = World::with(SETTINGS);
    let (code, said, _) = world.install(&["--guard"]);
    assert_eq!(
        (code, said.contains("add 17 rules that deny")),
        (0, true),
        "{said}"
    );
    insta::assert_snapshot!(world.denied().join("\n"), @r"
    WebFetch
    Edit(~/.config/plantune/**)
    Edit(~/.local/share/plantune/**)
    Bash(*plantune prefs set *)
    Bash(*plantune prefs bind *)
    Bash(*plantune prefs clear *)
    Bash(*plantune prefs renew *)
    Bash(*plantune suggest --apply*)
    Bash(*plantune suggest * --apply*)
    Bash(*plantune questions * --register*)
    Bash(*plantune fleet adopt *)
    Bash(*plantune undo*)
    Bash(*plantune away*)
    Bash(*plantune back*)
    Bash(*plantune install --*)
    Bash(*plantune uninstall*)
    Bash(*plantune-hook)
    Bash(*plantune-hook *)
    ");
    let guarded = world.text();
    for words in [&["--guard"][..], &[]] {
        let (code, said, _) = world.install(words);
        assert_eq!((code, said.starts_with("already installed")), (0, true));
        assert_eq!(
            world.text(),
            guarded,
            "the guard stays until it is taken away"
        );
    }
    assert_eq!(world.run(&["uninstall", "--yes"]).0, 0);
    assert_eq!(world.text(), SETTINGS);
}

#[test]
fn a_rule_of_the_persons_own_stays() {
    let own = "{\n  \"permissions\": {\n    \"deny\": [\n      \"Bash(*plantune undo*)\"\n    ]\n  }\n}\n";
    let world = World::with(own);
    assert_eq!(world.install(&["--guard"]).0, 0);
    assert_eq!(world.denied().len(), 17);
    // Somebody writes to the file, so that no backup fits.
    world.put(&world.text().replacen('{', "{\n  \"model\": \"opus\",", 1));
    assert_eq!(world.run(&["uninstall", "--yes"]).0, 0);
    assert_eq!(
        world.text(),
        own.replacen('{', "{\n  \"model\": \"opus\",", 1)
    );
}

#[test]
fn a_guard_without_a_record_is_found_by_its_rules() {
    let world = World::with(SETTINGS);
    assert_eq!(world.install(&["--guard"]).0, 0);
    fs::remove_dir_all(world.path("home/.local")).unwrap();
    world.put(&format!("{} ", world.text()));
    assert_eq!(world.run(&["uninstall", "--yes"]).0, 0);
    assert_eq!(world.text(), format!("{SETTINGS} "));
}

#[test]
fn rules_that_are_out_of_date_are_replaced() {
    let world = World::with(SETTINGS);
    assert_eq!(world.install(&["--guard"]).0, 0);
    let hook = world.path("bin/plantune-hook");
    let words = [
        "install",
        "--yes",
        "--guard",
        "--hook-path",
        hook.to_str().unwrap(),
    ];
    let elsewhere = world.path("elsewhere");
    let mut command = world.command(&words);
    command.env("XDG_CONFIG_HOME", &elsewhere);
    assert_eq!(ran(command.output().unwrap()).0, 0);
    let rules = world.denied();
    let wanted = format!("Edit(/{}/plantune/**)", elsewhere.display());
    assert!(rules.contains(&wanted), "{rules:?}");
    assert!(!rules.contains(&"Edit(~/.config/plantune/**)".to_owned()));
    let mut command = world.command(&["uninstall", "--yes"]);
    command.env("XDG_CONFIG_HOME", &elsewhere);
    assert_eq!(ran(command.output().unwrap()).0, 0);
    assert_eq!(world.denied(), ["WebFetch"]);
}

#[test]
fn a_shared_guard_names_no_machine() {
    let world = World::new();
    let mut command = world.command(&["install", "--yes", "--guard", "--scope", "project"]);
    command.env("PLANTUNE_HOME", world.path("mine"));
    let (code, _, said) = ran(command.output().unwrap());
    assert_eq!(code, 0, "{said}");
    let path = world.path("home/code/.claude/settings.json");
    let text = fs::read_to_string(&path).unwrap();
    assert!(
        !text.contains(world.root.path().to_str().unwrap()),
        "{text}"
    );
    assert!(denied(&path).contains(&"Edit(~/.config/plantune/**)".to_owned()));
    let mut command = world.command(&["uninstall", "--yes", "--scope", "project"]);
    command.env("PLANTUNE_HOME", world.path("mine"));
    assert_eq!(ran(command.output().unwrap()).0, 0);
    assert!(!path.exists());
}

#[test]
fn a_folder_that_no_rule_can_name_is_not_half_guarded() {
    let world = World::with(SETTINGS);
    let hook = world.path("bin/plantune-hook");
    let words = [
        "install",
        "--yes",
        "--guard",
        "--hook-path",
        hook.to_str().unwrap(),
    ];
    let mut command = world.command(&words);
    command.env("PLANTUNE_HOME", world.path("mine (all)"));
    let (code, _, said) = ran(command.output().unwrap());
    assert_eq!(
        (code, said.contains("no permission rule can name")),
        (2, true),
        "{said}"
    );
    assert_eq!(world.text(), SETTINGS);
}

#[test]
fn a_rollback_undoes_one_change_after_the_other() {
    let world = World::with(SETTINGS);
    assert_eq!(world.install(&[]).0, 0);
    let first = world.text();
    assert_eq!(world.install(&["--guard"]).0, 0);
    let hook = world.path("bin/new/plantune-hook");
    let moved = ["install", "--yes", "--hook-path", hook.to_str().unwrap()];
    assert_eq!(world.run(&moved).0, 0);
    assert_eq!(world.run(&["uninstall", "--yes"]).0, 0);
    assert_eq!(world.text(), SETTINGS);
    // The removal, the move, the guard, the first one.
    let (code, said, _) = world.rollback();
    assert_eq!(
        (
            code,
            said.contains("is what it was before `plantune uninstall")
        ),
        (0, true),
        "{said}"
    );
    assert!(world.text().contains("bin/new/plantune-hook"));
    assert_eq!(world.denied().len(), 18);
    assert_eq!(world.rollback().0, 0);
    assert_eq!(world.rollback().0, 0);
    assert_eq!(world.text(), first);
    assert_eq!(world.rollback().0, 0);
    assert_eq!(world.text(), SETTINGS);
    let (code, _, said) = world.rollback();
    assert_eq!(
        (code, said.contains("made no change here")),
        (1, true),
        "{said}"
    );
}

#[test]
fn a_rollback_removes_what_install_made() {
    let world = World::new();
    assert_eq!(world.install(&[]).0, 0);
    let shown = world.run(&["install", "--rollback", "--dry-run"]);
    assert_eq!(
        (shown.0, shown.1.contains("nothing was written")),
        (0, true)
    );
    assert!(world.settings().exists());
    assert_eq!(world.rollback().0, 0);
    assert!(!world.settings().exists());
    let (code, _, _) = world.rollback();
    assert_eq!(code, 1);
}

#[test]
fn a_rollback_refuses_to_lose_what_came_later() {
    let world = World::with(SETTINGS);
    assert_eq!(world.install(&[]).0, 0);
    let later = world.text().replacen("opus", "sonnet", 1);
    world.put(&later);
    let (code, _, said) = world.rollback();
    assert_eq!(code, 3, "{said}");
    let said = said.replace(world.root.path().to_str().unwrap(), "");
    insta::assert_snapshot!(said.replace("--hook-path /bin/plantune-hook", "…"), @r"
    plantune: /home/.claude/settings.json was changed since `plantune install --scope user …` of 2026-11-20T18:36:00Z: a rollback would lose that
      hint: `plantune uninstall --scope user` takes out what is plantune's and keeps the rest
      hint: or copy back what was there before: /home/.claude/settings.json.plantune-backup-20261120T183600Z
    ");
    assert_eq!(world.text(), later);
}

#[test]
fn a_rollback_needs_the_backup_as_it_was() {
    let world = World::with(SETTINGS);
    assert_eq!(world.install(&[]).0, 0);
    let installed = world.text();
    let backup = world.path("home/.claude/settings.json.plantune-backup-20261120T183600Z");
    fs::write(&backup, "{}").unwrap();
    assert_eq!(world.rollback().0, 3);
    fs::remove_file(&backup).unwrap();
    assert_eq!(world.rollback().0, 3);
    assert_eq!(world.text(), installed);
}

#[test]
fn an_agent_may_not_roll_back() {
    let world = World::with(SETTINGS);
    assert_eq!(world.install(&["--guard"]).0, 0);
    let guarded = world.text();
    let mut command = world.command(&["install", "--rollback", "--yes"]);
    command.env("CLAUDECODE", "1");
    assert_eq!(ran(command.output().unwrap()).0, 4);
    assert_eq!(world.text(), guarded);
}

#[test]
fn entries_are_ours_without_any_mark_and_foreign_ones_stay() {
    let theirs = json!({"type": "command", "command": "logger", "note": "theirs"});
    let world = World::new();
    let dead = json!({"type": "command", "command": "/gone/plantune-hook"});
    let settings = json!({"hooks": {"PreToolUse": [
        {"matcher": "(AskUserQuestion|mcp__.*__AskUserQuestion)", "hooks": [theirs, dead, dead]},
    ]}});
    world.put(&settings.to_string());
    assert_eq!(world.install(&[]).0, 0);
    let value: Value = serde_json::from_str(&world.text()).unwrap();
    let hooks = &value["hooks"]["PreToolUse"][0]["hooks"];
    assert_eq!(hooks.as_array().unwrap().len(), 2, "{value}");
    assert_eq!(hooks[0], theirs);
    assert_eq!(hooks[1]["command"], json!(world.path("bin/plantune-hook")));
    assert_eq!(world.run(&["uninstall", "--yes"]).0, 0);
    let value: Value = serde_json::from_str(&world.text()).unwrap();
    assert_eq!(value["hooks"]["PreToolUse"][0]["hooks"], json!([theirs]));
}
