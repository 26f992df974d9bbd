//! Claude Code's settings keep each byte that is not ours.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use serde_json::json;

use super::places::{SETTINGS, install, mode, with_hook};
use crate::doctor::made_up_programs;
use crate::world::person::{run_on_terminal, run_with_person};
use crate::world::{World, call_of, folded, programs, question, run};

#[test]
fn installs_once_and_leaves_no_trace() {
    let world = with_hook();
    world.put(world.user(), SETTINGS);
    fs::set_permissions(world.user(), fs::Permissions::from_mode(0o640)).unwrap();
    let ran = install(&world, &["--yes"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran:?}");
    let installed = world.text(world.user());
    let value: serde_json::Value = serde_json::from_str(&installed).unwrap();
    let hook = world.path("bin/plantune-hook");
    let entry = serde_json::json!({"type": "command", "command": hook, "args": [], "timeout": 5});
    for event in [
        "PostToolUse",
        "PostToolUseFailure",
        "PermissionRequest",
        "PermissionDenied",
        "UserPromptSubmit",
        "Stop",
        "SessionStart",
        "SessionEnd",
    ] {
        assert_eq!(value["hooks"][event][0]["hooks"][0], entry, "{event}");
    }
    assert_eq!(value["hooks"]["PreToolUse"][1]["hooks"][0], entry);
    assert_eq!(mode(&world.user()), 0o640);
    let backup = "settings.json.plantune-backup-20261120T100000Z";
    assert_eq!(world.names("home/.claude"), ["settings.json", backup]);
    assert_eq!(
        world.text(world.path("home/.claude").join(backup)),
        SETTINGS
    );

    let again = install(&world, &["--yes"]);
    assert_eq!(
        (again.code, again.stdout.starts_with("already installed: ")),
        (0, true)
    );
    assert_eq!(world.text(world.user()), installed);
    assert_eq!(world.names("home/.claude").len(), 2);

    let gone = world.run(&["uninstall", "--yes"]);
    assert_eq!(
        (gone.code, world.text(world.user()).as_str()),
        (0, SETTINGS),
        "{gone:?}"
    );
    assert_eq!(mode(&world.user()), 0o640);
    assert_eq!(
        world.names("home/.claude").len(),
        3,
        "the first backup is not overwritten"
    );
    let nothing = world.run(&["uninstall", "--yes"]);
    assert_eq!(
        (nothing.code, nothing.stdout.starts_with("not installed: ")),
        (0, true)
    );
}

/// The entries of an earlier plantune are completed, and other people's stay theirs.
#[test]
fn an_earlier_installation_gets_what_is_new() {
    let world = with_hook();
    world.put(world.user(), SETTINGS);
    assert_eq!(install(&world, &["--yes"]).code, 0);
    let installed: serde_json::Value = serde_json::from_str(&world.text(world.user())).unwrap();
    let mut earlier = installed.clone();
    let events = earlier["hooks"].as_object_mut().unwrap();
    for event in ["PermissionRequest", "PermissionDenied"] {
        events.remove(event).unwrap();
    }
    let theirs = serde_json::json!([{"hooks": [{"type": "command", "command": "theirs"}]}]);
    events.insert("PermissionRequest".to_owned(), theirs.clone());
    world.put(world.user(), format!("{earlier:#}\n"));
    let ran = install(&world, &["--yes"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let value: serde_json::Value = serde_json::from_str(&world.text(world.user())).unwrap();
    assert_eq!(value["hooks"]["PermissionRequest"][0], theirs[0]);
    for (event, at) in [("PermissionRequest", 1), ("PermissionDenied", 0)] {
        let group = &value["hooks"][event][at];
        assert_eq!(group, &installed["hooks"][event][0], "{event}");
        assert!(group.get("matcher").is_none(), "called for every tool");
    }
    assert_eq!(world.run(&["uninstall", "--yes"]).code, 0);
    let left: serde_json::Value = serde_json::from_str(&world.text(world.user())).unwrap();
    assert_eq!(left["hooks"]["PermissionRequest"], theirs);
    assert!(!left.to_string().contains("plantune-hook"), "{left}");
}

#[test]
fn shows_the_change() {
    let world = with_hook();
    world.put(
        world.user(),
        "{\n  \"model\": \"\u{1b}[31mopus\u{9b}\"\n}\n".replace('\u{1b}', "\u{7f}"),
    );
    let ran = install(&world, &["--dry-run"]);
    let shown = ran.stdout.replace(world.path("").to_str().unwrap(), "/");
    let head: String = shown
        .lines()
        .take(11)
        .map(|line| format!("{line}\n"))
        .collect();
    insta::assert_snapshot!(head, @r#"
    --- /home/.claude/settings.json
    +++ /home/.claude/settings.json
    @@ -1,3 +1,116 @@
     {
    -  "model": "�[31mopus�"
    +  "model": "�[31mopus�",
    +  "hooks": {
    +    "PreToolUse": [
    +      {
    +        "matcher": "(AskUserQuestion|mcp__.*__AskUserQuestion)",
    +        "hooks": [
    "#);
    assert!(shown.ends_with("nothing was written (--dry-run)\n"));
    assert!(!world.path("data").exists() && world.names("home/.claude").len() == 1);
}

#[test]
fn what_was_not_there_is_gone_afterwards() {
    let world = with_hook();
    assert_eq!(install(&world, &["--yes"]).code, 0);
    assert_eq!(mode(&world.user()), 0o600);
    assert_eq!(world.names("home/.claude"), ["settings.json"]);
    assert_eq!(world.run(&["uninstall", "--yes"]).code, 0);
    assert!(!world.user().exists());
    for before in [
        "",
        "{}",
        "{ }\n",
        "{\"hooks\":{}}",
        "\u{feff}{\"hooks\":{\"PreToolUse\":[]}}\r\n",
    ] {
        world.put(world.user(), before);
        assert_eq!(install(&world, &["--yes"]).code, 0, "{before:?}");
        assert_eq!(world.run(&["uninstall", "--yes"]).code, 0);
        assert_eq!(world.text(world.user()), before);
    }
}

#[test]
fn leaves_settings_it_cannot_read() {
    let world = with_hook();
    // Where nothing of plantune's can stand, there is nothing to take out.
    for (settings, place, removal) in [
        (
            "{\n  // mine\n  \"a\": 1\n}",
            "line 2, column 3: not JSON",
            3,
        ),
        ("{\"a\": 1,}", "line 1, column 9: not JSON", 3),
        ("[]", "line 1, column 1: the file is not a JSON object", 3),
        (
            "{\"hooks\": 7}",
            "line 1, column 11: `hooks` is not an object",
            0,
        ),
        (
            "{\"hooks\": {\"SessionEnd\": \"x\"}}",
            "line 1, column 26: `hooks.SessionEnd`",
            0,
        ),
        (
            "{\"hooks\": {}, \"hooks\": {}}",
            "line 1, column 15: `hooks` is here twice",
            3,
        ),
    ] {
        world.put(world.user(), settings);
        let gone = world.run(&["uninstall", "--yes"]);
        assert_eq!(gone.code, removal, "{gone:?}");
        let failed = (removal != 0).then_some(gone);
        for ran in [install(&world, &["--yes"])].into_iter().chain(failed) {
            assert_eq!(ran.code, 3, "{ran:?}");
            let named = format!("plantune: {}: {place}", world.user().display());
            assert!(
                ran.stderr.starts_with(&named) && ran.stderr.contains("hint: "),
                "{ran:?}"
            );
        }
        assert_eq!(world.text(world.user()), settings);
    }
    world.put(world.user(), b"{\n\"a\": \"\xff\"}");
    assert!(
        install(&world, &["--yes"])
            .stderr
            .contains("line 2: not UTF-8")
    );
    fs::remove_file(world.user()).unwrap();
    fs::create_dir(world.user()).unwrap();
    assert_eq!(install(&world, &["--yes"]).code, 3);
    fs::remove_dir(world.user()).unwrap();
    symlink("/dev/null", world.user()).unwrap();
    assert_eq!(install(&world, &["--yes"]).code, 3);
    assert_eq!(world.names("home/.claude"), ["settings.json"]);
}

#[test]
fn follows_links_even_to_a_file_that_is_not_there_yet() {
    let world = with_hook();
    fs::create_dir_all(world.path("home/.claude")).unwrap();
    symlink("../dotfiles/claude.json", world.user()).unwrap();
    assert_eq!(install(&world, &["--yes"]).code, 0);
    assert!(fs::symlink_metadata(world.user()).unwrap().is_symlink());
    assert!(
        world
            .text(world.path("home/dotfiles/claude.json"))
            .contains("plantune-hook")
    );
    assert_eq!(world.run(&["uninstall", "--yes"]).code, 0);
    assert_eq!(world.names("home/dotfiles").len(), 0);
}

// `plantune uninstall --purge`: everything goes, and nothing else.

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
    let deletes = "This deletes the log, your preferences, plantune's settings and its hook: ";
    assert_eq!(shown.matches(deletes).count(), 1, "{shown}");
    // Nothing is said to stay, to be kept, or to be gone already.
    for words in ["stay", "backup: ", "puts it back", "removed "] {
        assert!(!shown.contains(words), "{words}: {shown}");
    }
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
fn notes_break_at_words_and_long_paths_stand_alone() {
    let world = with_hook();
    let folder = world.path(&["home", &"a-long-name/".repeat(8)].join("/"));
    let file = folder.join("settings.json").display().to_string();
    let world = world.with("CLAUDE_CONFIG_DIR", folder);
    let is_broken = |line: &str| line.len() > 80 && line.trim().contains(' ');
    let piped = world.done(&["uninstall"]);
    assert!(piped.lines().any(is_broken), "nothing to wrap: {piped}");
    for (words, replies) in [(&["uninstall"][..], &[][..]), (&["install"], &["n"])] {
        let (shown, _) = run_on_terminal(&mut world.command(words), replies);
        let broken = shown.lines().find(|line| is_broken(line));
        assert_eq!(broken, None, "{words:?}: {shown}");
        let is_path = |line: &str| line.trim().trim_matches(['(', ':']) == file;
        assert!(shown.lines().any(is_path), "{words:?}: {shown}");
    }
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
    assert!(shown.contains("because it holds other files"), "{shown}");
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

/// A client opens a dialog at each start about an event that it doesn't know, so it gets only those it does.
#[test]
fn a_client_gets_the_events_that_it_knows() {
    const LATEST: &str = "PreSkillShellCommand";
    let of_client = |world: World, client: &str| {
        let path = format!(
            "{}:/usr/bin:/bin",
            made_up_programs().join(client).display()
        );
        world.with("PATH", path)
    };
    let named = |world: &World| world.text(world.user()).contains(LATEST);
    let doctor = |world: &World| folded(&world.run(&["doctor"]).stdout);
    let world = of_client(with_hook(), "new");
    assert_eq!(install(&world, &["--yes"]).code, 0);
    assert!(!named(&world));
    assert!(!doctor(&world).contains(LATEST));

    let world = of_client(world, "newest");
    let fact = format!("the hook is not registered for {LATEST}, so that is not logged");
    assert!(doctor(&world).contains(&fact), "{}", doctor(&world));
    assert_eq!(install(&world, &["--yes"]).code, 0);
    assert!(named(&world));
    assert!(!doctor(&world).contains(&fact));

    // Others read these with clients of their own.
    let shared = install(&world, &["--yes", "--scope", "project"]);
    assert_eq!(shared.code, 0, "{shared:?}");
    let project = world.text("home/code/deep/.claude/settings.json");
    assert!(
        project.contains("PermissionDenied") && !project.contains(LATEST),
        "{project}"
    );
    assert_eq!(
        world
            .run(&["uninstall", "--yes", "--scope", "project"])
            .code,
        0
    );

    // Without a client, what is there stays.
    let world = world.with("PATH", "/usr/bin:/bin");
    assert!(
        install(&world, &["--yes"])
            .stdout
            .starts_with("already installed: ")
    );
    assert!(named(&world));

    let world = of_client(world, "new");
    assert!(
        doctor(&world).contains(&format!("(remove {LATEST})")),
        "{}",
        doctor(&world)
    );
    assert_eq!(install(&world, &["--yes"]).code, 0);
    assert!(!named(&world));
    assert_eq!(world.run(&["uninstall", "--yes"]).code, 0);
    assert!(!world.user().exists());
}
