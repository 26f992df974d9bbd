//! `plantune` without a verb reads the history of every agent that is there.

use std::fs;
use std::path::Path;

use super::Captured;
use crate::world::{World, folded};

/// Each agent, as a person calls it, and where it keeps its history below the home.
const AGENTS: [(&str, &str, &str); 5] = [
    ("codex", "Codex", ".codex/sessions"),
    ("copilot", "Copilot CLI", ".copilot/session-state"),
    ("gemini", "Gemini CLI", ".gemini/tmp"),
    ("opencode", "OpenCode", ".local/share/opencode"),
    ("qwen", "Qwen Code", ".qwen/projects"),
];

fn empty() -> World {
    World::at("home")
        .without_plantune_home()
        .with("TZ", "UTC")
        // After the captures.
        .on("2026-12-01T10:00:00Z")
}

/// Puts what the real client of `agent` wrote where it keeps it.
fn put(world: &World, agent: &'static str, folder: &str) {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/agents");
    let text = fs::read_to_string(fixtures.join(format!("{agent}.jsonl"))).unwrap();
    let captured = Captured::read(agent, &text);
    let folder = world.path("home").join(folder);
    match agent {
        "opencode" => drop(captured.put_database(&folder)),
        _ => drop(captured.put_lines(world, &folder)),
    }
}

/// What was read, and the rest of the screen.
fn shown(world: &World) -> (String, String) {
    let shown = world.done(&[]);
    let (read, rest) = shown.split_once("\n\n").unwrap();
    (folded(read), rest.to_owned())
}

#[test]
fn a_person_with_one_other_agent_sees_its_questions() {
    for (agent, title, folder) in AGENTS {
        let world = empty();
        put(&world, agent, folder);
        let (read, rest) = shown(&world);
        let questions = read.split(&format!(" of {title}: ")).nth(1);
        let questions = questions.unwrap_or_else(|| panic!("{agent}: {read}"));
        assert!(!questions.starts_with("0 questions"), "{agent}: {read}");
        assert!(read.starts_with("Read "), "{read}");
        assert!(!read.contains("Claude Code"), "{read}");
        assert!(
            rest.contains(" questions ") && rest.contains("Next:"),
            "{agent}: {rest}"
        );
        // All of it was read.
        let again = world.done(&["import", agent]);
        assert!(again.contains("0 events are new"), "{agent}: {again}");
        // What did not change is not read again, and what is new is.
        assert!(!world.done(&[]).contains("Read "), "{agent}");
        let folder = world.path("home").join(folder);
        match agent {
            "opencode" => {
                let later = "UPDATE part SET time_created = time_created + 1";
                let database = rusqlite::Connection::open(folder.join("opencode.db"));
                database.unwrap().execute_batch(later).unwrap();
            }
            _ => world.put(folder.join("session-later.jsonl"), "{}\n"),
        }
        let (read, _) = shown(&world);
        assert!(
            read.starts_with("Read ") && read.contains(title),
            "{agent}: {read}"
        );
    }
}

#[test]
fn one_line_says_what_was_read_of_whom() {
    let world = empty();
    for (agent, _, folder) in AGENTS {
        put(&world, agent, folder);
    }
    let sample = include_str!("../../../demo/sample-history.jsonl");
    world.put(world.path("home/.claude/projects/p/a.jsonl"), sample);
    let (read, _) = shown(&world);
    let agents = ["Claude Code"]
        .into_iter()
        .chain(AGENTS.map(|(_, title, _)| title));
    let mut rest = read.as_str();
    for title in agents {
        let (_, after) = rest
            .split_once(&format!(" of {title}: "))
            .unwrap_or_else(|| panic!("{read}"));
        rest = after;
    }
    // None of what one agent lacks keeps another's from being read.
    fs::remove_dir_all(world.path("home/.claude")).unwrap();
    world.put(world.path("home/.codex/sessions/later.jsonl"), "{}\n");
    let (read, _) = shown(&world);
    assert!(
        read.starts_with("Read 1 transcript of Codex: 0 questions"),
        "{read}"
    );
}
