//! The report's queries against the store of `report.sql`, with exact numbers.

use chrono::{DateTime, Utc};
use duckdb::{AccessMode, Connection};
use plantune_domain::registry::Registry;
use plantune_query::Store;
use plantune_query::evidence::evidence;
use plantune_query::habits::QuestionGrouping;
use plantune_query::report::{
    AnswerCount, DecidedBy, Details, ErrorKind, GroupKey, Hour, QuestionGroup, RenamedQuestions,
    Report, Request, Totals, Unit,
};
use proptest::prelude::*;
use tempfile::TempDir;

use crate::stores::{DEFAULTS, day, days, empty, filled, opened, week_47};

/// The questions of `report.sql`.
const FILLED: &[&str] = &[DEFAULTS, include_str!("../report.sql")];

fn time(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

fn fixture(request: &Request<'_>) -> Report {
    let (_folder, store) = filled(FILLED);
    report(&store, request)
}

/// The report of a store whose questions are what they were logged as.
fn report(store: &Store, request: &Request<'_>) -> Report {
    let registry = Registry::default();
    store
        .report(request, || Ok(QuestionGrouping::by_rules(&registry)))
        .unwrap()
}

#[test]
fn totals_of_both_periods() {
    let report = fixture(&week_47());
    assert_eq!(
        report.totals,
        Totals {
            questions: 17,
            asked: 10,
            answered: 5,
            auto_decided: 7,
            auto_decided_by: DecidedBy {
                preferences: 7,
                ..DecidedBy::default()
            },
            failed: 1,
            // one dismissed, and one that was asked two days ago
            dismissed: 2,
            open: 2,
            calls: 14,
            sessions: 5,
            human_seconds: 220.5,
            // commit-now: median of 4, 8, 6, 40 = 7 in its project (4×) and for the other (1×);
            // run-tests (2×) they never answered: what it spared them is not known
            seconds_saved: 7.0 * 4.0 + 7.0,
            ..Totals::default()
        }
    );
    assert_eq!(
        report.previous,
        Totals {
            questions: 3,
            asked: 2,
            answered: 2,
            auto_decided: 1,
            auto_decided_by: DecidedBy {
                preferences: 1,
                ..DecidedBy::default()
            },
            calls: 3,
            sessions: 2,
            human_seconds: 12.0,
            seconds_saved: 0.0,
            ..Totals::default()
        }
    );
    assert_eq!(report.quarantined, 2);
    assert_eq!(report.last_day, None);
}

#[test]
fn a_history_that_begins_in_the_period_before_is_said() {
    let begins = |since: &str| {
        let without = format!("DELETE FROM questions WHERE day < '{since}'");
        let (_folder, store) = filled(&[DEFAULTS, include_str!("../report.sql"), &without]);
        let report = report(&store, &week_47());
        assert_eq!(
            report.previous.questions > 0,
            since <= "2026-11-10",
            "{since}"
        );
        report.history_begins
    };
    assert_eq!(begins("2026-11-01"), None);
    assert_eq!(begins("2026-11-10"), Some(day("2026-11-15")));
    assert_eq!(begins("2026-11-16"), None);
}

#[test]
fn questions_by_key_and_project() {
    let report = fixture(&week_47());
    let listed: Vec<_> = report
        .questions
        .iter()
        .map(|row| (row.question_key.as_str(), row.project.as_str()))
        .collect();
    assert_eq!(
        listed,
        [
            ("txt-0000000000000001", "github.com/acme/shop"),
            ("commit-now", "github.com/acme/shop"),
            ("drop-table", "github.com/acme/shop"),
            ("run-tests", "github.com/acme/site"),
            ("commit-now", "github.com/acme/site"),
            ("txt-0000000000000001", "github.com/acme/site"),
        ]
    );
    assert_eq!((report.question_keys, report.asked_once), (6, 2));

    let next = &report.questions[0];
    assert_eq!(next.question, "What next for the checkout?");
    assert_eq!(next.last_at, time("2026-11-17T10:30:00Z"));
    assert_eq!((next.asked, next.answered, next.failed), (5, 4, 1));
    assert_eq!((next.agreement, next.agreement_n), (Some(0.75), 4));
    assert_eq!(next.median_seconds, Some(25.25));
    assert_eq!(next.top_answer.as_deref(), Some("Next area"));
    assert_eq!(next.top_answer_share, Some(0.75));
    assert_eq!(
        next.options,
        Some(vec!["More questions".into(), "Next area".into()])
    );

    let drop = &report.questions[2];
    assert_eq!((drop.asked, drop.answered, drop.dismissed), (4, 0, 2));
    assert_eq!((drop.header.as_ref(), drop.options.as_ref()), (None, None));
    assert_eq!((drop.agreement, drop.agreement_n), (None, 0));
    assert_eq!(drop.median_seconds, None);
    assert_eq!(
        (drop.top_answer.as_ref(), drop.top_answer_share),
        (None, None)
    );
}

#[test]
fn a_limit_shortens_the_list_alone() {
    let report = fixture(&Request {
        limit: Some(2),
        ..week_47()
    });
    assert_eq!(report.questions.len(), 2);
    assert_eq!(report.question_keys, 6);
    assert_eq!(report.totals.questions, 17);
}

#[test]
fn the_timeline_has_the_whole_period() {
    let counts = |report: &Report| -> Vec<_> {
        let parts = report.timeline.parts.iter();
        parts
            .map(|part| (part.questions, part.asked, part.human_seconds))
            .collect()
    };
    let week = fixture(&week_47());
    assert_eq!(week.timeline.unit, Unit::Day);
    assert_eq!(week.timeline.parts[0].start, day("2026-11-16"));
    let mut by_day = counts(&week).into_iter();
    assert!(by_day.all(|(questions, asked, _)| questions >= asked));
    let autumn = fixture(&Request {
        period: days("2026-09-28", "2026-11-22"),
        previous: days("2026-08-03", "2026-09-27"),
        ..week_47()
    });
    assert_eq!(
        (autumn.timeline.unit, autumn.timeline.parts.len()),
        (Unit::Week, 8)
    );
    assert_eq!(counts(&autumn)[0], (1, 1, 6.0));
    assert_eq!(counts(&autumn)[6..], [(3, 2, 12.0), (17, 10, 220.5)]);
    let questions = |report: &Report| counts(report).iter().map(|part| part.0).sum::<u64>();
    for report in [week, autumn] {
        assert_eq!(questions(&report), report.totals.questions);
    }
}

#[test]
fn who_asks_is_read_by_project() {
    let (_folder, store) = filled(&[
        FILLED[0],
        FILLED[1],
        "UPDATE questions SET skill = CASE WHEN rowid % 2 = 0 THEN '/ship' ELSE 'ship' END WHERE project LIKE '%shop';
         UPDATE questions SET error_kind = 'validation' WHERE outcome = 'failed' AND project LIKE '%shop'",
    ]);
    let report = report(&store, &week_47());
    let most = report.asks_most.unwrap();
    assert_eq!(
        (most.asker.as_str(), most.project.as_deref()),
        ("/ship", Some("github.com/acme/shop"))
    );
    assert_eq!(most.asked, most.of);
    let failed = report
        .questions
        .iter()
        .filter(|one| one.project.ends_with("shop"));
    let failed: u64 = failed.map(|one| one.failed).sum();
    assert_eq!(
        report.rejected_calls.map_or(0, |one| one.calls),
        if failed > 1 { failed } else { 0 }
    );
}

#[test]
fn session_kinds_and_errors() {
    let report = fixture(&week_47());
    let kinds: Vec<_> = report
        .session_kinds
        .iter()
        .map(|kind| {
            let shares = (
                kind.answered,
                kind.auto_decided,
                kind.failed,
                kind.dismissed,
            );
            let kind_name = kind.session_kind.as_str();
            (kind_name, kind.sessions, kind.questions, kind.asked, shares)
        })
        .collect();
    assert_eq!(
        kinds,
        [
            ("interactive", 3, 13, 9, (5, 4, 0, 2)),
            ("spawned", 1, 3, 0, (0, 3, 0, 0)),
            ("headless", 1, 1, 1, (0, 0, 1, 0)),
        ]
    );
    let mcp = ErrorKind {
        error_kind: "mcp_error".into(),
        times: 1,
    };
    assert_eq!(report.errors, [mcp]);
}

#[test]
fn errors_of_the_hook_are_a_kind_of_their_own() {
    let (_folder, store) = filled(&[
        DEFAULTS,
        "INSERT INTO questions BY NAME
         SELECT TIMESTAMP '2026-11-16 09:00:00' AS ts, DATE '2026-11-16' AS day, 'p' AS project,
             'k' AS question_key, 'failed' AS outcome, 'hook' AS error_kind
         UNION ALL
         SELECT '2026-11-16 09:00:00', '2026-11-16', 'p', 'k', 'failed', NULL;
         INSERT INTO hook_errors
         SELECT uuid(), '2026-11-22 10:00:00', '2026-11-22', 'p', 'panic', 'at 5' FROM range(3);",
    ]);
    let errors = report(&store, &week_47()).errors;
    let errors: Vec<_> = errors
        .iter()
        .map(|row| (row.error_kind.as_str(), row.times))
        .collect();
    assert_eq!(errors, [("hook", 3), ("unknown", 2)]);
}

#[test]
fn one_project_alone() {
    let report = fixture(&Request {
        project: Some("github.com/acme/site"),
        ..week_47()
    });
    assert_eq!(report.totals.questions, 4);
    assert_eq!(report.totals.sessions, 2);
    assert_eq!(report.totals.seconds_saved, 7.0);
    assert_eq!(report.previous.questions, 1);
    assert_eq!(report.questions.len(), 3);
    assert_eq!(report.errors, []);
    // Quarantined lines belong to no project.
    assert_eq!(report.quarantined, 2);
}

#[test]
fn what_is_open_lapses_with_the_days() {
    let later = fixture(&Request {
        today: day("2026-11-30"),
        ..week_47()
    });
    assert_eq!((later.totals.dismissed, later.totals.open), (4, 0));
    assert_eq!(later.totals.asked, 10);
    let earlier = fixture(&Request {
        today: day("2026-11-19"),
        ..week_47()
    });
    assert_eq!((earlier.totals.dismissed, earlier.totals.open), (1, 3));
}

#[test]
fn days_between_the_periods_count_for_neither() {
    let alone = |start: &str, end: &str| {
        let period = days(start, end);
        fixture(&Request {
            period,
            ..week_47()
        })
        .totals
    };
    let apart = fixture(&Request {
        period: days("2026-11-20", "2026-11-22"),
        previous: days("2026-11-16", "2026-11-17"),
        ..week_47()
    });
    let between = alone("2026-11-18", "2026-11-19");
    assert!(between.sessions > 0 && between.seconds_saved > 0.0);
    assert_eq!(apart.previous, alone("2026-11-16", "2026-11-17"));
    assert_eq!(apart.totals, alone("2026-11-20", "2026-11-22"));
}

#[test]
fn an_empty_period_knows_the_last_day() {
    let request = Request {
        period: days("2026-11-23", "2026-11-29"),
        previous: days("2026-11-16", "2026-11-22"),
        ..week_47()
    };
    let report = fixture(&request);
    assert_eq!(report.totals, Totals::default());
    assert_eq!(report.previous.questions, 17);
    assert_eq!(report.last_day, Some(day("2026-11-20")));
    assert_eq!(report.timeline.parts.len(), 7);
    let notes = fixture(&Request {
        project: Some("/home/ann/notes"),
        ..week_47()
    });
    assert_eq!(notes.last_day, Some(day("2025-12-29")));
}

#[test]
fn an_empty_store_is_all_zeros() {
    let (_folder, store) = filled(&[]);
    assert_eq!(report(&store, &week_47()), Report::empty(&week_47()));
    assert_eq!(store.projects().unwrap(), Vec::<String>::new());
}

#[test]
fn without_any_answer_nothing_is_saved() {
    let (_folder, store) = filled(&[
        DEFAULTS,
        "INSERT INTO questions BY NAME
         SELECT TIMESTAMP '2026-11-16 09:00:00' AS ts, DATE '2026-11-16' AS day, 'p' AS project,
             'k' AS question_key, 'auto_decided' AS outcome
         FROM range(3);",
    ]);
    let report = report(&store, &week_47());
    assert_eq!(report.totals.auto_decided, 3);
    assert_eq!(report.totals.seconds_saved, 0.0);
}

#[test]
fn projects_in_order() {
    let (_folder, store) = filled(FILLED);
    assert_eq!(
        store.projects().unwrap(),
        [
            "/home/ann/notes",
            "github.com/acme/shop",
            "github.com/acme/site"
        ]
    );
}

/// The report with what the questions' own pages need, and the details beside it.
fn details(request: &Request<'_>) -> (Report, Details) {
    let (_folder, store) = filled(FILLED);
    // An hour ahead, as Berlin is in winter.
    let zone = chrono::FixedOffset::east_opt(3600).unwrap();
    let mut found = report(&store, request);
    let details = store
        .report_details(request, &RenamedQuestions::default(), &mut found, &zone)
        .unwrap();
    (found, details)
}

#[test]
fn details_of_the_period() {
    let (report, found) = details(&week_47());
    let hour = |weekday, hour, asked| Hour {
        weekday,
        hour,
        asked,
    };
    assert_eq!(
        found.hours,
        [
            hour(1, 9, 2),
            hour(1, 10, 1),
            hour(2, 9, 1),
            hour(2, 11, 1),
            hour(3, 16, 1),
            hour(4, 16, 1),
            hour(5, 7, 1),
            hour(5, 8, 2),
        ]
    );
    // 10, 20, 30.5, 60 and 100 seconds.
    let times = &found.answering_times;
    assert_eq!(
        (times.answers, times.median_seconds, times.p90_seconds),
        (5, Some(30.5), Some(84.0))
    );
    let bins: Vec<_> = times.bins.iter().map(|bin| bin.answers).collect();
    assert_eq!(bins, [0, 0, 0, 0, 1, 1, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!((times.bins[4].from, times.bins[4].to), (8.0, Some(15.0)));
    assert_eq!((times.bins[16].from, times.bins[16].to), (28_800.0, None));
    let next = (report.questions.iter())
        .find(|one| one.question_key == "txt-0000000000000001")
        .unwrap();
    assert_eq!(next.over_time.iter().sum::<u64>(), 5);
    let answer = |answer: &str, times| AnswerCount {
        answer: answer.to_owned(),
        times,
    };
    assert_eq!(next.answers, [answer("Next area", 3), answer("(typed)", 1)]);
    let for_you: Vec<_> = (found.answered_for_you.iter())
        .map(|one| (one.question_key.as_str(), one.project.as_str(), one.times))
        .collect();
    assert_eq!(
        for_you,
        [
            ("commit-now", "github.com/acme/shop", 4),
            ("run-tests", "github.com/acme/site", 2),
            ("commit-now", "github.com/acme/site", 1),
        ]
    );
}

#[test]
fn details_of_nothing() {
    let (_folder, store) = filled(&[]);
    let found = store
        .report_details(
            &week_47(),
            &RenamedQuestions::default(),
            &mut Report::default(),
            &Utc,
        )
        .unwrap();
    assert_eq!(found.hours.len(), 0);
    let times = &found.answering_times;
    assert_eq!((times.answers, times.median_seconds), (0, None));
    assert_eq!(times.bins.len(), 17);
}

// Time answering, away and waiting: what each of them counts, in reports and in what is estimated from the same
// times.

/// A question of Monday, 16 November 2026: session, call, how many questions the call has, outcome, and the seconds
/// from nine o'clock at which it was asked and ended; `None` for no end.
type Row<'a> = (&'a str, &'a str, u32, &'a str, u32, Option<u32>);

/// A store of these questions, and one more for each of a call.
fn timed_store(rows: &[Row<'_>]) -> (TempDir, Store) {
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

fn timed_report(store: &Store) -> Report {
    let registry = Registry::default();
    store
        .report(&week_47(), || Ok(QuestionGrouping::by_rules(&registry)))
        .unwrap()
}

fn totals(rows: &[Row<'_>]) -> Totals {
    let (_folder, store) = timed_store(rows);
    timed_report(&store).totals
}

#[test]
fn a_night_is_no_answering_time() {
    let rows = [
        ("s", "quick", 1, "answered", 0, Some(20)),
        ("s", "at-the-bound", 1, "answered", 100, Some(700)),
        ("s", "night", 1, "answered", 1000, Some(1000 + 36_000)),
    ];
    let (_folder, store) = timed_store(&rows);
    let mut report = timed_report(&store);
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
        .report_details(&week_47(), &RenamedQuestions::default(), &mut report, &Utc)
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
        let (_folder, store) = timed_store(&rows);
        let store = store.away_after(bound).unwrap();
        // Another connection has the same bound.
        for store in [store.another().unwrap(), store] {
            let totals = timed_report(&store).totals;
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
        let (_folder, store) = timed_store(&[("s", "a", count, "answered", 0, Some(600))]);
        let found = timed_report(&store).totals;
        assert_eq!(found.away_answers, 0, "{count}");
        let (_folder, store) = timed_store(&[("s", "a", count, "answered", 0, Some(601))]);
        let found = timed_report(&store).totals;
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
        let (_folder, store) = timed_store(&rows);
        let totals = timed_report(&store).totals;
        prop_assert!((totals.waiting_seconds - seconds.sum::<usize>() as f64).abs() < 0.01);
        prop_assert!(totals.waiting_away_seconds <= totals.waiting_seconds);
        let answering: u32 = calls.iter().map(|call| call.3).filter(|took| *took <= 600).sum();
        prop_assert!((totals.human_seconds - f64::from(answering)).abs() < 0.01);
        for by in GroupKey::ALL {
            let groups = store.report_by(&week_47(), *by).unwrap().groups;
            let sum = |of: fn(&QuestionGroup) -> f64| groups.iter().map(of).sum::<f64>();
            prop_assert!((sum(|one| one.waiting_seconds) - totals.waiting_seconds).abs() < 0.05);
            prop_assert!((sum(|one| one.waiting_away_seconds) - totals.waiting_away_seconds).abs() < 0.05);
            prop_assert!((sum(|one| one.human_seconds) - totals.human_seconds).abs() < 0.05);
            prop_assert_eq!(groups.iter().map(|one| one.questions).sum::<u64>(), totals.questions);
        }
    }
}

#[test]
fn groups_add_up_beside_a_wait_from_the_week_before() {
    let (folder, store) = timed_store(&[
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
    let total = timed_report(&store).totals.waiting_seconds;
    assert_eq!(total, 100.0);
    for by in GroupKey::ALL {
        let groups = store.report_by(&week_47(), *by).unwrap().groups;
        let sum: f64 = groups.iter().map(|one| one.waiting_seconds).sum();
        assert_eq!(sum, total, "{by:?}");
    }
}

#[test]
fn groups_have_names() {
    let (folder, store) = timed_store(&[("s", "a", 2, "answered", 0, Some(60))]);
    drop(store);
    let path = folder.path().join("plantune.duckdb");
    let connection = plantune_migrations::open(&path, AccessMode::ReadWrite).unwrap();
    connection
        .execute_batch(
            "INSERT INTO questions BY NAME
             SELECT * FROM (VALUES
                 (DATE '2026-11-17', 'txt-1', 'text', 'answered', 'no', 'review', 'interactive', ' Scope '),
                 (DATE '2026-11-18', 'txt-2', 'text', 'auto_decided', NULL, NULL, 'headless', NULL),
                 (DATE '2026-11-18', '-x', 'marker', 'failed', NULL, '/review', 'headless', ' '),
                 (DATE '2026-11-22', 'gsd-', 'marker', 'open', NULL, '/gsd:discuss-phase', 'spawned', 'Scope'),
                 (DATE '2026-11-22', 'gsd-next', 'marker', 'open', NULL, 'gsd:plan', 'spawned', 'Scope')
             ) AS rows (day, question_key, key_source, outcome, free_text, skill, session_kind, header)
             CROSS JOIN (SELECT TIMESTAMP '2026-11-18' AS ts, 'q' AS project)",
        )
        .unwrap();
    drop(connection);
    let store = Store::open(&path).unwrap();
    let found = |by: GroupKey| -> Vec<(String, u64)> {
        let groups = store.report_by(&week_47(), by).unwrap().groups;
        let row = |one: QuestionGroup| (one.name.unwrap_or_default(), one.questions);
        groups.into_iter().map(row).collect()
    };
    let named = |rows: &[(&str, u64)]| -> Vec<(String, u64)> {
        rows.iter()
            .map(|(name, times)| ((*name).to_owned(), *times))
            .collect()
    };
    assert_eq!(
        found(GroupKey::Asker),
        named(&[
            ("", 3),
            ("/review", 2),
            ("/gsd:discuss-phase", 1),
            ("gsd:plan", 1)
        ])
    );
    assert_eq!(
        found(GroupKey::Framework),
        named(&[("", 3), ("/review", 2), ("gsd:*", 2)])
    );
    assert_eq!(found(GroupKey::Project), named(&[("q", 5), ("p", 2)]));
    assert_eq!(
        found(GroupKey::Header),
        named(&[("Scope", 3), ("", 2), ("H0", 1), ("H1", 1)])
    );
    assert_eq!(
        found(GroupKey::Weekday),
        named(&[
            ("Monday", 2),
            ("Tuesday", 1),
            ("Wednesday", 2),
            ("Sunday", 2)
        ])
    );
    assert_eq!(
        found(GroupKey::SessionKind),
        named(&[("interactive", 3), ("headless", 2), ("spawned", 2)])
    );
    let one = Request {
        project: Some("q"),
        ..week_47()
    };
    let groups = store.report_by(&one, GroupKey::SessionKind).unwrap().groups;
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
