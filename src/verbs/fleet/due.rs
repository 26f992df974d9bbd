//! What this machine has to push: the events of UTC days that are over, of projects that are not excluded, as rows of
//! the lake.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::path::Path;
use std::slice;

use chrono::{DateTime, Datelike as _, Days, Duration, NaiveDate, Utc};
use duckdb::Connection;
use plantune_ingest::{UnreadSegment, read_events, with_event_columns};
use plantune_query::fleet::{SESSION, push};
use plantune_reports::amount::counted;
use serde::Deserialize;
use serde_arrow::to_record_batch;
use serde_json::Value;

use super::engine::{in_batches, rows};
use super::fields::KINDS;
use super::member::Member;
use super::rows::{Event, Rules, text};
use crate::failure::Failure;

/// The first year that can be pushed: a clock that says another one was never set.
const FIRST_YEAR: i32 = 2020;

/// What stays on the machine.
#[derive(Debug, Default)]
pub(super) struct Left {
    /// How many events, by the reason in words.
    events: BTreeMap<&'static str, u64>,
    /// The days that have events of excluded projects.
    pub(super) excluded_days: BTreeSet<NaiveDate>,
    /// Segments of the log that could not be read.
    pub(super) unread: Vec<UnreadSegment>,
}

/// A day.
#[derive(Debug, Deserialize)]
pub(super) struct Day {
    pub(super) day: NaiveDate,
    pub(super) events: u64,
    /// Of its rows, whatever their order.
    digest: String,
}

impl Day {
    /// The name of its file.
    pub(super) fn path(&self, prefix: &str) -> String {
        format!("{prefix}/day={}/{}.parquet", self.day, self.digest)
    }
}

/// What is due.
pub(super) struct Due {
    connection: Connection,
    pub(super) days: Vec<Day>,
    pub(super) left: Left,
    /// Where the connection puts what does not fit into memory; removed after it.
    folder: tempfile::TempDir,
}

/// Finds what is due.
///
/// # Errors
/// Those of the file system and DuckDB.
pub(super) fn find(member: &Member<'_>) -> Result<Due, Failure> {
    let mut due = Due {
        connection: Connection::open_in_memory()?,
        days: Vec::new(),
        left: Left::default(),
        folder: tempfile::tempdir()?,
    };
    let folder = due.folder.path().to_string_lossy().into_owned();
    due.connection
        .execute("SET VARIABLE folder = ?", [folder])?;
    due.connection.execute_batch(SESSION)?;
    // What is sealed while it is read may be passed over.
    let log = member.workspace.paths.events();
    loop {
        let segments = names(&log);
        due.fill(member, &log)?;
        if segments == names(&log) {
            break;
        }
    }
    due.days = rows(&due.connection, push::DAYS, [])?;
    Ok(due)
}

/// The names of the files in a folder; none where it is not there.
fn names(folder: &Path) -> BTreeSet<std::ffi::OsString> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name()).collect()
}

impl Due {
    fn fill(&mut self, member: &Member<'_>, log: &Path) -> Result<(), Failure> {
        let table = with_event_columns(push::DUE);
        let connection = &self.connection;
        connection.execute_batch(&table.replace("CREATE TABLE", "CREATE OR REPLACE TABLE"))?;
        let schema = connection
            .prepare("FROM due")?
            .query_arrow([])?
            .get_schema();
        let rules = Rules {
            key: &member.key,
            level: member.config.level,
            projects: member.config.projects,
        };
        let mut left = Left::default();
        let mut known = HashSet::new();
        let unread = read_events(log, |events| -> Result<(), Failure> {
            let mut rows = Vec::new();
            for event in in_batches::<Event>(slice::from_ref(events))? {
                let Some(time) = left.time_due(member, &event) else {
                    continue;
                };
                let word = |name| text(&event, name).unwrap_or_default().to_owned();
                if known.insert((word("id"), word("source"), micros(&event))) {
                    let mut row = rules.row(&event);
                    // A number would not become a time.
                    let ts = time.format("%Y-%m-%dT%H:%M:%S%.6f").to_string();
                    row.insert("ts".to_owned(), ts.into());
                    row.insert("day".to_owned(), time.date_naive().to_string().into());
                    rows.push(row);
                }
            }
            if !rows.is_empty() {
                let mut appender = connection.appender("due")?;
                appender.append_record_batch(to_record_batch(schema.fields(), &rows)?)?;
                appender.flush()?;
            }
            Ok(())
        })?;
        self.left = Left { unread, ..left };
        Ok(())
    }

    /// The file of a day.
    ///
    /// # Errors
    /// DuckDB's, and those of the file system.
    pub(super) fn file(&self, day: &Day) -> Result<Vec<u8>, Failure> {
        let path = self.folder.path().join("day.parquet");
        let set = |sql: &str, value: &str| self.connection.execute(sql, [value]);
        set("SET VARIABLE path = ?", &path.to_string_lossy())?;
        set("SET VARIABLE day = ?", &day.day.to_string())?;
        self.connection.execute_batch(push::WRITE)?;
        Ok(fs::read(path)?)
    }

    /// At most `most` rows, as JSON without what is null, those of the first days first.
    ///
    /// # Errors
    /// DuckDB's.
    pub(super) fn samples(&self, most: u64) -> Result<Vec<String>, Failure> {
        let samples = rows(&self.connection, push::SAMPLES, [most])?.into_iter();
        Ok(samples.map(|(row,)| row).collect())
    }

    /// How much there is, in a line, and a line for each reason that something stays for.
    pub(super) fn summary(&self) -> String {
        let events: u64 = self.days.iter().map(|day| day.events).sum();
        let mut text = match (self.days.first(), self.days.last()) {
            (Some(first), Some(last)) => format!(
                "{} of {}, {} to {}\n",
                counted(events, "event", "events"),
                counted(self.days.len() as u64, "day", "days"),
                first.day,
                last.day
            ),
            _ => "no event of a day that is over\n".to_owned(),
        };
        for (why, count) in &self.left.events {
            text += &format!("  {} {why}\n", counted(*count, "event", "events"));
        }
        for segment in &self.left.unread {
            text += &format!("  {} was not read: {}\n", segment.segment, segment.why);
        }
        text
    }
}

/// When an event happened, in microseconds since 1970, UTC.
fn micros(event: &Event) -> i64 {
    event.get("ts").and_then(Value::as_i64).unwrap_or_default()
}

impl Left {
    /// When an event was that is to be pushed; one that is not is counted.
    fn time_due(&mut self, member: &Member<'_>, event: &Event) -> Option<DateTime<Utc>> {
        let (now, config) = (member.workspace.now, &member.config);
        // A day is over when this moment does not belong to it any more.
        let today = (now - Duration::hours(config.grace_hours.into())).date_naive();
        let time = DateTime::from_timestamp_micros(micros(event))?;
        let day = time.date_naive();
        let why = if time.year() < FIRST_YEAR {
            "dated before 2020 are never pushed: a clock was wrong"
        } else if day > now.date_naive() + Days::new(1) {
            "dated in the future wait for that day: a clock was wrong"
        } else if day >= today {
            "wait: their UTC day is not over, or for less than grace_hours"
        } else if config.excludes(text(event, "project").unwrap_or_default()) {
            self.excluded_days.insert(day);
            "of excluded projects stay here"
        } else if text(event, "kind").is_none_or(|kind| !KINDS.contains(&kind)) {
            "of a newer plantune stay here: this one cannot know what they hold"
        } else {
            return Some(time);
        };
        *self.events.entry(why).or_default() += 1;
        None
    }
}
