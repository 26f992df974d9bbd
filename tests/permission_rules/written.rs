//! What is written to the settings, and comes out of them again.

use std::fs;

use serde_json::{Value, json};

use crate::common;
use crate::log::{APPLY, LOCAL, Log, Prompt, Settings as _, USER, put, text};
use crate::shop::{PROJECT, folded};

#[test]
fn what_is_applied_comes_out_again_to_the_byte() {
    let home = Log::new()
        .allowed("Bash", "npm test", 12)
        .allowed("Bash", "npm run lint", 12)
        .written();
    put(&home.local(), LOCAL);
    put(&home.user(), USER);
    let said = home.stdout_of(&["suggest", "--apply", "--yes", "--only", "Bash(npm test)"]);
    assert!(said.contains("+"), "{said}");
    assert!(
        folded(&said).contains("allowed: Bash(npm test), in"),
        "{said}"
    );
    let wanted = LOCAL.replace("\"mcp__x__y\"]", "\"mcp__x__y\", \"Bash(npm test)\"]");
    assert_eq!(text(&home.local()), wanted);
    assert_eq!(text(&home.user()), USER);
    // What is there is not proposed.
    let found = home.rules();
    assert_eq!(found["permissions"].as_array().unwrap().len(), 1);
    assert_eq!(found["permissions"][0]["rule"], "Bash(npm run lint)");
    let event = home.last_change();
    assert_eq!(event["reason"], "suggest rule");
    assert_eq!(
        (&event["preference"], &event["answer"]),
        (&json!("permission-rule"), &json!(["Bash(npm test)"]))
    );
    assert_eq!(event["project"], PROJECT);

    home.stdout_of(APPLY);
    assert!(text(&home.local()).contains("\"Bash(npm run lint)\""));
    // One goes, the other stays.
    let said = home.stdout_of(&["undo", "Bash(npm test)", "--yes"]);
    assert!(said.contains("undone: Bash(npm test)"), "{said}");
    assert_eq!(
        text(&home.local()),
        wanted.replace("npm test", "npm run lint")
    );
    assert_eq!(home.last_change()["reason"], "undo rule");
    home.stdout_of(&["undo", "Bash(npm run lint)", "--yes"]);
    assert_eq!(text(&home.local()), LOCAL);
    let again = home.run(&["undo", "Bash(npm run lint)", "--yes"]);
    assert_eq!(again.code, 1, "{}", again.stderr);
    // The person's own rules are not ours.
    assert_eq!(home.run(&["undo", "Bash(git push *)", "--yes"]).code, 1);
    assert_eq!(text(&home.local()), LOCAL);
    // They are proposed again.
    assert_eq!(home.rules()["permissions"].as_array().unwrap().len(), 2);
}

#[test]
fn settings_are_chosen_and_lists_that_were_empty_are_again() {
    let home = Log::new().allowed("Bash", "npm test", 12).written();
    put(&home.user(), USER);
    let apply = |settings| home.stdout_of(&[APPLY, &["--settings", settings]].concat());
    apply("user");
    assert!(text(&home.user()).contains("Bash(npm test)"));
    home.stdout_of(&["undo", "Bash(npm test)", "--yes"]);
    assert_eq!(text(&home.user()), USER);
    // A file that was not there is gone again.
    apply("project");
    let shared = home.shop().join(".claude/settings.json");
    assert!(text(&shared).contains("Bash(npm test)"));
    home.stdout_of(&["undo", "Bash(npm test)", "--yes"]);
    assert!(!shared.exists());
}

#[test]
fn uninstall_takes_out_all_of_ours() {
    let home = Log::new()
        .allowed("Bash", "npm test", 12)
        .allowed("mcp__tracker__create_issue", "", 12)
        .written();
    put(&home.local(), LOCAL);
    put(&home.user(), USER);
    let hook = common::hook();
    let hook = hook.to_str().unwrap();
    home.stdout_of(&["install", "--yes", "--guard", "--hook-path", hook]);
    home.stdout_of(&["suggest", "--apply", "--yes", "--only", "Bash(npm test)"]);
    home.stdout_of(&[APPLY, &["--settings", "user"]].concat());
    assert!(text(&home.user()).contains("mcp__tracker__create_issue"));
    assert!(text(&home.local()).contains("Bash(npm test)"));
    let said = home.stdout_of(&["uninstall", "--yes"]);
    assert_eq!(
        (text(&home.user()), text(&home.local())),
        (USER.to_owned(), LOCAL.to_owned()),
        "{said}"
    );
    // A second time there is nothing.
    assert!(
        home.stdout_of(&["uninstall", "--yes"])
            .contains("not installed")
    );
}

#[test]
fn a_rule_for_every_project_is_written_to_the_persons_own_settings() {
    let mut log = Log::new().allowed("mcp__tracker__list_issues", "", 6);
    let till = log.home.folder.path().join("till");
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
    let home = log.written();
    let found = home.rules();
    assert_eq!(found["permissions"][0]["settings"], "user", "{found}");
    assert_eq!(found["permissions"][0]["project"], Value::Null);
    home.stdout_of(APPLY);
    let settings: Value = serde_json::from_str(&text(&home.user())).unwrap();
    assert_eq!(
        settings["permissions"]["allow"],
        json!(["mcp__tracker__list_issues"])
    );
    assert!(!home.local().exists());
}
