//! The plugin without Claude Code: what its entries start, and when the hook leaves a call to the settings.
#![cfg(unix)]
#![allow(
    missing_docs,
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::unwrap_used
)]

#[path = "../common/mod.rs"]
mod common;

mod assembled;

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

const REPOSITORY: &str = env!("CARGO_MANIFEST_DIR");

/// A home without plantune, and the plugin as it is given away.
struct Home {
    folder: tempfile::TempDir,
}

impl Home {
    fn new() -> Self {
        let home = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        for name in [".claude", "shop/.claude", "bin"] {
            fs::create_dir_all(home.path(name)).unwrap();
        }
        // Two platforms, as a release has more than one: a program for another machine is never started.
        let hook = common::hook();
        let platforms = [assembled::platform(), "other-machine".to_owned()];
        let hooks = platforms.map(|platform| (platform, hook.as_path()));
        assembled::assemble_for(&home.path("plugin"), &hooks);
        home
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// What the entries of `plugin` start, as Claude Code does.
    fn started_by(&self, plugin: &Path, event: &str) -> Command {
        let text = fs::read_to_string(plugin.join("hooks/hooks.json")).unwrap();
        let hooks: Value = serde_json::from_str(&text).unwrap();
        let entry = &hooks["hooks"][event][0]["hooks"][0];
        let program = entry["command"].as_str().unwrap();
        let program = program.replace("${CLAUDE_PLUGIN_ROOT}", plugin.to_str().unwrap());
        let args = entry["args"].as_array().unwrap().iter();
        let mut command = Command::new(program);
        command
            .args(args.map(|word| word.as_str().unwrap()))
            .env_clear()
            .env("HOME", self.folder.path())
            .env(
                "PATH",
                format!("{}:/usr/bin:/bin", self.path("bin").display()),
            )
            .env("CLAUDE_PROJECT_DIR", self.path("shop"))
            .current_dir(self.path("shop"));
        command
    }

    fn call(&self, event: &str) -> Output {
        self.call_about(event, "Which size?")
    }

    fn call_about(&self, event: &str, question: &str) -> Output {
        let mut command = self.started_by(&self.path("plugin"), event);
        let call = json!({"hook_event_name": event, "session_id": "s", "cwd": self.path("shop"),
            "tool_name": "AskUserQuestion", "tool_use_id": "t",
            "tool_input": {"questions": [{"question": question, "options": ["S", "L"]}]}});
        let output = common::call_hook(&mut command, &call);
        assert!(output.status.success(), "{output:?}");
        output
    }

    /// How many lines are in the log.
    fn logged(&self) -> usize {
        let segments = fs::read_dir(self.path(".local/share/plantune/events"));
        let texts = segments
            .into_iter()
            .flatten()
            .map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap());
        texts.map(|text| text.lines().count()).sum()
    }

    /// Writes settings that have called `command` for `event` for some time.
    fn register(&self, settings: &str, event: &str, command: &Path) {
        let entry = json!({"type": "command", "command": command, "args": [], "timeout": 5});
        let mut group = json!({"hooks": [entry]});
        if event.ends_with("ToolUse") {
            group["matcher"] = json!("(AskUserQuestion|mcp__.*__AskUserQuestion)");
        }
        let text = json!({"hooks": {event: [group]}}).to_string();
        fs::write(self.path(settings), text).unwrap();
        self.changed(settings, Duration::from_secs(60));
    }

    /// The settings were changed `ago`.
    fn changed(&self, settings: &str, ago: Duration) {
        let mut options = fs::File::options();
        let file = options.append(true).open(self.path(settings)).unwrap();
        file.set_modified(SystemTime::now() - ago).unwrap();
    }
}

#[test]
fn the_script_starts_the_program_and_stays() {
    let home = Home::new();
    let hook = home.path("plugin/hooks/plantune-hook");
    let script = fs::read(&hook).unwrap();
    let stdout = home.call("SessionStart").stdout;
    assert!(stdout.is_empty());
    home.call("PreToolUse");
    assert_eq!(home.logged(), 2);
    assert_eq!(fs::read(&hook).unwrap(), script);
}

#[test]
fn with_one_platform_the_entries_start_the_program_itself() {
    let home = Home::new();
    let before = home.path("plugin/hooks/plantune-hook");
    fs::remove_dir_all(home.path("plugin")).unwrap();
    assembled::assemble(&home.path("plugin"), &common::hook());
    let program = format!("plugin/hooks/{}/plantune-hook", assembled::platform());
    let text = fs::read_to_string(home.path("plugin/hooks/hooks.json")).unwrap();
    let hooks: Value = serde_json::from_str(&text).unwrap();
    for event in hooks["hooks"].as_object().unwrap().keys() {
        let command = home.started_by(&home.path("plugin"), event);
        assert_eq!(command.get_program(), home.path(&program), "{event}");
        assert_eq!(command.get_args().next().unwrap(), "--plugin", "{event}");
    }
    assert!(home.call("SessionStart").stdout.is_empty());
    home.call("PreToolUse");
    assert_eq!(home.logged(), 2);
    // What the settings take is left to them, as through the script.
    home.register(".claude/settings.json", "PreToolUse", &common::hook());
    home.call("PreToolUse");
    assert_eq!(home.logged(), 2);
    // A session that read the entries of a plugin for several platforms still finds the script.
    let call =
        json!({"hook_event_name": "SessionEnd", "session_id": "s", "cwd": home.path("shop")});
    let mut command = Command::new(before);
    let given = home.started_by(&home.path("plugin"), "SessionEnd");
    command.args(given.get_args()).env_clear();
    for (name, value) in given.get_envs() {
        command.env(name, value.unwrap());
    }
    common::call_hook(&mut command, &call);
    assert_eq!(home.logged(), 3);
}

#[test]
fn many_first_calls_at_once() {
    let home = Home::new();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| home.call("PreToolUse"));
        }
    });
    assert_eq!(home.logged(), 8);
    let hooks = home.path("plugin/hooks");
    let mut names: Vec<_> = fs::read_dir(hooks)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let platform = assembled::platform();
    assert_eq!(
        names,
        ["hooks.json", &platform, "other-machine", "plantune-hook"]
    );
}

#[test]
fn without_a_program_for_this_machine_it_says_so_once() {
    let home = Home::new();
    let uname = home.path("bin/uname");
    fs::write(&uname, "#!/bin/sh\necho Linux riscv64\n").unwrap();
    fs::set_permissions(&uname, fs::Permissions::from_mode(0o755)).unwrap();
    // More than a pipe holds, so that it cannot be sent to a script that does not read it.
    let long = "Which size? ".repeat(20_000);
    let start = home.call_about("SessionStart", &long).stdout;
    let said: Value = serde_json::from_slice(&start).unwrap();
    let said = said["systemMessage"].as_str().unwrap();
    assert!(
        said.contains("no program for this machine (Linux riscv64)"),
        "{said}"
    );
    for event in ["PreToolUse", "PostToolUse", "Stop", "SessionEnd"] {
        let stdout = home.call_about(event, &long).stdout;
        assert!(stdout.is_empty(), "{event}");
    }
    assert_eq!(home.logged(), 0);
    // An installed one will do.
    symlink(common::hook(), home.path("bin/plantune-hook")).unwrap();
    assert!(home.call("SessionStart").stdout.is_empty());
    assert_eq!(home.logged(), 1);
}

#[test]
fn the_repositorys_folder_starts_what_is_installed() {
    let home = Home::new();
    let plugin = Path::new(REPOSITORY).join("plugin");
    let script = fs::read(plugin.join("hooks/plantune-hook")).unwrap();
    symlink(common::hook(), home.path("bin/plantune-hook")).unwrap();
    let call =
        json!({"hook_event_name": "SessionStart", "session_id": "s", "cwd": home.path("shop")});
    let output = common::call_hook(&mut home.started_by(&plugin, "SessionStart"), &call);
    assert!(
        output.status.success() && output.stdout.is_empty(),
        "{output:?}"
    );
    assert_eq!(home.logged(), 1);
    assert_eq!(
        fs::read(plugin.join("hooks/plantune-hook")).unwrap(),
        script
    );
}

#[test]
fn what_the_settings_take_is_left_to_them() {
    for settings in [
        ".claude/settings.json",
        "shop/.claude/settings.json",
        "shop/.claude/settings.local.json",
    ] {
        let home = Home::new();
        home.register(settings, "PreToolUse", &common::hook());
        home.call("PreToolUse");
        assert_eq!(home.logged(), 0, "{settings}");
        // No entry for this one.
        home.call("SessionStart");
        assert_eq!(home.logged(), 1, "{settings}");
        // By its name, as in the settings that everybody on a project shares.
        home.register(settings, "PreToolUse", Path::new("plantune-hook"));
        home.call("PreToolUse");
        assert_eq!(home.logged(), 2, "{settings}: it is not in PATH");
        symlink(common::hook(), home.path("bin/plantune-hook")).unwrap();
        home.call("PreToolUse");
        assert_eq!(home.logged(), 2, "{settings}");
    }
}

#[test]
fn a_linked_file_and_another_folder_of_settings_count() {
    let home = Home::new();
    home.register("dotfiles.json", "PreToolUse", &common::hook());
    symlink(
        home.path("dotfiles.json"),
        home.path(".claude/settings.json"),
    )
    .unwrap();
    home.call("PreToolUse");
    assert_eq!(home.logged(), 0);
    let mut elsewhere = home.started_by(&home.path("plugin"), "PreToolUse");
    elsewhere.env("CLAUDE_CONFIG_DIR", home.path("shop"));
    let call =
        json!({"hook_event_name": "SessionEnd", "session_id": "s", "cwd": home.path("shop")});
    common::call_hook(&mut elsewhere, &call);
    assert_eq!(home.logged(), 1);
}

#[test]
fn settings_that_were_changed_just_now_do_not_count_yet() {
    let home = Home::new();
    home.register(".claude/settings.json", "PreToolUse", &common::hook());
    home.changed(".claude/settings.json", Duration::ZERO);
    home.call("PreToolUse");
    assert_eq!(home.logged(), 1);
    home.changed(".claude/settings.json", Duration::from_secs(6));
    home.call("PreToolUse");
    assert_eq!(home.logged(), 1);
}

#[test]
fn settings_that_say_nothing_clear_stop_nothing() {
    let home = Home::new();
    let mut logged = 0;
    for text in ["", "{", "7", "{\"hooks\": 1}"] {
        fs::write(home.path(".claude/settings.json"), text).unwrap();
        home.call("PreToolUse");
        logged += 1;
        assert_eq!(home.logged(), logged, "{text}");
    }
    fs::remove_file(home.path(".claude/settings.json")).unwrap();
    home.register(
        ".claude/settings.json",
        "PreToolUse",
        &home.path("gone/plantune-hook"),
    );
    home.call("PreToolUse");
    assert_eq!(home.logged(), logged + 1);
}

#[test]
fn the_version_is_the_programs() {
    let text = fs::read_to_string(format!("{REPOSITORY}/plugin/.claude-plugin/plugin.json"));
    let manifest: Value = serde_json::from_str(&text.unwrap()).unwrap();
    assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
}
