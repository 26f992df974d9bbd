//! `plantune import claude-code`, killed again and again over transcripts that grow: while it reads,
//! while it writes the log, while it loads that into the store.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::time::Instant;

use super::chance::Chance;
use super::home::assert_tidy;
use super::killer::Tally;
use super::transcripts::Transcripts;
use crate::store_content::Tables;
use crate::world::World;

/// How many calls there are in the beginning: at length, an import writes their events in several goes.
const MANY: [u64; 2] = [400, 8_000];

/// How many come when an import had ended, and how many between two kills.
const MORE: [u64; 2] = [80, 8];

/// Every so many imports that end, an eighth as many calls come as in the beginning.
const MANY_EVERY: u32 = 8;

const IMPORT: [&str; 2] = ["import", "claude-code"];

#[test]
#[ignore = "takes long: make test-long"]
fn killed_at_any_moment() {
    let mut chance = Chance::new();
    let world = World::at("work");
    let mut transcripts = Transcripts::new(chance.fork(), world.transcripts());
    let many = MANY[usize::from(super::is_complete())];
    transcripts.go_on(many);
    let first = World::at("work");
    let start = Instant::now();
    import_from(&first, &world);
    let undisturbed = start.elapsed();
    let mut tally = Tally::default();
    let (mut writing, mut finished_imports) = (0, 0);
    let mut unfinished = 0;
    while tally.killed() < super::kills() {
        // There is more to read every time.
        let delay = chance.up_to(undisturbed * (1 + unfinished / 2));
        unfinished += 1;
        let before = log_bytes(&world);
        let finished = tally.run(&world, world.command(&IMPORT), delay, || {});
        writing += u32::from(!finished && log_bytes(&world) > before);
        finished_imports += u32::from(finished);
        transcripts.go_on(if finished && finished_imports.is_multiple_of(MANY_EVERY) {
            many / 8
        } else {
            MORE[usize::from(!finished)]
        });
        if finished {
            unfinished = 0;
        }
    }
    let said = world.done(&IMPORT);
    eprintln!(
        "import: {tally}{writing} of them had written to the log; {undisturbed:.2?} undisturbed at first; at last:\n{said}"
    );
    assert_tidy(&world);
    let tortured = Tables::of(&world.paths().store());
    eprintln!("{tortured}");
    let reference = World::at("work");
    import_from(&reference, &world);
    tortured.assert_same(&Tables::of(&reference.paths().store()), chance.seed());
    // And from the log alone.
    let reference = World::at("work");
    reference.copy_log(&world);
    reference.done(&["ingest"]);
    tortured.assert_same(&Tables::of(&reference.paths().store()), chance.seed());
    assert!(
        !super::is_complete() || tally.is_spread() && writing > 0,
        "{tally}"
    );
    drop(tortured);
    let said = world.done(&IMPORT);
    assert!(said.contains("\n0 events are new"), "{said}");
}

#[test]
#[ignore = "takes long: make test-long"]
fn half_a_line_of_a_killed_import() {
    let world = World::at("work");
    Transcripts::new(Chance::new(), world.transcripts()).go_on(20);
    let reference = World::at("work");
    import_from(&reference, &world);
    // Killed while it wrote: a signal ends a long write(2) between two pages.
    let name = "import-claude-code-2026-11-20.jsonl";
    let whole = fs::read(reference.paths().events().join(name)).unwrap();
    plantune_domain::paths::create_private_dir(&world.paths().events()).unwrap();
    let torn = world.paths().events().join(name);
    plantune_domain::atomic_file::replace(&torn, &whole[..5000], 0o600).unwrap();
    world.done(&IMPORT);
    Tables::of(&world.paths().store()).assert_same(&Tables::of(&reference.paths().store()), "torn");
    assert_eq!(fs::read(&torn).unwrap(), whole);
}

/// Imports the transcripts of another world.
fn import_from(world: &World, other: &World) {
    let folder = other.transcripts();
    world.done(&[IMPORT[0], IMPORT[1], folder.to_str().unwrap()]);
}

fn log_bytes(world: &World) -> u64 {
    let Ok(segments) = fs::read_dir(world.paths().events()) else {
        return 0;
    };
    segments
        .map(|segment| segment.unwrap().metadata().unwrap().size())
        .sum()
}
