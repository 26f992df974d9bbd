//! The projections depend on the events alone: not on the order in which they arrive, nor on how
//! runs and transactions cut them up.
#![allow(clippy::unwrap_used, clippy::manual_is_multiple_of, missing_docs)]

use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use chrono::{DateTime, TimeDelta, Utc};
use duckdb::{AccessMode, Connection};
use plantune_domain::clock::timestamp;
use plantune_domain::event::{Event, Kind, SCHEMA_VERSION, question_event_id};
use plantune_domain::hash;
use plantune_domain::paths::Paths;
use plantune_ingest::{Progress, Summary, Writer};

const DUMPS: [(&str, &str); 7] = [
    (
        "recent_answers",
        "SELECT (project, question_key, moment, day, put_at, question, answer, answers.question_index, is_one_way, human_seconds)::VARCHAR
         FROM recent_answers AS answers
         JOIN series USING (series)
         JOIN scopes USING (scope)
         JOIN wordings ON wordings.number = answers.wording
         LEFT JOIN (SELECT number, answer FROM details) AS details ON details.number = answers.answered
         ORDER BY ALL",
    ),
    (
        "questions",
        "SELECT questions::VARCHAR FROM questions ORDER BY ALL",
    ),
    (
        "sessions",
        "SELECT sessions::VARCHAR FROM sessions ORDER BY ALL",
    ),
    ("daily", "SELECT daily::VARCHAR FROM daily ORDER BY ALL"),
    (
        "daily_answers",
        "SELECT daily_answers::VARCHAR FROM daily_answers ORDER BY ALL",
    ),
    (
        "daily_sessions",
        "SELECT daily_sessions::VARCHAR FROM daily_sessions ORDER BY ALL",
    ),
    (
        "daily_errors",
        "SELECT daily_errors::VARCHAR FROM daily_errors ORDER BY ALL",
    ),
];

fn now() -> DateTime<Utc> {
    "2026-11-20T10:00:00Z".parse().unwrap()
}

/// Pseudo-random numbers (Knuth's MMIX generator), the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

fn event(kind: Kind, session: usize, at: DateTime<Utc>) -> Event<'static> {
    let session_id = format!("session-{session}");
    let ts = timestamp(at);
    Event {
        v: SCHEMA_VERSION,
        id: hash::hex(&[kind.as_str(), &session_id, &ts]).into(),
        ts: ts.into(),
        kind: kind.as_str().into(),
        session_id: session_id.into(),
        session_kind: if session % 5 == 0 {
            "headless"
        } else {
            "interactive"
        }
        .into(),
        project: format!("github.com/acme/shop-{}", session % 3).into(),
        cwd: "/w".into(),
        source: "hook".into(),
        ..Event::default()
    }
}

fn about(kind: Kind, session: usize, call: usize, index: u32, at: DateTime<Utc>) -> Event<'static> {
    let id = format!("toolu_{call}");
    let key = (call + index as usize) % 7;
    let mut event = Event {
        id: question_event_id(kind, &id, index).into(),
        tool_use_id: Some(id.into()),
        question_index: Some(index),
        question_count: Some(2),
        question_key: Some(format!("key-{key}").into()),
        key_source: Some("marker".into()),
        // Each event words it otherwise, so that a mixed description would show.
        question: Some(format!("{} number {call}?", kind.as_str()).into()),
        header: (kind == Kind::Asked).then(|| "Header".into()),
        options: Some(vec!["Yes (Recommended)".into(), "No".into()]),
        recommended: Some("Yes".into()),
        multi_select: Some(false),
        door: Some(if call % 11 == 0 { "one-way" } else { "two-way" }.into()),
        ..event(kind, session, at)
    };
    match kind {
        Kind::Asked => event.ask_reason = Some("no_preference".into()),
        Kind::Answered => {
            event.answer = Some(vec![if call % 4 == 0 { "No" } else { "Yes" }.into()]);
            event.was_auto_decided = Some(call % 6 == 5);
            event.followed_recommendation = Some((call % 9 != 0).then_some(call % 4 != 0));
        }
        Kind::AutoDecided => {
            event.answer = Some(vec!["Yes (Recommended)".into()]);
            event.preference = Some("never-ask".into());
        }
        Kind::Dismissed => event.reason = Some("rejected".into()),
        Kind::Failed => event.error_kind = (call % 2 == 0).then(|| "timeout".into()),
        _ => {}
    }
    event
}

/// Calls of two questions in sessions over a fortnight, and how each ended.
fn events(calls: usize) -> Vec<Vec<u8>> {
    let mut events = Vec::new();
    for call in 0..calls {
        let session = call / 6;
        let at =
            now() - TimeDelta::days(14) + TimeDelta::minutes(call as i64 * 20_160 / calls as i64);
        if call % 6 == 0 {
            events.push(event(
                Kind::SessionStarted,
                session,
                at - TimeDelta::seconds(9),
            ));
        }
        for index in 0..2 {
            let later = at + TimeDelta::seconds(7 + (call % 40) as i64);
            let mut put = |kind, at| events.push(about(kind, session, call, index, at));
            match (call + index as usize) % 8 {
                0 => put(Kind::Asked, at),
                1 => put(Kind::Answered, later),
                2 => {
                    put(Kind::Asked, at);
                    put(Kind::Dismissed, later);
                }
                3 => {
                    put(Kind::Asked, at);
                    put(Kind::Failed, later);
                    put(Kind::Answered, later);
                }
                4 => {
                    put(Kind::AutoDecided, at);
                    put(Kind::Answered, later);
                }
                _ => {
                    put(Kind::Asked, at);
                    put(Kind::Answered, later);
                }
            }
        }
        if call % 6 == 5 && session % 2 == 0 {
            events.push(event(
                Kind::SessionEnded,
                session,
                at + TimeDelta::seconds(90),
            ));
        }
        if call % 13 == 0 {
            events.push(event(Kind::HookError, session, at + TimeDelta::seconds(1)));
        }
    }
    events
        .iter()
        .map(|event| event.to_line().unwrap())
        .collect()
}

fn append(home: &Path, segment: &str, lines: &[Vec<u8>]) {
    let folder = home.join("events");
    std::fs::create_dir_all(&folder).unwrap();
    let mut file = File::options()
        .create(true)
        .append(true)
        .open(folder.join(segment))
        .unwrap();
    file.write_all(&lines.concat()).unwrap();
}

fn writer(home: &Path) -> Writer {
    Writer::open(&Paths::below(home.to_owned()), "Europe/Berlin").unwrap()
}

fn ingest(writer: &mut Writer) -> Summary {
    writer.ingest(now(), &Progress::default()).unwrap()
}

fn store(home: &Path) -> Connection {
    plantune_migrations::open(&home.join("plantune.duckdb"), AccessMode::ReadOnly).unwrap()
}

fn dump(home: &Path) -> Vec<(&'static str, Vec<String>)> {
    let store = store(home);
    let rows = |sql: &str| -> Vec<String> {
        let mut statement = store.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| row.get(0)).unwrap();
        rows.map(Result::unwrap).collect()
    };
    DUMPS.iter().map(|(name, sql)| (*name, rows(sql))).collect()
}

fn count(home: &Path, sql: &str) -> u64 {
    store(home).query_row(sql, [], |row| row.get(0)).unwrap()
}

fn in_one_run(lines: &[Vec<u8>]) -> Vec<(&'static str, Vec<String>)> {
    let home = tempfile::tempdir().unwrap();
    append(home.path(), "2026-11-20.jsonl", lines);
    let summary = ingest(&mut writer(home.path()));
    assert_eq!(summary.events, lines.len() as u64);
    dump(home.path())
}

#[test]
fn any_order_and_any_chunks_give_the_same() {
    let lines = events(240);
    let expected = in_one_run(&lines);
    assert!(
        expected.iter().all(|(_, rows)| rows.len() > 3),
        "{expected:?}"
    );
    for seed in 1..=6 {
        let mut random = Random(seed);
        let mut lines = lines.clone();
        random.shuffle(&mut lines);
        let home = tempfile::tempdir().unwrap();
        let mut open = writer(home.path());
        let mut added = 0;
        let mut rest = &lines[..];
        while !rest.is_empty() {
            let (now, later) = rest.split_at((1 + random.below(200)).min(rest.len()));
            rest = later;
            append(
                home.path(),
                &format!("2026-11-{:02}.jsonl", 10 + random.below(3)),
                now,
            );
            // Some once more, in the same run, among others of earlier ones.
            let again: Vec<_> = (0..random.below(30))
                .map(|_| lines[random.below(lines.len() - rest.len())].clone())
                .collect();
            append(home.path(), "2026-11-19.jsonl", &again);
            let summary = ingest(&mut open);
            assert_eq!(summary.events, now.len() as u64);
            assert_eq!(summary.duplicates, again.len() as u64);
            added += summary.events;
            if random.below(4) == 0 {
                drop(open);
                open = writer(home.path());
            }
        }
        assert_eq!(added, lines.len() as u64);
        drop(open);
        assert_eq!(dump(home.path()), expected, "seed {seed}");
        let mut writer = writer(home.path());
        assert_eq!(writer.compare().unwrap(), []);
        assert_eq!(writer.rebuild().unwrap(), [""; 0]);
        drop(writer);
        assert_eq!(dump(home.path()), expected, "rebuilt, seed {seed}");
    }
}

#[test]
fn transactions_of_any_size_give_the_same() {
    // More events than a row group holds, in many pieces.
    let mut lines = events(36_000);
    assert!(lines.len() > 122_880, "{}", lines.len());
    let mut expected = None;
    for transaction_bytes in [u64::MAX, 9_000_000] {
        let home = tempfile::tempdir().unwrap();
        for (number, part) in lines.chunks(40_000).enumerate() {
            append(home.path(), &format!("2026-11-{number:02}.jsonl"), part);
        }
        let mut writer = writer(home.path()).with_transaction_bytes(transaction_bytes);
        let summary = ingest(&mut writer);
        assert_eq!(
            (summary.events, summary.duplicates),
            (lines.len() as u64, 0)
        );
        assert_eq!(writer.compare().unwrap(), []);
        drop(writer);
        let transactions = count(home.path(), "SELECT count(*) FROM batches");
        assert_eq!(transactions > 1, transaction_bytes < u64::MAX);
        assert_eq!(
            count(home.path(), "SELECT count(*) FROM events"),
            lines.len() as u64
        );
        let dumped = dump(home.path());
        let expected = expected.get_or_insert_with(|| dumped.clone());
        for ((name, rows), (_, expected)) in dumped.iter().zip(expected) {
            // All of them would be unreadable.
            let differ = rows
                .iter()
                .zip(&*expected)
                .find(|(row, other)| row != other);
            assert_eq!((differ, rows.len()), (None, expected.len()), "{name}");
        }
        // The questions' events far apart, the second time.
        Random(7).shuffle(&mut lines);
    }
}
