//! The installed copy of the hook: made once, replaced whole, never missing, and gone in the end.

use std::fs;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::installed::{VERSION, calls, finding, hook, installed, make_release};
use crate::world::{World, programs, run};

#[test]
fn install_copies_what_it_registers() {
    let world = World::at("home/code");
    let ran = world.run(&["install", "--dry-run"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(!world.path("data").exists());
    let ran = world.run(&["install", "--yes", "--statusline"]);
    assert!(
        ran.stdout
            .contains(&format!("copied the hook of {VERSION} to ")),
        "{ran:?}"
    );
    assert_eq!(world.names("data/bin"), [VERSION, "plantune-hook"]);
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
    let (status, message) = finding(&world, "hook_release");
    assert_eq!(
        (status.as_str(), message.as_str()),
        ("ok", format!("{VERSION}, as this plantune").as_str())
    );
    assert_eq!(finding(&world, "hook_place"), Default::default());
    assert_eq!(
        finding(&world, "data_folder").0,
        "ok",
        "its own link is no stranger's"
    );
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
#[ignore = "takes long: make test-long"]
fn an_older_hook_and_a_newer_one_are_replaced_while_sessions_call_it() {
    let world = installed();
    let settings = world.text(world.user());
    for (version, words, order) in [
        ("0.0.9", &["doctor", "--fix"][..], "older"),
        ("9.9.9", &["doctor", "--fix"][..], "newer"),
        ("0.0.8", &["install"][..], "older"),
    ] {
        make_release(&world, version);
        let (status, message) = finding(&world, "hook_release");
        assert_eq!(status, "warning");
        assert!(
            message.contains(&format!("of release {version}, {order} than")),
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
            let said = format!("the one before was of release {version}\n");
            assert!(ran.stdout.contains(&said), "{ran:?}");
            assert!(calls.join().unwrap() > 0);
        });
        assert_eq!(finding(&world, "hook_release").0, "ok");
        assert_eq!(world.text(world.user()), settings);
        let copies = world.names("data/bin");
        assert!(copies.contains(&version.to_owned()), "{copies:?}");
    }
    // The old ones stay for two weeks, and go with the next occasion.
    let gc = run(world
        .command(&["gc"])
        .env("PLANTUNE_NOW", "2026-12-04T09:59:59Z"));
    assert_eq!((gc.code, world.names("data/bin").len()), (0, 5), "{gc:?}");
    let gc = run(world
        .command(&["gc"])
        .env("PLANTUNE_NOW", "2026-12-04T10:00:00Z"));
    assert!(
        gc.stdout.starts_with("3 old copies of the hook removed\n"),
        "{gc:?}"
    );
    assert_eq!(world.names("data/bin"), [VERSION, "plantune-hook"]);
    assert!(calls(&world));
}

#[test]
#[ignore = "takes long: make test-long"]
fn installers_that_are_killed_leave_the_old_hook_or_the_new_one() {
    let world = installed();
    make_release(&world, "0.0.9");
    let (old, new) = (
        programs::hook_of_release("0.0.9"),
        fs::read(programs::hook()).unwrap(),
    );
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
            make_release(&world, "0.0.9");
        }
    }
    assert_eq!(world.run(&["install", "--yes"]).code, 0);
    assert_eq!(world.names("data/bin"), ["0.0.9", VERSION, "plantune-hook"]);
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
    assert_eq!(world.names("data/bin"), [VERSION, "plantune-hook"]);
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
            "kept {}: {} still calls it",
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
