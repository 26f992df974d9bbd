//! `plantune uninstall --purge`: everything goes, and nothing else.

use serde_json::json;

use crate::world::person::run_with_person;
use crate::world::{World, call_of, folded, programs, question, run};

const SETTINGS: &str = "{\n  \"model\": \"opus\"\n}\n";

const PURGE: [&str; 2] = ["uninstall", "--purge"];

/// A world in which plantune did all it does: settings changed, with a guard, a log, a preference, a report, a seal.
fn used() -> World {
    let mut world = World::with_checkout("home/code", "git@github.com:o/r.git")
        .without_plantune_home()
        .with("PATH", "/usr/bin:/bin");
    world.put(world.user(), SETTINGS);
    world.put("home/.codex/config.toml", "model = \"x\"\n");
    let hook = programs::hook();
    let install = [
        "install",
        "--yes",
        "--guard",
        "--hook-path",
        hook.to_str().unwrap(),
    ];
    world.done(&install);
    let asked = question("Which layout?", "Layout", &["Grid", "List"]);
    let mut call = call_of("toolu_1", &[asked]);
    world.hook("PreToolUse", call.clone());
    world.later(1);
    call["tool_response"] = json!({"answers": {"Which layout?": "Grid"}});
    world.hook("PostToolUse", call);
    let set = [
        "prefs",
        "set",
        "layout",
        "never-ask",
        "--question",
        "Which layout?",
        "--option",
        "Grid",
        "--option",
        "List",
        "--answer",
        "Grid",
        "--force",
        "--yes",
    ];
    world.done(&set);
    world.done(&["away", "1h", "--yes"]);
    world.done(&["report"]);
    world
}

fn left(world: &World) -> Vec<String> {
    let files = world.everything("home", &["home/code"]);
    let home = world.path("home");
    let names = files
        .into_keys()
        .map(|path| path.strip_prefix(&home).unwrap().display().to_string());
    names.collect()
}

#[test]
fn everything_goes_but_what_was_there_before() {
    let world = used();
    let before = left(&world);
    assert!(
        before
            .iter()
            .any(|name| name.contains("settings.json.plantune-backup-")),
        "{before:?}"
    );
    let shown = world.done(&["uninstall", "--purge", "--dry-run"]);
    assert!(shown.contains("nothing was removed (--dry-run)"), "{shown}");
    assert_eq!(left(&world), before);
    let shown = folded(&world.done(&["uninstall", "--purge", "--yes"]));
    assert!(
        shown.contains("The log, your preferences and plantune's settings are removed"),
        "{shown}"
    );
    assert!(shown.contains("2 backups of settings in "), "{shown}");
    assert_eq!(
        left(&world),
        [
            ".claude",
            ".claude/settings.json",
            ".codex",
            ".codex/config.toml",
            ".config",
            ".local",
            ".local/share"
        ]
    );
    assert_eq!(world.text(world.user()), SETTINGS);
    // Once more there is nothing to do.
    world.done(&["uninstall", "--purge", "--yes"]);
}

#[test]
fn only_the_person_purges() {
    let world = used();
    let ran = world.run_in_session(&["uninstall", "--purge", "--yes"]);
    assert_eq!(ran.code, 4, "{ran:?}");
    world.done(&["uninstall", "--yes"]);
    let before = left(&world);
    let ran = world.run_in_session(&["uninstall", "--purge", "--yes"]);
    assert_eq!(ran.code, 4, "{ran:?}");
    let ran = world.run(&PURGE);
    assert_eq!(ran.code, 4, "{ran:?}");
    assert!(ran.stderr.contains("no terminal to ask on"), "{ran:?}");
    let mut unsaid = world.command(&["uninstall", "--purge", "--yes"]);
    let ran = run(unsaid.env_remove("PLANTUNE_ALLOW_UNATTENDED"));
    assert_eq!(ran.code, 4, "{ran:?}");
    let ran = run_with_person(&mut world.command(&PURGE), &["n"]);
    assert!(ran.stdout.ends_with("Nothing was changed.\n"), "{ran:?}");
    assert_eq!(left(&world), before);
    let ran = run_with_person(&mut world.command(&PURGE), &["y"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(!left(&world).iter().any(|name| name.contains("plantune")));
}

#[test]
fn what_is_not_plantunes_stays() {
    // Its folder beside a file of the person's.
    let world = used();
    world.put("home/.config/plantune/notes.txt", "mine");
    let shown = world.done(&["uninstall", "--purge", "--yes"]);
    assert!(shown.contains("not all in it is plantune's"), "{shown}");
    assert_eq!(world.names("home/.config/plantune"), ["notes.txt"]);
    // A home that is the person's own.
    let world = World::at("home/code").with("PLANTUNE_HOME", "");
    let home = world.path("home");
    let world = world.with("PLANTUNE_HOME", home);
    world.put("home/bin/tool", "mine");
    world.put("home/.profile", "mine");
    world.done(&["prefs", "set", "layout", "always-ask", "--force", "--yes"]);
    let before = world.everything("home", &[]);
    let ran = world.run(&["uninstall", "--purge", "--yes"]);
    assert_eq!(ran.code, 4, "{ran:?}");
    assert!(ran.stderr.contains("is not plantune's"), "{ran:?}");
    assert!(world.path("home/bin/tool").exists());
    let after = world.everything("home", &["home/install.lock"]);
    assert_eq!(after.len(), before.len());
}

#[test]
fn the_data_stays_while_settings_still_have_the_hook() {
    let world = used();
    let before = world.text(world.user());
    // The person keeps the hook, and so the data.
    let ran = run_with_person(&mut world.command(&PURGE), &["n", "y"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(
        ran.stderr.contains("still has entries of plantune's"),
        "{ran:?}"
    );
    assert_eq!(world.text(world.user()), before);
    assert!(world.path("home/.config/plantune").exists());
}
