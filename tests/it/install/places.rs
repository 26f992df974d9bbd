//! Which file is written and which hook is named, and who may have it so.

use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::process::Stdio;

use super::given::{SETTINGS, install, mode, program, with_hook};
use crate::world::{programs, run};

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
    assert!(fs::symlink_metadata(&installed).unwrap().is_symlink());
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
        (waiting.code, waiting.stderr.contains("is at work")),
        (1, true),
        "{waiting:?}"
    );
}
