//! What is not written: for agents, into broken files, of hostile texts, into folders that are gone.

use std::fs;

use serde_json::json;

use crate::log::{APPLY, Log, Prompt, Settings as _, put, text};
use crate::shop::{folded, ran};

#[test]
fn agents_and_broken_files_change_nothing() {
    let home = Log::new().allowed("Bash", "npm test", 12).written();
    let mut agent = home.plantune(APPLY);
    let agent = ran(&agent.env("CLAUDECODE", "1").output().unwrap());
    assert_eq!(agent.code, 4, "{}", agent.stderr);
    assert!(!home.local().exists());
    // Nobody to ask.
    assert_eq!(home.run(&["suggest", "--permissions", "--apply"]).code, 4);

    for broken in [
        "{\"permissions\": ",
        "[]",
        "{\"permissions\":{\"allow\":{}}}",
        "\u{0}",
    ] {
        put(&home.local(), broken);
        let shown = folded(&home.stdout_of(&["suggest", "--permissions"]));
        assert!(shown.contains("its rules are not known"), "{shown}");
        assert!(!home.rules()["notes"].as_array().unwrap().is_empty());
        let applied = home.run(APPLY);
        assert_eq!(applied.code, 3, "{}", applied.stderr);
        assert_eq!(text(&home.local()), broken);
    }
    // Neither is what a link of the project leads to.
    fs::remove_file(home.local()).unwrap();
    let elsewhere = home.folder.path().join("elsewhere.json");
    fs::write(&elsewhere, "{}").unwrap();
    std::os::unix::fs::symlink(&elsewhere, home.local()).unwrap();
    assert_eq!(home.run(APPLY).code, 4);
    assert_eq!(text(&elsewhere), "{}");
}

#[test]
fn hostile_texts_neither_reach_the_settings_nor_the_terminal() {
    let home = Log::new()
        .allowed("Bash", "npm test \u{1b}]0;x\u{7}", 12)
        .allowed("Bash", "npm test\nrm -rf ~", 12)
        .allowed("Bash", "npm test \\*", 12)
        .allowed("mcp__x__get\u{1b}[2J", "", 12)
        .allowed("mcp__x__get_*", "", 12)
        .written();
    put(
        &home.local(),
        "{\"permissions\":{\"allow\":[\"Bash(*\u{9b}31m \\u001b[2J)\",\"Bash(\\u202e*)\"]}}",
    );
    let before = text(&home.local());
    assert_eq!(home.rules()["permissions"], json!([]));
    let shown = home.stdout_of(&["suggest", "--permissions"]);
    assert!(
        !shown.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']),
        "{shown:?}"
    );
    home.stdout_of(APPLY);
    assert_eq!(text(&home.local()), before);
}

#[test]
fn a_folder_that_is_gone_is_not_written_to() {
    let mut log = Log::new();
    let gone = log.home.folder.path().join("gone");
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
    let home = log.written();
    assert_eq!(home.rules()["permissions"][0]["rule"], "Bash(npm test)");
    let applied = home.run(APPLY);
    assert_eq!(applied.code, 4, "{}", applied.stderr);
    assert!(!gone.exists());
}
