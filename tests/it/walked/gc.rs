//! `gc` and `restore-month`: no event is lost and none counts twice, and the next run finishes.

use std::collections::BTreeMap;
use std::fs;

use super::{Run, walk};
use crate::segments::{append, day, names, others, tables};
use crate::world::World;

const SEALED: &str = "2026-10.parquet";

/// A log with two old days and yesterday, all of it in the store.
fn world() -> World {
    let world = World::new();
    let home = world.path("data");
    append(
        &home,
        "2026-10-01.jsonl",
        others("2026-10-01")
            .replace("not_known_yet", "hook_error")
            .as_bytes(),
    );
    day(&home, "2026-10-01", 10);
    day(&home, "2026-10-02", 10);
    day(&home, "2026-11-19", 5);
    world.done(&["ingest"]);
    world
}

fn stored(world: &World) -> BTreeMap<String, Vec<String>> {
    tables(&world.paths().store())
}

/// Checks that the store is what it was, also when it is computed again, and that `words` finish.
fn assert_nothing_lost(
    world: &World,
    run: &Run,
    expected: &BTreeMap<String, Vec<String>>,
    words: &[&str],
) {
    world.done(&["ingest"]);
    assert_eq!(&stored(world), expected, "{run}");
    world.done(words);
    assert_eq!(
        names(&world.path("data")),
        [SEALED, "2026-11-19.jsonl"],
        "{run}"
    );
    assert_eq!(&stored(world), expected, "{run}");
    fs::remove_file(world.paths().store()).unwrap();
    let ran = world.run(&["ingest"]);
    assert_eq!(
        (ran.code, ran.stderr.contains("damaged")),
        (0, false),
        "{run}: {}",
        ran.stderr
    );
    assert_eq!(&stored(world), expected, "{run}");
}

#[test]
#[ignore = "takes long: make test-long"]
fn a_month_is_sealed_or_as_it_was() {
    let expected = stored(&world());
    let disturbed = walk(
        "walked::gc::a_month_is_sealed_or_as_it_was",
        || (world(), vec!["gc".to_owned()]),
        |world, run| assert_nothing_lost(world, run, &expected, &["gc"]),
    );
    assert!(disturbed == 0 || disturbed > 10, "{disturbed}");
}

#[test]
#[ignore = "takes long: make test-long"]
fn a_month_that_is_lost_is_restored_or_stays_in_the_store() {
    let lost = || {
        let world = world();
        world.done(&["gc"]);
        let path = world.path("data/events").join(SEALED);
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        world
    };
    let expected = stored(&lost());
    let disturbed = walk(
        "walked::gc::a_month_that_is_lost_is_restored_or_stays_in_the_store",
        || (lost(), vec!["restore-month".to_owned()]),
        |world, run| {
            world.done(&["restore-month"]);
            let damaged = world.path("data/events").join(format!("{SEALED}.damaged"));
            fs::remove_file(damaged).unwrap();
            assert_nothing_lost(world, run, &expected, &["restore-month"]);
        },
    );
    assert!(disturbed == 0 || disturbed > 10, "{disturbed}");
}
