//! The plugin without Claude Code: what its entries start, and when the hook leaves a call to the settings.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::world::{World, call_of, programs};

const REPOSITORY: &str = env!("CARGO_MANIFEST_DIR");

/// A home without plantune, and the plugin as it is given away.
fn with_plugin() -> World {
    let world = World::at("shop").without_plantune_home();
    for name in ["home/.claude", "shop/.claude", "bin"] {
        fs::create_dir_all(world.path(name)).unwrap();
    }
    // Two platforms, as a release has more than one: a program for another machine is never started.
    let hook = programs::hook();
    let platforms = [platform(), "other-machine".to_owned()];
    let hooks = platforms.map(|platform| (platform, hook.as_path()));
    assemble_for(&world.path("plugin"), &hooks);
    let path = format!("{}:/usr/bin:/bin", world.path("bin").display());
    let project = world.path("shop");
    world.with("PATH", path).with("CLAUDE_PROJECT_DIR", project)
}

/// The command that the entries of `plugin` start, as Claude Code does.
fn started_by(world: &World, plugin: &Path, event: &str) -> Command {
    let hooks: Value = serde_json::from_str(&world.text(plugin.join("hooks/hooks.json"))).unwrap();
    let entry = &hooks["hooks"][event][0]["hooks"][0];
    let program = entry["command"].as_str().unwrap();
    let program = program.replace("${CLAUDE_PLUGIN_ROOT}", plugin.to_str().unwrap());
    let words = entry["args"].as_array().unwrap().iter();
    let words: Vec<&str> = words.map(|word| word.as_str().unwrap()).collect();
    let mut command = world.start(program, &words);
    // How long ago settings were changed is a matter of the machine's clock.
    command.env_remove("PLANTUNE_NOW");
    command
}

/// The plugin's output on `event`.
fn call(world: &World, event: &str) -> Value {
    call_about(world, event, "Which size?")
}

fn call_about(world: &World, event: &str, text: &str) -> Value {
    let mut command = started_by(world, &world.path("plugin"), event);
    let call = call_of("t", &[json!({"question": text, "options": ["S", "L"]})]);
    world.call(&mut command, event, call)
}

/// How many events are in the log.
fn logged(world: &World) -> usize {
    world.events().len()
}

/// Writes settings that have called `command` for `event` for some time.
fn register(world: &World, settings: &str, event: &str, command: &Path) {
    let entry = json!({"type": "command", "command": command, "args": [], "timeout": 5});
    let mut group = json!({"hooks": [entry]});
    if event.ends_with("ToolUse") {
        group["matcher"] = json!("(AskUserQuestion|mcp__.*__AskUserQuestion)");
    }
    world.put(settings, json!({"hooks": {event: [group]}}).to_string());
    changed(world, settings, Duration::from_secs(60));
}

/// The settings were changed `ago`.
fn changed(world: &World, settings: &str, ago: Duration) {
    let mut options = fs::File::options();
    let file = options.append(true).open(world.path(settings)).unwrap();
    file.set_modified(SystemTime::now() - ago).unwrap();
}

#[test]
fn the_script_starts_the_program_and_stays() {
    let world = with_plugin();
    let hook = world.path("plugin/hooks/plantune-hook");
    let script = fs::read(&hook).unwrap();
    assert!(call(&world, "SessionStart").is_null());
    call(&world, "PreToolUse");
    assert_eq!(logged(&world), 2);
    assert_eq!(fs::read(&hook).unwrap(), script);
}

#[test]
fn with_one_platform_the_entries_start_the_program_itself() {
    let world = with_plugin();
    let before = world.path("plugin/hooks/plantune-hook");
    fs::remove_dir_all(world.path("plugin")).unwrap();
    assemble(&world.path("plugin"), &programs::hook());
    let program = format!("plugin/hooks/{}/plantune-hook", platform());
    let text = fs::read_to_string(world.path("plugin/hooks/hooks.json")).unwrap();
    let hooks: Value = serde_json::from_str(&text).unwrap();
    for event in hooks["hooks"].as_object().unwrap().keys() {
        let command = started_by(&world, &world.path("plugin"), event);
        assert_eq!(command.get_program(), world.path(&program), "{event}");
        assert_eq!(command.get_args().next().unwrap(), "--plugin", "{event}");
    }
    assert!(call(&world, "SessionStart").is_null());
    call(&world, "PreToolUse");
    assert_eq!(logged(&world), 2);
    // What the settings take is left to them, as through the script.
    register(
        &world,
        "home/.claude/settings.json",
        "PreToolUse",
        &programs::hook(),
    );
    call(&world, "PreToolUse");
    assert_eq!(logged(&world), 2);
    // A session that read the entries of a plugin for several platforms still finds the script.
    let mut command = Command::new(before);
    let given = started_by(&world, &world.path("plugin"), "SessionEnd");
    command.args(given.get_args()).env_clear();
    for (name, value) in given.get_envs() {
        command.env(name, value.unwrap());
    }
    world.call(&mut command, "SessionEnd", json!({}));
    assert_eq!(logged(&world), 3);
}

#[test]
fn many_first_calls_at_once() {
    let world = with_plugin();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| call(&world, "PreToolUse"));
        }
    });
    assert_eq!(logged(&world), 8);
    let platform = platform();
    assert_eq!(
        world.names("plugin/hooks"),
        ["hooks.json", &platform, "other-machine", "plantune-hook"]
    );
}

#[test]
fn without_a_program_for_this_machine_it_says_so_once() {
    let world = with_plugin();
    let uname = world.path("bin/uname");
    world.put_program(&uname, "#!/bin/sh\necho Linux riscv64\n");
    // More than a pipe holds, so that it cannot be sent to a script that does not read it.
    let long = "Which size? ".repeat(20_000);
    let start = call_about(&world, "SessionStart", &long);
    let said = start["systemMessage"].as_str().unwrap();
    assert!(
        said.contains("no program for this machine (Linux riscv64)"),
        "{said}"
    );
    for event in ["PreToolUse", "PostToolUse", "Stop", "SessionEnd"] {
        assert!(call_about(&world, event, &long).is_null(), "{event}");
    }
    assert_eq!(logged(&world), 0);
    // An installed one will do.
    symlink(programs::hook(), world.path("bin/plantune-hook")).unwrap();
    assert!(call(&world, "SessionStart").is_null());
    assert_eq!(logged(&world), 1);
}

#[test]
fn the_repositorys_folder_starts_what_is_installed() {
    let world = with_plugin();
    let plugin = Path::new(REPOSITORY).join("plugin");
    let script = fs::read(plugin.join("hooks/plantune-hook")).unwrap();
    symlink(programs::hook(), world.path("bin/plantune-hook")).unwrap();
    let mut command = started_by(&world, &plugin, "SessionStart");
    assert!(
        world
            .call(&mut command, "SessionStart", json!({}))
            .is_null()
    );
    assert_eq!(logged(&world), 1);
    assert_eq!(
        fs::read(plugin.join("hooks/plantune-hook")).unwrap(),
        script
    );
}

#[test]
fn what_the_settings_take_is_left_to_them() {
    for settings in [
        "home/.claude/settings.json",
        "shop/.claude/settings.json",
        "shop/.claude/settings.local.json",
    ] {
        let world = with_plugin();
        register(&world, settings, "PreToolUse", &programs::hook());
        call(&world, "PreToolUse");
        assert_eq!(logged(&world), 0, "{settings}");
        // No entry for this one.
        call(&world, "SessionStart");
        assert_eq!(logged(&world), 1, "{settings}");
        // By its name, as in the settings that everybody on a project shares.
        register(&world, settings, "PreToolUse", Path::new("plantune-hook"));
        call(&world, "PreToolUse");
        assert_eq!(logged(&world), 2, "{settings}: it is not in PATH");
        symlink(programs::hook(), world.path("bin/plantune-hook")).unwrap();
        call(&world, "PreToolUse");
        assert_eq!(logged(&world), 2, "{settings}");
    }
}

#[test]
fn a_linked_file_and_another_folder_of_settings_count() {
    let world = with_plugin();
    register(
        &world,
        "home/dotfiles.json",
        "PreToolUse",
        &programs::hook(),
    );
    symlink(world.path("home/dotfiles.json"), world.user()).unwrap();
    call(&world, "PreToolUse");
    assert_eq!(logged(&world), 0);
    let mut elsewhere = started_by(&world, &world.path("plugin"), "PreToolUse");
    elsewhere.env("CLAUDE_CONFIG_DIR", world.path("shop"));
    world.call(&mut elsewhere, "SessionEnd", json!({}));
    assert_eq!(logged(&world), 1);
}

#[test]
fn settings_that_were_changed_just_now_do_not_count_yet() {
    let world = with_plugin();
    register(
        &world,
        "home/.claude/settings.json",
        "PreToolUse",
        &programs::hook(),
    );
    changed(&world, "home/.claude/settings.json", Duration::ZERO);
    call(&world, "PreToolUse");
    assert_eq!(logged(&world), 1);
    changed(&world, "home/.claude/settings.json", Duration::from_secs(6));
    call(&world, "PreToolUse");
    assert_eq!(logged(&world), 1);
}

#[test]
fn settings_that_say_nothing_clear_stop_nothing() {
    let world = with_plugin();
    let mut expected = 0;
    for text in ["", "{", "7", "{\"hooks\": 1}"] {
        world.put(world.user(), text);
        call(&world, "PreToolUse");
        expected += 1;
        assert_eq!(logged(&world), expected, "{text}");
    }
    fs::remove_file(world.user()).unwrap();
    register(
        &world,
        "home/.claude/settings.json",
        "PreToolUse",
        &world.path("gone/plantune-hook"),
    );
    call(&world, "PreToolUse");
    assert_eq!(logged(&world), expected + 1);
}

#[test]
fn the_version_is_the_programs() {
    let text = fs::read_to_string(format!("{REPOSITORY}/plugin/.claude-plugin/plugin.json"));
    let manifest: Value = serde_json::from_str(&text.unwrap()).unwrap();
    assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
}

// The plugin as `make plugin` puts it together, with another build of the hook in it.

/// The name of this machine's platform in the plugin.
pub(crate) fn platform() -> String {
    let os = if cfg!(target_os = "macos") {
        "darwin"
    } else {
        "linux"
    };
    let cpu = if cfg!(target_arch = "aarch64") {
        "arm64"
    } else {
        "x64"
    };
    format!("{os}-{cpu}")
}

/// Puts the plugin together in `folder`, with `hook` for this platform, as `make plugin` does.
pub(crate) fn assemble(folder: &Path, hook: &Path) {
    assemble_for(folder, &[(platform(), hook)]);
}

/// The same for several platforms. The script's own checks are left out: what the tests build is linked dynamically.
pub(crate) fn assemble_for(folder: &Path, hooks: &[(String, &Path)]) {
    let program = "import sys, pathlib\n\
                   sys.dont_write_bytecode = True\n\
                   sys.path.insert(0, 'scripts')\n\
                   import assemble_plugin\n\
                   folder, words = sys.argv[1], sys.argv[2:]\n\
                   hooks = {one: pathlib.Path(hook) for one, hook in zip(words[::2], words[1::2])}\n\
                   assemble_plugin.assemble(pathlib.Path(folder), hooks)";
    let hooks = hooks.iter();
    let words = hooks.flat_map(|(platform, hook)| [Path::new(platform), hook]);
    let status = Command::new("python3")
        .args(["-c", program])
        .arg(folder)
        .args(words)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status();
    assert!(status.unwrap().success());
}
