//! The events that are due: those of UTC days that are over, of projects that are not excluded, and that stand in
//! no file of this publisher yet. Whenever they came into the log: what comes late is in a further file of its day.

use std::collections::HashSet;

use chrono::{Days, Duration, NaiveDate};
use duckdb::arrow::array::{Array as _, RecordBatch, UInt32Array};
use duckdb::arrow::compute::take_record_batch;
use duckdb::arrow::error::ArrowError;
use duckdb::{Connection, params};
use plantune_domain::hash;
use plantune_ingest::{UnreadSegment, read_events, with_event_columns};

use super::fields::KINDS;
use super::rows::{Rules, day, text, times};
use crate::failure::Failure;
use crate::workspace::Workspace;

/// The days that can be published: a clock that says another one was never set.
const FIRST_DAY: (i32, u32, u32) = (2020, 1, 1);

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
#[derive(Debug)]
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
    connection.execute_batch(&with_event_columns(include_str!(
        "../../sql/lake/columns.sql"
    )))?;
    connection.execute_batch(include_str!("../../sql/publish/incoming.sql"))?;
    let rules = Rules {
        key: &workspace.key,
        level: workspace.config.level,
        projects: workspace.config.projects,
        publisher,
    };
    let mut left = Left::default();
    let log = workspace.environment.paths.events();
    left.unread = read_events(&log, |events| -> Result<(), Step> {
        let chosen = choose(events, workspace, published, &mut left)?;
        if !chosen.keys.is_empty() {
            let events = take_record_batch(events, &UInt32Array::from(chosen.rows))?;
            let rows = rules.rows(&events, &chosen.keys)?;
            let mut appender = connection.appender("incoming")?;
            appender.append_record_batch(rows)?;
            appender.flush()?;
        }
        Ok(())
    })
    .map_err(|step| step.0)?;
    Ok(Due {
        connection,
        left,
        _spill: spill,
    })
}

/// A failure on the way, whatever it is of.
struct Step(Failure);

impl<E: std::error::Error> From<E> for Step {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

/// Which events of a batch are due, and what the journal knows them by.
struct Chosen {
    rows: Vec<u32>,
    keys: Vec<String>,
}

fn choose(
    events: &RecordBatch,
    workspace: &Workspace,
    published: &mut HashSet<String>,
    left: &mut Left,
) -> Result<Chosen, ArrowError> {
    let now = workspace.environment.now;
    let grace = Duration::hours(workspace.config.grace_hours.into());
    // A day is over when this moment does not belong to it any more.
    let today = (now - grace).date_naive();
    let tomorrow = now.date_naive().checked_add_days(Days::new(1));
    let (year, month, of_month) = FIRST_DAY;
    let first = NaiveDate::from_ymd_opt(year, month, of_month).unwrap_or_default();
    let (ids, kinds) = (text(events, "id")?, text(events, "kind")?);
    let (sources, projects) = (text(events, "source")?, text(events, "project")?);
    let times = times(events)?;
    let mut chosen = Chosen {
        rows: Vec::new(),
        keys: Vec::new(),
    };
    for row in 0..events.num_rows() {
        let value = |texts: &duckdb::arrow::array::StringArray| match texts.is_valid(row) {
            true => texts.value(row).to_owned(),
            false => String::new(),
        };
        let micros = times.value(row);
        let Some(day) = day(micros).filter(|day| *day >= first) else {
            left.undated += 1;
            continue;
        };
        if day >= today {
            left.waiting += 1;
            left.in_future += u64::from(tomorrow.is_some_and(|tomorrow| day > tomorrow));
        } else if workspace.config.excludes(&value(projects)) {
            left.excluded += 1;
        } else if !KINDS.contains(&value(kinds).as_str()) {
            left.unknown += 1;
        } else {
            let key = hash::hex(&[&value(ids), &value(sources), &micros.to_string()]);
            if published.insert(key.clone()) {
                chosen.rows.push(u32::try_from(row).unwrap_or_default());
                chosen.keys.push(key);
            }
        }
    }
    Ok(chosen)
}

impl Due {
    /// The days that have events due, in order.
    ///
    /// # Errors
    /// DuckDB's.
    pub(crate) fn days(&self) -> Result<Vec<Day>, Failure> {
        let sql = include_str!("../../sql/publish/days.sql");
        let mut statement = self.connection.prepare(sql)?;
        let days = statement.query_map([], |row| {
            Ok(Day {
                date: row.get(0)?,
                events: row.get(1)?,
            })
        })?;
        Ok(days.collect::<duckdb::Result<_>>()?)
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
        let mut statement = self
            .connection
            .prepare(include_str!("../../sql/publish/keys.sql"))?;
        let keys = statement.query_map(params![date], |row| row.get(0))?;
        let keys = keys.collect::<duckdb::Result<_>>()?;
        Ok((std::fs::read(path)?, keys))
    }

    /// At most `most` rows that are due, as JSON without what is null, those of the first days first.
    ///
    /// # Errors
    /// DuckDB's.
    pub(crate) fn samples(&self, most: u64) -> Result<Vec<String>, Failure> {
        let sql = include_str!("../../sql/publish/samples.sql");
        let mut statement = self.connection.prepare(sql)?;
        let rows = statement.query_map([most], |row| row.get(0))?;
        Ok(rows.collect::<duckdb::Result<_>>()?)
    }
}
