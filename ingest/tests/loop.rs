//! The captured hook calls through hook, spool and store.
#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use chrono::{DateTime, TimeDelta, Utc};
use duckdb::{AccessMode, Connection};
use plantune_hooks::hook::{Surroundings, handle};
use plantune_hooks::paths::Paths;
use plantune_ingest::Writer;

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

fn surroundings(home: &Path, now: DateTime<Utc>) -> Surroundings {
    Surroundings {
        paths: Paths::below(home.to_owned()),
        now,
        session_kind: "interactive",
        entrypoint: None,
        disabled: false,
    }
}

/// Feeds every captured call to the hook, a second apart.
fn replay(home: &Path, shared: &Path) {
    let mut now = start();
    let mut scenarios: Vec<PathBuf> = fs::read_dir(shared.join("protocol/claude-code-2.1.197"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    scenarios.sort();
    for scenario in scenarios {
        for call in fs::read_to_string(scenario).unwrap().lines() {
            assert_eq!(handle(call.as_bytes(), &surroundings(home, now)), None);
            now += TimeDelta::seconds(1);
        }
    }
}

fn ingest(home: &Path) -> plantune_ingest::Summary {
    let mut writer = Writer::open(&Paths::below(home.to_owned()), "Europe/Berlin").unwrap();
    writer.ingest(start(), &mut |_, _| {}).unwrap()
}

fn store(home: &Path) -> Connection {
    plantune_migrations::open(&home.join("plantune.duckdb"), AccessMode::ReadOnly).unwrap()
}

fn outcomes(store: &Connection) -> BTreeMap<String, u64> {
    let mut statement = store
        .prepare("SELECT outcome, count(*) FROM questions GROUP BY ALL")
        .unwrap();
    let rows = statement
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap();
    rows.map(Result::unwrap).collect()
}

#[test]
fn captured_calls_become_questions_once() {
    let Some(shared) = shared() else { return };
    let home = tempfile::tempdir().unwrap();
    replay(home.path(), &shared);
    let first = ingest(home.path());
    assert_eq!(first.quarantined, 0);
    assert!(first.events > 40, "{first:?}");
    // Nothing new; then the same lines again under another name.
    assert_eq!(ingest(home.path()), plantune_ingest::Summary::default());
    let segment = home.path().join("events/2026-11-20.jsonl");
    fs::copy(&segment, home.path().join("events/2026-11-21.jsonl")).unwrap();
    let again = ingest(home.path());
    assert_eq!((again.events, again.duplicates), (0, first.events));
    let expected = [("answered", 8), ("dismissed", 4), ("failed", 4)];
    let expected: BTreeMap<String, u64> = expected
        .iter()
        .map(|(name, count)| ((*name).to_owned(), *count))
        .collect();
    assert_eq!(outcomes(&store(home.path())), expected);
}
