//! Segments that were copied.

use std::fs;

use super::{assert_same_store, calls, log, logged_events, logged_once, totals};
use crate::world::World;

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
