//! The status line: what it shows, from what commands leave and the hook logs; and its entry in the settings.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use serde_json::{Value, json};

use crate::world::{PLANTUNE, Ran, World, folded, programs, run};

/// The input from Claude Code, as far as it matters.
fn sent(world: &World) -> String {
    let (cwd, model) = (world.project(), json!({"id": "m", "display_name": "M"}));
    json!({"hook_event_name": "Status", "session_id": "s", "cwd": cwd, "model": model,
           "workspace": {"current_dir": cwd, "project_dir": cwd}, "cost": {"total_cost_usd": 0.1}})
    .to_string()
}

/// The output of `program` for `input`; it always exits with 0 and reports no error.
fn shown(world: &World, program: impl AsRef<Path>, words: &[&str], input: &str) -> String {
    let mut command = world.start(program, words);
    Ran::from(programs::call_with(&mut command, input)).stdout()
}

/// The line that the hook shows.
pub(crate) fn line(world: &World) -> String {
    shown(world, programs::hook(), &["--statusline"], &sent(world))
}

#[test]
fn it_counts_today_and_shows_what_commands_left() {
    let mut world = World::shop();
    assert_eq!(line(&world), "", "nothing is known");
    assert!(!world.data().join("events").exists(), "it logs nothing");
    for _ in 0..3 {
        assert!(world.ask("List"));
    }
    // Without a command nothing but the log is known.
    assert_eq!(line(&world), "plantune: 3 asked today\n");
    world.stdout_of(&[
        "prefs",
        "set",
        "layout",
        "never-ask",
        "--answer",
        "List",
        "--yes",
    ]);
    let mut answered = 0;
    let mut asked = 3;
    for _ in 0..6 {
        match world.ask("List") {
            true => asked += 1,
            false => answered += 1,
        }
    }
    let found = world.json(&["report", "--json"]);
    assert_eq!(found["totals"]["auto_decided"], answered);
    let minutes = found["totals"]["seconds_saved"].as_f64().unwrap() as u64 / 60;
    assert!(minutes > 0, "{found}");
    let expected = format!(
        "plantune: {asked} asked today · {answered} answered for you · {minutes} min saved in 7 days\n"
    );
    assert_eq!(line(&world), expected);
    let verb = shown(&world, PLANTUNE, &["debug", "statusline"], &sent(&world));
    assert_eq!(verb, expected);
    let left = world.data().join("summaries/status-line.json");
    let mode = fs::metadata(&left).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode, 0o600);
    // A report about something else leaves the week alone.
    world.stdout_of(&["report", "--week", "2026-W46"]);
    world.stdout_of(&["report", "--project", "."]);
    world.stdout_of(&["suggest"]);
    world.stdout_of(&["ingest"]);
    assert_eq!(line(&world), expected);
    // The next day, and the next week.
    world.now += chrono::TimeDelta::days(1);
    assert_eq!(
        line(&world),
        format!("plantune: {minutes} min saved in 7 days\n")
    );
    world.now += chrono::TimeDelta::days(7);
    assert_eq!(line(&world), "");
}

#[test]
fn wrong_input_prints_nothing() {
    let mut world = World::shop();
    world.ask("List");
    for input in ["", "{", "5", "null", "\"x\"", "\u{0}"] {
        assert_eq!(
            shown(&world, programs::hook(), &["--statusline"], input),
            "",
            "{input:?}"
        );
    }
    // What lies in the data folder is not trusted either.
    for left in ["", "[]x", "{\"week\":\"x\"}", "{\"proposals\":-1}"] {
        world.put("data/summaries/status-line.json", left);
        assert_eq!(line(&world), "plantune: 1 asked today\n", "{left:?}");
    }
}

#[test]
fn a_repositorys_own_folder_says_nothing() {
    let mut world = World::shop();
    world.ask("List");
    let inside = world.project().join("data");
    fs::create_dir_all(world.data().join("x")).unwrap();
    fs::rename(world.data(), &inside).unwrap();
    let mut command = world.start(programs::hook(), &["--statusline"]);
    command.env("PLANTUNE_HOME", &inside);
    let output = programs::call_with(&mut command, &sent(&world));
    assert_eq!(output.stdout, b"");
}

/// `install` and `uninstall` of the hook that the tests built.
fn install(world: &World, words: &[&str]) -> String {
    let hook = programs::hook();
    let words = [
        &["install", "--yes", "--hook-path", hook.to_str().unwrap()],
        words,
    ]
    .concat();
    world.stdout_of(&words)
}

#[test]
fn install_registers_it_and_uninstall_takes_exactly_that_out() {
    let world = World::shop();
    let before = "{\n  \"model\": \"opus\"\n}\n";
    world.put(world.user(), before);
    let said = install(&world, &["--statusline"]);
    assert!(said.contains("add the status line"), "{said}");
    let found: Value = serde_json::from_str(&world.text(world.user())).unwrap();
    let command = format!("{} --statusline", programs::hook().display());
    assert_eq!(
        found["statusLine"],
        json!({"type": "command", "command": command})
    );
    assert!(install(&world, &["--statusline"]).starts_with("already installed"));
    // An install without the word keeps it.
    install(&world, &[]);
    assert!(world.text(world.user()).contains("statusLine"));
    // What is registered is what the shell runs.
    run(&mut world.start("/bin/sh", &["-c", &command])).done();
    world.stdout_of(&["uninstall", "--yes"]);
    assert_eq!(world.text(world.user()), before);
    // A rollback gives the bytes back, too.
    install(&world, &["--statusline"]);
    world.stdout_of(&["install", "--rollback", "--yes"]);
    assert_eq!(world.text(world.user()), before);
    // And a file that was not there is gone again.
    fs::remove_file(world.user()).unwrap();
    install(&world, &["--statusline", "--guard"]);
    world.stdout_of(&["uninstall", "--yes"]);
    assert!(!world.user().exists());
}

#[test]
fn another_status_line_is_left_and_named() {
    let world = World::shop();
    let other = r#"{"statusLine":{"type":"command","command":"~/mine.sh"}}"#;
    world.put(world.user(), other);
    let said = install(&world, &["--statusline"]);
    assert!(
        folded(&said).contains("another command prints the status line, and it was left as it is")
    );
    assert!(said.contains("plantune-hook --statusline"), "{said}");
    let found: Value = serde_json::from_str(&world.text(world.user())).unwrap();
    assert_eq!(found["statusLine"]["command"], "~/mine.sh");
    assert!(found["hooks"]["PreToolUse"].is_array());
    let again = install(&world, &["--statusline"]);
    assert!(
        folded(&again).contains("another command prints the status line"),
        "{again}"
    );
    world.stdout_of(&["uninstall", "--yes"]);
    assert_eq!(world.text(world.user()), other);
}
