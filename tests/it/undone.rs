//! Undo means no: what was taken back saved nothing, says so in the page, and is not proposed again soon.

use serde_json::Value;

use crate::world::World;

/// A person whose question is answered always alike, and now by a preference, without checks.
fn answered() -> World {
    let mut world = World::shop();
    world.put(world.paths().config_file(), "spot_check = 0\n");
    again(&mut world, 16);
    world.stdout_of(&["suggest", "--apply", "--yes"]);
    while world.ask("Grid (Recommended)") {}
    world
}

/// The same answer again, so often, a few times a day.
fn again(world: &mut World, times: usize) {
    for _ in 0..times {
        world.later(8 * 60);
        assert!(world.ask("Grid (Recommended)"));
    }
}

fn proposed(world: &World) -> usize {
    let found = world.json(&["suggest", "--json"]);
    found["suggestions"].as_array().unwrap().len()
}

#[test]
fn what_was_taken_back_takes_five_new_answers() {
    let mut world = answered();
    world.stdout_of(&["undo", "--yes"]);
    let rejected = || world.json(&["suggest", "--json"])["rejected"][0].clone();
    let one = rejected();
    assert_eq!(one["reason"], "undone", "{one}");
    let shown = world.stdout_of(&["suggest"]);
    assert!(shown.contains("you took it back"), "{shown}");
    again(&mut world, 4);
    assert_eq!(proposed(&world), 0);
    again(&mut world, 1);
    assert_eq!(proposed(&world), 1);
}

#[test]
fn what_was_taken_back_saved_nothing_and_is_marked() {
    let world = answered();
    let saved =
        |world: &World| world.json(&["report", "--json"])["totals"]["seconds_saved"].clone();
    assert!(saved(&world).as_f64().unwrap() > 0.0);
    world.stdout_of(&["undo", "--yes"]);
    let report = world.json(&["report", "--json"]);
    assert_eq!(report["totals"]["seconds_saved"], 0.0);
    let one = &report["answered_for_you"][0];
    assert_eq!(
        (&one["times"], &one["undone"]),
        (&Value::from(1), &Value::from(1)),
        "{one}"
    );
    let undone = "SELECT count(*) AS times FROM questions WHERE undone";
    let rows = world.json(&["sql", undone, "--json"]);
    assert_eq!(rows[0]["times"], 1, "{rows}");
    world.stdout_of(&["report", "--html"]);
    let page = std::fs::read_to_string(world.project().join("plantune-report.html")).unwrap();
    assert!(page.contains("taken back: "), "{page}");
}

#[test]
fn every_verb_counts_the_same_proposals() {
    let mut world = World::shop();
    again(&mut world, 6);
    // One that only points out the usual answer is one, too.
    let found = world.json(&["suggest", "--json"]);
    assert_eq!(found["suggestions"][0]["level"], "assist", "{found}");
    let left = || {
        plantune_domain::status_line::left(&world.paths())
            .unwrap()
            .proposals
    };
    assert_eq!(left(), Some(1));
    assert_eq!(world.json(&["report", "--json"])["suggestions_waiting"], 1);
    assert_eq!(left(), Some(1));
}

#[test]
fn what_was_set_and_has_answered_nothing_yet_is_named() {
    let mut world = World::shop();
    again(&mut world, 16);
    world.stdout_of(&["suggest", "--apply", "--yes"]);
    let undone = world.run(&["undo", "--yes"]);
    assert_eq!(undone.code, 1);
    let command = undone.stderr.split('`').nth(1).unwrap();
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    assert_eq!(words.first(), Some(&"undo"), "{}", undone.stderr);
    world.stdout_of(&[&words[..], &["--yes"]].concat());
    assert!(
        world
            .stdout_of(&["prefs", "list"])
            .contains("no preferences")
    );
}
