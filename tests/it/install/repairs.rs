//! What `doctor` finds wrong with the installed copy, and repairs.

use std::fs;

use plantune_domain::atomic_file;

use super::installed::{VERSION, calls, finding, hook, installed, make_release};
use crate::world::{World, programs, run};

#[test]
fn another_build_of_the_same_release_is_noticed() {
    let world = installed();
    let copy = world.path("data/bin").join(VERSION).join("plantune-hook");
    let mut bytes = fs::read(&copy).unwrap();
    bytes.push(0);
    atomic_file::replace(&copy, &bytes, 0o700).unwrap();
    let (status, message) = finding(&world, "hook_release");
    assert!(
        status == "warning" && message.contains("another build"),
        "{message}"
    );
    assert_eq!(world.run(&["install"]).code, 0);
    assert_eq!(finding(&world, "hook_release").0, "ok");
}

#[test]
fn registrations_of_other_places_are_repaired() {
    for old in [
        "bin/plantune-hook",
        "home/.npm/_npx/0a1b2c/node_modules/p/bin/plantune-hook",
        "gone/plantune-hook",
    ] {
        let world = World::at("home/code");
        let old_hook = world.path(old);
        fs::create_dir_all(old_hook.parent().unwrap()).unwrap();
        fs::copy(programs::hook(), &old_hook).unwrap();
        let given = old_hook.to_str().unwrap();
        fs::create_dir_all(world.user().parent().unwrap()).unwrap();
        fs::write(world.user(), "{\n  \"model\": \"opus\"\n}\n").unwrap();
        let ran = world.run(&["install", "--yes", "--statusline", "--hook-path", given]);
        assert_eq!(ran.code, 0, "{ran:?}");
        assert!(
            !world.path("data/bin").exists(),
            "what is named is not copied"
        );
        if old.starts_with("gone") {
            fs::remove_file(&old_hook).unwrap();
            assert_eq!(finding(&world, "registration").0, "failed");
        } else {
            let wanted = if old.contains("_npx") {
                "warning"
            } else {
                "note"
            };
            assert_eq!(finding(&world, "hook_place").0, wanted);
        }
        let before = world.text(world.user());
        // It asks, and nobody is there to answer.
        let unasked = world.run(&["doctor", "--fix"]);
        assert_eq!(
            (unasked.code, world.text(world.user())),
            (4, before.clone()),
            "{unasked:?}"
        );
        assert!(
            unasked.stdout.contains("are repaired") && unasked.stderr.contains("--yes"),
            "{unasked:?}"
        );
        let fixed = world.run(&["doctor", "--fix", "--yes"]);
        assert!(
            fixed.stdout.contains("are repaired") && fixed.stdout.contains("backup: "),
            "{fixed:?}"
        );
        let after = world.text(world.user());
        let hook = hook(&world).display().to_string();
        assert_eq!(after, before.replace(given, &hook));
        assert_eq!(after.matches(&hook).count(), 10);
        assert!(calls(&world));
        // As every change, it can be rolled back to the byte.
        assert_eq!(world.run(&["install", "--rollback", "--yes"]).code, 0);
        assert_eq!(world.text(world.user()), before);
        // And install does the same.
        assert_eq!(world.run(&["install", "--yes"]).code, 0);
        assert_eq!(world.text(world.user()), after);
    }
}

#[test]
fn fixing_registers_nothing_and_is_not_for_agents() {
    let world = World::at("home/code");
    assert_eq!(
        world.run(&["doctor", "--fix", "--yes"]).code,
        1,
        "not registered"
    );
    assert!(!world.path("data/bin").exists() && !world.user().exists());
    let world = installed();
    make_release(&world, "0.0.9");
    for words in [&["doctor", "--fix", "--yes"][..], &["install", "--yes"]] {
        let refused = world
            .command(words)
            .env("CLAUDECODE", "1")
            .output()
            .unwrap();
        assert_eq!(refused.status.code(), Some(4), "{refused:?}");
    }
    assert_eq!(finding(&world, "hook_release").0, "warning");
}

#[test]
fn a_hook_of_another_release_is_not_installed() {
    let world = World::at("home/code");
    let folder = world.path("bin");
    fs::create_dir_all(&folder).unwrap();
    fs::copy(env!("CARGO_BIN_EXE_plantune"), folder.join("plantune")).unwrap();
    atomic_file::replace(
        &folder.join("plantune-hook"),
        &programs::hook_of_release("0.0.9"),
        0o755,
    )
    .unwrap();
    let ran = run(&mut world.start(folder.join("plantune"), &["install", "--yes"]));
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(
        ran.stderr
            .contains("is of release 0.0.9, and this is plantune"),
        "{ran:?}"
    );
    assert!(!world.user().exists() && !world.path("data/bin").exists());
}
