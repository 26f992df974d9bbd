//! `install` and `uninstall` beside what others set up: a plugin that is on, a file system that runs no programs, npx.

use std::fs;
use std::process::Output;

use serde_json::json;

use crate::skipped::skipped;
use crate::world::{World, programs};

/// What `plantune` prints, which must end well.
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
            said.contains("note: the plugin plantune@plantune is on, and goes on logging")
                && said.contains("`claude plugin uninstall plantune@plantune` ends that"),
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

/// Runs `script` with sh where the data folder is a file system that runs no programs; `None` where none can be
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
        let test =
            "install::surroundings::a_copy_that_may_not_be_run_where_it_lies_is_not_registered";
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
        assert!(
            said.contains(&format!("`{program} suggest` says")),
            "{said}"
        );
        // A report's text, a hint of a failure, a finding's remedy, the next step after an import.
        let (said, _) = run(&["report", "--prompts"], launcher);
        assert!(
            said.contains(&format!("`{program} import claude-code`")),
            "{said}"
        );
        let (_, said) = run(&["prefs", "show", "no-such-key"], launcher);
        assert!(said.contains(&format!("`{program} prefs list`")), "{said}");
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
