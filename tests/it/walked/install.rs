//! `install` and `uninstall`.

use std::fs;

use super::{Run, walk};
use crate::world::{World, programs};

const INSTALL: [&str; 2] = ["install", "--yes"];
const UNINSTALL: [&str; 2] = ["uninstall", "--yes"];

/// Settings with hooks of the person's own, laid out by hand.
const THEIRS: &str = "{\n\t\"model\": \"opus\",\n\t\"hooks\": {\n\t\t\"PreToolUse\": [ {\"matcher\": \"Bash\", \"hooks\": [\n\t\t\t{ \"type\": \"command\", \"command\": \"mine\" } ]} ],\n\n\t\t\"Stop\": [{\"hooks\": [{\"command\": \"notify\", \"type\": \"command\"}]}]\n\t}\n}\n";

fn world() -> World {
    let world = World::at("work");
    world.put(world.user(), THEIRS);
    world
}

/// The text of a file of settings, wherever the world is.
fn text(world: &World, name: &str) -> String {
    let root = world.path("").display().to_string();
    let text = world.text(world.path("home/.claude").join(name));
    text.replace(&root, "ROOT/")
}

/// [`THEIRS`] with plantune's hook.
fn with_ours() -> String {
    let world = world();
    world.done(&INSTALL);
    text(&world, "settings.json")
}

/// True if the settings are the new ones, whole, and false if they are the old ones. Nothing lies beside them but whole
/// copies, and a file that was being written.
fn is_installed(world: &World, with_ours: &str, run: &Run) -> bool {
    for name in world.names("home/.claude") {
        let ending = name.strip_prefix("settings.json.plantune-");
        let is_unfinished = ending.is_some_and(|ending| !ending.starts_with("backup-"));
        let found = text(world, &name);
        let is_whole = [THEIRS, with_ours].contains(&&*found);
        assert!(is_unfinished || is_whole, "{run}: {name}: {found}");
    }
    text(world, "settings.json") == with_ours
}

/// `doctor` finds the registration right only if it is, and the hook that it names is there.
fn check_doctor(world: &World, is_installed: bool, run: &Run) {
    let hook = fs::read(world.data().join("bin/plantune-hook"));
    let is_there = hook.is_ok_and(|hook| hook == fs::read(programs::hook()).unwrap());
    let (status, message, _) = world.finding("registration");
    assert_eq!(status == "ok", is_installed && is_there, "{run}: {message}");
}

fn check_removal(world: &World, with_ours: &str, run: &Run) {
    let done = world.done(&UNINSTALL);
    assert!(!is_installed(world, with_ours, run), "{run}: {done}");
    assert_eq!(world.names("data/bin"), [""; 0], "{run}: {done}");
}

#[test]
#[ignore = "takes long: make test-long"]
fn an_installation_is_done_or_not_and_the_next_one_finishes_it() {
    let test = "walked::install::an_installation_is_done_or_not_and_the_next_one_finishes_it";
    let with_ours = with_ours();
    let start = || (world(), INSTALL.map(str::to_owned).to_vec());
    let disturbed = walk(test, start, |world, run| {
        let is_done = is_installed(world, &with_ours, run);
        assert!(run.is_disturbed || is_done, "{run}");
        check_doctor(world, is_done, run);
        let done = world.done(&INSTALL);
        assert!(is_installed(world, &with_ours, run), "{run}: {done}");
        check_removal(world, &with_ours, run);
    });
    assert!(disturbed == 0 || disturbed > 40, "{disturbed}");
}

#[test]
#[ignore = "takes long: make test-long"]
fn a_removal_is_done_or_not_and_the_next_one_finishes_it() {
    let test = "walked::install::a_removal_is_done_or_not_and_the_next_one_finishes_it";
    let with_ours = with_ours();
    let start = || {
        let world = world();
        world.done(&INSTALL);
        (world, UNINSTALL.map(str::to_owned).to_vec())
    };
    let disturbed = walk(test, start, |world, run| {
        let is_left = is_installed(world, &with_ours, run);
        assert!(run.is_disturbed || !is_left, "{run}");
        check_doctor(world, is_left, run);
        check_removal(world, &with_ours, run);
    });
    assert!(disturbed == 0 || disturbed > 20, "{disturbed}");
}
