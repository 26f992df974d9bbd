//! The captured scenarios give the events that the screens show; what was expected was read against these.

use std::path::Path;

use serde_json::json;

use super::Captured;
use crate::world::World;

/// All prompts.
const LOG: &[&str] = &["log", "--prompts", "--json", "--limit", "1000"];

#[test]
fn codex() {
    replay("codex", include_str!("../../fixtures/agents/codex.jsonl"));
}

#[test]
fn gemini() {
    replay("gemini", include_str!("../../fixtures/agents/gemini.jsonl"));
}

#[test]
fn opencode() {
    replay(
        "opencode",
        include_str!("../../fixtures/agents/opencode.jsonl"),
    );
}

#[test]
fn qwen() {
    replay("qwen", include_str!("../../fixtures/agents/qwen.jsonl"));
}

fn replay(agent: &'static str, captured: &str) {
    let captured = Captured::read(agent, captured);
    let world = World::at("work");
    let printed = captured.call_hook(&world);
    // Without a preference the hook has nothing to say.
    assert!(
        printed.values().flatten().all(|one| *one == json!(null)),
        "{printed:?}"
    );
    check(&captured.logged(&world), &format!("{agent}-hook.txt"));
    // What hooks cannot see, the history adds, and nothing else.
    captured.import(&world);
    check(&captured.logged(&world), &format!("{agent}-both.txt"));
    let again = captured.import(&world);
    assert!(again.starts_with("0 events are new"), "{again}");
    // The history alone says the same of questions.
    let alone = World::at("work");
    captured.import(&alone);
    let without = |text: String, word: &str| {
        let lines = text.lines().filter(|line| !line.trim().starts_with(word));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let both = without(
        captured.logged(&world).replace(" not_awaited", ""),
        "prompt",
    );
    let asked_or_decided = |lines: Vec<String>| {
        // A question that a hook answered was not asked, as far as the history knows.
        let lines = lines
            .into_iter()
            .filter(|line| !line.trim().starts_with("asked"));
        lines.collect::<Vec<_>>()
    };
    assert_eq!(
        asked_or_decided(without(captured.logged(&alone), "prompt")),
        asked_or_decided(both)
    );
}

fn check(found: &str, name: &str) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/agents");
    let path = Path::new(folder).join(name);
    if std::env::var_os("PLANTUNE_WRITE_EXPECTED").is_some() {
        std::fs::write(&path, found).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == expected, "{name} is not what was logged:\n{found}");
}

/// Whoever looks at what was logged sees how prompts were decided, also without an import: the history that the hook
/// named is read on.
#[test]
fn decisions_are_read_where_the_hook_says() {
    for (agent, captured, expected) in [
        (
            "codex",
            include_str!("../../fixtures/agents/codex.jsonl"),
            &["always", "null", "null", "once", "once", "once"][..],
        ),
        (
            "gemini",
            include_str!("../../fixtures/agents/gemini.jsonl"),
            &["null", "once", "once"],
        ),
        (
            "qwen",
            include_str!("../../fixtures/agents/qwen.jsonl"),
            &["always", "null", "once"],
        ),
    ] {
        let world = World::at("work").on("2026-11-22T10:00:00Z");
        let mut captured = Captured::read(agent, captured);
        let names = captured.put_lines(&world, &world.path("histories"));
        for (scenario, path) in captured.scenarios.iter_mut().zip(names) {
            for call in &mut scenario.calls {
                call["transcript_path"] = json!(path);
            }
        }
        captured.call_hook(&world);
        let log = world.json(LOG);
        let prompts = log["prompts"].as_array().unwrap().iter();
        let decided = prompts.filter(|prompt| prompt["outcome"] != "open");
        let mut grants: Vec<&str> = decided
            .map(|prompt| prompt["grant"].as_str().unwrap_or("null"))
            .collect();
        grants.sort_unstable();
        assert_eq!(grants, expected, "{agent}: {log}");
        // What was read is not read again, and an import finds nothing more of it.
        assert_eq!(world.json(LOG), log);
        let again = captured.import(&world);
        let log = world.json(LOG);
        let prompts = log["prompts"].as_array().unwrap().iter();
        let decided = prompts.filter(|prompt| prompt["outcome"] != "open").count();
        assert_eq!(decided, expected.len(), "{agent}: {again}");
    }
}

/// Where a program decides about Codex's prompts, nothing was decided by a person.
#[test]
fn what_a_program_reviewed_is_nobodys_decision() {
    let text = include_str!("../../fixtures/agents/codex.jsonl");
    let is_approved = |line: &&str| line.contains("\"scenario\":\"approve-");
    let lines: Vec<&str> = text.lines().filter(is_approved).collect();
    for (reviewer, decided) in [("user", 5), ("a reviewer", 0)] {
        let mut captured = Captured::read("codex", &lines.join("\n"));
        for scenario in &mut captured.scenarios {
            let turn = json!({"timestamp": "2026-11-21T23:00:00Z", "type": "turn_context",
                "payload": {"approvals_reviewer": reviewer}});
            scenario.history.insert(1, turn);
        }
        let world = World::at("work").on("2026-11-22T10:00:00Z");
        captured.call_hook(&world);
        captured.import(&world);
        let log = world.json(LOG);
        let prompts = log["prompts"].as_array().unwrap().iter();
        let found = prompts.filter(|prompt| prompt["outcome"] != "open").count();
        assert_eq!(found, decided, "{reviewer}: {log}");
    }
}

/// OpenCode says at once how a prompt was decided.
#[test]
fn decided_prompts_of_opencode_are_counted() {
    let captured = Captured::read(
        "opencode",
        include_str!("../../fixtures/agents/opencode.jsonl"),
    );
    let world = World::at("work");
    captured.call_hook(&world);
    let log = world.json(LOG);
    let mut outcomes: Vec<String> = Vec::new();
    for prompt in log["prompts"].as_array().unwrap() {
        assert_eq!(prompt["agent"], "opencode", "{prompt}");
        outcomes.push(format!("{} {}", prompt["outcome"], prompt["grant"]));
    }
    outcomes.sort();
    let once = "\"granted\" \"once\"";
    let refused = "\"refused\" null";
    let session = "\"granted\" \"session\"";
    assert_eq!(outcomes, [once, once, session, refused, refused]);
}
