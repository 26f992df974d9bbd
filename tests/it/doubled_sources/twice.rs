//! The hook, registered twice.

use chrono::TimeDelta;
use serde_json::{Value, json};

use super::{
    assert_same_but, assert_undecided, calls, logged_events, logged_once, printed, scenarios,
    start_hook, totals,
};

use crate::world::World;

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
        let lines = std::fs::read_to_string(world.paths().events().join("2026-11-20.jsonl"));
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
