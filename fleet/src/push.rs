//! `plantune fleet push` and `forget`: what this machine puts into the lake, below its own folder: the events of UTC days
//! that are over, of projects that are not excluded.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ffi::OsString;
use std::path::Path;
use std::{fs, slice};

use chrono::{DateTime, Datelike as _, Days, Duration, NaiveDate, Utc};
use clap::Args;
use duckdb::Connection;
use plantune::document::Document;
use plantune::failure::Failure;
use plantune::session::Session;
use plantune::terminal::consent::Confirmation;
use plantune::terminal::{consent, sanitized, say};
use plantune_domain::private_file;
use plantune_ingest::{UnreadSegment, read_events, with_event_columns};
use plantune_reports::humanize::{bytes, counted};
use serde::Deserialize;
use serde_arrow::to_record_batch;
use serde_json::Value;

use crate::engine::{SESSION, in_batches, push};
use crate::member::Member;
use crate::rows::{EventFields, is_pushed, row, text};

/// How long after a UTC day's end its events are pushed, in hours.
const GRACE: i64 = 6;

/// The first year that can be pushed. An earlier one comes from a clock that was never set.
const FIRST_YEAR: i32 = 2020;

/// Push the events of UTC days that are over
///
/// A day that changed is pushed again. If a push is killed, the next one continues.
#[derive(Args, Debug)]
pub(crate) struct PushArguments {
    /// Only show what would be pushed, one JSON object per row
    #[arg(long)]
    dry_run: bool,
}

/// Delete what this machine pushed, and end your agreement
#[derive(Args, Debug)]
pub(crate) struct ForgetArguments {
    /// Don't ask
    #[arg(short, long)]
    yes: bool,
}

/// A day.
#[derive(Debug, Deserialize)]
struct Day {
    day: NaiveDate,
    events: u64,
    /// The digest of its rows, which does not depend on their order.
    digest: String,
}

impl Day {
    fn path(&self, prefix: &str) -> String {
        format!("{prefix}/day={}/{}.parquet", self.day, self.digest)
    }
}

/// Pushes, and says what.
///
/// # Errors
/// Refused without the person's consent; those of the lake and the log.
pub(crate) fn run(arguments: &PushArguments, session: &Session) -> Result<Document, Failure> {
    let member = Member::load(session)?;
    if arguments.dry_run {
        let due = Due::find(&member)?;
        let rows: String = due
            .rows(i64::MAX)?
            .iter()
            .map(|row| format!("{row}\n"))
            .collect();
        say(&due.summary());
        return Ok(Document::exact(sanitized(&rows)));
    }
    let prefix = member.prefix(&member.require_consent()?);
    // One push at a time: of two, the one that read the log first would delete what the other put.
    let lock = private_file::append(&member.folder().join("push.lock"))?;
    lock.lock()?;
    let lake = member.lake(&member.config.lake)?;
    let due = Due::find(&member)?;
    let before = lake.list(&prefix)?;
    let known: BTreeSet<&str> = before.iter().map(|file| file.path.as_str()).collect();
    let (mut events, mut size, mut files) = (0, 0, 0_u64);
    for day in &due.days {
        let path = day.path(&prefix);
        if !known.contains(path.as_str()) {
            let content = due.file(day)?;
            (events, size, files) = (events + day.events, size + content.len() as u64, files + 1);
            lake.put(&path, content)?;
        }
    }
    let mut text = match files {
        0 => "nothing new\n".to_owned(),
        _ => format!(
            "pushed {} in {}, {}\n",
            counted(events, "event", "events"),
            counted(files, "file", "files"),
            bytes(size)
        ),
    };
    // New files first: an event that is in two counts once, and one that is in none is lost.
    let current: BTreeSet<String> = due.days.iter().map(|day| day.path(&prefix)).collect();
    let days = due.days.iter().map(|day| day.day);
    let days: BTreeSet<_> = days.chain(due.left.excluded_days.iter().copied()).collect();
    // What the log does not hold any more stays, and so does all that may be in a part of it that cannot be read.
    let is_replaced = |path: &str, day| {
        due.left.unread.is_empty() && days.contains(day) && !current.contains(path)
    };
    let replaced: Vec<_> = before
        .iter()
        .filter(|file| is_replaced(&file.path, &file.day))
        .collect();
    for file in &replaced {
        lake.delete(&file.path)?;
    }
    if !replaced.is_empty() {
        let deleted = counted(replaced.len() as u64, "file", "files");
        text += &format!("  deleted {deleted} that these replace\n");
    }
    text += &format!("  in the lake: {}", due.summary());
    Ok(Document::text(text))
}

/// Deletes this machine's folder in the lake.
///
/// # Errors
/// Refused inside an agent's session, and where nobody can be asked; those of the lake.
pub(crate) fn forget(arguments: &ForgetArguments, session: &Session) -> Result<Document, Failure> {
    let command = "plantune fleet forget";
    consent::may_change(session, arguments.yes, command)?;
    let member = Member::load(session)?;
    let Some(consent) = member.consent() else {
        return Ok(Document::text("nothing was pushed from this data folder\n"));
    };
    let (prefix, lake) = (member.prefix(&consent), &member.config.lake);
    let asked = Confirmation {
        sentence: &format!("Deletes everything that this machine pushed to {lake}: {prefix}"),
        question: "Delete it?",
        yes: arguments.yes,
        command,
    };
    if !asked.is_given(session, "")? {
        return Ok(Document::default());
    }
    // First, so that a kill leaves nothing that goes on pushing.
    member.agree(false)?;
    member.lake(lake)?.delete_all(&prefix)?;
    member.forget()?;
    Ok(Document::text(format!(
        "deleted {prefix}\nOthers must delete their own copies and merged files.\n"
    )))
}

/// The rows that stay on the machine.
#[derive(Default)]
struct Left {
    /// How many events, by the reason in words.
    events: BTreeMap<&'static str, u64>,
    /// The days that have events of excluded projects.
    excluded_days: BTreeSet<NaiveDate>,
    /// Segments of the log that could not be read.
    unread: Vec<UnreadSegment>,
}

/// The rows that are due, in a table, and their days.
pub(crate) struct Due {
    connection: Connection,
    days: Vec<Day>,
    left: Left,
    /// Where the connection puts what does not fit into memory; removed after it.
    folder: tempfile::TempDir,
}

impl Due {
    /// Finds what is due.
    ///
    /// # Errors
    /// The errors of the file system and DuckDB.
    pub(crate) fn find(member: &Member<'_>) -> Result<Self, Failure> {
        let (connection, folder) = (Connection::open_in_memory()?, tempfile::tempdir()?);
        connection.execute("SET VARIABLE folder = ?", [folder.path().to_string_lossy()])?;
        connection.execute_batch(SESSION)?;
        let log = member.session.paths.events();
        // What is sealed while it is read may be passed over.
        let left = loop {
            let segments = names(&log);
            let left = fill(&connection, member, &log)?;
            if segments == names(&log) {
                break left;
            }
        };
        let days = in_batches(
            &connection
                .prepare(push::DAYS)?
                .query_arrow([])?
                .collect::<Vec<_>>(),
        )?;
        Ok(Self {
            connection,
            days,
            left,
            folder,
        })
    }

    /// The file of a day.
    fn file(&self, day: &Day) -> Result<Vec<u8>, Failure> {
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
    /// The errors of DuckDB.
    pub(crate) fn rows(&self, most: i64) -> Result<Vec<String>, Failure> {
        let mut statement = self.connection.prepare(push::SAMPLES)?;
        let rows = statement.query_map([most], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// How much there is, in a line, and a line for each reason that something stays for.
    pub(crate) fn summary(&self) -> String {
        let events: u64 = self.days.iter().map(|day| day.events).sum();
        let mut text = match self.days.as_slice() {
            [] => "no events from past days yet\n".to_owned(),
            [first, .., last] | [first @ last] => format!(
                "{} of {}, {} to {}\n",
                counted(events, "event", "events"),
                counted(self.days.len() as u64, "day", "days"),
                first.day,
                last.day
            ),
        };
        for (why, count) in &self.left.events {
            text += &format!("  {} {why}\n", counted(*count, "event", "events"));
        }
        for UnreadSegment { segment, why } in &self.left.unread {
            text += &format!("  {segment} was not read: {why}\n");
        }
        text
    }
}

/// The names of the files in a folder; none if it is not there.
fn names(folder: &Path) -> BTreeSet<OsString> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name()).collect()
}

/// Makes the table of rows that are due, each event once, and returns what stays.
fn fill(connection: &Connection, member: &Member<'_>, log: &Path) -> Result<Left, Failure> {
    connection.execute_batch(&with_event_columns(push::DUE))?;
    let schema = connection
        .prepare("FROM due")?
        .query_arrow([])?
        .get_schema();
    let (mut left, mut known) = (Left::default(), HashSet::new());
    left.unread = read_events(log, |events| -> Result<(), Failure> {
        let mut rows = Vec::new();
        for event in in_batches::<EventFields>(slice::from_ref(events))? {
            let Some(time) = left.time_due(member, &event) else {
                continue;
            };
            let word = |name| text(&event, name).unwrap_or_default().to_owned();
            if known.insert((word("id"), word("source"), time)) {
                let mut row = row(member, &event);
                // DuckDB would not take a number for a time.
                row.insert(
                    "ts".to_owned(),
                    time.format("%Y-%m-%dT%H:%M:%S%.6f").to_string().into(),
                );
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
    Ok(left)
}

impl Left {
    /// When an event was that is to be pushed; one that is not is counted.
    fn time_due(&mut self, member: &Member<'_>, event: &EventFields) -> Option<DateTime<Utc>> {
        let (now, config) = (member.session.now, &member.config);
        // The days before this one are over.
        let today = (now - Duration::hours(GRACE)).date_naive();
        let micros = event.get("ts").and_then(Value::as_i64).unwrap_or_default();
        let time = DateTime::from_timestamp_micros(micros)?;
        let day = time.date_naive();
        let why = if time.year() < FIRST_YEAR {
            "dated before 2020 are never pushed: a clock was wrong"
        } else if day > now.date_naive() + Days::new(1) {
            "dated in the future wait for that day: a clock was wrong"
        } else if day >= today {
            "wait until six hours after the end of their UTC day"
        } else if config.excludes(text(event, "project").unwrap_or_default()) {
            self.excluded_days.insert(day);
            "of excluded projects stay here"
        } else if !text(event, "kind").is_some_and(is_pushed) {
            "of a newer plantune stay here: this one doesn't know their fields"
        } else {
            return Some(time);
        };
        *self.events.entry(why).or_default() += 1;
        None
    }
}
