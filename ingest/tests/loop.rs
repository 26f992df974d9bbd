//! The captured hook calls through hook, spool and store.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::string_slice,
    missing_docs
)]

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use chrono::{DateTime, TimeDelta, Utc};
use duckdb::{AccessMode, Connection};
use plantune_domain::paths::Paths;
use plantune_domain::session_kind::SessionKind;
use plantune_hooks::hook::{Environment, handle};
use plantune_ingest::{Progress, Writer};

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

fn environment(home: &Path, now: DateTime<Utc>) -> Environment {
    Environment {
        paths: Paths::below(home.to_owned()),
        now,
        session_kind: SessionKind::Interactive,
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
            // Without a preference nothing is decided; a failure has its directive.
            let printed = handle(call.as_bytes(), &environment(home, now));
            assert!(!printed.is_some_and(|printed| printed.contains("permissionDecision")));
            now += TimeDelta::seconds(1);
        }
    }
}

fn ingest(home: &Path) -> plantune_ingest::Summary {
    let mut writer = Writer::open(&Paths::below(home.to_owned()), "Europe/Berlin").unwrap();
    writer.ingest(start(), &Progress::default()).unwrap()
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

#[test]
fn bad_lines_are_kept_once_and_good_ones_arrive() {
    let Some(shared) = shared() else { return };
    let home = tempfile::tempdir().unwrap();
    replay(home.path(), &shared);
    let segment = home.path().join("events/2026-11-20.jsonl");
    let good = fs::read_to_string(&segment).unwrap();
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
    fs::File::create(&segment)
        .unwrap()
        .write_all(&spoiled)
        .unwrap();
    let done = ingest(home.path());
    assert_eq!(
        (done.events, done.quarantined),
        (good.lines().count() as u64, 5)
    );
    // Once, however often it is looked at, and also when the segment is read from its start.
    fs::File::create(home.path().join("events/2026-11-19.jsonl"))
        .unwrap()
        .write_all(&spoiled)
        .unwrap();
    assert_eq!(ingest(home.path()).quarantined, 0);
    let count: u64 = store(home.path())
        .query_row("SELECT count(*) FROM quarantine", [], |row| row.get(0))
        .unwrap();
    assert_eq!(count, 5);
    // The torn tail waits, and is an event once it is whole.
    let line = good
        .lines()
        .last()
        .unwrap()
        .replace("\"id\":\"", "\"id\":\"0");
    let id_end = line.find("\",\"ts\"").unwrap();
    let whole = format!("{}{}", &line[..id_end - 1], &line[id_end..]);
    let mut file = fs::OpenOptions::new().append(true).open(&segment).unwrap();
    file.write_all(format!("\n{whole}\n").as_bytes()).unwrap();
    let done = ingest(home.path());
    assert_eq!((done.events, done.quarantined), (1, 1));
}

#[test]
fn the_rollups_follow_the_time_zone_and_a_rebuild_changes_nothing() {
    let Some(shared) = shared() else { return };
    let home = tempfile::tempdir().unwrap();
    replay(home.path(), &shared);
    ingest(home.path());
    let days = |home: &Path| -> Vec<String> {
        let store = store(home);
        let sql = "SELECT day::VARCHAR || ' ' || project || ' ' || question_key || ' ' || asked || ' ' || answered FROM daily ORDER BY ALL";
        let mut statement = store.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| row.get(0)).unwrap();
        rows.map(Result::unwrap).collect()
    };
    let before = days(home.path());
    assert!(
        !before.is_empty() && before.iter().all(|row| row.starts_with("2026-11-20")),
        "{before:?}"
    );
    Writer::open(&Paths::below(home.path().to_owned()), "Europe/Berlin")
        .unwrap()
        .rebuild()
        .unwrap();
    assert_eq!(days(home.path()), before);
    // Ten in the morning is the next day already, on Kiritimati.
    drop(Writer::open(&Paths::below(home.path().to_owned()), "Pacific/Kiritimati").unwrap());
    let after = days(home.path());
    assert_eq!(after.len(), before.len());
    assert!(
        after.iter().all(|row| row.starts_with("2026-11-21")),
        "{after:?}"
    );
}
