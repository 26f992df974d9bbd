//! The writer, killed at any moment. The next command gives the tables of an undisturbed run, without a
//! person, in about the time that computing the store takes.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use crate::chance::Chance;
use crate::history::History;
use crate::home::Home;
use crate::killer::Tally;
use crate::ratios::Ratios;
use crate::store_content::Tables;

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
fn killed_at_any_moment() {
    let mut torture = Torture::new();
    while torture.tally.killed() < crate::kills() {
        torture.log_more();
        for _ in 0..KILLS_A_ROUND {
            torture.kill();
        }
    }
    torture.end();
}

struct Torture {
    chance: Chance,
    history: History,
    home: Home,
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
    _home: Home,
}

impl Undisturbed {
    fn of(home: &Home) -> Self {
        let copy = Home::new();
        copy.copy_log(home);
        let (_, computing) = copy.run(&["ingest"]);
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
        let home = Home::new();
        history.append(&home.paths().events(), of_form(BYTES));
        // Whatever chance brings, something is in quarantine.
        let bad = home.paths().events().join("2020-01-01.jsonl");
        plantune_domain::atomic_file::replace(&bad, b"no event\n", 0o600).unwrap();
        home.run(&["ingest"]);
        Self {
            before: home.path().join("before.duckdb"),
            step: Duration::ZERO,
            undisturbed: Undisturbed::of(&home),
            chance,
            history,
            home,
            tally: Tally::default(),
            ratios: Ratios::default(),
        }
    }

    /// The log grows, and the store with it.
    fn log_more(&mut self) {
        fs::copy(self.home.paths().store(), &self.before).unwrap();
        let events = self.home.paths().events();
        self.history.append(&events, of_form(ROUND_BYTES));
        self.undisturbed = Undisturbed::of(&self.home);
        (_, self.step) = self.home.run(&["ingest"]);
        self.assert_same();
    }

    /// Kills a run, perhaps the next ones too, and lets another end.
    fn kill(&mut self) {
        let store = self.home.paths().store();
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
            self.undisturbed = Undisturbed::of(&self.home);
        }
        let next = *self.chance.one_of(&NEXT);
        let (_, took) = self.home.run(next);
        self.ratios.add(took, self.undisturbed.computing);
        self.assert_same();
        // A command that finds the store as it should be writes nothing, and removes nothing.
        if next != ["ingest"] {
            self.home.run(&["ingest"]);
        }
        self.home.assert_tidy();
    }

    /// Kills a run after a time up to a little more than `most`.
    fn kill_one(&mut self, words: &[&str], most: Duration, is_growing: bool) {
        let Self {
            chance,
            history,
            home,
            tally,
            ..
        } = self;
        let delay = chance.up_to(most + most / 8);
        let events = home.paths().events();
        tally.run(home, home.plantune(words), delay, || {
            if is_growing {
                history.append(&events, BYTES_MEANWHILE);
            }
        });
    }

    fn assert_same(&self) {
        Tables::of(&self.home.paths().store())
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
        ratios.assert_bounded();
        let tables = &undisturbed.tables;
        assert!(tables.count("quarantine") > 0 && tables.count("questions") > 100);
        assert!(!crate::is_complete() || tally.is_spread(), "{tally}");
        assert_eq!(self.home.run(&["ingest"]).0, "0 events read\n");
    }
}

/// Of the small form, or of the complete one.
fn of_form([small, complete]: [usize; 2]) -> usize {
    if crate::is_complete() {
        complete
    } else {
        small
    }
}
