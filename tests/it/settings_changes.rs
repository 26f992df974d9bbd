//! `plantune install --guard` and `--rollback`: the built binary on real files.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::world::{Ran, World, folded, run};

const SETTINGS: &str =
    "{\n    \"model\": \"opus\",\n    \"permissions\": {\"deny\": [\"WebFetch\"]}\n}";

fn empty() -> World {
    let world = World::at("home/code")
        .without_plantune_home()
        .on("2026-11-20T18:36:00Z");
    for name in ["bin/plantune-hook", "bin/new/plantune-hook"] {
        world.put_program(name, "#!/bin/sh\n");
    }
    let path = world.path("bin");
    world.with("PATH", path)
}

/// With these settings of the user.
fn with(settings: &str) -> World {
    let world = empty();
    world.put(world.user(), settings);
    world
}

fn install(world: &World, words: &[&str]) -> Ran {
    run(&mut installing(world, words))
}

fn installing(world: &World, words: &[&str]) -> Command {
    let hook = world.path("bin/plantune-hook");
    let hook = ["install", "--yes", "--hook-path", hook.to_str().unwrap()];
    world.command(&[&hook, words].concat())
}

fn rollback(world: &World) -> Ran {
    world.run(&["install", "--rollback", "--yes"])
}

fn denied(settings: &Path) -> Vec<String> {
    let value: Value = serde_json::from_str(&fs::read_to_string(settings).unwrap()).unwrap();
    let rules = value["permissions"]["deny"].as_array();
    let rules = rules.into_iter().flatten();
    rules
        .map(|rule| rule.as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_guard_is_added_once_and_leaves_no_trace() {
    let world = with(SETTINGS);
    let Ran {
        code, stdout: said, ..
    } = install(&world, &["--guard"]);
    assert_eq!(
        (code, said.contains("add 22 rules that deny")),
        (0, true),
        "{said}"
    );
    insta::assert_snapshot!(denied(&world.user()).join("\n"), @r"
    WebFetch
    Edit(~/.config/plantune/**)
    Edit(~/.local/share/plantune/**)
    Bash(*plantune* prefs* set *)
    Bash(*plantune* prefs* clear *)
    Bash(*plantune* suggest* --apply*)
    Bash(*plantune* fleet* adopt *)
    Bash(*plantune-fleet* adopt *)
    Bash(*plantune* import *)
    Bash(*plantune undo*)
    Bash(*plantune -* undo*)
    Bash(*plantune@* undo*)
    Bash(*plantune away*)
    Bash(*plantune -* away*)
    Bash(*plantune@* away*)
    Bash(*plantune install* --*)
    Bash(*plantune -* install* --*)
    Bash(*plantune@* install* --*)
    Bash(*plantune uninstall*)
    Bash(*plantune -* uninstall*)
    Bash(*plantune@* uninstall*)
    Bash(*plantune-hook)
    Bash(*plantune-hook *)
    ");
    let guarded = world.text(world.user());
    for words in [&["--guard"][..], &[]] {
        let Ran {
            code, stdout: said, ..
        } = install(&world, words);
        assert_eq!((code, said.starts_with("already installed")), (0, true));
        assert_eq!(
            world.text(world.user()),
            guarded,
            "the guard stays until it is taken away"
        );
    }
    assert_eq!(world.run(&["uninstall", "--yes"]).code, 0);
    assert_eq!(world.text(world.user()), SETTINGS);
}

#[test]
fn a_rule_of_the_persons_own_stays() {
    let own = "{\n  \"permissions\": {\n    \"deny\": [\n      \"Bash(*plantune undo*)\"\n    ]\n  }\n}\n";
    let world = with(own);
    assert_eq!(install(&world, &["--guard"]).code, 0);
    assert_eq!(denied(&world.user()).len(), 22);
    // Somebody writes to the file, so that no backup fits.
    world.put(
        world.user(),
        world
            .text(world.user())
            .replacen('{', "{\n  \"model\": \"opus\",", 1),
    );
    assert_eq!(world.run(&["uninstall", "--yes"]).code, 0);
    assert_eq!(
        world.text(world.user()),
        own.replacen('{', "{\n  \"model\": \"opus\",", 1)
    );
}

#[test]
fn a_guard_without_a_record_is_found_by_its_rules() {
    let world = with(SETTINGS);
    assert_eq!(install(&world, &["--guard"]).code, 0);
    fs::remove_dir_all(world.path("home/.local")).unwrap();
    world.put(world.user(), format!("{} ", world.text(world.user())));
    assert_eq!(world.run(&["uninstall", "--yes"]).code, 0);
    assert_eq!(world.text(world.user()), format!("{SETTINGS} "));
}

#[test]
fn rules_that_are_out_of_date_are_replaced() {
    let world = with(SETTINGS);
    assert_eq!(install(&world, &["--guard"]).code, 0);
    let elsewhere = world.path("elsewhere");
    let mut command = installing(&world, &["--guard"]);
    command.env("XDG_CONFIG_HOME", &elsewhere);
    assert_eq!(run(&mut command).code, 0);
    let rules = denied(&world.user());
    let wanted = format!("Edit(/{}/plantune/**)", elsewhere.display());
    assert!(rules.contains(&wanted), "{rules:?}");
    assert!(!rules.contains(&"Edit(~/.config/plantune/**)".to_owned()));
    let mut command = world.command(&["uninstall", "--yes"]);
    command.env("XDG_CONFIG_HOME", &elsewhere);
    assert_eq!(run(&mut command).code, 0);
    assert_eq!(denied(&world.user()), ["WebFetch"]);
}

#[test]
fn a_shared_guard_names_no_machine() {
    let world = empty();
    let mut command = world.command(&["install", "--yes", "--guard", "--scope", "project"]);
    command.env("PLANTUNE_HOME", world.path("mine"));
    let Ran {
        code, stderr: said, ..
    } = run(&mut command);
    assert_eq!(code, 0, "{said}");
    let path = world.path("home/code/.claude/settings.json");
    let text = world.text(&path);
    assert!(!text.contains(world.path("").to_str().unwrap()), "{text}");
    assert!(denied(&path).contains(&"Edit(~/.config/plantune/**)".to_owned()));
    let mut command = world.command(&["uninstall", "--yes", "--scope", "project"]);
    command.env("PLANTUNE_HOME", world.path("mine"));
    assert_eq!(run(&mut command).code, 0);
    assert!(!path.exists());
}

#[test]
fn a_folder_that_no_rule_can_name_is_not_half_guarded() {
    let world = with(SETTINGS);
    let mut command = installing(&world, &["--guard"]);
    command.env("PLANTUNE_HOME", world.path("mine (all)"));
    let Ran {
        code, stderr: said, ..
    } = run(&mut command);
    assert_eq!(
        (code, said.contains("permission rules can't name")),
        (2, true),
        "{said}"
    );
    assert_eq!(world.text(world.user()), SETTINGS);
}

#[test]
fn a_rollback_undoes_one_change_after_the_other() {
    let world = with(SETTINGS);
    assert_eq!(install(&world, &[]).code, 0);
    let first = world.text(world.user());
    assert_eq!(install(&world, &["--guard"]).code, 0);
    let hook = world.path("bin/new/plantune-hook");
    let moved = ["install", "--yes", "--hook-path", hook.to_str().unwrap()];
    assert_eq!(world.run(&moved).code, 0);
    assert_eq!(world.run(&["uninstall", "--yes"]).code, 0);
    assert_eq!(world.text(world.user()), SETTINGS);
    // The removal, the move, the guard, the first one.
    let Ran {
        code, stdout: said, ..
    } = rollback(&world);
    assert_eq!(
        (
            code,
            folded(&said).contains("as it was before `plantune uninstall")
        ),
        (0, true),
        "{said}"
    );
    assert!(world.text(world.user()).contains("bin/new/plantune-hook"));
    assert_eq!(denied(&world.user()).len(), 23);
    assert_eq!(rollback(&world).code, 0);
    assert_eq!(rollback(&world).code, 0);
    assert_eq!(world.text(world.user()), first);
    assert_eq!(rollback(&world).code, 0);
    assert_eq!(world.text(world.user()), SETTINGS);
    let Ran {
        code, stderr: said, ..
    } = rollback(&world);
    assert_eq!(
        (code, said.contains("no change by plantune left")),
        (1, true),
        "{said}"
    );
}

#[test]
fn a_rollback_removes_what_install_made() {
    let world = empty();
    assert_eq!(install(&world, &[]).code, 0);
    let shown = world.run(&["install", "--rollback", "--dry-run"]);
    assert_eq!(
        (shown.code, shown.stdout.contains("nothing was written")),
        (0, true)
    );
    assert!(world.user().exists());
    assert_eq!(rollback(&world).code, 0);
    assert!(!world.user().exists());
    let code = rollback(&world).code;
    assert_eq!(code, 1);
}

#[test]
fn a_rollback_refuses_to_lose_what_came_later() {
    let world = with(SETTINGS);
    assert_eq!(install(&world, &[]).code, 0);
    let later = world.text(world.user()).replacen("opus", "sonnet", 1);
    world.put(world.user(), &later);
    let Ran {
        code, stderr: said, ..
    } = rollback(&world);
    assert_eq!(code, 3, "{said}");
    let said = world.without_root(&said);
    insta::assert_snapshot!(said.replace("--hook-path ROOT/bin/plantune-hook", "…"), @r"
    plantune: ROOT/home/.claude/settings.json has changed since `plantune install …` of 2026-11-20T18:36:00Z, and a rollback would lose that change
      hint: `plantune uninstall --scope user` removes plantune's entries and keeps the rest
      hint: or restore the backup: ROOT/home/.claude/settings.json.plantune-backup-20261120T183600Z
    ");
    assert_eq!(world.text(world.user()), later);
}

#[test]
fn a_rollback_needs_the_backup_as_it_was() {
    let world = with(SETTINGS);
    assert_eq!(install(&world, &[]).code, 0);
    let installed = world.text(world.user());
    let backup = world.path("home/.claude/settings.json.plantune-backup-20261120T183600Z");
    fs::write(&backup, "{}").unwrap();
    assert_eq!(rollback(&world).code, 3);
    fs::remove_file(&backup).unwrap();
    assert_eq!(rollback(&world).code, 3);
    assert_eq!(world.text(world.user()), installed);
}

#[test]
fn an_agent_may_not_roll_back() {
    let world = with(SETTINGS);
    assert_eq!(install(&world, &["--guard"]).code, 0);
    let guarded = world.text(world.user());
    let refused = world.run_in_session(&["install", "--rollback", "--yes"]);
    assert_eq!(refused.code, 4);
    assert_eq!(world.text(world.user()), guarded);
}

#[test]
fn entries_are_ours_without_any_mark_and_foreign_ones_stay() {
    let theirs = json!({"type": "command", "command": "logger", "note": "theirs"});
    let world = empty();
    let dead = json!({"type": "command", "command": "/gone/plantune-hook"});
    let settings = json!({"hooks": {"PreToolUse": [
        {"matcher": "(AskUserQuestion|mcp__.*__AskUserQuestion)", "hooks": [theirs, dead, dead]},
    ]}});
    world.put(world.user(), settings.to_string());
    assert_eq!(install(&world, &[]).code, 0);
    let value: Value = serde_json::from_str(&world.text(world.user())).unwrap();
    let hooks = &value["hooks"]["PreToolUse"][0]["hooks"];
    assert_eq!(hooks.as_array().unwrap().len(), 2, "{value}");
    assert_eq!(hooks[0], theirs);
    assert_eq!(hooks[1]["command"], json!(world.path("bin/plantune-hook")));
    assert_eq!(world.run(&["uninstall", "--yes"]).code, 0);
    let value: Value = serde_json::from_str(&world.text(world.user())).unwrap();
    assert_eq!(value["hooks"]["PreToolUse"][0]["hooks"], json!([theirs]));
}
