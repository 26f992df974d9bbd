//! `plantune import claude-code`: past questions, once.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

mod common;

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

fn command(home: &Path, program: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .env_clear()
        .env("HOME", home)
        .env("PLANTUNE_HOME", home.join("plantune"))
        .env("PLANTUNE_NOW", "2026-11-20T10:00:00Z")
        .env("TZ", "UTC")
        .env("COLUMNS", "80")
        .current_dir(home)
        .stdin(Stdio::null());
    command
}

fn plantune(home: &Path, words: &[&str]) -> Output {
    command(home, env!("CARGO_BIN_EXE_plantune").as_ref())
        .args(words)
        .output()
        .unwrap()
}

fn stdout_of(home: &Path, words: &[&str]) -> String {
    let output = plantune(home, words);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

fn totals(home: &Path) -> Value {
    let report = stdout_of(home, &["report", "--json", "--since", "2026-01-01"]);
    serde_json::from_str::<Value>(&report).unwrap()["totals"].take()
}

const SAMPLE: &str = include_str!("../demo/sample-history.jsonl");

#[test]
fn twice_is_once_and_foreign_files_are_counted() {
    let home = tempfile::tempdir().unwrap();
    // The default folder, below CLAUDE_CONFIG_DIR or HOME.
    let projects = home.path().join(".claude/projects/-home-dev-shop");
    fs::create_dir_all(&projects).unwrap();
    fs::write(projects.join("a.jsonl"), SAMPLE).unwrap();
    fs::write(
        projects.join("notes.jsonl"),
        "{\"tool\":\"AskUserQuestion\",\"text\":\"someone else's\"}\n",
    )
    .unwrap();
    fs::write(
        projects.join("torn.jsonl"),
        "{\"type\":\"assistant\",\"message\":{\"content\":[{\"name\":\"AskUserQuestion\"",
    )
    .unwrap();
    let first = stdout_of(home.path(), &["import", "claude-code"]);
    assert!(
        first.contains("from 1 of 3 files") && first.contains(", 0 were known"),
        "{first}"
    );
    let counted = totals(home.path());
    assert!(counted["questions"].as_u64().unwrap() > 100, "{counted}");
    assert_eq!(counted["questions"], counted["asked"]);
    let second = stdout_of(home.path(), &["import", "claude-code"]);
    assert!(second.contains("0 events are new"), "{second}");
    // The same transcript under another session's name.
    fs::copy(projects.join("a.jsonl"), projects.join("b.jsonl")).unwrap();
    assert!(stdout_of(home.path(), &["import", "claude-code"]).contains("0 events are new"));
    assert_eq!(totals(home.path()), counted);
    // The store can be computed again from the spool alone, also when the transcripts are gone.
    fs::remove_dir_all(home.path().join(".claude")).unwrap();
    fs::remove_file(home.path().join("plantune/plantune.duckdb")).unwrap();
    assert_eq!(totals(home.path()), counted);
    stdout_of(home.path(), &["ingest", "--rebuild"]);
    assert_eq!(totals(home.path()), counted);
}

#[test]
fn what_the_hook_logged_is_known() {
    let home = tempfile::tempdir().unwrap();
    let input = json!({"questions": [{"question": "Which layout?", "header": "Layout", "multiSelect": false,
        "options": [{"label": "Grid (Recommended)", "description": ""}, {"label": "List", "description": ""}]}]});
    let answers = json!({"questions": input["questions"], "answers": {"Which layout?": "List"}});
    for (event, rest) in [
        ("PreToolUse", json!({})),
        ("PostToolUse", json!({"tool_response": answers})),
    ] {
        let mut call = json!({"session_id": "s", "cwd": home.path(), "hook_event_name": event,
            "tool_name": "AskUserQuestion", "tool_use_id": "toolu_1", "tool_input": input});
        call.as_object_mut()
            .unwrap()
            .extend(rest.as_object().unwrap().clone());
        let mut hook = command(home.path(), &common::hook());
        assert!(common::call_hook(&mut hook, &call).stdout.is_empty());
    }
    let asked = json!({"type": "assistant", "sessionId": "s", "cwd": home.path(), "timestamp": "2026-11-20T10:00:00.100Z",
        "message": {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "AskUserQuestion", "input": input}]}});
    let answered = json!({"type": "user", "sessionId": "s", "cwd": home.path(), "timestamp": "2026-11-20T10:00:09.000Z",
        "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1",
            "content": "Your questions have been answered: \"Which layout?\"=\"List\". You can now continue with these answers in mind."}]},
        "toolUseResult": answers});
    let transcript = home.path().join("s.jsonl");
    fs::write(&transcript, format!("{asked}\n{answered}\n")).unwrap();
    let imported = stdout_of(
        home.path(),
        &["import", "claude-code", transcript.to_str().unwrap()],
    );
    assert!(
        imported.contains("0 events are new, 2 were known"),
        "{imported}"
    );
    assert_eq!(totals(home.path())["answered"], 1);
}

#[test]
fn a_path_that_is_not_there_is_named() {
    let home = tempfile::tempdir().unwrap();
    let output = plantune(home.path(), &["import", "claude-code", "/no/such/folder"]);
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(
        errors.contains("/no/such/folder") && errors.contains("hint:"),
        "{errors}"
    );
}

#[test]
fn decisions_about_calls_are_imported_once() {
    let home = tempfile::tempdir().unwrap();
    let projects = home.path().join(".claude/projects/-home-dev-shop");
    fs::create_dir_all(&projects).unwrap();
    let scenarios = Path::new(env!("CARGO_MANIFEST_DIR")).join("ingest/tests/permissions");
    for entry in fs::read_dir(scenarios.join("transcripts")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, projects.join(path.file_name().unwrap())).unwrap();
    }
    let first = stdout_of(home.path(), &["import", "claude-code"]);
    let expected = "\
11 prompts for permission, 0 of them logged by the hook
       6  allowed by you
       5  refused, or nobody was there
       1  calls denied without asking
       7  calls that ran without asking
17 events are new, 0 were known
";
    assert!(first.contains(expected), "{first}");
    let again = stdout_of(home.path(), &["import", "claude-code"]);
    assert!(again.contains("0 events are new, 17 were known"), "{again}");
    let wrong = projects.join("new.jsonl");
    let text = include_str!("../ingest/tests/permissions/transcripts/tui-bash-allow-once.jsonl");
    let text = text
        .replace("user_temporary", "somebody")
        .replace("toolu_1", "toolu_2");
    fs::write(wrong, text).unwrap();
    let unknown = stdout_of(home.path(), &["import", "claude-code"]);
    assert!(
        unknown.contains("1  decisions in an unknown form"),
        "{unknown}"
    );
    assert!(unknown.contains("0 events are new"), "{unknown}");
}
