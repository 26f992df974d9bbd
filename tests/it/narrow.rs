//! What verbs write for a person fits a terminal of 40 columns.

use serde_json::Value;

use crate::world::World;

const VERBS: [&[&str]; 24] = [
    &["report", "--since", "2026-01-01"],
    &["suggest"],
    &["sql"],
    &["sql", "FROM questions LIMIT 3"],
    &["sql", "SELECT nope FROM questions"],
    &["suggest", "--backtest"],
    &["prefs", "list"],
    &["prefs", "list", "--standing"],
    &[
        "classify",
        "--question",
        "Shall I delete the production database?",
    ],
    &["prefs", "set", "nobody-asked", "never-ask", "--yes"],
    &["prefs", "clear", "nobody-asked", "--yes"],
    &["log"],
    &["log", "layout"],
    &["log", "no-such-question-was-ever-asked"],
    &["undo", "--yes"],
    &["report", "layout"],
    &["config", "questions"],
    &["doctor", "--quarantine"],
    &["gc", "--dry-run"],
    &["ingest"],
    &["doctor"],
    &["import", "claude-code", "/no/such/folder/of/transcripts"],
    &["report", "--week", "2026-W99"],
    &["--help"],
];

fn world() -> World {
    let world = World::with_habits();
    let preferences = r#"{"version":1,"preferences":{
        "layout":{"preference":"never-ask","answer":"Grid","set_at":"2026-11-01T10:00:00.000Z"},
        "delete-user-data":{"preference":"never-ask"}}}"#;
    world.put(world.paths().global_preferences(), preferences);
    world
}

#[test]
#[ignore = "takes long: make test-long"]
fn forty_columns() {
    let world = world();
    for words in VERBS {
        let mut command = world.command(words);
        let output = command.env("COLUMNS", "40").output().unwrap();
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8(said).unwrap();
        assert!(!said.is_empty(), "{words:?}");
        for line in said.lines() {
            assert!(line.chars().count() <= 40, "{words:?}: {line}");
        }
    }
}

#[test]
fn documents_for_scripts_stay_as_they_are() {
    let world = world();
    for words in [
        &["report", "--json"][..],
        &["suggest", "--json"],
        &["log", "--json"],
        &["log", "layout", "--json"],
        &["prefs", "list", "--json"],
        &["doctor", "--quarantine", "--json"],
    ] {
        let mut command = world.command(words);
        let narrow = command.env("COLUMNS", "40").output().unwrap();
        let wide = world.run(words);
        assert_eq!(
            String::from_utf8(narrow.stdout).unwrap(),
            wide.stdout,
            "{words:?}"
        );
        let document: Value = serde_json::from_str(&wide.stdout).unwrap();
        assert_eq!(document["schema_version"], 1, "{words:?}");
    }
}
