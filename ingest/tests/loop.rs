//! The captured hook calls through hook, log and store.
#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs)]

#[allow(unreachable_pub, reason = "shared by several tests")]
mod home;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use chrono::{DateTime, TimeDelta, Utc};
use plantune_domain::session_kind::SessionKind;
use plantune_hooks::hook::{Environment, handle};
use plantune_ingest::Summary;

use home::Home;

const ZONE: &str = "Europe/Berlin";

const TODAY: &str = "2026-11-20.jsonl";

fn shared() -> Option<PathBuf> {
    let folder = std::env::var_os("PLANTUNE_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"),
        PathBuf::from,
    );
    if !folder.is_dir() {
        eprintln!("skipped: {} is not there", folder.display());
        return None;
    }
    Some(folder)
}

fn start() -> DateTime<Utc> {
    "2026-11-20T10:00:00Z".parse().unwrap()
}

fn environment(home: &Home, now: DateTime<Utc>) -> Environment {
    Environment {
        paths: home.paths(),
        now,
        session_kind: SessionKind::Interactive,
        entrypoint: None,
        project_root: None,
        disabled: false,
        by_plugin: false,
    }
}

/// Feeds every captured call to the hook, a second apart.
fn replay(home: &Home, shared: &Path) {
    let mut now = start();
    let mut scenarios: Vec<PathBuf> = fs::read_dir(shared.join("protocol/claude-code-2.1.197"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    scenarios.sort();
    for scenario in scenarios {
        for call in fs::read_to_string(scenario).unwrap().lines() {
            // Without a preference nothing is decided; a failure has its directive.
            let printed = handle(call.as_bytes(), &environment(home, now));
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
    let Some(shared) = shared() else { return };
    let home = Home::new();
    replay(&home, &shared);
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
    let Some(shared) = shared() else { return };
    let home = Home::new();
    replay(&home, &shared);
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
    let Some(shared) = shared() else { return };
    let home = Home::new();
    replay(&home, &shared);
    let days = || home.texts("SELECT DISTINCT day::VARCHAR FROM questions");
    home.ingest(ZONE);
    assert_eq!(days(), ["2026-11-20"]);
    // Ten in the morning is the next day already, on Kiritimati.
    let mut writer = home.writer("Pacific/Kiritimati");
    assert_eq!(writer.reason(), Some(&plantune_ingest::Reason::TimeZone));
    home::ingest(&mut writer);
    drop(writer);
    assert_eq!(days(), ["2026-11-21"]);
}
