//! The first run of all, killed while it makes the store.

use super::chance::Chance;
use super::history::History;
use super::home::{assert_tidy, timed};
use super::killer::Tally;
use crate::store_content::Tables;
use crate::world::World;

/// A few events, in bytes.
const FEW: usize = 4 * 1024;

#[test]
#[ignore = "takes long: make test-long"]
fn killed_at_first() {
    let mut chance = Chance::new();
    let reference = World::at("work");
    let mut history = History::new(chance.fork());
    history.append(&reference.paths().events(), FEW);
    let undisturbed = timed(&reference, &["ingest"]);
    let expected = Tables::of(&reference.paths().store());
    let mut tally = Tally::default();
    while tally.killed() < super::kills() {
        let world = World::at("work");
        world.copy_log(&reference);
        for _ in 0..=chance.below(3) {
            let delay = chance.up_to(undisturbed);
            tally.run(&world, world.command(&["ingest"]), delay, || {});
        }
        world.done(&["ingest"]);
        assert_tidy(&world);
        Tables::of(&world.paths().store()).assert_same(&expected, chance.seed());
    }
    eprintln!("first runs: {tally}");
}
