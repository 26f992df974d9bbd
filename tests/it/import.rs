//! `plantune import claude-code`: past questions, once.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use serde_json::{Value, json};

use crate::world::{World, call_of, question};

fn totals(world: &World) -> Value {
    world.json(&["report", "--json", "--since", "2026-01-01"])["totals"].take()
}

const SAMPLE: &str = include_str!("../../demo/sample-history.jsonl");

#[test]
fn twice_is_once_and_foreign_files_are_counted() {
    let world = World::at("work");
    // The default folder, below CLAUDE_CONFIG_DIR or HOME.
    let projects = world.transcripts().join("-home-dev-shop");
    world.put(projects.join("a.jsonl"), SAMPLE);
    world.put(
        projects.join("notes.jsonl"),
        "{\"tool\":\"AskUserQuestion\",\"text\":\"someone else's\"}\n",
    );
    world.put(
        projects.join("torn.jsonl"),
        "{\"type\":\"assistant\",\"message\":{\"content\":[{\"name\":\"AskUserQuestion\"",
    );
    let first = world.done(&["import", "claude-code"]);
    assert!(
        first.contains("from 1 of 3 files") && first.contains(", 0 were known"),
        "{first}"
    );
    let counted = totals(&world);
    assert!(counted["questions"].as_u64().unwrap() > 100, "{counted}");
    assert_eq!(counted["questions"], counted["asked"]);
    let second = world.done(&["import", "claude-code"]);
    assert!(second.contains("0 events are new"), "{second}");
    // The same transcript under another session's name.
    fs::copy(projects.join("a.jsonl"), projects.join("b.jsonl")).unwrap();
    assert!(
        world
            .done(&["import", "claude-code"])
            .contains("0 events are new")
    );
    assert_eq!(totals(&world), counted);
    // The store can be computed again from the spool alone, also when the transcripts are gone.
    fs::remove_dir_all(world.path("home/.claude")).unwrap();
    fs::remove_file(world.paths().store()).unwrap();
    assert_eq!(totals(&world), counted);
    world.done(&["ingest", "--rebuild"]);
    assert_eq!(totals(&world), counted);
}

#[test]
fn what_the_hook_logged_is_known() {
    let world = World::at("work");
    let question = question("Which layout?", "Layout", &["Grid (Recommended)", "List"]);
    let mut call = call_of("toolu_1", &[question]);
    let input = call["tool_input"].clone();
    let answers = json!({"questions": input["questions"], "answers": {"Which layout?": "List"}});
    assert!(world.hook("PreToolUse", call.clone()).is_null());
    call["tool_response"] = answers.clone();
    assert!(world.hook("PostToolUse", call).is_null());
    let asked = json!({"type": "assistant", "sessionId": "s", "cwd": world.project(), "timestamp": "2026-11-20T10:00:00.100Z",
        "message": {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "AskUserQuestion", "input": input}]}});
    let answered = json!({"type": "user", "sessionId": "s", "cwd": world.project(), "timestamp": "2026-11-20T10:00:09.000Z",
        "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1",
            "content": "Your questions have been answered: \"Which layout?\"=\"List\". You can now continue with these answers in mind."}]},
        "toolUseResult": answers});
    let transcript = world.path("s.jsonl");
    world.put(&transcript, format!("{asked}\n{answered}\n"));
    let imported = world.done(&["import", "claude-code", transcript.to_str().unwrap()]);
    assert!(
        imported.contains("0 events are new, 2 were known"),
        "{imported}"
    );
    assert_eq!(totals(&world)["answered"], 1);
}

#[test]
fn a_path_that_is_not_there_is_named() {
    let world = World::at("work");
    let ran = world.run(&["import", "claude-code", "/no/such/folder"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stderr.contains("/no/such/folder") && ran.stderr.contains("hint:"),
        "{ran:?}"
    );
}

#[test]
fn decisions_about_calls_are_imported_once() {
    let world = World::at("work");
    let projects = world.transcripts().join("-home-dev-shop");
    fs::create_dir_all(&projects).unwrap();
    let scenarios = Path::new(env!("CARGO_MANIFEST_DIR")).join("ingest/tests/permissions");
    let copy = || {
        for entry in fs::read_dir(scenarios.join("transcripts")).unwrap() {
            let path = entry.unwrap().path();
            fs::copy(&path, projects.join(path.file_name().unwrap())).unwrap();
        }
    };
    copy();
    let first = world.done(&["import", "claude-code"]);
    let expected = "\
12 permission prompts, 0 of them logged by the hook
       6  allowed by you
       4  refused by you
       2  that nobody decided
       1  call denied without asking
       7  calls that ran without asking
18 events are new, 0 were known
";
    assert!(first.contains(expected), "{first}");
    let again = world.done(&["import", "claude-code"]);
    assert_eq!(
        again,
        "      17  files have not changed since they were read\n0 events are new\n"
    );
    copy();
    let again = world.done(&["import", "claude-code"]);
    assert!(again.contains("0 events are new, 18 were known"), "{again}");
    let wrong = projects.join("new.jsonl");
    let text = include_str!("../../ingest/tests/permissions/transcripts/tui-bash-allow-once.jsonl");
    let text = text
        .replace("user_temporary", "somebody")
        .replace("toolu_1", "toolu_2");
    fs::write(wrong, text).unwrap();
    let unknown = world.done(&["import", "claude-code"]);
    assert!(
        unknown.contains("1  decision in an unknown form"),
        "{unknown}"
    );
    assert!(unknown.contains("0 events are new"), "{unknown}");
}

#[test]
fn what_was_read_is_read_again_when_it_may_hold_more() {
    let world = World::at("work");
    let folder = world.path("elsewhere");
    let path = folder.join("s.jsonl");
    world.put(&path, SAMPLE);
    let import = || world.done(&["import", "claude-code", folder.to_str().unwrap()]);
    let is_new = |said: &str| said.contains("events are new, 0 were known");
    let is_unchanged =
        |said: &str| said == "       1  file has not changed since it was read\n0 events are new\n";
    let first = import();
    assert!(is_new(&first), "{first}");
    let again = import();
    assert!(is_unchanged(&again), "{again}");
    // Of the same length, and by its time as it was.
    let modified = fs::metadata(&path).unwrap().modified().unwrap();
    let other = SAMPLE.replace("toolu_", "toolv_");
    assert!(other != SAMPLE && other.len() == SAMPLE.len());
    fs::write(&path, other).unwrap();
    let file = fs::File::options().write(true).open(&path).unwrap();
    file.set_modified(modified).unwrap();
    let changed = import();
    assert!(is_new(&changed), "{changed}");
    let again = import();
    assert!(is_unchanged(&again), "{again}");
    // What was read is no longer in the log.
    for entry in fs::read_dir(world.data().join("events")).unwrap() {
        fs::remove_file(entry.unwrap().path()).unwrap();
    }
    let lost = import();
    assert!(is_new(&lost), "{lost}");
    // A file that cannot be read is named each time; the superuser reads everything.
    let mut rights = fs::metadata(&path).unwrap().permissions();
    rights.set_mode(0o000);
    fs::set_permissions(&path, rights).unwrap();
    if fs::File::open(&path).is_err() {
        for _ in 0..2 {
            let said = import();
            assert!(said.contains("1  file could not be read"), "{said}");
        }
    }
}
