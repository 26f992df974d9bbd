//! `plantune demo`, as `make demo` plays it.
#![allow(missing_docs, clippy::unwrap_used)]

mod common;

use std::fs;
use std::process::{Command, Stdio};

#[test]
fn the_whole_loop_is_shown_and_nothing_is_left_behind() {
    let home = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_plantune"))
        .env_clear()
        .env("HOME", home.path())
        .env("TMPDIR", home.path())
        .env("TZ", "Europe/Berlin")
        .env("COLUMNS", "80")
        // Also where an agent runs it: nothing of the user's is changed.
        .env("CLAUDECODE", "1")
        .env("PLANTUNE_HOOK", common::hook())
        .current_dir(home.path())
        .arg("demo")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let shown = String::from_utf8(output.stdout).unwrap();
    let in_order = [
        "$ plantune import claude-code",
        "answered by you",
        "$ plantune report",
        "2026-W47",
        "Eight weeks",
        "$ plantune suggest",
        "test-scope in sample/billing-api",
        "with: \"Full suite\"",
        "$ plantune suggest --apply --only test-scope",
        "permissionDecision allow",
        "Which tests should run?\":\"Full suite\"",
        "To be asked again: plantune undo toolu_",
        "plantune install",
    ];
    // Long values are wrapped, so white space does not count.
    let folded = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut rest = folded.as_str();
    for text in in_order {
        let (_, after) = rest
            .split_once(text)
            .unwrap_or_else(|| panic!("{text:?} is missing in\n{shown}"));
        rest = after;
    }
    let proposals = shown.split("$ plantune suggest").nth(1).unwrap();
    assert!(
        !proposals.contains("delete-merged-branch"),
        "what cannot be taken back is not proposed"
    );
    // The diff shows the file to the character, and names it, however long both are.
    let too_wide = |line: &&str| line.chars().count() > 80 && !line.starts_with('+');
    assert_eq!(shown.lines().find(too_wide), None);
    assert_eq!(
        fs::read_dir(home.path()).unwrap().count(),
        0,
        "nothing is left behind"
    );
}
