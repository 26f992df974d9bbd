//! An import of what the hook logged, and a hook that logs what was imported.

use std::fs;
use std::path::PathBuf;

use chrono::{DateTime, Utc};
use plantune_domain::clock::timestamp;
use serde_json::{Value, json};

use super::{calls, log, logged_once, totals};
use crate::world::{World, run};

/// The transcripts that Claude Code writes while it makes the captured calls: one a session.
fn write_transcripts(world: &World) -> PathBuf {
    let folder = world.transcripts().join("-home-dev-shop");
    fs::create_dir_all(&folder).unwrap();
    let calls = calls();
    for sessions in calls.chunk_by(|(_, one), (_, next)| one["session_id"] == next["session_id"]) {
        let session = sessions[0].1["session_id"].as_str().unwrap();
        let lines: Vec<String> = sessions
            .iter()
            .filter_map(|(at, call)| line_of(*at, call, sessions))
            .map(|line| format!("{line}\n"))
            .collect();
        fs::write(folder.join(format!("{session}.jsonl")), lines.concat()).unwrap();
    }
    world.transcripts()
}

/// The line that a hook call has beside it in the transcript, if there is one.
fn line_of(at: DateTime<Utc>, call: &Value, session: &[(DateTime<Utc>, Value)]) -> Option<Value> {
    let mut line = json!({"uuid": "u", "timestamp": timestamp(at), "sessionId": call["session_id"],
        "cwd": call["cwd"], "isSidechain": false});
    let message = match call["hook_event_name"].as_str()? {
        "UserPromptSubmit" => json!({"role": "user", "content": "please begin"}),
        "PreToolUse" => json!({"role": "assistant", "content": [{"type": "tool_use",
            "id": call["tool_use_id"], "name": call["tool_name"], "input": call["tool_input"]}]}),
        "PostToolBatch" => {
            let ended = &call["tool_calls"][0];
            let (id, content) = (&ended["tool_use_id"], &ended["tool_response"]);
            let mut result = json!({"type": "tool_result", "tool_use_id": id, "content": content});
            let came_back = session.iter().find(|(_, other)| {
                other["hook_event_name"] == "PostToolUse" && other["tool_use_id"] == *id
            });
            line["toolUseResult"] = if let Some((_, back)) = came_back {
                back["tool_response"].clone()
            } else {
                result["is_error"] = json!(true);
                json!(format!("Error: {}", content.as_str()?))
            };
            json!({"role": "user", "content": [result]})
        }
        _ => return None,
    };
    line["type"] = message["role"].clone();
    line["message"] = message;
    Some(line)
}

/// What the report says, whoever logged first. One call was denied by another hook, which only the
/// transcript tells.
fn assert_counted_once(totals: &Value, hook_alone: &Value) {
    assert_eq!(totals["questions"], hook_alone["questions"]);
    assert_eq!(totals["calls"], hook_alone["calls"]);
    assert_eq!(totals["sessions"], hook_alone["sessions"]);
    assert_eq!(totals["answered"], hook_alone["answered"]);
    assert_eq!(totals["failed"], hook_alone["failed"]);
    assert_eq!(hook_alone["auto_decided"], 0);
    assert_eq!(totals["auto_decided"], 1);
    let more = hook_alone["dismissed"].as_u64().unwrap() - 1;
    assert_eq!(totals["dismissed"], more);
}

#[test]
fn an_import_of_what_the_hook_logged() {
    let world = logged_once();
    let hook_alone = totals(&world);
    let transcripts = write_transcripts(&world);
    let import = ["import", "claude-code", transcripts.to_str().unwrap()];
    let said = world.done(&import);
    // New is what only the transcript tells: an answer by denial, and a question declined.
    assert!(said.contains("\n2 events are new, "), "{said}");
    assert_counted_once(&totals(&world), &hook_alone);
    // On another day, into another segment.
    let said = run(world
        .command(&import)
        .env("PLANTUNE_NOW", "2026-11-22T10:00:00Z"))
    .done();
    assert!(said.contains("\n0 events are new, "), "{said}");
    world.done(&["ingest", "--rebuild"]);
    assert_counted_once(&totals(&world), &hook_alone);
}

#[test]
#[ignore = "takes long: make test-long"]
fn a_hook_that_logs_what_was_imported() {
    let hook_alone = totals(&logged_once());
    let world = World::at("work");
    let transcripts = write_transcripts(&world);
    world.done(&["import", "claude-code", transcripts.to_str().unwrap()]);
    log(&world, &calls());
    world.done(&["ingest"]);
    assert_counted_once(&totals(&world), &hook_alone);
    world.done(&["ingest", "--rebuild"]);
    assert_counted_once(&totals(&world), &hook_alone);
}
