//! The latest forty answers are found without looking at all of them: compared with plain queries.

use chrono::NaiveDateTime;
use duckdb::Connection;
use plantune_domain::registry::Registry;
use plantune_query::evidence::{KeyEvidence, evidence};
use plantune_query::families::Grouping;
use plantune_query::report::Request;
use tempfile::TempDir;

use crate::stores::{DEFAULTS, days, empty, opened, week_47};

/// Project, key, answers, the first of them, and the sum of their seconds.
type Row = (String, String, usize, NaiveDateTime, f64);

fn store() -> (TempDir, Connection) {
    let (folder, connection) = empty();
    for fill in [DEFAULTS, include_str!("../latest.sql")] {
        connection.execute_batch(fill).unwrap();
    }
    (folder, connection)
}

/// The rows of `latest_answers.sql`.
fn plain(connection: &Connection) -> Vec<Row> {
    let sql = include_str!("../latest_answers.sql");
    let mut statement = connection.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| {
        let (project, key) = (row.get(0)?, row.get(1)?);
        Ok((project, key, row.get(2)?, row.get(3)?, row.get(4)?))
    });
    rows.unwrap().collect::<Result<_, _>>().unwrap()
}

fn row(key: &KeyEvidence) -> Row {
    let seconds = key.answers.iter().filter_map(|answer| answer.human_seconds);
    let first = key.answers.iter().map(|answer| answer.at).min().unwrap();
    (
        key.project.clone(),
        key.question_key.clone(),
        key.answers.len(),
        first,
        seconds.sum(),
    )
}

#[test]
fn evidence_is_of_the_latest_answers() {
    let (folder, connection) = store();
    let plain = plain(&connection);
    let (_folder, store) = opened((folder, connection));
    let found = evidence(&store, &Registry::default()).unwrap();
    let found: Vec<Row> = found.iter().map(row).collect();
    assert_eq!(found, plain);
    // Some had forty answers in a week, some in eight weeks, some never.
    let first = |day: &str| day.parse::<NaiveDateTime>().unwrap();
    let since = |from: &str, to: &str| {
        let in_span = |row: &&Row| row.2 == 40 && first(from) <= row.3 && row.3 < first(to);
        found.iter().filter(in_span).count()
    };
    assert!(since("2026-11-14T00:00:00", "2026-12-01T00:00:00") > 0);
    assert!(since("2026-09-26T00:00:00", "2026-11-14T00:00:00") > 0);
    assert!(found.iter().any(|row| row.2 < 40));
}

#[test]
fn seconds_saved_are_medians_of_the_latest_answers() {
    let (folder, connection) = store();
    let plain: f64 = connection
        .query_row(include_str!("../latest_seconds.sql"), [], |row| row.get(0))
        .unwrap();
    let (_folder, store) = opened((folder, connection));
    let request = Request {
        period: days("2026-11-14", "2026-11-20"),
        previous: days("2026-11-07", "2026-11-13"),
        ..week_47()
    };
    let registry = Registry::default();
    let report = store.report(&request, || Ok(Grouping::by_rules(&registry)));
    let saved = report.unwrap().totals.seconds_saved;
    assert!((saved - plain).abs() < 1e-6, "{saved} {plain}");
}
