//! Time answering, away and waiting: what each of them counts, in reports and in what is estimated from the same
//! times.

use duckdb::{AccessMode, Connection};
use plantune_domain::registry::Registry;
use plantune_query::Store;
use plantune_query::evidence::evidence;
use plantune_query::families::Grouping;
use plantune_query::report::{By, Group, Renamed, Report, Request, Totals};
use proptest::prelude::*;
use tempfile::TempDir;

use crate::stores::{DEFAULTS, empty, opened, week_47};

/// A question of Monday, 16 November 2026: session, call, how many questions the call has, outcome, and the seconds
/// from nine o'clock at which it was asked and ended; `None` for no end.
type Row<'a> = (&'a str, &'a str, u32, &'a str, u32, Option<u32>);

/// A store of these questions, and one more for each of a call.
fn store(rows: &[Row<'_>]) -> (TempDir, Store) {
    let (folder, connection) = empty();
    connection.execute_batch(DEFAULTS).unwrap();
    for row in rows {
        insert(&connection, row);
    }
    opened((folder, connection))
}

fn insert(connection: &Connection, (session, call, count, outcome, asked, ended): &Row<'_>) {
    let (asked, ended) = (Some(*asked), *ended);
    for index in 0..*count {
        connection
            .execute(
                "INSERT INTO questions BY NAME
                 SELECT * EXCLUDE (ended) FROM (SELECT '2026-11-16'::TIMESTAMP + INTERVAL 9 HOUR + to_seconds($5::UINTEGER) AS ts,
                     '2026-11-16' AS day, 'p' AS project, $1 AS session_id, $2 AS tool_use_id, $3 AS question_index,
                     $7 AS question_count, 'gsd-next' AS question_key, $4 AS outcome, ts AS asked_at,
                     'H' || $3 AS header,
                     '2026-11-16'::TIMESTAMP + INTERVAL 9 HOUR + to_seconds($6::UINTEGER) AS ended,
                     if($4 = 'answered', ended, NULL) AS answered_at,
                     if($4 = 'dismissed', ended, NULL) AS dismissed_at,
                     if($4 = 'failed', ended, NULL) AS failed_at,
                     if($4 = 'answered', '[\"Yes\"]', NULL) AS answer,
                     if($4 = 'answered', ($6::DOUBLE - $5) / $7, NULL) AS human_seconds)",
                duckdb::params![session, call, index, outcome, asked, ended, count],
            )
            .unwrap();
    }
}

fn report(store: &Store) -> Report {
    let registry = Registry::default();
    store
        .report(&week_47(), || Ok(Grouping::by_rules(&registry)))
        .unwrap()
}

fn totals(rows: &[Row<'_>]) -> Totals {
    let (_folder, store) = store(rows);
    report(&store).totals
}

#[test]
fn a_night_is_no_answering_time() {
    let rows = [
        ("s", "quick", 1, "answered", 0, Some(20)),
        ("s", "at-the-bound", 1, "answered", 100, Some(700)),
        ("s", "night", 1, "answered", 1000, Some(1000 + 36_000)),
    ];
    let (_folder, store) = store(&rows);
    let report = report(&store);
    let totals = &report.totals;
    assert_eq!(report.away_after_seconds, 600.0);
    assert_eq!(totals.human_seconds, 620.0);
    assert_eq!((totals.away_answers, totals.away_seconds), (1, 36_000.0));
    assert_eq!(totals.waiting_seconds, 36_620.0);
    assert_eq!(totals.waiting_away_seconds, 36_000.0);
    assert_eq!(report.questions[0].median_seconds, Some(310.0));
    let seconds = report.timeline.parts.iter().map(|part| part.human_seconds);
    assert_eq!(seconds.sum::<f64>(), 620.0);
    let times = store
        .report_details(
            &week_47(),
            &Renamed::default(),
            &report.timeline,
            &chrono::Utc,
        )
        .unwrap()
        .answering_times;
    assert_eq!((times.answers, times.away_answers), (3, 1));
    assert_eq!(
        (times.median_seconds, times.p90_seconds),
        (Some(310.0), Some(542.0))
    );
    // What proposals are estimated from.
    let found = evidence(&store, &Registry::default()).unwrap();
    let seconds: Vec<_> = found[0]
        .answers
        .iter()
        .map(|one| one.human_seconds)
        .collect();
    assert_eq!(seconds.iter().flatten().sum::<f64>(), 620.0);
    assert_eq!(seconds.iter().filter(|one| one.is_none()).count(), 1);
}

#[test]
fn the_bound_is_the_persons() {
    let rows = [
        ("s", "a", 1, "answered", 0, Some(90)),
        ("s", "b", 1, "answered", 200, Some(320)),
    ];
    for (bound, answering, away) in [(60.0, 0.0, 2), (100.0, 90.0, 1), (120.0, 210.0, 0)] {
        let (_folder, store) = store(&rows);
        let store = store.away_after(bound).unwrap();
        // Another connection has the same bound.
        for store in [store.another().unwrap(), store] {
            let totals = report(&store).totals;
            assert_eq!(
                (totals.human_seconds, totals.away_answers),
                (answering, away)
            );
        }
    }
}

#[test]
fn a_dialog_is_counted_once() {
    // Four questions in one dialog, a minute; three questions of which each has its share of eleven minutes.
    let totals = totals(&[
        ("s", "four", 4, "answered", 0, Some(60)),
        ("s", "three", 3, "answered", 1000, Some(1660)),
    ]);
    assert_eq!((totals.answered, totals.calls), (7, 2));
    assert_eq!(totals.human_seconds, 60.0);
    assert_eq!((totals.away_answers, totals.away_seconds), (3, 660.0));
    assert_eq!(totals.waiting_seconds, 720.0);
    assert_eq!(totals.waiting_away_seconds, 660.0);
}

#[test]
fn shares_at_the_bound_are_not_away() {
    for count in [1, 3, 7] {
        let (_folder, store) = store(&[("s", "a", count, "answered", 0, Some(600))]);
        let found = report(&store).totals;
        assert_eq!(found.away_answers, 0, "{count}");
        let (_folder, store) = self::store(&[("s", "a", count, "answered", 0, Some(601))]);
        let found = report(&store).totals;
        assert_eq!(found.away_answers, u64::from(count), "{count}");
    }
}

#[test]
fn agents_wait_each_on_their_own() {
    for (what, rows, waiting, away) in [
        (
            "one inside another, in one session",
            vec![
                ("s", "outer", 1, "answered", 0, Some(300)),
                ("s", "inner", 2, "answered", 100, Some(200)),
            ],
            300.0,
            0.0,
        ),
        (
            "overlapping, in one session",
            vec![
                ("s", "first", 1, "answered", 0, Some(100)),
                ("s", "second", 1, "answered", 50, Some(400)),
                ("s", "third", 1, "answered", 50, Some(200)),
            ],
            400.0,
            0.0,
        ),
        (
            "the same, in two sessions",
            vec![
                ("s", "first", 1, "answered", 0, Some(100)),
                ("t", "second", 1, "answered", 50, Some(400)),
            ],
            450.0,
            0.0,
        ),
        (
            "one after the other",
            vec![
                ("s", "first", 1, "answered", 0, Some(100)),
                ("s", "second", 1, "answered", 100, Some(110)),
            ],
            110.0,
            0.0,
        ),
        (
            "dismissed after lunch, and failed",
            vec![
                ("s", "lunch", 1, "dismissed", 0, Some(3600)),
                ("s", "failed", 1, "failed", 4000, Some(4060)),
            ],
            3660.0,
            3600.0,
        ),
        (
            "a call that a long one covers in part",
            vec![
                ("s", "short", 1, "answered", 0, Some(500)),
                ("s", "long", 1, "answered", 100, Some(1100)),
            ],
            1100.0,
            600.0,
        ),
        (
            "without an end, or with one that comes before",
            vec![
                ("s", "open", 1, "open", 0, None),
                ("s", "left", 1, "dismissed", 100, None),
                ("s", "clock", 1, "answered", 900, Some(800)),
                ("s", "last", 1, "answered", 1000, Some(1001)),
            ],
            1.0,
            0.0,
        ),
        (
            "sessions without a name",
            vec![
                ("", "first", 2, "answered", 0, Some(10)),
                ("", "second", 1, "answered", 0, Some(10)),
            ],
            20.0,
            0.0,
        ),
    ] {
        let totals = totals(&rows);
        assert_eq!(totals.waiting_seconds, waiting, "{what}");
        assert_eq!(totals.waiting_away_seconds, away, "{what}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, failure_persistence: None, ..ProptestConfig::default() })]

    /// An agent waits in each second in which one of its session's questions is open, and groups add up.
    #[test]
    fn waiting_is_the_seconds_with_an_open_question(
        calls in prop::collection::vec((0..3_usize, 1..4_u32, 0..2000_u32, 1..900_u32), 1..12)
    ) {
        let names: Vec<String> = (0..calls.len()).map(|number| format!("call{number}")).collect();
        let rows: Vec<Row<'_>> = calls
            .iter()
            .zip(&names)
            .map(|((session, count, asked, took), name)| {
                let session = ["a", "b", "c"][*session];
                (session, name.as_str(), *count, "answered", *asked, Some(asked + took))
            })
            .collect();
        let is_open = |session: &str, second: u32| {
            rows.iter().any(|row| row.0 == session && (row.4..row.5.unwrap()).contains(&second))
        };
        let seconds = ["a", "b", "c"]
            .iter()
            .map(|session| (0..3000).filter(|second| is_open(session, *second)).count());
        let (_folder, store) = store(&rows);
        let totals = report(&store).totals;
        prop_assert!((totals.waiting_seconds - seconds.sum::<usize>() as f64).abs() < 0.01);
        prop_assert!(totals.waiting_away_seconds <= totals.waiting_seconds);
        let answering: u32 = calls.iter().map(|call| call.3).filter(|took| *took <= 600).sum();
        prop_assert!((totals.human_seconds - f64::from(answering)).abs() < 0.01);
        for by in By::ALL {
            let groups = store.report_by(&week_47(), *by).unwrap().groups;
            let sum = |of: fn(&Group) -> f64| groups.iter().map(of).sum::<f64>();
            prop_assert!((sum(|one| one.waiting_seconds) - totals.waiting_seconds).abs() < 0.05);
            prop_assert!((sum(|one| one.waiting_away_seconds) - totals.waiting_away_seconds).abs() < 0.05);
            prop_assert!((sum(|one| one.human_seconds) - totals.human_seconds).abs() < 0.05);
            prop_assert_eq!(groups.iter().map(|one| one.questions).sum::<u64>(), totals.questions);
        }
    }
}

#[test]
fn groups_add_up_beside_a_wait_from_the_week_before() {
    let (folder, store) = store(&[
        ("s", "before", 1, "answered", 0, Some(300)),
        ("s", "now", 1, "answered", 100, Some(400)),
    ]);
    drop(store);
    let path = folder.path().join("plantune.duckdb");
    let connection = plantune_migrations::open(&path, AccessMode::ReadWrite).unwrap();
    connection
        .execute_batch("UPDATE questions SET day = '2026-11-15' WHERE tool_use_id = 'before'")
        .unwrap();
    drop(connection);
    let store = Store::open(&path).unwrap();
    let total = report(&store).totals.waiting_seconds;
    assert_eq!(total, 100.0);
    for by in By::ALL {
        let groups = store.report_by(&week_47(), *by).unwrap().groups;
        let sum: f64 = groups.iter().map(|one| one.waiting_seconds).sum();
        assert_eq!(sum, total, "{by:?}");
    }
}

#[test]
fn groups_have_names() {
    let (folder, store) = store(&[("s", "a", 2, "answered", 0, Some(60))]);
    drop(store);
    let path = folder.path().join("plantune.duckdb");
    let connection = plantune_migrations::open(&path, AccessMode::ReadWrite).unwrap();
    connection
        .execute_batch(
            "INSERT INTO questions BY NAME
             SELECT * FROM (VALUES
                 (DATE '2026-11-17', 'fp-1', 'fingerprint', 'answered', 'no', 'review', 'interactive', ' Scope '),
                 (DATE '2026-11-18', 'fp-2', 'fingerprint', 'auto_decided', NULL, NULL, 'headless', NULL),
                 (DATE '2026-11-18', '-x', 'marker', 'failed', NULL, '/review', 'headless', ' '),
                 (DATE '2026-11-22', 'gsd-', 'marker', 'open', NULL, '/gsd:discuss-phase', 'spawned', 'Scope'),
                 (DATE '2026-11-22', 'gsd-next', 'marker', 'open', NULL, 'gsd:plan', 'spawned', 'Scope')
             ) AS rows (day, question_key, key_source, outcome, free_text, skill, session_kind, header)
             CROSS JOIN (SELECT TIMESTAMP '2026-11-18' AS ts, 'q' AS project)",
        )
        .unwrap();
    drop(connection);
    let store = Store::open(&path).unwrap();
    let found = |by: By| -> Vec<(String, u64)> {
        let groups = store.report_by(&week_47(), by).unwrap().groups;
        let row = |one: Group| (one.name.unwrap_or_default(), one.questions);
        groups.into_iter().map(row).collect()
    };
    let named = |rows: &[(&str, u64)]| -> Vec<(String, u64)> {
        rows.iter()
            .map(|(name, times)| ((*name).to_owned(), *times))
            .collect()
    };
    assert_eq!(
        found(By::Asker),
        named(&[
            ("", 3),
            ("/review", 2),
            ("/gsd:discuss-phase", 1),
            ("gsd:plan", 1)
        ])
    );
    assert_eq!(
        found(By::Framework),
        named(&[("", 3), ("/review", 2), ("gsd:*", 2)])
    );
    assert_eq!(found(By::Project), named(&[("q", 5), ("p", 2)]));
    assert_eq!(
        found(By::Header),
        named(&[("Scope", 3), ("", 2), ("H0", 1), ("H1", 1)])
    );
    assert_eq!(
        found(By::Weekday),
        named(&[
            ("Monday", 2),
            ("Tuesday", 1),
            ("Wednesday", 2),
            ("Sunday", 2)
        ])
    );
    assert_eq!(
        found(By::SessionKind),
        named(&[("interactive", 3), ("headless", 2), ("spawned", 2)])
    );
    let one = Request {
        project: Some("q"),
        ..week_47()
    };
    let groups = store.report_by(&one, By::SessionKind).unwrap().groups;
    let counts: Vec<_> = groups
        .iter()
        .map(|one| {
            (
                one.asked,
                one.answered,
                one.auto_decided,
                one.typed,
                one.failed,
                one.open,
            )
        })
        .collect();
    assert_eq!(
        counts,
        [(1, 0, 1, 0, 1, 0), (2, 0, 0, 0, 0, 2), (1, 1, 0, 1, 0, 0)]
    );
}
