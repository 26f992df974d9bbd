//! The status line: what it shows, from what commands leave and the hook logs; and its entry in the settings.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test may panic, its helpers too"
)]

mod common;
mod shop;

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use shop::{Home, folded};

/// What Claude Code sends, as far as it matters.
fn sent(home: &Home) -> String {
    let (cwd, model) = (home.shop(), json!({"id": "m", "display_name": "M"}));
    json!({"hook_event_name": "Status", "session_id": "s", "cwd": cwd, "model": model,
           "workspace": {"current_dir": cwd, "project_dir": cwd}, "cost": {"total_cost_usd": 0.1}})
    .to_string()
}

/// What `program` prints for `input`; it always exits 0 and complains of nothing.
fn shown(home: &Home, program: PathBuf, argument: &str, input: &str) -> String {
    let mut command: Command = home.command(program);
    let streams = command
        .arg(argument)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut process = streams.stderr(Stdio::piped()).spawn().unwrap();
    process
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    let output = process.wait_with_output().unwrap();
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{output:?}"
    );
    String::from_utf8(output.stdout).unwrap()
}

fn line(home: &Home) -> String {
    shown(home, common::hook(), "--statusline", &sent(home))
}

#[test]
fn it_counts_today_and_shows_what_commands_left() {
    let mut home = Home::new();
    assert_eq!(line(&home), "", "nothing is known");
    assert!(!home.data().join("events").exists(), "it logs nothing");
    for _ in 0..3 {
        assert!(home.ask("List"));
    }
    // Without a command nothing but the log is known.
    assert_eq!(line(&home), "plantune: 3 asked today\n");
    home.stdout_of(&[
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
        match home.ask("List") {
            true => asked += 1,
            false => answered += 1,
        }
    }
    let found = home.json(&["report", "--json"]);
    assert_eq!(found["totals"]["auto_decided"], answered);
    let minutes = found["totals"]["seconds_saved"].as_f64().unwrap() as u64 / 60;
    assert!(minutes > 0, "{found}");
    let expected = format!(
        "plantune: {asked} asked today · {answered} answered for you · {minutes} min saved this week\n"
    );
    assert_eq!(line(&home), expected);
    let verb = shown(
        &home,
        env!("CARGO_BIN_EXE_plantune").into(),
        "statusline",
        &sent(&home),
    );
    assert_eq!(verb, expected);
    let left = home.data().join("summaries/status-line.json");
    let mode = fs::metadata(&left).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode, 0o600);
    // A report about something else leaves the week alone.
    home.stdout_of(&["report", "--last-week"]);
    home.stdout_of(&["report", "--project", "."]);
    home.stdout_of(&["suggest"]);
    home.stdout_of(&["ingest"]);
    assert_eq!(line(&home), expected);
    // The next day, and the next week.
    home.now += chrono::TimeDelta::days(1);
    assert_eq!(
        line(&home),
        format!("plantune: {minutes} min saved this week\n")
    );
    home.now += chrono::TimeDelta::days(7);
    assert_eq!(line(&home), "");
}

#[test]
fn wrong_input_prints_nothing() {
    let mut home = Home::new();
    home.ask("List");
    for input in ["", "{", "5", "null", "\"x\"", "\u{0}"] {
        assert_eq!(
            shown(&home, common::hook(), "--statusline", input),
            "",
            "{input:?}"
        );
    }
    // What lies in the data folder is not trusted either.
    for left in ["", "[]x", "{\"week\":\"x\"}", "{\"proposals\":-1}"] {
        let file = home.data().join("summaries/status-line.json");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        plantune_domain::atomic_file::replace(&file, left.as_bytes(), 0o600).unwrap();
        assert_eq!(line(&home), "plantune: 1 asked today\n", "{left:?}");
    }
}

#[test]
fn a_repositorys_own_folder_says_nothing() {
    let mut home = Home::new();
    home.ask("List");
    let inside = home.shop().join("data");
    fs::create_dir_all(home.data().join("x")).unwrap();
    fs::rename(home.data(), &inside).unwrap();
    let mut command = home.command(common::hook());
    command.env("PLANTUNE_HOME", &inside).arg("--statusline");
    let mut process = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    process
        .stdin
        .take()
        .unwrap()
        .write_all(sent(&home).as_bytes())
        .unwrap();
    assert_eq!(process.wait_with_output().unwrap().stdout, b"");
}

fn settings(home: &Home) -> PathBuf {
    home.folder.path().join(".claude/settings.json")
}

fn put(home: &Home, text: &str) {
    fs::create_dir_all(settings(home).parent().unwrap()).unwrap();
    plantune_domain::atomic_file::replace(&settings(home), text.as_bytes(), 0o600).unwrap();
}

fn text(home: &Home) -> String {
    fs::read_to_string(settings(home)).unwrap()
}

/// `install` and `uninstall` of the hook that the tests built.
fn install(home: &Home, words: &[&str]) -> String {
    let hook = common::hook();
    let words = [
        &["install", "--yes", "--hook-path", hook.to_str().unwrap()],
        words,
    ]
    .concat();
    home.stdout_of(&words)
}

#[test]
fn install_registers_it_and_uninstall_takes_exactly_that_out() {
    let home = Home::new();
    let before = "{\n  \"model\": \"opus\"\n}\n";
    put(&home, before);
    let said = install(&home, &["--statusline"]);
    assert!(said.contains("add the status line"), "{said}");
    let found: Value = serde_json::from_str(&text(&home)).unwrap();
    let command = format!("{} --statusline", common::hook().display());
    assert_eq!(
        found["statusLine"],
        json!({"type": "command", "command": command})
    );
    assert!(install(&home, &["--statusline"]).starts_with("already installed"));
    // An install without the word keeps it.
    install(&home, &[]);
    assert!(text(&home).contains("statusLine"));
    // What is registered is what the shell runs.
    let shown = home
        .command("/bin/sh".into())
        .args(["-c", &command])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(shown.status.success());
    home.stdout_of(&["uninstall", "--yes"]);
    assert_eq!(text(&home), before);
    // A rollback gives the bytes back, too.
    install(&home, &["--statusline"]);
    home.stdout_of(&["install", "--rollback", "--yes"]);
    assert_eq!(text(&home), before);
    // And a file that was not there is gone again.
    fs::remove_file(settings(&home)).unwrap();
    install(&home, &["--statusline", "--guard"]);
    home.stdout_of(&["uninstall", "--yes"]);
    assert!(!settings(&home).exists());
}

#[test]
fn another_status_line_is_left_and_named() {
    let home = Home::new();
    let other = r#"{"statusLine":{"type":"command","command":"~/mine.sh"}}"#;
    put(&home, other);
    let said = install(&home, &["--statusline"]);
    assert!(
        folded(&said).contains("another command prints the status line, and it was left as it is")
    );
    assert!(said.contains("plantune-hook --statusline"), "{said}");
    let found: Value = serde_json::from_str(&text(&home)).unwrap();
    assert_eq!(found["statusLine"]["command"], "~/mine.sh");
    assert!(found["hooks"]["PreToolUse"].is_array());
    let again = install(&home, &["--statusline"]);
    assert!(
        folded(&again).contains("another command prints the status line"),
        "{again}"
    );
    home.stdout_of(&["uninstall", "--yes"]);
    assert_eq!(text(&home), other);
}
