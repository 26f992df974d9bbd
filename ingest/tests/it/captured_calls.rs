//! The captured hook calls through hook, log and store.

use std::collections::BTreeMap;
use std::fs;

use chrono::TimeDelta;
use plantune_hooks::hook::handle;
use plantune_ingest::Summary;

use crate::home::{Home, ingest, now};
use crate::support::scenarios;

const ZONE: &str = "Europe/Berlin";

const TODAY: &str = "2026-11-20.jsonl";

/// Feeds every captured call to the hook, a second apart.
fn replay(home: &Home) {
    let mut now = now();
    for scenario in scenarios() {
        for call in fs::read_to_string(scenario).unwrap().lines() {
            // Without a preference nothing is decided; a failure has its directive.
            let printed = handle(call.as_bytes(), &home.environment(now));
            assert!(!printed.is_some_and(|printed| printed.contains("permissionDecision")));
            now += TimeDelta::seconds(1);
        }
    }
}

fn outcomes(home: &Home) -> BTreeMap<String, u64> {
    let mut outcomes = BTreeMap::new();
    for outcome in home.texts("SELECT outcome::VARCHAR FROM questions") {
        *outcomes.entry(outcome).or_default() += 1;
    }
    outcomes
}

#[test]
fn captured_calls_become_questions_once() {
    let home = Home::new();
    replay(&home);
    let first = home.ingest(ZONE);
    assert_eq!(first.quarantined, 0);
    assert!(first.events > 40, "{first:?}");
    assert_eq!(home.ingest(ZONE), Summary::default());
    // The same lines again under another name.
    let before = home.dump();
    fs::copy(home.segment(TODAY), home.segment("2026-11-21.jsonl")).unwrap();
    let expected = Summary {
        computed: None,
        ..first
    };
    assert_eq!(home.ingest(ZONE), expected);
    assert_eq!(home.dump(), before);
    let expected = [("answered", 8), ("dismissed", 4), ("failed", 4)];
    let expected: BTreeMap<String, u64> = expected
        .iter()
        .map(|(name, count)| ((*name).to_owned(), *count))
        .collect();
    assert_eq!(outcomes(&home), expected);
}

#[test]
fn bad_lines_among_good_ones() {
    let home = Home::new();
    replay(&home);
    let good = fs::read_to_string(home.segment(TODAY)).unwrap();
    let expected = {
        home.ingest(ZONE);
        home.dump()["questions"].clone()
    };
    let mut spoiled = b"\xef\xbb\xbf".to_vec();
    for (number, line) in good.lines().enumerate() {
        spoiled.extend(line.as_bytes());
        spoiled.extend(if number % 2 == 0 {
            &b"\r\n"[..]
        } else {
            &b"\n\n"[..]
        });
        if number == 3 {
            spoiled.extend(b"{\"v\":1,\"id\n\0\0\0\n\xff\xfe\n[]\n{\"v\":2}\n");
        }
    }
    spoiled.extend(b"{\"v\":1,\"kind\":\"as");
    home.put(TODAY, &spoiled);
    let done = home.ingest(ZONE);
    assert_eq!(
        (done.events, done.quarantined),
        (good.lines().count() as u64, 5)
    );
    assert_eq!(home.dump()["questions"], expected);
    // The torn line at the end waits until something follows.
    assert_eq!(home.ingest(ZONE), Summary::default());
    home.append(TODAY, b"\n");
    assert_eq!(home.ingest(ZONE).quarantined, 1);
    assert_eq!(home.dump()["questions"], expected);
    home.assert_computed(ZONE);
}

#[test]
fn days_follow_the_time_zone() {
    let home = Home::new();
    replay(&home);
    let days = || home.texts("SELECT DISTINCT day::VARCHAR FROM questions");
    home.ingest(ZONE);
    assert_eq!(days(), ["2026-11-20"]);
    // Ten in the morning is the next day already, on Kiritimati.
    let mut writer = home.writer("Pacific/Kiritimati");
    assert_eq!(writer.reason(), Some(&plantune_ingest::Reason::TimeZone));
    ingest(&mut writer);
    drop(writer);
    assert_eq!(days(), ["2026-11-21"]);
}
