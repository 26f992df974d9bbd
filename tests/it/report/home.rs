//! `plantune report` in a world of tests.

use std::process::Command;

use serde_json::Value;

use crate::world::{World, run};

/// Friday, 20 November 2026, 10:00 in Berlin; nothing was ever logged.
pub(crate) fn empty() -> World {
    World::at("work").on("2026-11-20T09:00:00Z")
}

/// With the store of `query/tests/report.sql`.
pub(crate) fn filled() -> World {
    let world = empty();
    world.fill(include_str!("../../../query/tests/report.sql"));
    world
}

pub(crate) fn report(world: &World, words: &[&str]) -> Command {
    world.command(&[&["report"], words].concat())
}

/// What a report that works writes.
pub(crate) fn text_of(world: &World, words: &[&str]) -> String {
    run(&mut report(world, words)).stdout()
}

pub(crate) fn json_of(world: &World, words: &[&str]) -> Value {
    serde_json::from_str(&text_of(world, &[words, &["--json"]].concat())).unwrap()
}

/// The exit code and the errors of a report that does not work.
pub(crate) fn failure(world: &World, words: &[&str]) -> (i32, String) {
    let ran = run(&mut report(world, words));
    assert_eq!(ran.stdout, "");
    (ran.code, ran.stderr)
}
