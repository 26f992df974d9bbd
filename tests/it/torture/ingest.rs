//! The writer, killed at any moment. The next command gives the tables of an undisturbed run, without a
//! person, in about the time that computing the store takes.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use super::chance::Chance;
use super::history::History;
use super::home::{assert_tidy, timed};
use super::killer::Tally;
use super::ratios::Ratios;
use crate::store_content::Tables;
use crate::world::World;

/// How long the log is in the beginning, in bytes: at length, computing the store takes half a second or
/// more in a release build.
const BYTES: [usize; 2] = [96 * 1024, 48 * 1024 * 1024];

/// How much is logged from one round to the next, in bytes.
const ROUND_BYTES: [usize; 2] = [16 * 1024, 2 * 1024 * 1024];

/// How much is logged while a run is at work, in bytes.
const BYTES_MEANWHILE: usize = 8 * 1024;

/// How many runs are killed over one state of the log.
const KILLS_A_ROUND: u32 = 8;

/// What the next command may be.
const NEXT: [&[&str]; 3] = [&["ingest"], &["report", "--json"], &["log"]];

#[test]
#[ignore = "takes long: make test-long"]
fn killed_at_any_moment() {
    let mut torture = Torture::new();
    while torture.tally.killed() < super::kills() {
        torture.log_more();
        let killed = torture.tally.killed();
        let end = super::kills().min(killed + KILLS_A_ROUND);
        while torture.tally.killed() < end {
            torture.kill();
        }
    }
    torture.end();
}

struct Torture {
    chance: Chance,
    history: History,
    world: World,
    tally: Tally,
    ratios: Ratios,
    undisturbed: Undisturbed,
    /// The store before the log last grew.
    before: PathBuf,
    /// How long the step from there takes undisturbed.
    step: Duration,
}

/// A store computed in one go from the present log.
struct Undisturbed {
    tables: Tables,
    computing: Duration,
    _home: World,
}

impl Undisturbed {
    fn of(world: &World) -> Self {
        let copy = World::at("work");
        copy.copy_log(world);
        let computing = timed(&copy, &["ingest"]);
        Self {
            tables: Tables::of(&copy.paths().store()),
            computing,
            _home: copy,
        }
    }
}

impl Torture {
    fn new() -> Self {
        let mut chance = Chance::new();
        let mut history = History::new(chance.fork());
        let world = World::at("work");
        history.append(&world.paths().events(), of_form(BYTES));
        // Whatever chance brings, something is in quarantine.
        let bad = world.paths().events().join("2020-01-01.jsonl");
        plantune_domain::atomic_file::replace(&bad, b"no event\n", 0o600).unwrap();
        world.done(&["ingest"]);
        Self {
            before: world.path("before.duckdb"),
            step: Duration::ZERO,
            undisturbed: Undisturbed::of(&world),
            chance,
            history,
            world,
            tally: Tally::default(),
            ratios: Ratios::default(),
        }
    }

    /// The log grows, and the store with it.
    fn log_more(&mut self) {
        fs::copy(self.world.paths().store(), &self.before).unwrap();
        let events = self.world.paths().events();
        self.history.append(&events, of_form(ROUND_BYTES));
        self.undisturbed = Undisturbed::of(&self.world);
        self.step = timed(&self.world, &["ingest"]);
        self.assert_same();
    }

    /// Kills a run, perhaps the next ones too, and lets another end.
    fn kill(&mut self) {
        let store = self.world.paths().store();
        let computing = self.undisturbed.computing;
        let (words, most): (&[&str], _) = match self.chance.below(4) {
            // The first run of all.
            0 => {
                fs::remove_file(&store).unwrap();
                (&["ingest"], computing)
            }
            1 => (&["ingest", "--rebuild"], computing),
            _ => {
                fs::copy(&self.before, &store).unwrap();
                (&["ingest"], self.step)
            }
        };
        let is_growing = self.chance.percent(15);
        self.kill_one(words, most, is_growing);
        while self.chance.percent(25) {
            self.kill_one(&["ingest"], computing, false);
        }
        if is_growing {
            self.undisturbed = Undisturbed::of(&self.world);
        }
        let next = *self.chance.one_of(&NEXT);
        let took = timed(&self.world, next);
        self.ratios.add(took, self.undisturbed.computing);
        self.assert_same();
        // A command that finds the store as it should be writes nothing, and removes nothing.
        if next != ["ingest"] {
            self.world.done(&["ingest"]);
        }
        assert_tidy(&self.world);
    }

    /// Kills a run after a time up to a little more than `most`.
    fn kill_one(&mut self, words: &[&str], most: Duration, is_growing: bool) {
        let Self {
            chance,
            history,
            world,
            tally,
            ..
        } = self;
        let delay = chance.up_to(most + most / 8);
        let events = world.paths().events();
        tally.run(world, world.command(words), delay, || {
            if is_growing {
                history.append(&events, BYTES_MEANWHILE);
            }
        });
    }

    fn assert_same(&self) {
        Tables::of(&self.world.paths().store())
            .assert_same(&self.undisturbed.tables, self.chance.seed());
    }

    fn end(self) {
        let Self {
            tally,
            ratios,
            undisturbed,
            ..
        } = self;
        eprintln!("ingest: {tally}the next command, beside computing the store: {ratios}");
        eprint!("at last: {}", undisturbed.tables);
        if super::is_complete() {
            ratios.assert_bounded();
        }
        let tables = &undisturbed.tables;
        assert!(tables.count("quarantine") > 0 && tables.count("questions") > 50);
        assert!(!super::is_complete() || tally.is_spread(), "{tally}");
        assert_eq!(self.world.done(&["ingest"]), "0 events read\n");
    }
}

/// Of the small form, or of the complete one.
fn of_form([small, complete]: [usize; 2]) -> usize {
    if super::is_complete() {
        complete
    } else {
        small
    }
}
