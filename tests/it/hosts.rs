//! Evidence counts for the host that it was given at: the dialog, a server, or a program that runs Claude Code.

use serde_json::{Value, json};

use crate::world::{World, folded, run};

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
        shown.contains("plantune logged all of them. They answer questions from sdk-ts."),
        "{shown}"
    );
    world.stdout_of(&["suggest", "--apply", "--yes"]);
    assert!(world.ask_where("List", TERMINAL));
    assert!(world.ask_where("List", &[("CLAUDE_CODE_ENTRYPOINT", "sdk-cli")]));
    let events = world.events();
    let reasons = events.iter().rev().filter(|one| one["kind"] == "asked");
    let reasons: Vec<&Value> = reasons.take(2).map(|one| &one["reason"]).collect();
    assert_eq!(reasons, [&json!("host_differs"), &json!("host_differs")]);
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

#[test]
fn answers_at_an_entrypoint_that_nobody_knows_count_for_nothing() {
    for entrypoint in ["mcp", "claude-code-github-action", "remote", "sdk-new"] {
        let mut world = asked(&[("CLAUDE_CODE_ENTRYPOINT", entrypoint)], 16);
        let none = world.json(&["suggest", "--json"]);
        assert_eq!(none["suggestions"], json!([]), "{entrypoint}");
        // Nor do they push out, or contradict, what counts.
        again(&mut world, TERMINAL, 16);
        for _ in 0..40 {
            assert!(world.ask_where("List", &[("CLAUDE_CODE_ENTRYPOINT", entrypoint)]));
        }
        let found = world.json(&["suggest", "--json"])["suggestions"][0].clone();
        assert_eq!(found["evidence"]["answers"], 16, "{entrypoint}: {found}");
        let counted =
            "SELECT session_kind, count(*) AS times FROM questions GROUP BY ALL ORDER BY ALL";
        let counted = world.json(&["sql", counted, "--json"]);
        let expected = [("interactive", 16), ("spawned", 56)];
        let expected = expected.map(|(kind, times)| json!({"session_kind": kind, "times": times}));
        assert_eq!(counted, json!(expected), "{entrypoint}");
    }
    for entrypoint in ["claude-vscode", "claude-desktop"] {
        let world = asked(&[("CLAUDE_CODE_ENTRYPOINT", entrypoint)], 16);
        let found = world.json(&["suggest", "--json"]);
        assert_ne!(found["suggestions"], json!([]), "{entrypoint}");
    }
}

/// The world `asked` at another time, and back at the usual one.
fn asked_at(then: &str) -> World {
    let mut world = World::shop().on(then);
    world.put(world.paths().config_file(), "spot_check = 0\n");
    again(&mut world, TERMINAL, 45);
    world.on(NOW)
}

const NOW: &str = "2026-11-20T10:00:00Z";

#[test]
fn answers_of_the_future_and_of_long_ago_count_for_nothing() {
    for then in ["1970-01-02T10:00:00Z", "2098-05-05T10:00:00Z"] {
        let mut world = asked_at(then);
        for words in [
            &["suggest", "--json"][..],
            &["suggest", "--json", "--project", "."],
        ] {
            let none = world.json(words);
            assert_eq!(none["suggestions"], json!([]), "{then}");
        }
        // What was answered since says something else, and is all that counts.
        for _ in 0..16 {
            world.later(8 * 60);
            assert!(world.ask_where("List", TERMINAL));
        }
        let found = world.json(&["suggest", "--json"])["suggestions"][0].clone();
        assert_eq!(found["answer"], "List", "{then}: {found}");
        assert_eq!(found["evidence"]["answers"], 16, "{then}: {found}");
        assert_eq!(found["evidence"]["agreed"], 16, "{then}: {found}");
    }
    // Half a year without a question makes nothing older, and a history of a year ago counts.
    let world = asked_at("2025-11-01T10:00:00Z");
    assert_ne!(world.json(&["suggest", "--json"])["suggestions"], json!([]));
}

// `plantune debug session-kind`: the built binary in several environments.

/// The output of these words, with these variables set.
fn printed(words: &[&str], variables: &[(&str, &str)]) -> String {
    let world = World::at("home");
    let mut command = world.command(&[&["debug", "session-kind"], words].concat());
    let printed = run(command.envs(variables.iter().copied())).stdout();
    assert_eq!(world.names(""), ["home"], "nothing is written");
    assert!(world.names("home").is_empty(), "nothing is written");
    printed
}

#[test]
fn scripts_read_one_word() {
    for (variables, kind) in [
        (&[][..], "interactive\n"),
        (&[("OPENCLAW_SESSION", "1"), ("CI", "1")], "spawned\n"),
        (&[("GSTACK_HEADLESS", "1")], "headless\n"),
        (&[("CONDUCTOR_PORT", "1"), ("CI", "1")], "interactive\n"),
        (&[("CI", "true")], "headless\n"),
        (&[("CI", ""), ("GITHUB_ACTIONS", "")], "interactive\n"),
    ] {
        assert_eq!(printed(&[], variables), kind, "{variables:?}");
    }
}

#[test]
fn json_names_the_variable() {
    let read = |variables: &[(&str, &str)]| -> Value {
        serde_json::from_str(&printed(&["--json"], variables)).unwrap()
    };
    assert_eq!(
        read(&[("CLAUDE_CODE_ENTRYPOINT", "cli"), ("CI", "1")]),
        json!({"schema_version": 1, "session_kind": "interactive", "variable": "CLAUDE_CODE_ENTRYPOINT"})
    );
    assert_eq!(
        read(&[("CLAUDE_CODE_ENTRYPOINT", "sdk-cli")]),
        json!({"schema_version": 1, "session_kind": "interactive", "variable": null})
    );
}
