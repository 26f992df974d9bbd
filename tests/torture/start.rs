//! The first run of all, killed while it makes the store.

use crate::chance::Chance;
use crate::history::History;
use crate::home::Home;
use crate::killer::Tally;
use crate::store_content::Tables;

/// A few events, in bytes.
const FEW: usize = 4 * 1024;

#[test]
fn killed_at_first() {
    let mut chance = Chance::new();
    let reference = Home::new();
    let mut history = History::new(chance.fork());
    history.append(&reference.paths().events(), FEW);
    let (_, undisturbed) = reference.run(&["ingest"]);
    let expected = Tables::of(&reference.paths().store());
    let mut tally = Tally::default();
    while tally.killed() < crate::kills() {
        let home = Home::new();
        home.copy_log(&reference);
        for _ in 0..=chance.below(3) {
            let delay = chance.up_to(undisturbed);
            tally.run(&home, home.plantune(&["ingest"]), delay, || {});
        }
        home.run(&["ingest"]);
        home.assert_tidy();
        Tables::of(&home.paths().store()).assert_same(&expected, chance.seed());
    }
    eprintln!("first runs: {tally}");
}
