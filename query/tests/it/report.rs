//! The report's queries against the store of `report.sql`, with exact numbers.

use chrono::{DateTime, Utc};
use plantune_domain::registry::Registry;
use plantune_query::Store;
use plantune_query::families::Grouping;
use plantune_query::page::{Details, Hour};
use plantune_query::report::AnswerCount;
use plantune_query::report::{
    DecidedBy, ErrorKind, Renamed, Report, Request, Timeline, Totals, Unit,
};

use crate::stores::{DEFAULTS, day, days, filled, week_47};

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
        .report(request, || Ok(Grouping::by_rules(&registry)))
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
            ("fp-0000000000000001", "github.com/acme/shop"),
            ("commit-now", "github.com/acme/shop"),
            ("drop-table", "github.com/acme/shop"),
            ("run-tests", "github.com/acme/site"),
            ("commit-now", "github.com/acme/site"),
            ("fp-0000000000000001", "github.com/acme/site"),
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

fn details(request: &Request<'_>) -> Details {
    let (_folder, store) = filled(FILLED);
    // An hour ahead, as Berlin is in winter.
    let zone = chrono::FixedOffset::east_opt(3600).unwrap();
    let timeline = report(&store, request).timeline;
    store
        .report_details(request, &Renamed::default(), &timeline, &zone)
        .unwrap()
}

#[test]
fn details_of_the_period() {
    let found = details(&week_47());
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
    let name = |key: &str, project: &str| (key.to_owned(), project.to_owned());
    let next = &found.questions[&name("fp-0000000000000001", "github.com/acme/shop")];
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
        .report_details(&week_47(), &Renamed::default(), &Timeline::default(), &Utc)
        .unwrap();
    assert_eq!((found.hours.len(), found.questions.len()), (0, 0));
    let times = &found.answering_times;
    assert_eq!((times.answers, times.median_seconds), (0, None));
    assert_eq!(times.bins.len(), 17);
}
