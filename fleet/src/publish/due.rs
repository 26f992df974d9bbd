//! The events that are due: those of UTC days that are over, of projects that are not excluded, and that stand in
//! no file of this publisher yet. Whenever they came into the log: what comes late is in a further file of its day.

use std::collections::HashSet;
use std::slice;

use chrono::{DateTime, Datelike as _, Duration, NaiveDate, Utc};
use duckdb::{Connection, params};
use plantune_domain::hash;
use plantune_ingest::{UnreadSegment, read_events};
use serde::Deserialize;
use serde_arrow::to_record_batch;
use serde_json::Value;

use super::fields::KINDS;
use super::rows::{Event, Rules, text};
use crate::database::{in_batches, make_lake_rows, rows, texts};
use crate::failure::Failure;
use crate::workspace::Workspace;

/// The first year that can be published: a clock that says another one was never set.
const FIRST_YEAR: i32 = 2020;

/// What is left on the machine, and why.
#[derive(Debug, Default)]
pub(crate) struct Left {
    /// Events of days that are not over, or so for less than the grace.
    pub(crate) waiting: u64,
    /// Of these, events dated later than tomorrow: a clock was wrong. They wait for their day.
    pub(crate) in_future: u64,
    /// Events dated before 2020, which are never published.
    pub(crate) undated: u64,
    /// Events of projects that `exclude` names.
    pub(crate) excluded: u64,
    /// Events of kinds that this version does not know.
    pub(crate) unknown: u64,
    /// Segments of the log that could not be read.
    pub(crate) unread: Vec<UnreadSegment>,
}

/// One day's events that are due.
#[derive(Debug, Deserialize)]
pub(crate) struct Day {
    pub(crate) date: NaiveDate,
    pub(crate) events: u64,
}

/// The events that are due, as rows of the lake.
pub(crate) struct Due {
    connection: Connection,
    pub(crate) left: Left,
    /// Where the connection puts what does not fit into memory; removed after it.
    _spill: tempfile::TempDir,
}

/// Finds what is due; `published` is what was published, and `publisher` whose rows they become.
///
/// # Errors
/// Those of the file system and DuckDB.
pub(crate) fn find(
    workspace: &Workspace,
    publisher: &str,
    published: &mut HashSet<String>,
) -> Result<Due, Failure> {
    let connection = Connection::open_in_memory()?;
    let spill = tempfile::tempdir()?;
    let folder = spill.path().to_string_lossy().into_owned();
    connection.execute("SET VARIABLE folder = ?", [folder])?;
    connection.execute_batch(include_str!("../../sql/publish/session.sql"))?;
    make_lake_rows(&connection)?;
    connection.execute_batch(include_str!("../../sql/publish/incoming.sql"))?;
    let schema = connection
        .prepare("FROM incoming")?
        .query_arrow([])?
        .get_schema();
    let rules = Rules {
        key: &workspace.key,
        level: workspace.config.level,
        projects: workspace.config.projects,
        publisher,
    };
    let mut left = Left::default();
    let log = workspace.environment.paths.events();
    let unread = read_events(&log, |events| -> Result<(), Failure> {
        let mut rows = Vec::new();
        for event in in_batches::<Event>(slice::from_ref(events))? {
            let Some(time) = left.time_due(workspace, &event) else {
                continue;
            };
            let id = text(&event, "id").unwrap_or_default();
            let source = text(&event, "source").unwrap_or_default();
            let key = hash::hex(&[id, source, &micros(&event).to_string()]);
            if published.insert(key.clone()) {
                let mut row = rules.row(&event);
                for (column, text) in [
                    // A number would not become a time.
                    ("ts", time.format("%Y-%m-%dT%H:%M:%S%.6f").to_string()),
                    ("day", time.date_naive().to_string()),
                    ("journal_key", key),
                ] {
                    row.insert(column.to_owned(), text.into());
                }
                rows.push(row);
            }
        }
        if !rows.is_empty() {
            let mut appender = connection.appender("incoming")?;
            appender.append_record_batch(to_record_batch(schema.fields(), &rows)?)?;
            appender.flush()?;
        }
        Ok(())
    })?;
    left.unread = unread;
    Ok(Due {
        connection,
        left,
        _spill: spill,
    })
}

/// When an event happened, in microseconds since 1970, UTC.
fn micros(event: &Event) -> i64 {
    event.get("ts").and_then(Value::as_i64).unwrap_or_default()
}

impl Left {
    /// When an event was that is to be published; one that is not is counted.
    fn time_due(&mut self, workspace: &Workspace, event: &Event) -> Option<DateTime<Utc>> {
        let (now, config) = (workspace.environment.now, &workspace.config);
        // A day is over when this moment does not belong to it any more.
        let today = (now - Duration::hours(config.grace_hours.into())).date_naive();
        let time = DateTime::from_timestamp_micros(micros(event));
        let Some(time) = time.filter(|time| time.year() >= FIRST_YEAR) else {
            self.undated += 1;
            return None;
        };
        let day = time.date_naive();
        if day >= today {
            let tomorrow = now.date_naive().succ_opt();
            self.waiting += 1;
            self.in_future += u64::from(tomorrow.is_some_and(|tomorrow| day > tomorrow));
        } else if config.excludes(text(event, "project").unwrap_or_default()) {
            self.excluded += 1;
        } else if !text(event, "kind").is_some_and(|kind| KINDS.contains(&kind)) {
            self.unknown += 1;
        } else {
            return Some(time);
        }
        None
    }
}

impl Due {
    /// The days that have events due, in order.
    ///
    /// # Errors
    /// DuckDB's.
    pub(crate) fn days(&self) -> Result<Vec<Day>, Failure> {
        rows(
            &self.connection,
            include_str!("../../sql/publish/days.sql"),
            [],
        )
    }

    /// The file of a day, and what the journal knows its events by. The same rows make the same bytes.
    ///
    /// # Errors
    /// DuckDB's, and those of the file system.
    pub(crate) fn file(
        &self,
        date: NaiveDate,
        key_check: &str,
    ) -> Result<(Vec<u8>, Vec<String>), Failure> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("day.parquet");
        let set = |sql: &str, value: &str| self.connection.execute(sql, [value]);
        set("SET VARIABLE path = ?", &path.to_string_lossy())?;
        set("SET VARIABLE key_check = ?", key_check)?;
        set("SET VARIABLE day = ?", &date.to_string())?;
        self.connection
            .execute_batch(include_str!("../../sql/publish/write.sql"))?;
        let keys = include_str!("../../sql/publish/keys.sql");
        let keys = texts(&self.connection, keys, params![date])?;
        Ok((std::fs::read(path)?, keys))
    }

    /// At most `most` rows that are due, as JSON without what is null, those of the first days first.
    ///
    /// # Errors
    /// DuckDB's.
    pub(crate) fn samples(&self, most: u64) -> Result<Vec<String>, Failure> {
        let sql = include_str!("../../sql/publish/samples.sql");
        texts(&self.connection, sql, [most])
    }
}
