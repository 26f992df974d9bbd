//! The rows behind figures, and lines that stand out, of stores that are filled at random: whatever is there,
//! a line's figures are those of its rows.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use chrono::{Datelike as _, FixedOffset, NaiveDate};
use plantune_domain::registry::Registry;
use plantune_query::Store;
use plantune_query::families::Grouping;
use plantune_query::report::explain::{FigureRow, Rows};
use plantune_query::report::stands_out::{Finding, KINDS, Says};
use plantune_query::report::{Days, Renamed, Request};

use crate::stores::{self, DEFAULTS, day, filled};

/// Some hundred questions of two weeks: with weight on a hour, a day, a session, an asker and a question as
/// the seed decides.
const RANDOM: &str = "
CREATE TEMP TABLE weights AS
SELECT random() AS of_hour, random() AS of_day, random() AS of_session, random() AS of_asker,
    random() AS of_typed, random() AS of_slow, random() AS of_more;
CREATE TEMP TABLE drawn AS
SELECT
    i,
    random() AS a, random() AS b, random() AS c, random() AS d, random() AS e, random() AS f,
    random() AS g, random() AS h, random() AS j
FROM range(300) AS numbers(i);
INSERT INTO questions BY NAME
SELECT
    -- Berlin's days in winter: an hour ahead, and nothing near midnight.
    (day + to_hours(CASE WHEN a < of_hour / 2 THEN 13 ELSE 8 + floor(b * 10)::INTEGER END)) AS ts,
    day::DATE AS day,
    CASE WHEN d < 0.5 THEN 'shop' ELSE 'site' END AS project,
    -- A session may work in both projects.
    CASE WHEN h < of_session / 4 THEN 's0' ELSE 's' || (1 + floor(b * 20)::INTEGER) END AS session_id,
    'interactive' AS session_kind,
    CASE WHEN i % 7 = 0 THEN 1 ELSE 0 END AS question_index,
    'call' || i AS tool_use_id,
    key AS question_key,
    CASE WHEN key LIKE 'fp%' THEN 'fingerprint' ELSE 'marker' END AS key_source,
    CASE WHEN a < of_asker THEN 'review' END AS skill,
    'Which ' || key || '?' AS question,
    '[\"One (Recommended)\",\"Two\",\"Three\"]' AS options,
    outcome,
    CASE
        WHEN outcome <> 'answered' THEN NULL
        WHEN key = 'plan-typed' AND g < of_typed THEN '(typed)'
        WHEN key = 'plan-always' THEN 'One'
        ELSE (['One', 'Two', 'Three'])[1 + floor(c * 3)::INTEGER]
    END AS answer_name,
    CASE WHEN outcome = 'answered' THEN answer_name = 'One' END AS followed_recommendation,
    CASE WHEN outcome = 'answered' THEN
        round(exp(2 + 2 * h) * (CASE WHEN key = 'fp-slow' THEN 1 + 9 * of_slow ELSE 1 END), 3)
    END AS human_seconds
FROM (
    SELECT
        drawn.*,
        weights.*,
        TIMESTAMP '2026-11-16' - to_days(CASE WHEN f < of_more THEN 0 ELSE 7 END)
            + to_days(CASE WHEN g < of_day / 3 THEN 2 ELSE floor(e * 7)::INTEGER END) AS day,
        (['plan-typed', 'plan-always', 'fp-slow', 'fp-1', 'fp-2', 'fp-3'])[1 + floor(j * 6)::INTEGER]
            AS key,
        CASE WHEN c < 0.8 THEN 'answered' WHEN c < 0.9 THEN 'dismissed' ELSE 'auto_decided' END
            AS outcome
    FROM drawn
    CROSS JOIN weights
);
";

fn random_store(seed: u32) -> (tempfile::TempDir, Store) {
    let seed = f64::from(seed) / 1000.0;
    let seed = format!("SET threads = 1; SELECT setseed({seed});");
    filled(&[DEFAULTS, &seed, RANDOM])
}

/// 2026-W47, seen when it is over.
fn week_47() -> Request<'static> {
    Request {
        today: day("2026-11-23"),
        ..stores::week_47()
    }
}

fn zone() -> FixedOffset {
    FixedOffset::east_opt(3600).unwrap()
}

/// Questions as they were logged.
fn grouping() -> Grouping<'static> {
    static NO_RULES: LazyLock<Registry> = LazyLock::new(Registry::default);
    Grouping::by_rules(&NO_RULES)
}

fn rows(store: &Store, name: &str) -> (Option<f64>, Vec<FigureRow>) {
    let found = store.explained(name, &week_47(), &grouping(), &zone());
    let found = found.unwrap().unwrap_or_else(|| panic!("{name}"));
    match found.rows {
        Rows::Questions(rows) => (found.value, rows),
        Rows::Prompts(_) => panic!("{name}"),
    }
}

fn count<'r>(rows: impl IntoIterator<Item = &'r FigureRow>) -> u64 {
    rows.into_iter().count() as u64
}

fn seconds<'r>(rows: impl IntoIterator<Item = &'r FigureRow>) -> f64 {
    rows.into_iter()
        .filter_map(|row| row.answering_seconds)
        .sum()
}

#[track_caller]
fn close(one: f64, other: f64) {
    assert!((one - other).abs() < 0.001, "{one} {other}");
}

/// Holds a line against the rows behind it, and the rows of all that was asked.
fn hold(line: &Finding, rows: &[FigureRow], asked: &[FigureRow]) {
    let n = count(rows);
    assert_eq!(line.n, n, "{line:?}");
    let all = count(asked);
    match &line.says {
        Says::AsksMost {
            asker,
            asked,
            of,
            seconds: spent,
        } => {
            assert_eq!((*asked, *of), (n, all));
            close(*spent, seconds(rows));
            assert!(rows.iter().all(|row| row.asker.as_ref() == Some(asker)));
        }
        Says::OptionsRarelyFit {
            typed,
            answered,
            seconds: spent,
            ..
        } => {
            let is_typed = |row: &&FigureRow| row.answer.as_deref() == Some("(typed)");
            assert_eq!(
                (*typed, *answered),
                (count(rows.iter().filter(is_typed)), n)
            );
            close(*spent, seconds(rows));
            assert!(2 * typed >= n);
        }
        Says::AlwaysRecommended {
            answered,
            seconds: spent,
            ..
        } => {
            assert_eq!(*answered, n);
            close(*spent, seconds(rows));
            assert!(rows.iter().all(|row| row.followed == Some(true)));
        }
        Says::BusiestHour {
            asked: of_it,
            of,
            hours,
            hour,
        } => {
            assert_eq!((*of_it, *of), (n, all));
            assert!(rows.iter().all(|row| row.hour.1 == *hour));
            let known: BTreeSet<u32> = asked.iter().map(|row| row.hour.1).collect();
            assert_eq!(*hours, known.len() as u64);
        }
        Says::BusiestDay {
            asked: of_it,
            of,
            days,
            day,
        } => {
            assert_eq!((*of_it, *of), (n, all));
            assert!(rows.iter().all(|row| row.day == *day));
            let known: BTreeSet<NaiveDate> = asked.iter().map(|row| row.day).collect();
            assert_eq!(*days, known.len() as u64);
        }
        Says::BusiestWeekday { weekday, .. } => {
            let is_it = |row: &FigureRow| row.day.weekday().number_from_monday() == *weekday;
            assert!(rows.iter().all(is_it));
        }
        Says::MostStoppedSession {
            asked: of_it,
            of,
            sessions,
            day,
            ..
        } => {
            assert_eq!((*of_it, *of), (n, all));
            assert_eq!(rows.iter().map(|row| row.day).min(), Some(*day));
            let known: BTreeSet<&str> = asked.iter().map(|row| row.session_id.as_str()).collect();
            assert_eq!(*sessions, known.len() as u64);
        }
        Says::LongestWait {
            answers,
            seconds: spent,
            other_answers,
            other_seconds,
            ..
        } => {
            assert_eq!(*answers, n);
            close(*spent, seconds(rows));
            let timed = asked.iter().filter(|row| row.answering_seconds.is_some());
            assert_eq!(*other_answers, count(timed) - n);
            close(*other_seconds, seconds(asked) - seconds(rows));
        }
        Says::Change {
            asked: now,
            before,
            cause,
            ..
        } => {
            let monday = week_47().period.start;
            let is_now = |row: &&FigureRow| row.day >= monday;
            assert_eq!((*now, now + before), (count(rows.iter().filter(is_now)), n));
            if let Some((question, now, before)) = cause {
                let is_it = |row: &&FigureRow| {
                    row.question_key == question.question_key && row.project == question.project
                };
                let of_it = || rows.iter().filter(is_it);
                assert_eq!(
                    (*now, now + before),
                    (count(of_it().filter(is_now)), count(of_it()))
                );
            }
        }
    }
}

#[test]
fn a_lines_figures_are_those_of_its_rows() {
    let mut kinds: BTreeSet<&str> = BTreeSet::new();
    for seed in 3..7 {
        let (_folder, store) = random_store(seed);
        let lines = store
            .stands_out(&week_47(), &Renamed::default(), &zone())
            .unwrap();
        let (_, asked) = rows(&store, "asked");
        for line in &lines {
            hold(line, &rows(&store, &line.name).1, &asked);
            kinds.insert(line.says.kind());
        }
    }
    // The stores are such that every kind is met, but for that of periods of weeks.
    let expected: BTreeSet<&str> = KINDS
        .into_iter()
        .filter(|kind| *kind != "busiest_weekday")
        .collect();
    assert_eq!(kinds, expected);
}

#[test]
fn a_report_has_the_lines_that_stand_out() {
    let next_week = Request {
        period: Days {
            start: day("2026-11-23"),
            end: day("2026-11-29"),
        },
        previous: week_47().period,
        ..week_47()
    };
    for seed in 0..3 {
        let (_folder, store) = random_store(seed);
        for request in [week_47(), next_week.clone()] {
            let (report, lines) = store
                .report_and_findings(&request, &zone(), || Ok(grouping()))
                .unwrap();
            assert_eq!(report, store.report(&request, || Ok(grouping())).unwrap());
            let expected = store
                .stands_out(&request, &report.renamed, &zone())
                .unwrap();
            assert_eq!(lines, expected);
            assert_eq!(lines.is_empty(), report.totals.asked == 0);
        }
    }
}

#[test]
fn figures_that_are_not_there() {
    let (_folder, store) = random_store(1);
    for name in [
        "nonsense",
        "",
        "previous.nonsense",
        "trend.2026-W01.asked",
        "trend.2026-W47.calls",
        "hours.1",
        "fp-9",
        "fp-9.answered",
        "change.2",
        "permissions.nonsense",
    ] {
        let found = store.explained(name, &week_47(), &grouping(), &zone());
        assert_eq!(found.unwrap(), None, "{name}");
    }
}
