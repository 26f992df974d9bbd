//! The installed copy of the hook: made once, replaced whole, never missing, and gone in the end.

use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{fs, thread};

use serde_json::{Value, json};

use super::places::{calls, finding, hook, installed, make_other};
use crate::world::{World, programs};

/// The hook, and the record of its home.
const IN_BIN: [&str; 2] = ["config-folder", "plantune-hook"];

#[test]
fn install_copies_what_it_registers() {
    let world = World::at("home/code");
    let ran = world.run(&["install", "--dry-run"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(!world.path("data").exists());
    let ran = world.run(&["install", "--yes", "--statusline"]);
    assert!(ran.stdout.contains("copied the hook to "), "{ran:?}");
    assert_eq!(world.names("data/bin"), IN_BIN);
    assert_eq!(
        fs::read(hook(&world)).unwrap(),
        fs::read(programs::hook()).unwrap()
    );
    let settings: Value = serde_json::from_str(&world.text(world.user())).unwrap();
    let hook = hook(&world).display().to_string();
    assert_eq!(
        settings["hooks"]["Stop"][0]["hooks"][0]["command"],
        json!(hook)
    );
    assert_eq!(
        settings["statusLine"]["command"],
        json!(format!("{hook} --statusline"))
    );
    assert!(calls(&world));
    assert_eq!(finding(&world, "hook_release").0, "ok");
    // Who says no gets no copy.
    let other = World::at("home/code");
    let ran = other.run(&["install"]);
    assert_eq!(
        (ran.code, other.path("data/bin").exists()),
        (4, false),
        "{ran:?}"
    );
}

#[test]
fn another_hook_is_replaced_while_sessions_call_it() {
    let world = installed();
    let settings = world.text(world.user());
    for (words, is_said_on) in [
        (&["doctor", "--fix"][..], "stdout"),
        (&["install"], "stdout"),
        (&["report"], "stderr"),
    ] {
        make_other(&world);
        let (status, message) = finding(&world, "hook_release");
        assert_eq!(status, "warning");
        assert!(
            message.contains("is not the hook of this plantune"),
            "{message}"
        );
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            let calls = scope.spawn(|| {
                let mut count = 0;
                while !done.load(Ordering::Relaxed) {
                    assert!(calls(&world));
                    count += 1;
                }
                count
            });
            let ran = world.run(words);
            done.store(true, Ordering::Relaxed);
            let (stdout, stderr) = (&ran.stdout, &ran.stderr);
            let said = if is_said_on == "stdout" {
                stdout
            } else {
                stderr
            };
            assert!(said.contains("updated the hook in "), "{ran:?}");
            assert!(calls.join().unwrap() > 0);
        });
        assert_eq!(finding(&world, "hook_release").0, "ok");
        assert_eq!(world.text(world.user()), settings);
        assert_eq!(world.names("data/bin"), IN_BIN);
    }
}

#[test]
#[ignore = "takes long: make test-long"]
fn installers_that_are_killed_leave_the_old_hook_or_the_new_one() {
    let world = installed();
    make_other(&world);
    let (old, new) = (programs::other_hook(), fs::read(programs::hook()).unwrap());
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
        assert!(calls(&world), "round {round}");
        let bytes = fs::read(hook(&world)).unwrap();
        assert!(bytes == new || bytes == old, "round {round}");
        if bytes == new {
            make_other(&world);
        }
    }
    assert_eq!(world.run(&["install", "--yes"]).code, 0);
    assert_eq!(world.names("data/bin"), IN_BIN);
    assert_eq!(finding(&world, "hook_release").0, "ok");
}

#[test]
fn installers_at_once_make_one_copy() {
    let world = World::at("home/code");
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
    assert_eq!(world.names("data/bin"), IN_BIN);
    assert!(calls(&world));
}

#[test]
fn uninstall_takes_the_copies_when_nobody_calls_them_any_more() {
    let world = installed();
    assert_eq!(world.run(&["install", "--yes", "--scope", "local"]).code, 0);
    let local = world.path("home/code/.claude/settings.local.json");
    // From another folder, by the record of what was changed.
    let mut elsewhere = world.command(&["uninstall", "--yes"]);
    let ran = elsewhere.current_dir(world.path("home")).output().unwrap();
    let said = String::from_utf8(ran.stdout).unwrap();
    assert!(
        said.contains(&format!(
            "kept {}, because {} still calls it",
            hook(&world).display(),
            local.display()
        )),
        "{said}"
    );
    assert!(calls(&world));
    let ran = world.run(&["uninstall", "--yes", "--scope", "local", "--dry-run"]);
    assert!(ran.code == 0 && hook(&world).exists());
    let ran = world.run(&["uninstall", "--yes", "--scope", "local"]);
    assert!(
        ran.stdout
            .contains(&format!("removed {}", hook(&world).display())),
        "{ran:?}"
    );
    assert!(!world.path("data/bin").exists() && !world.user().exists() && !local.exists());
    // Entries that were taken out by hand leave the copies to a later uninstall.
    let world = installed();
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

// What `doctor` finds wrong with the installed copy, and repairs.

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
            let (status, message) = finding(&world, "hook_release");
            assert_eq!(status, "note");
            assert!(
                message.contains("instead of plantune's own copy"),
                "{message}"
            );
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
            unasked.stdout.contains("plantune's entries in ") && unasked.stderr.contains("--yes"),
            "{unasked:?}"
        );
        let fixed = world.run(&["doctor", "--fix", "--yes"]);
        assert!(
            fixed.stdout.contains("plantune's entries in ") && fixed.stdout.contains("backup: "),
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
    make_other(&world);
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
