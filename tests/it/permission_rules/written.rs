//! What is written to the settings, and comes out of them again.

use std::fs;

use serde_json::{Value, json};

use super::log::{APPLY, LOCAL, Log, Prompt, USER, local, rules};
use crate::world::layout::SHOP;
use crate::world::{folded, programs};

#[test]
fn what_is_applied_comes_out_again_to_the_byte() {
    let world = Log::new()
        .allowed("Bash", "npm test", 12)
        .allowed("Bash", "npm run lint", 12)
        .written();
    world.put(local(&world), LOCAL);
    world.put(world.user(), USER);
    let said = world.stdout_of(&["suggest", "--apply", "--yes", "--only", "Bash(npm test)"]);
    assert!(
        folded(&said).contains("From now on Claude Code runs Bash(npm test) without asking you in"),
        "{said}"
    );
    let wanted = LOCAL.replace("\"mcp__x__y\"]", "\"mcp__x__y\", \"Bash(npm test)\"]");
    assert_eq!(world.text(local(&world)), wanted);
    assert_eq!(world.text(world.user()), USER);
    // What is there is not proposed.
    let found = rules(&world);
    assert_eq!(found["permissions"].as_array().unwrap().len(), 1);
    assert_eq!(found["permissions"][0]["rule"], "Bash(npm run lint)");
    let event = world.last_change();
    assert_eq!(event["reason"], "suggest rule");
    assert_eq!(
        (&event["preference"], &event["answer"]),
        (&json!("permission-rule"), &json!(["Bash(npm test)"]))
    );
    assert_eq!(event["project"], SHOP);

    world.stdout_of(APPLY);
    assert!(world.text(local(&world)).contains("\"Bash(npm run lint)\""));
    // One goes, the other stays.
    let said = world.stdout_of(&["undo", "Bash(npm test)", "--yes"]);
    assert!(said.contains("asks again before Bash(npm test)"), "{said}");
    assert_eq!(
        world.text(local(&world)),
        wanted.replace("npm test", "npm run lint")
    );
    assert_eq!(world.last_change()["reason"], "undo rule");
    world.stdout_of(&["undo", "Bash(npm run lint)", "--yes"]);
    assert_eq!(world.text(local(&world)), LOCAL);
    let again = world.run(&["undo", "Bash(npm run lint)", "--yes"]);
    assert_eq!(again.code, 1, "{}", again.stderr);
    // The person's own rules are not ours.
    assert_eq!(world.run(&["undo", "Bash(git push *)", "--yes"]).code, 1);
    assert_eq!(world.text(local(&world)), LOCAL);
    // They are proposed again.
    assert_eq!(rules(&world)["permissions"].as_array().unwrap().len(), 2);
}

#[test]
fn settings_are_chosen_and_lists_that_were_empty_are_again() {
    let world = Log::new().allowed("Bash", "npm test", 12).written();
    world.put(world.user(), USER);
    let apply = |settings| world.stdout_of(&[APPLY, &["--settings", settings]].concat());
    apply("user");
    assert!(world.text(world.user()).contains("Bash(npm test)"));
    world.stdout_of(&["undo", "Bash(npm test)", "--yes"]);
    assert_eq!(world.text(world.user()), USER);
    // A file that was not there is gone again.
    apply("project");
    let shared = world.project().join(".claude/settings.json");
    assert!(world.text(&shared).contains("Bash(npm test)"));
    world.stdout_of(&["undo", "Bash(npm test)", "--yes"]);
    assert!(!shared.exists());
}

#[test]
fn uninstall_takes_out_all_of_ours() {
    let world = Log::new()
        .allowed("Bash", "npm test", 12)
        .allowed("mcp__tracker__create_issue", "", 12)
        .written();
    world.put(local(&world), LOCAL);
    world.put(world.user(), USER);
    let hook = programs::hook();
    let hook = hook.to_str().unwrap();
    world.stdout_of(&["install", "--yes", "--guard", "--hook-path", hook]);
    world.stdout_of(&["suggest", "--apply", "--yes", "--only", "Bash(npm test)"]);
    world.stdout_of(&[APPLY, &["--settings", "user"]].concat());
    assert!(
        world
            .text(world.user())
            .contains("mcp__tracker__create_issue")
    );
    assert!(world.text(local(&world)).contains("Bash(npm test)"));
    let said = world.stdout_of(&["uninstall", "--yes"]);
    assert_eq!(
        (world.text(world.user()), world.text(local(&world))),
        (USER.to_owned(), LOCAL.to_owned()),
        "{said}"
    );
    // A second time there is nothing.
    assert!(
        world
            .stdout_of(&["uninstall", "--yes"])
            .contains("not installed")
    );
}

#[test]
fn a_rule_for_every_project_is_written_to_the_persons_own_settings() {
    let mut log = Log::new().allowed("mcp__tracker__list_issues", "", 6);
    let till = log.world.path("till");
    fs::create_dir_all(&till).unwrap();
    for _ in 0..6 {
        log.add(&Prompt {
            tool: "mcp__tracker__list_issues",
            input: "",
            number: log.count,
            granted: true,
            cwd: &till,
            project: "example.org/dev/till",
            session_kind: "interactive",
            mode: "auto",
        });
    }
    let world = log.written();
    let found = rules(&world);
    assert_eq!(found["permissions"][0]["settings"], "user", "{found}");
    assert_eq!(found["permissions"][0]["project"], Value::Null);
    world.stdout_of(APPLY);
    let settings: Value = serde_json::from_str(&world.text(world.user())).unwrap();
    assert_eq!(
        settings["permissions"]["allow"],
        json!(["mcp__tracker__list_issues"])
    );
    assert!(!local(&world).exists());
}
