//! Segments that were copied.

use std::fs;

use crate::home::Home;
use crate::{assert_same_store, calls, log, logged_events, logged_once, totals};

/// The one that the hook writes.
const SEGMENT: &str = "2026-11-20.jsonl";

fn copy(home: &Home, name: &str) {
    let events = home.paths().events();
    fs::copy(events.join(SEGMENT), events.join(name)).unwrap();
}

#[test]
fn a_copy_from_before_the_first_ingest() {
    let (home, expected) = (Home::new(), logged_once());
    log(&home, &calls());
    // Read before the segment itself, and behind it.
    copy(&home, "2026-11-19.jsonl");
    copy(&home, "copy.jsonl");
    home.run(&["ingest"]);
    assert_same_store(&home, &expected, "copied before");
    assert_eq!(totals(&home), totals(&expected));
}

#[test]
fn a_copy_of_what_was_read() {
    let (home, expected) = (logged_once(), logged_once());
    copy(&home, "copy.jsonl");
    let (said, _) = home.run(&["ingest"]);
    assert_eq!(said, format!("{} events read\n", logged_events(&home)));
    assert_same_store(&home, &expected, "copied");
    assert_eq!(totals(&home), totals(&expected));
}

/// The copy is the first to bring what came since; then the segment itself goes, and comes back.
#[test]
fn a_copy_made_after_further_growth() {
    let (home, expected) = (Home::new(), logged_once());
    let calls = calls();
    let (first, later) = calls.split_at(calls.len() / 2);
    log(&home, first);
    home.run(&["ingest"]);
    copy(&home, "copy.jsonl");
    log(&home, later);
    copy(&home, "2026-11-19-copy.jsonl");
    let segment = home.paths().events().join(SEGMENT);
    let away = home.path().join("away");
    fs::rename(&segment, &away).unwrap();
    home.run(&["ingest"]);
    assert_eq!(totals(&home), totals(&expected));
    fs::rename(&away, &segment).unwrap();
    home.run(&["ingest"]);
    // The copy of the first half grows to the whole, too.
    copy(&home, "copy.jsonl");
    home.run(&["ingest"]);
    assert_same_store(&home, &expected, "copied after growth");
    assert_eq!(totals(&home), totals(&expected));
}
