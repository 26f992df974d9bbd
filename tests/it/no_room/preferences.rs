//! A full disk under preferences and proposals.

use std::fs;

use super::home::*;
use super::small::*;
use crate::world::PLANTUNE;

#[test]
fn preferences_without_room() {
    let Some(small) = Small::only_inside("no_room::preferences::preferences_without_room") else {
        return;
    };
    let home = Home::at(&small.0.join("home"));
    home.prefer();
    assert_eq!(home.plantune(&["ingest"]).code, 0);
    let before = home.everything();
    small.leave(0);
    let words = [
        "prefs",
        "set",
        "tests",
        "never-ask",
        "--global",
        "--force",
        "--yes",
    ];
    let ran = home.plantune(&words);
    assert_eq!(ran.code, 1, "{ran:?}");
    insta::assert_snapshot!(ran.stderr, @r"
    plantune: HOME/preferences.json cannot be written: no space is left on its file system
      hint: no preference was changed
      hint: make room (`df -h HOME` shows how much there is), and try again
    ");
    assert_eq!(home.everything(), before);
    let ran = home.plantune(&["prefs", "clear", "layout", "--global", "--yes"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert_eq!(home.everything(), before);
    small.make_room();
    assert_eq!(home.plantune(&words).code, 0);
    assert!(
        home.plantune(&["prefs", "list"])
            .stdout
            .contains("tests: on,")
    );
}

#[test]
fn a_proposal_without_room() {
    let Some(small) = Small::only_inside("no_room::preferences::a_proposal_without_room") else {
        return;
    };
    let home = Home::at(&small.0.join("home"));
    append(&home.folder.join("events/2026-11-19.jsonl"), &habit());
    assert_eq!(home.plantune(&["ingest"]).code, 0);
    let words = ["suggest", "--apply", "--only", "habit", "--yes"];
    let before = home.everything();
    small.leave(0);
    let ran = home.plantune(&words);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(
        ran.stderr.contains("no space is left on its file system"),
        "{ran:?}"
    );
    assert!(ran.stderr.contains("no preference was changed"), "{ran:?}");
    let mut after = home.everything();
    // Folders for what was not written take no room.
    after.retain(|path, _| !path.starts_with(home.folder.join("projects")) || path.is_file());
    assert_eq!(after, before);
    small.make_room();
    let ran = home.plantune(&words);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.stdout.contains("is answered \"Grid\""), "{ran:?}");
}

/// Only the log is on the full disk: what cannot be put on record does not happen.
#[test]
fn a_preference_that_cannot_be_put_on_record() {
    let Some(small) =
        Small::only_inside("no_room::preferences::a_preference_that_cannot_be_put_on_record")
    else {
        return;
    };
    let elsewhere = tempfile::tempdir().unwrap();
    let home = Home::at(&small.0.join("home"));
    let set = |words: &[&str]| {
        let mut command = home.command(PLANTUNE, words);
        command
            .env_remove("PLANTUNE_HOME")
            .env("XDG_DATA_HOME", &home.folder)
            .env("XDG_CONFIG_HOME", elsewhere.path());
        home.run(&mut command)
    };
    let words = [
        "prefs",
        "set",
        "layout",
        "never-ask",
        "--global",
        "--force",
        "--yes",
    ];
    small.leave(0);
    let ran = set(&words);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.stderr.contains("no preference was changed"), "{ran:?}");
    let config = elsewhere.path().join("plantune");
    assert_eq!(fs::read_dir(&config).unwrap().count(), 0);
    small.make_room();
    assert_eq!(set(&words).code, 0);
    assert!(config.join("preferences.json").is_file());
}
