//! Which file is written and which hook is named, and who may have it so.

use std::fs;
use std::fs::File;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use plantune_domain::atomic_file;
use serde_json::json;

use crate::shared::skipped;
use crate::world::{Ran, World, folded, programs, run};

#[test]
fn asks_before_it_writes() {
    let world = with_hook();
    world.put(world.user(), SETTINGS);
    let unasked = install(&world, &[]);
    assert_eq!(unasked.code, 4, "{unasked:?}");
    assert!(
        unasked.stderr.contains("no terminal to ask on"),
        "{unasked:?}"
    );
    let hook = world.path("bin/plantune-hook");
    let words = ["install", "--yes", "--hook-path", hook.to_str().unwrap()];
    let mut agent = world.command(&words);
    let agent = run(agent.env("CLAUDECODE", "1"));
    assert_eq!(agent.code, 4, "{agent:?}");
    assert_eq!(world.text(world.user()), SETTINGS);
    assert_eq!(world.names("home/.claude"), ["settings.json"]);
}

#[test]
fn each_scope_has_its_file() {
    let world = with_hook();
    world.put("home/code/.git/HEAD", "ref: refs/heads/main\n");
    assert_eq!(install(&world, &["--yes", "--scope", "local"]).code, 0);
    assert_eq!(world.names("home/code/.claude"), ["settings.local.json"]);
    world.put("home/code/.claude/settings.local.json", SETTINGS);
    assert_eq!(install(&world, &["--yes", "--scope", "local"]).code, 0);
    assert_eq!(
        world.names("home/code/.claude"),
        ["settings.local.json"],
        "a backup in plantune's data"
    );
    assert_eq!(world.names("data/backups").len(), 1);
    let elsewhere = world.path("elsewhere");
    let hook = world.path("bin/plantune-hook");
    let words = ["install", "--yes", "--hook-path", hook.to_str().unwrap()];
    let mut command = world.command(&words);
    assert_eq!(run(command.env("CLAUDE_CONFIG_DIR", &elsewhere)).code, 0);
    assert!(elsewhere.join("settings.json").exists() && !world.user().exists());
}

#[test]
fn a_shared_file_names_no_machine() {
    let world = with_hook();
    let words = ["install", "--yes", "--scope", "project"];
    let none = world.run(&words);
    assert_eq!(
        (none.code, none.stderr.contains("not in your PATH")),
        (1, true),
        "{none:?}"
    );
    let mut command = world.command(&words);
    let ran = run(command.env("PATH", world.path("bin")));
    assert_eq!(
        (ran.code, ran.stdout.contains("note: this file is shared")),
        (0, true),
        "{ran:?}"
    );
    let settings = world.text("home/code/deep/.claude/settings.json");
    assert_eq!(
        settings.matches("\"command\": \"plantune-hook\",").count(),
        9
    );
    assert_eq!(
        mode(&world.path("home/code/deep/.claude/settings.json")) & 0o444,
        0o444
    );
    // In the home folder, the two files are one.
    let mut command = world.command(&words);
    let home = run(command
        .env("PATH", world.path("bin"))
        .current_dir(world.path("home")));
    assert_eq!((home.code, world.user().exists()), (2, false), "{home:?}");
}

/// From wherever plantune is started, a copy in its data folder is registered, and stays registered there.
#[test]
fn what_is_registered_stays_where_it_is() {
    let world = with_hook();
    let beside = world.path("cellar/1.0/plantune");
    program(&beside);
    fs::copy(env!("CARGO_BIN_EXE_plantune"), &beside).unwrap();
    let lonely = run(&mut world.start(&beside, &["install", "--yes"]));
    assert_eq!(
        (lonely.code, lonely.stderr.contains("make install")),
        (1, true),
        "{lonely:?}"
    );
    let hook = world.path("cellar/1.0/plantune-hook");
    fs::copy(programs::hook(), &hook).unwrap();
    let ran = run(&mut world.start(&beside, &["install", "--yes"]));
    assert_eq!(ran.code, 0, "{ran:?}");
    let installed = world.path("data/bin/plantune-hook");
    let settings = world.text(world.user());
    assert_eq!(settings.matches(installed.to_str().unwrap()).count(), 9);
    assert_eq!(settings.matches("plantune-hook").count(), 9);
    assert_eq!(mode(&installed), 0o700);

    // Through a package manager's links, and when that has taken its folder away.
    fs::create_dir(world.path("links")).unwrap();
    for name in ["plantune", "plantune-hook"] {
        let (from, to) = (world.path("cellar/1.0"), world.path("links"));
        symlink(from.join(name), to.join(name)).unwrap();
    }
    let ran = run(&mut world.start(world.path("links/plantune"), &["install", "--yes"]));
    assert!(ran.stdout.starts_with("already installed"), "{ran:?}");
    fs::remove_dir_all(world.path("cellar")).unwrap();
    assert_eq!(world.text(world.user()), settings);
    assert!(installed.is_file());
}

#[test]
fn refuses_a_hook_that_cannot_run() {
    let world = with_hook();
    let hook = world.path("bin/plantune-hook");
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o644)).unwrap();
    assert_eq!(install(&world, &["--yes"]).code, 1);
    program(&world.path("bin/other"));
    let other = world.path("bin/other");
    let ran = world.run(&["install", "--yes", "--hook-path", other.to_str().unwrap()]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(!world.user().exists());
}

#[test]
fn two_installers_do_not_meet() {
    let world = with_hook();
    world.put(world.user(), SETTINGS);
    let hook = world.path("bin/plantune-hook");
    let words = ["install", "--yes", "--hook-path", hook.to_str().unwrap()];
    let spawn = |_| world.command(&words).stdout(Stdio::null()).spawn().unwrap();
    let children: Vec<_> = (0..8).map(spawn).collect();
    for mut child in children {
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
    assert_eq!(world.text(world.user()).matches("plantune-hook").count(), 9);
    assert_eq!(world.names("home/.claude").len(), 2, "one of them wrote");

    let lock = File::open(world.path("data/install.lock")).unwrap();
    lock.lock().unwrap();
    let waiting = install(&world, &["--yes"]);
    assert_eq!(
        (waiting.code, waiting.stderr.contains("is running")),
        (1, true),
        "{waiting:?}"
    );
}

// A hook of the tests' own, which `install` is given by its path.

pub(crate) const SETTINGS: &str = "{\n    \"model\": \"opus\",\n    \"hooks\": {\n        \"PreToolUse\": [\n            {\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"theirs\"}]}\n        ]\n    }\n}";

/// A world with a hook of its own to name, in a folder of the project.
pub(crate) fn with_hook() -> World {
    let world = World::at("home/code/deep");
    program(&world.path("bin/plantune-hook"));
    world
}

/// Runs `install` with the hook of [`with_hook`].
pub(crate) fn install(world: &World, words: &[&str]) -> Ran {
    let hook = world.path("bin/plantune-hook");
    world.run(&[&["install", "--hook-path", hook.to_str().unwrap()], words].concat())
}

pub(crate) fn program(path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let file = File::create(path).unwrap();
    file.set_permissions(fs::Permissions::from_mode(0o755))
        .unwrap();
}

pub(crate) fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

// The installed copy of the hook in a world of tests.

/// A world in which plantune is installed.
pub(crate) fn installed() -> World {
    let world = World::at("home/code");
    let ran = world.run(&["install", "--yes"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    world
}

/// The hook that the settings name.
pub(crate) fn hook(world: &World) -> PathBuf {
    world.path("data/bin/plantune-hook")
}

/// Status and message of the finding of `doctor` called `name`; the first one.
pub(crate) fn finding(world: &World, name: &str) -> (String, String) {
    let found = world.findings(name).into_iter().next();
    found.map_or_else(Default::default, |(status, message, _)| (status, message))
}

/// Makes what is installed the hook of another release, as an upgrade or a downgrade finds it.
pub(crate) fn make_other(world: &World) {
    atomic_file::replace(&hook(world), &programs::other_hook(), 0o700).unwrap();
}

/// Calls the hook as settings name it; true when it works.
pub(crate) fn calls(world: &World) -> bool {
    let call = json!({"hook_event_name": "Stop", "session_id": "s", "cwd": "/"});
    let mut hook = Command::new(hook(world));
    hook.env_clear().env("PLANTUNE_HOME", world.path("other"));
    let output = programs::call_hook(&mut hook, &call);
    output.status.success() && output.stdout.is_empty()
}

// `install` and `uninstall` beside what others set up: a plugin that is on, a file system that runs no programs, npx.

/// The output of `plantune`, which must end well.
fn done(world: &World, words: &[&str]) -> String {
    let ran = world.run(words);
    assert_eq!(ran.code, 0, "{ran:?}");
    ran.stdout
}

/// Puts a plugin there as Claude Code installs it, with a hook for this machine in it, and switches it on.
fn add_plugin(world: &World) {
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
    fs::create_dir_all(world.path(&hook).parent().unwrap()).unwrap();
    fs::copy(programs::hook(), world.path(&hook)).unwrap();
    let installation =
        json!({"scope": "user", "version": "0.1.0", "installPath": world.path("plugin")});
    let installed = json!({"version": 2, "plugins": {"plantune@plantune": [installation]}});
    world.put(
        "home/.claude/plugins/installed_plugins.json",
        installed.to_string().as_bytes(),
    );
    let settings = json!({"enabledPlugins": {"plantune@plantune": true}});
    world.put(
        "home/.claude/settings.json",
        settings.to_string().as_bytes(),
    );
}

#[test]
fn uninstall_says_that_a_plugin_goes_on_and_how_to_end_that() {
    let world = World::at("home/code");
    add_plugin(&world);
    done(&world, &["install", "--yes"]);
    for words in [&["uninstall", "--dry-run"][..], &["uninstall", "--yes"]] {
        let said = done(&world, words);
        assert!(
            said.contains("note: the plugin plantune@plantune still logs and answers")
                && said.contains("`claude plugin uninstall plantune@plantune`"),
            "{said}"
        );
    }
    // The plugin carries a hook of its own, and does not need the copy.
    assert!(!world.path("data/bin").exists());
    // Switched off, it logs nothing more.
    let settings = json!({"enabledPlugins": {"plantune@plantune": false}});
    world.put(
        "home/.claude/settings.json",
        settings.to_string().as_bytes(),
    );
    let said = done(&world, &["uninstall", "--yes"]);
    assert!(!said.contains("plugin"), "{said}");
}

/// Runs `script` with sh where the data folder is a file system that runs no programs; `None` if none can be
/// mounted.
fn with_noexec_data(world: &World, script: &str) -> Option<Output> {
    fs::create_dir_all(world.path("data")).unwrap();
    let mount = r#"mount -t tmpfs -o noexec,mode=700 none "$PLANTUNE_HOME" && "#;
    let unshare = |script: &str| {
        let words = ["--user", "--map-root-user", "--mount", "sh", "-c"];
        let mut command = world.start("unshare", &words);
        command.env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
        command.args([script, env!("CARGO_BIN_EXE_plantune")]);
        command.output()
    };
    let can_mount = unshare(&format!("{mount} :")).is_ok_and(|output| output.status.success());
    can_mount.then(|| unshare(&format!("{mount} {{ {script}; }}")).unwrap())
}

#[test]
fn a_copy_that_may_not_be_run_where_it_lies_is_not_registered() {
    let world = World::at("home/code");
    let script =
        r#""$0" install --yes >/dev/null; code=$?; find "$PLANTUNE_HOME/bin" -type f; exit $code"#;
    let Some(output) = with_noexec_data(&world, script) else {
        let test = "install::places::a_copy_that_may_not_be_run_where_it_lies_is_not_registered";
        return skipped(test, "no file system can be mounted here");
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
    let hook = programs::hook();
    let script = format!(r#""$0" install --yes --hook-path '{}'"#, hook.display());
    let output = with_noexec_data(&world, &script).unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let settings = fs::read_to_string(world.path("home/.claude/settings.json")).unwrap();
    assert!(settings.contains(&*hook.to_string_lossy()), "{settings}");
}

#[test]
fn what_is_suggested_can_be_typed_where_npx_started_it() {
    let world = World::at("home/code");
    let run = |words: &[&str], launcher: &str| {
        let mut command = world.command(words);
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
        assert!(said.contains(&format!("`{program} suggest`")), "{said}");
        // A report's text, a hint of a failure, a finding's remedy, the next step after an import.
        let (said, _) = run(&["report", "--prompts"], launcher);
        assert!(
            folded(&said).contains(&format!("`{program} import claude-code`")),
            "{said}"
        );
        let (_, said) = run(&["prefs", "show", "no-such-key"], launcher);
        assert!(
            folded(&said).contains(&format!("`{program} prefs list`")),
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
