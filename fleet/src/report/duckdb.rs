//! The report on DuckDB: the lake's events in a database of its own, and the queries of `sql/fleet/` over it.

use std::collections::BTreeMap;

use chrono::{DateTime, Datelike as _, NaiveDate, NaiveTime};
use duckdb::{Connection, Row, params};

use super::document::{
    Document, Figures, LakeState, Period, PromptFigures, SkippedFile, TopAnswer,
};
use crate::failure::Failure;
use crate::lake::files::{Listing, Read, Reader, missing};
use crate::lake::tombstones;
use crate::workspace::Workspace;

/// How often reading begins again when a compaction removes files meanwhile.
const MOST_ATTEMPTS: usize = 20;

/// The report on the days from `start` to `end`, both included.
///
/// # Errors
/// Refused for another organisation's lake; those of the lake and DuckDB.
pub(crate) fn report(
    workspace: &Workspace,
    start: NaiveDate,
    end: NaiveDate,
) -> Result<Document, Failure> {
    let folder = tempfile::tempdir()?;
    let (connection, lake) = load(workspace, folder.path())?;
    let micros = |day: NaiveDate| day.and_time(NaiveTime::MIN).and_utc().timestamp_micros();
    let after = end.succ_opt().unwrap_or(end);
    // What was asked more than one full day before today, and has no end, was left.
    let yesterday = workspace
        .environment
        .now
        .date_naive()
        .pred_opt()
        .unwrap_or(start);
    let settings = params![
        workspace.config.k,
        micros(start),
        micros(after),
        micros(yesterday),
        i64::from(workspace.config.away_after_minutes) * 60_000_000
    ];
    connection.execute(include_str!("../../sql/duckdb/settings.sql"), settings)?;
    let create = |what: &str, name: &str, sql: &str| -> Result<(), Failure> {
        let statement = format!("CREATE OR REPLACE {what} {name} AS\n{sql}");
        Ok(connection.execute_batch(&statement)?)
    };
    // In the database's file, compressed: a temporary table would lie in memory as it is.
    let keep = |name: &str, sql: &str| create("TABLE", name, sql);
    // Computed where it is read, of the columns that are.
    let define = |name: &str, sql: &str| create("VIEW", name, sql);
    keep("copied", include_str!("../../sql/fleet/copied.sql"))?;
    define("each_event", include_str!("../../sql/fleet/each_event.sql"))?;
    keep("questions", include_str!("../../sql/fleet/questions.sql"))?;
    keep("prompts", include_str!("../../sql/fleet/prompts.sql"))?;
    define("period", include_str!("../../sql/fleet/period.sql"))?;
    let named = include_str!("../../sql/fleet/named.sql");
    let groups = |sql: &str| -> Result<Vec<Figures>, Failure> {
        define("grouped", sql)?;
        define("named", named)?;
        figures(&connection, &BTreeMap::new())
    };
    let questions = || -> Result<Vec<Figures>, Failure> {
        define(
            "grouped",
            include_str!("../../sql/fleet/groups/question.sql"),
        )?;
        define("named", named)?;
        figures(&connection, &top_answers(&connection)?)
    };
    let prompts = |sql: &str| -> Result<Vec<PromptFigures>, Failure> {
        define("grouped", sql)?;
        define("named", named)?;
        prompt_figures(&connection)
    };
    let mut weeks = groups(include_str!("../../sql/fleet/groups/week.sql"))?;
    weeks.sort_by_key(|week| (week.name.is_none(), week.name.as_deref().map(monday)));
    for week in &mut weeks {
        week.name = week.name.take().map(|name| week_name(&name));
    }
    let total = include_str!("../../sql/fleet/groups/total.sql");
    let prompts_total = include_str!("../../sql/fleet/groups/prompts_total.sql");
    Ok(Document {
        schema_version: 1,
        period: Period {
            start,
            end,
            time_zone: "UTC",
        },
        k: workspace.config.k,
        totals: groups(total)?.into_iter().find(|all| all.name.is_some()),
        weeks,
        questions: questions()?,
        askers: groups(include_str!("../../sql/fleet/groups/asker.sql"))?,
        session_kinds: groups(include_str!("../../sql/fleet/groups/session_kind.sql"))?,
        errors: groups(include_str!("../../sql/fleet/groups/error.sql"))?,
        permissions: prompts(prompts_total)?
            .into_iter()
            .find(|all| all.name.is_some()),
        permissions_by_tool: prompts(include_str!("../../sql/fleet/groups/prompts_tool.sql"))?,
        lake,
    })
}

/// The events of the lake in a database in `folder`, and what was read.
fn load(
    workspace: &Workspace,
    folder: &std::path::Path,
) -> Result<(Connection, LakeState), Failure> {
    let lake = workspace.lake()?;
    for attempt in 0..MOST_ATTEMPTS {
        let listing = Listing::read(&lake)?;
        let connection = Connection::open(folder.join(format!("{attempt}.duckdb")))?;
        connection.execute("SET VARIABLE folder = ?", [folder.to_string_lossy()])?;
        for sql in [
            include_str!("../../sql/duckdb/session.sql"),
            include_str!("../../sql/lake/columns.sql"),
            include_str!("../../sql/duckdb/events.sql"),
        ] {
            connection.execute_batch(sql)?;
        }
        for tombstone in tombstones::all(&lake)? {
            let sql = include_str!("../../sql/lake/tombstone.sql");
            connection.execute(sql, params![tombstone.publisher, tombstone.project])?;
        }
        let mut reader = Reader {
            lake: &lake,
            connection: &connection,
            key_check: workspace.key.check_value(),
            skipped: listing.skipped.clone(),
        };
        let Read::Done(readable) = reader.readable(&listing.files)? else {
            continue;
        };
        let load = include_str!("../../sql/duckdb/load.sql");
        let Read::Done(read) = reader.read(&readable, load)? else {
            continue;
        };
        let skipped = reader.skipped.into_iter().map(|skipped| SkippedFile {
            path: skipped.path,
            why: skipped.why,
        });
        let sql = include_str!("../../sql/duckdb/contents.sql");
        let (rows, events, publishers) =
            connection.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        let state = LakeState {
            address: lake.address.clone(),
            files: read.len() as u64,
            rows,
            events,
            publishers,
            missing_files: missing(&listing, &read),
            skipped: skipped.collect(),
        };
        return Ok((connection, state));
    }
    let words = format!(
        "{}: files are merged faster than they can be read",
        lake.address
    );
    Err(Failure::failed(words).hint("try again when no compaction runs"))
}

/// A count of SQL, which is never negative.
fn count(row: &Row<'_>, name: &str) -> duckdb::Result<u64> {
    row.get::<_, i64>(name).map(i64::unsigned_abs)
}

fn seconds(micros: i64) -> f64 {
    // To the millisecond.
    (micros as f64 / 1_000.0).round() / 1_000.0
}

/// The answer that was given most often, by group.
fn top_answers(connection: &Connection) -> Result<BTreeMap<String, TopAnswer>, Failure> {
    let mut answers = BTreeMap::new();
    let mut statement = connection.prepare(include_str!("../../sql/fleet/answers.sql"))?;
    let rows = statement.query_map([], |row| {
        let answer = TopAnswer {
            hash: row.get("answer_hash")?,
            answer: row.get("answer_name")?,
            times: count(row, "times")?,
            machines: count(row, "machines")?,
            share: 0.0,
        };
        Ok((row.get::<_, String>("shown_name")?, answer))
    })?;
    for row in rows {
        let (name, answer) = row?;
        answers.insert(name, answer);
    }
    Ok(answers)
}

fn figures(
    connection: &Connection,
    answers: &BTreeMap<String, TopAnswer>,
) -> Result<Vec<Figures>, Failure> {
    let mut statement = connection.prepare(include_str!("../../sql/fleet/figures.sql"))?;
    let rows = statement.query_map([], |row| {
        let name: Option<String> = row.get("shown_name")?;
        let answered = count(row, "answered")?;
        let agreement_n = row
            .get::<_, Option<i64>>("agreement_n")?
            .map(i64::unsigned_abs);
        let followed = row.get::<_, Option<i64>>("followed")?;
        let agreement = followed.zip(agreement_n.filter(|n| *n > 0));
        let top = name.as_ref().and_then(|name| answers.get(name)).cloned();
        Ok(Figures {
            label: name.as_ref().map_or(Ok(None), |_| row.get("label"))?,
            name,
            groups: count(row, "groups")?,
            questions: count(row, "questions")?,
            asked: count(row, "asked")?,
            answered,
            auto_decided: count(row, "auto_decided")?,
            failed: count(row, "failed")?,
            dismissed: count(row, "dismissed")?,
            open: count(row, "still_open")?,
            calls: count(row, "calls")?,
            sessions: count(row, "sessions")?,
            machines: count(row, "machines")?,
            projects: count(row, "projects")?,
            human_seconds: seconds(row.get("human_us")?),
            away_answers: count(row, "away_answers")?,
            away_seconds: seconds(row.get("awaited_us")?),
            median_seconds: row
                .get::<_, Option<f64>>("median_us")?
                .map(|micros| (micros / 1_000.0).round() / 1_000.0),
            agreement: agreement.map(|(followed, n)| followed as f64 / n as f64),
            agreement_n,
            top_answer: top.map(|top| TopAnswer {
                share: top.times as f64 / answered.max(1) as f64,
                ..top
            }),
        })
    })?;
    Ok(rows.collect::<duckdb::Result<_>>()?)
}

fn prompt_figures(connection: &Connection) -> Result<Vec<PromptFigures>, Failure> {
    let mut statement = connection.prepare(include_str!("../../sql/fleet/prompt_figures.sql"))?;
    let rows = statement.query_map([], |row| {
        Ok(PromptFigures {
            name: row.get("shown_name")?,
            groups: count(row, "groups")?,
            asked: count(row, "asked")?,
            granted: count(row, "granted")?,
            refused: count(row, "refused")?,
            ambiguous: count(row, "ambiguous")?,
            open: count(row, "still_open")?,
            machines: count(row, "machines")?,
            projects: count(row, "projects")?,
            seconds_waited: seconds(row.get("waited_us")?),
            waits_known: count(row, "waits_known")?,
        })
    })?;
    Ok(rows.collect::<duckdb::Result<_>>()?)
}

/// The Monday that a group of `week.sql` is named for.
fn monday(name: &str) -> Option<NaiveDate> {
    let days: i64 = name.parse().ok()?;
    DateTime::from_timestamp(days * 86_400, 0).map(|time| time.date_naive())
}

fn week_name(name: &str) -> String {
    match monday(name).map(|monday| monday.iso_week()) {
        Some(week) => format!("{}-W{:02}", week.year(), week.week()),
        None => name.to_owned(),
    }
}
