//! What is not written: for agents, into broken files, of hostile texts, into folders that are gone.

use std::fs;

use serde_json::json;

use super::log::{APPLY, Log, Prompt, local, rules};
use crate::world::folded;

#[test]
fn agents_and_broken_files_change_nothing() {
    let world = Log::new().allowed("Bash", "npm test", 12).written();
    let agent = world.run_in_session(APPLY);
    assert_eq!(agent.code, 4, "{}", agent.stderr);
    assert!(!local(&world).exists());
    // Nobody to ask.
    assert_eq!(world.run(&["suggest", "--permissions", "--apply"]).code, 4);

    for broken in [
        "{\"permissions\": ",
        "[]",
        "{\"permissions\":{\"allow\":{}}}",
        "\u{0}",
    ] {
        world.put(local(&world), broken);
        let shown = folded(&world.stdout_of(&["suggest", "--permissions"]));
        assert!(shown.contains("its rules are not known"), "{shown}");
        assert!(!rules(&world)["notes"].as_array().unwrap().is_empty());
        let applied = world.run(APPLY);
        assert_eq!(applied.code, 3, "{}", applied.stderr);
        assert_eq!(world.text(local(&world)), broken);
    }
    // Neither is what a link of the project leads to.
    fs::remove_file(local(&world)).unwrap();
    let elsewhere = world.path("elsewhere.json");
    fs::write(&elsewhere, "{}").unwrap();
    std::os::unix::fs::symlink(&elsewhere, local(&world)).unwrap();
    assert_eq!(world.run(APPLY).code, 4);
    assert_eq!(world.text(&elsewhere), "{}");
}

#[test]
fn hostile_texts_neither_reach_the_settings_nor_the_terminal() {
    let world = Log::new()
        .allowed("Bash", "npm test \u{1b}]0;x\u{7}", 12)
        .allowed("Bash", "npm test\nrm -rf ~", 12)
        .allowed("Bash", "npm test \\*", 12)
        .allowed("mcp__x__get\u{1b}[2J", "", 12)
        .allowed("mcp__x__get_*", "", 12)
        .written();
    world.put(
        local(&world),
        "{\"permissions\":{\"allow\":[\"Bash(*\u{9b}31m \\u001b[2J)\",\"Bash(\\u202e*)\"]}}",
    );
    let before = world.text(local(&world));
    assert_eq!(rules(&world)["permissions"], json!([]));
    let shown = world.stdout_of(&["suggest", "--permissions"]);
    assert!(
        !shown.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']),
        "{shown:?}"
    );
    world.stdout_of(APPLY);
    assert_eq!(world.text(local(&world)), before);
}

#[test]
fn a_folder_that_is_gone_is_not_written_to() {
    let mut log = Log::new();
    let gone = log.world.path("gone");
    for _ in 0..12 {
        log.add(&Prompt {
            tool: "Bash",
            input: "npm test",
            number: log.count,
            granted: true,
            cwd: &gone,
            project: "example.org/dev/gone",
            session_kind: "interactive",
            mode: "default",
        });
    }
    let world = log.written();
    assert_eq!(rules(&world)["permissions"][0]["rule"], "Bash(npm test)");
    let applied = world.run(APPLY);
    assert_eq!(applied.code, 4, "{}", applied.stderr);
    assert!(!gone.exists());
}
