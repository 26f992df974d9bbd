//! The same event from two sources is one event: a hook registered twice, an import of what the
//! hook logged, a session resumed under another id, a copied segment.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Child;

use chrono::{DateTime, TimeDelta, Utc};
use plantune_domain::clock::timestamp;
use plantune_domain::event::{Event, Kind, SCHEMA_VERSION, question_event_id};
use plantune_domain::spool;
use serde_json::{Value, json};

use crate::shared::shared;
use crate::store_content::Tables;
use crate::world::{Ran, World, programs, run};

/// The captured calls, a session a scenario, in order.
fn scenarios() -> Vec<Vec<Value>> {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("hooks/tests/fixtures/claude-code-2.1.197");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    let calls = |file| {
        let text = fs::read_to_string(file).unwrap();
        let calls = text.lines().map(|line| serde_json::from_str(line).unwrap());
        calls.collect()
    };
    files.iter().map(calls).collect()
}

/// Every captured call with its time: a second apart.
fn calls() -> Vec<(DateTime<Utc>, Value)> {
    let start: DateTime<Utc> = "2026-11-20T09:00:00Z".parse().unwrap();
    let times = (0..).map(|second| start + TimeDelta::seconds(second));
    times.zip(scenarios().into_iter().flatten()).collect()
}

/// Starts the hook on a call, with the clock at `at`.
fn start_hook(world: &World, at: DateTime<Utc>, call: &Value) -> Child {
    let mut hook = world.start(programs::hook(), &[]);
    hook.env("PLANTUNE_NOW", at.to_rfc3339());
    programs::start_with(&mut hook, &call.to_string())
}

/// The hook's output; it must have ended well.
fn printed(hook: Child) -> String {
    Ran::from(hook.wait_with_output().unwrap()).stdout()
}

/// Without a preference nothing is decided; the model may be given a message about a failed question.
fn assert_undecided(printed: &str) {
    let is_words = printed.is_empty() || printed.contains("\"additionalContext\"");
    assert!(
        is_words && !printed.contains("permissionDecision"),
        "{printed}"
    );
}

/// Gives each call to the hook once.
fn log(world: &World, calls: &[(DateTime<Utc>, Value)]) {
    for (at, call) in calls {
        assert_undecided(&printed(start_hook(world, *at, call)));
    }
}

/// A home in which every call was logged once, and is in the store.
fn logged_once() -> World {
    let world = World::at("work");
    log(&world, &calls());
    world.done(&["ingest"]);
    world
}

/// How many events a home's hook logged.
fn logged_events(world: &World) -> usize {
    let segment = world.paths().events().join("2026-11-20.jsonl");
    let text = fs::read_to_string(segment).unwrap();
    text.lines().filter(|line| !line.is_empty()).count()
}

/// The home's store holds what the other's does, and nothing is bad; a rebuild changes nothing.
fn assert_same_store(world: &World, expected: &World, made: &str) {
    assert_same_but(world, expected, &[], made);
}

/// [`assert_same_store`], but for the tables `except`.
fn assert_same_but(world: &World, expected: &World, except: &[&str], made: &str) {
    let expected = Tables::of(&expected.paths().store());
    Tables::of(&world.paths().store()).assert_same_but(&expected, except, made);
    world.done(&["ingest", "--rebuild"]);
    Tables::of(&world.paths().store()).assert_same_but(&expected, except, made);
    assert_eq!(expected.count("quarantine"), 0);
}

/// The totals of `plantune report --json` over everything.
fn totals(world: &World) -> Value {
    world.json(&["report", "--json", "--since", "2025-01-01"])["totals"].take()
}

// Segments that were copied.

/// The one that the hook writes.
const SEGMENT: &str = "2026-11-20.jsonl";

fn copy(world: &World, name: &str) {
    let events = world.paths().events();
    fs::copy(events.join(SEGMENT), events.join(name)).unwrap();
}

#[test]
#[ignore = "takes long: make test-long"]
fn a_copy_from_before_the_first_ingest() {
    let (world, expected) = (World::at("work"), logged_once());
    log(&world, &calls());
    // Read before the segment itself, and behind it.
    copy(&world, "2026-11-19.jsonl");
    copy(&world, "copy.jsonl");
    world.done(&["ingest"]);
    assert_same_store(&world, &expected, "copied before");
    assert_eq!(totals(&world), totals(&expected));
}

#[test]
fn a_copy_of_what_was_read() {
    let (world, expected) = (logged_once(), logged_once());
    copy(&world, "copy.jsonl");
    let said = world.done(&["ingest"]);
    assert_eq!(said, format!("{} events read\n", logged_events(&world)));
    assert_same_store(&world, &expected, "copied");
    assert_eq!(totals(&world), totals(&expected));
}

/// The copy is the first to bring what came since; then the segment itself goes, and comes back.
#[test]
#[ignore = "takes long: make test-long"]
fn a_copy_made_after_further_growth() {
    let (world, expected) = (World::at("work"), logged_once());
    let calls = calls();
    let (first, later) = calls.split_at(calls.len() / 2);
    log(&world, first);
    world.done(&["ingest"]);
    copy(&world, "copy.jsonl");
    log(&world, later);
    copy(&world, "2026-11-19-copy.jsonl");
    let segment = world.paths().events().join(SEGMENT);
    let away = world.path("away");
    fs::rename(&segment, &away).unwrap();
    world.done(&["ingest"]);
    assert_eq!(totals(&world), totals(&expected));
    fs::rename(&away, &segment).unwrap();
    world.done(&["ingest"]);
    // The copy of the first half grows to the whole, too.
    copy(&world, "copy.jsonl");
    world.done(&["ingest"]);
    assert_same_store(&world, &expected, "copied after growth");
    assert_eq!(totals(&world), totals(&expected));
}

// The hook, registered twice.

#[test]
fn one_behind_the_other() {
    let world = World::at("work");
    for (at, call) in calls() {
        for late in [0, 400] {
            let at = at + TimeDelta::milliseconds(late);
            assert_undecided(&printed(start_hook(&world, at, &call)));
        }
    }
    assert_twice_is_once(&world);
}

#[test]
#[ignore = "takes long: make test-long"]
fn at_the_same_time() {
    let world = World::at("work");
    for (at, call) in calls() {
        let both = [start_hook(&world, at, &call), start_hook(&world, at, &call)];
        for hook in both {
            assert_undecided(&printed(hook));
        }
    }
    assert_twice_is_once(&world);
}

fn assert_twice_is_once(world: &World) {
    let expected = logged_once();
    let said = world.done(&["ingest"]);
    assert_eq!(
        said,
        format!("{} events read\n", 2 * logged_events(&expected))
    );
    // A session's row says when the later of the two hooks logged its end.
    assert_same_but(world, &expected, &["sessions"], "twice");
    assert_eq!(totals(world), totals(&expected));
}

/// Both decide, and both see the answer come back: neither takes it for the person's.
#[test]
fn an_answer_that_both_gave_is_no_evidence() {
    let calls: Vec<Value> = scenarios()
        .into_iter()
        .find(|calls| calls[0]["session_id"] == "125f8e5c-7e58-454d-a1f8-d537f7695fd4")
        .unwrap();
    let at = "2026-11-20T09:00:00Z".parse().unwrap();
    for round in 0..3 {
        let world = World::at("work");
        let preferences = json!({"version": 1, "preferences": {"ship-todos-create": {
            "preference": "never-ask", "question": "No TODOS.md found. Create one?",
            "binding": [{"text": "No TODOS.md found. Create one?", "descriptions": ["makes a skeleton", "no file"]}],
            "options": ["Create it (Recommended)", "Skip"]}}});
        world.put(world.paths().global_preferences(), preferences.to_string());
        for call in &calls {
            let both = [start_hook(&world, at, call), start_hook(&world, at, call)];
            let both = both.map(printed);
            let said = both.iter().filter(|printed| !printed.is_empty()).count();
            match call["hook_event_name"].as_str().unwrap() {
                // And both that the answer is no consent, in the same words.
                "PreToolUse" | "PostToolUse" => assert_eq!((&both[0], said), (&both[1], 2)),
                // Whichever comes first tells of the turn.
                "Stop" => assert_eq!(said, 1, "{both:?}"),
                _ => assert_eq!(said, 0, "{both:?}"),
            }
        }
        world.done(&["ingest"]);
        let totals = totals(&world);
        let counted = ["questions", "auto_decided", "asked", "answered"].map(|name| &totals[name]);
        assert_eq!(counted, [1, 1, 0, 0].map(Value::from).each_ref(), "{round}");
        let lines = fs::read_to_string(world.paths().events().join("2026-11-20.jsonl"));
        let answers = lines.unwrap();
        let answers = answers
            .lines()
            .filter(|line| line.contains("\"kind\":\"answered\""));
        let mut count = 0;
        for line in answers {
            assert!(line.contains("\"was_auto_decided\":true"), "{line}");
            count += 1;
        }
        assert_eq!(count, 2);
    }
}

// One event in two segments with different times: a hook's clock and a transcript's are not the same to
// the millisecond. Which of the two the store keeps must not be chance: a store that is computed again
// from the log is the same store.

/// Enough for every thread to be at work on a segment of its own.
const QUESTIONS: u32 = 3_000;

fn line(number: u32, source: &'static str, ts: &'static str) -> Vec<u8> {
    let id = format!("toolu_{number}");
    let event = Event {
        v: SCHEMA_VERSION,
        id: question_event_id(Kind::Asked, &id, 0).into(),
        ts: ts.into(),
        kind: Kind::Asked.as_str().into(),
        session_id: format!("session-{}", number / 7).into(),
        session_kind: "interactive".into(),
        project: "github.com/someone/shop".into(),
        source: source.into(),
        tool_use_id: Some(id.into()),
        question_index: Some(0),
        question_count: Some(1),
        question_key: Some(format!("topic-{}", number % 9).into()),
        question: Some("Go on?".into()),
        ..Event::default()
    };
    event.to_line().unwrap()
}

#[test]
#[ignore = "takes long: make test-long"]
fn one_log_makes_one_store() {
    let world = World::at("work");
    for (segment, source, ts) in [
        ("2026-11-19.jsonl", "hook", "2026-11-19T10:00:00.000Z"),
        (
            "import-claude-code-2026-11-19.jsonl",
            "import:claude-code",
            "2026-11-19T10:00:00.900Z",
        ),
    ] {
        let lines = (0..QUESTIONS).map(|number| line(number, source, ts));
        let lines: Vec<u8> = lines.flatten().collect();
        spool::append_to(&world.paths().events().join(segment), &lines).unwrap();
    }
    world.done(&["ingest"]);
    let first = Tables::of(&world.paths().store());
    for round in 0..8 {
        let again = World::at("work");
        again.copy_log(&world);
        again.done(&["ingest"]);
        Tables::of(&again.paths().store()).assert_same(&first, round);
    }
}

// One transcript under two session ids: a resumed session begins with a copy of the earlier lines,
// under its own id.

const SAMPLE: &str = include_str!("../../demo/sample-history.jsonl");

/// The lines of a transcript under another session id.
fn resumed(text: &str, id: &str) -> String {
    let lines = text.lines().map(|line| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        if line["sessionId"].is_string() {
            line["sessionId"] = id.into();
        }
        format!("{line}\n")
    });
    lines.collect()
}

fn import(world: &World) -> String {
    world.done(&["import", "claude-code"])
}

#[test]
#[ignore = "takes long: make test-long"]
fn a_resumed_session_counts_what_it_adds() {
    let world = World::at("work");
    let folder = world.transcripts().join("-home-dev-shop");
    fs::create_dir_all(&folder).unwrap();
    let lines: Vec<&str> = SAMPLE.lines().collect();
    let (first, last) = lines.split_at(lines.len() - 2);
    fs::write(folder.join("one.jsonl"), first.join("\n") + "\n").unwrap();
    import(&world);
    let before = totals(&world);
    assert!(before["questions"].as_u64().unwrap() > 100);
    // Resumed, and nothing was asked since; a name before the first, and one behind it.
    fs::write(
        folder.join("a.jsonl"),
        resumed(&first.join("\n"), "resumed-a"),
    )
    .unwrap();
    fs::write(
        folder.join("z.jsonl"),
        resumed(&first.join("\n"), "resumed-z"),
    )
    .unwrap();
    assert!(import(&world).contains("\n0 events are new, "));
    assert_eq!(totals(&world), before);
    // Resumed, and went on: one more call.
    let more = first.join("\n") + "\n" + &last.join("\n");
    fs::write(folder.join("z.jsonl"), resumed(&more, "resumed-z")).unwrap();
    assert!(import(&world).contains("\n2 events are new, "));
    let after = totals(&world);
    let calls = |totals: &Value| totals["calls"].as_u64().unwrap();
    assert_eq!(calls(&after), calls(&before) + 1);
    world.done(&["ingest", "--rebuild"]);
    assert_eq!(totals(&world), after);
    // All at once, by somebody who installs plantune today.
    let fresh = World::at("work");
    fs::create_dir_all(fresh.transcripts().parent().unwrap()).unwrap();
    fs::rename(world.transcripts(), fresh.transcripts()).unwrap();
    import(&fresh);
    let fresh = totals(&fresh);
    for name in [
        "questions",
        "calls",
        "asked",
        "answered",
        "dismissed",
        "failed",
        "human_seconds",
    ] {
        assert_eq!(fresh[name], after[name], "{name}");
    }
}

/// Public transcripts, each of them resumed under another id.
#[test]
fn real_transcripts_resumed_count_once() {
    let test = "doubled_sources::real_transcripts_resumed_count_once";
    let Some(corpus) = shared(test, "corpus/transcripts") else {
        return;
    };
    let world = World::at("work");
    copy_below(&corpus, &world.transcripts());
    import(&world);
    let before = totals(&world);
    assert!(before["questions"].as_u64().unwrap() > 50, "{before}");
    for file in transcripts(&world.transcripts()) {
        let text = fs::read_to_string(&file).unwrap();
        let text: Vec<&str> = text
            .lines()
            .filter(|line| serde_json::from_str::<Value>(line).is_ok())
            .collect();
        let name = file.file_stem().unwrap().to_str().unwrap();
        let copy = file.with_file_name(format!("{name}-resumed.jsonl"));
        fs::write(copy, resumed(&text.join("\n"), &format!("{name}-resumed"))).unwrap();
    }
    let said = import(&world);
    assert!(said.contains("\n0 events are new, "), "{said}");
    assert_eq!(totals(&world), before);
    world.done(&["ingest", "--rebuild"]);
    assert_eq!(totals(&world), before);
}

fn copy_below(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_below(&entry.path(), &to);
        } else {
            fs::write(to, fs::read(entry.path()).unwrap()).unwrap();
        }
    }
}

fn transcripts(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(transcripts(&path));
        } else if path
            .extension()
            .is_some_and(|extension| extension == "jsonl")
        {
            found.push(path);
        }
    }
    found
}

// An import of what the hook logged, and a hook that logs what was imported.

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

/// The report says the same, no matter which source logged first. One call was denied by another hook, which only the
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
    // On another day, into another segment, when the files have been written again.
    write_transcripts(&world);
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
