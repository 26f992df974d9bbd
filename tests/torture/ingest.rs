//! `plantune ingest`, killed again and again over a spool that grows.

use crate::chance::Chance;
use crate::history::History;
use crate::home::Home;
use crate::killer::Tally;
use crate::store_content::Tables;

/// So little that the spool of a few days takes many transactions.
const TRANSACTION_BYTES: u64 = 16 * 1024;

/// What a run at work for its whole time finds, in bytes.
const MUCH: usize = 96 * 1024;

/// How much comes between two kills, in bytes.
const LITTLE: usize = 8 * 1024;

#[test]
fn killed_at_any_moment_it_ends_with_the_rows_of_one_undisturbed_run() {
    let mut chance = Chance::new();
    let mut history = History::new(chance.fork());
    let home = Home::with_transactions_of(TRANSACTION_BYTES);
    let events = home.paths().events();
    history.append(&events, MUCH);
    let first = Home::with_transactions_of(TRANSACTION_BYTES);
    first.take_spool_of(&home);
    let (_, undisturbed) = first.run(&["ingest"]);
    let mut tally = Tally::default();
    let mut unfinished = 0;
    while tally.killed() < crate::kills() {
        // What is left to do grows meanwhile.
        let delay = chance.up_to(undisturbed * (1 + unfinished / 2));
        unfinished += 1;
        // Now and then everything is computed anew, which ends in a checkpoint.
        let words: &[&str] = if chance.percent(15) {
            &["ingest", "--rebuild"]
        } else {
            &["ingest"]
        };
        let finished = tally.run(&home, home.plantune(words), delay, || {
            history.append(&events, LITTLE);
        });
        if finished {
            // The next one is to have something to do again.
            unfinished = 0;
            history.append(&events, MUCH);
        }
    }
    let (said, _) = home.run(&["ingest"]);
    eprintln!("ingest: {tally}{undisturbed:.2?} undisturbed at first; at last: {said}");
    home.assert_tidy();
    let tortured = Tables::of(&home.paths().store());
    eprintln!("{tortured}");
    // One transaction.
    let reference = Home::new();
    reference.take_spool_of(&home);
    reference.run(&["ingest"]);
    tortured.assert_same(&Tables::of(&reference.paths().store()), &[], chance.told());
    assert!(tortured.count("quarantine") > 0 && tortured.count("events") > 300);
    assert!(!crate::is_complete() || tally.is_spread(), "{tally}");
    drop(tortured);
    assert_eq!(home.run(&["ingest"]).0, "0 new events\n");
}
