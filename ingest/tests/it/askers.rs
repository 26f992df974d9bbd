//! Who asked: what the hook knows, what the transcript says, and what importing adds. Hook calls and transcript are
//! those of one session of Claude Code 2.1.330, with a scripted model.

use std::fs;
use std::path::{Path, PathBuf};

use plantune_domain::registry::Registry;
use plantune_hooks::hook::handle;
use plantune_ingest::Progress;
use plantune_ingest::claude_code::read;
use serde_json::{Value, json};

use crate::home::{Home, now};
use crate::support::{import, json_lines, store};

const ASKERS: &str =
    "SELECT question || coalesce(' ' || skill, '') FROM questions ORDER BY question";

fn fixture(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/askers");
    folder.join(name)
}

/// Who asked each question, by its text, in the order in which they were asked.
fn askers(events: &[Value]) -> Vec<String> {
    let asked = events.iter().filter(|event| event["kind"] == "asked");
    asked
        .map(|event| {
            let asker = event["skill"].as_str().unwrap_or("-");
            format!("{} {asker}", event["question"].as_str().unwrap())
        })
        .collect()
}

fn hear_all(home: &Home) {
    for call in json_lines(&fixture("calls.jsonl")) {
        handle(call.to_string().as_bytes(), &home.environment(now()));
    }
}

#[test]
fn the_hook_names_the_command_at_work() {
    let home = Home::new();
    hear_all(&home);
    assert_eq!(
        askers(&json_lines(&home.segment("2026-11-20.jsonl"))),
        [
            "Q1? /gsd:discuss-phase",
            // "Is it fast?" came in place of an answer.
            "Q2? /gsd:discuss-phase",
            "Q3? -",
            // The model started a skill, which the hook does not see.
            "Q4? -",
            "Q5? /superp:doit",
            "Q6? /plain",
        ]
    );
}

#[test]
fn the_transcript_names_skills_too() {
    let expected = [
        "Q1? /gsd:discuss-phase",
        "Q2? /gsd:discuss-phase",
        "Q3? -",
        "Q4? brainstorm",
        "Q5? /superp:doit",
        "Q6? superp:think",
    ];
    assert_eq!(askers(&import(&fixture("transcript.jsonl")).0), expected);
    // Before Claude Code said so itself.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.jsonl");
    let mut lines = Vec::new();
    for mut line in json_lines(&fixture("transcript.jsonl")) {
        let fields = line.as_object_mut().unwrap();
        fields.retain(|name, _| !name.starts_with("attribution"));
        lines.extend(serde_json::to_vec(&line).unwrap());
        lines.push(b'\n');
    }
    store(&path, &lines);
    assert_eq!(askers(&import(&path).0), expected);
}

#[test]
fn importing_adds_who_asked_once() {
    let home = Home::new();
    hear_all(&home);
    let import = || {
        let mut writer = home.writer("UTC");
        let registry = Registry::default();
        let root = fixture("transcript.jsonl");
        let found = writer.import(
            "claude-code",
            now(),
            &Progress::default(),
            |prompts, sink| read(&root, &registry, prompts, sink),
        );
        found.unwrap().added
    };
    home.ingest("UTC");
    assert_eq!(
        home.texts(ASKERS),
        [
            "Q1? /gsd:discuss-phase",
            "Q2? /gsd:discuss-phase",
            "Q3?",
            "Q4?",
            "Q5? /superp:doit",
            "Q6? /plain"
        ]
    );
    // That Q1 was declined, and who asked Q4.
    assert!(import() >= 2);
    assert_eq!(home.texts(ASKERS)[3], "Q4? brainstorm");
    assert_eq!(home.texts(ASKERS)[5], "Q6? /plain");
    assert_eq!(home.texts("SELECT source FROM questions"), ["hook"; 6]);
    assert_eq!(import(), 0);
    home.assert_computed("UTC");
}

#[test]
fn what_ends_a_command() {
    let said =
        |content: Value| json!({"type": "user", "message": {"role": "user", "content": content}});
    let with = |mut line: Value, field: &str| {
        line[field] = json!(true);
        line
    };
    let text = |text: &str| said(json!(text));
    let command =
        "<command-message>gsd:plan</command-message>\n<command-name>/gsd:plan</command-name>";
    let own = "<command-name>/clear</command-name>\n  <command-message>clear</command-message>";
    for (line, ends) in [
        (text("thanks"), true),
        (text(own), true),
        (
            said(json!([{"type": "text", "text": "and this image"}])),
            true,
        ),
        (
            said(
                json!([{"type": "text", "text": "<ide_opened_file>a"}, {"type": "text", "text": "go on"}]),
            ),
            true,
        ),
        (with(text("Plan the phase."), "isMeta"), false),
        (with(text("look into it"), "isSidechain"), false),
        (with(text("The summary is …"), "isCompactSummary"), false),
        (text("<task-notification>done</task-notification>"), false),
        (text("<bash-input>ls</bash-input>"), false),
        (
            said(json!([{"type": "text", "text": "[Request interrupted by user]"}])),
            false,
        ),
    ] {
        let question = json!({"question": "Q?", "options": [{"label": "A"}, {"label": "B"}]});
        let call = json!({"type": "tool_use", "id": "t", "name": "AskUserQuestion",
            "input": {"questions": [question]}});
        let ask = json!({"type": "assistant", "message": {"role": "assistant", "content": [call]}});
        let mut lines = String::new();
        for (at, mut line) in [text(command), line.clone(), ask].into_iter().enumerate() {
            line["sessionId"] = json!("s");
            line["timestamp"] = json!(format!("2026-11-20T10:00:0{at}.000Z"));
            lines += &format!("{line}\n");
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        fs::write(&path, lines).unwrap();
        let expected = if ends { "Q? -" } else { "Q? /gsd:plan" };
        assert_eq!(askers(&import(&path).0), [expected], "{line}");
    }
}
