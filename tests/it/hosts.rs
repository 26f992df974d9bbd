//! Evidence counts for the host that it was given at: the dialog, a server, or a program that runs Claude Code.

use serde_json::{Value, json};

use crate::world::{World, folded};

const PROGRAM: &[(&str, &str)] = &[("CLAUDE_CODE_ENTRYPOINT", "sdk-ts")];
const TERMINAL: &[(&str, &str)] = &[("CLAUDE_CODE_ENTRYPOINT", "cli")];

/// A person whose `host` was asked so often, without spot checks.
fn asked(host: &[(&str, &str)], times: usize) -> World {
    let mut world = World::shop();
    world.put(world.paths().config_file(), "spot_check = 0\n");
    again(&mut world, host, times);
    world
}

fn again(world: &mut World, host: &[(&str, &str)], times: usize) {
    for _ in 0..times {
        // A few a day.
        world.later(8 * 60);
        assert!(world.ask_where("Grid (Recommended)", host));
    }
}

#[test]
fn what_a_program_answers_holds_for_it_alone() {
    let mut world = asked(PROGRAM, 16);
    let shown = folded(&world.stdout_of(&["suggest", "1"]));
    assert!(
        shown.contains("All were logged as you answered, to sdk-ts"),
        "{shown}"
    );
    world.stdout_of(&["suggest", "--apply", "--yes"]);
    assert!(world.ask_where("List", TERMINAL));
    assert!(world.ask_where("List", &[("CLAUDE_CODE_ENTRYPOINT", "sdk-cli")]));
    let events = world.events();
    let reasons = events.iter().rev().filter(|one| one["kind"] == "asked");
    let reasons: Vec<&Value> = reasons.take(2).map(|one| &one["reason"]).collect();
    assert_eq!(reasons, [&json!("tool_differs"), &json!("tool_differs")]);
    assert!((0..12).any(|_| !world.ask_where("Grid (Recommended)", PROGRAM)));
}

#[test]
fn the_persons_own_answers_count_beside_a_programs() {
    let mut world = asked(TERMINAL, 16);
    // Neither does a program's disagreement count, nor do its answers push the person's out.
    for _ in 0..45 {
        assert!(world.ask_where("List", PROGRAM));
    }
    let found = world.json(&["suggest", "--json"])["suggestions"][0].clone();
    assert_eq!(found["evidence"]["answers"], 16, "{found}");
    let shown = world.stdout_of(&["suggest", "1"]);
    assert!(!shown.contains("sdk-ts"), "{shown}");
    world.stdout_of(&["suggest", "--apply", "--yes"]);
    assert!((0..12).any(|_| !world.ask_where("Grid (Recommended)", TERMINAL)));
}
