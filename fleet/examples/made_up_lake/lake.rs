//! A lake of made-up machines: what they do is `pairs.sql`, and `rows.sql` the events of that. The files are written
//! by the statements with which pushes and compactions write theirs.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use chrono::{Days, NaiveDate, NaiveTime};
use duckdb::Connection;
use plantune_ingest::with_event_columns;
use serde::Serialize;
use serde_json::Value;

/// How many events a session has.
const EVENTS_OF_SESSION: u64 = 20;

/// How large the lake is to be.
pub(crate) struct Plan {
    /// Copies included; an even number.
    pub(crate) events: u64,
    pub(crate) machines: u64,
    pub(crate) days: u64,
    /// The last of the days, which follow each other.
    pub(crate) last_day: NaiveDate,
    /// A file of each machine a day, as pushes leave them; else one a day, as compactions do.
    pub(crate) pushed: bool,
    /// How many threads DuckDB has, and how many megabytes.
    pub(crate) threads: u64,
    pub(crate) megabytes: u64,
}

/// What is in the lake.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Made {
    pub(crate) files: u64,
    pub(crate) bytes: u64,
    /// Copies included.
    pub(crate) rows: u64,
    /// Each once.
    pub(crate) events: u64,
    pub(crate) questions: u64,
    pub(crate) answered: u64,
    pub(crate) auto_decided: u64,
    pub(crate) dismissed: u64,
    pub(crate) failed: u64,
    pub(crate) prompts: u64,
    pub(crate) sessions: u64,
}

impl Plan {
    /// The pairs of events of the day with this number.
    fn pairs(&self, day: u64) -> u64 {
        let (all, days) = (self.events / 2, self.days.max(1));
        all / days + u64::from(day < all % days)
    }

    /// Makes sure that every machine has a session a day: a publisher's files are numbered without a gap.
    fn check(&self) -> Result<(), Box<dyn Error>> {
        if !self.events.is_multiple_of(2) || self.days == 0 || self.machines == 0 {
            return Err("an even number of events, and at least one machine and one day".into());
        }
        let least = EVENTS_OF_SESSION * self.machines * self.days;
        if self.events < least {
            let (machines, days) = (self.machines, self.days);
            return Err(format!(
                "{machines} machines with a session on each of {days} days have {least} events: more events, or fewer \
                 machines (--machines) or days (--days)"
            )
            .into());
        }
        Ok(())
    }
}

/// Fills the lake in the folder `lake`, which `plantune-fleet init` made and which holds no events.
///
/// # Errors
/// When there is no such lake, or the plan cannot be; those of the file system and DuckDB.
pub(crate) fn make(lake: &Path, plan: &Plan) -> Result<Made, Box<dyn Error>> {
    plan.check()?;
    let key_check = key_check(lake)?;
    let events = lake.join("events/v1");
    if events.exists() {
        return Err(format!("{}: there are events already", events.display()).into());
    }
    let mut made = Made::default();
    let mut first_pair = 0;
    for number in 0..plan.days {
        let before = Days::new(plan.days - 1 - number);
        let date = plan.last_day.checked_sub_days(before);
        let date = date.ok_or("days before the calendar's first")?;
        let day = Day {
            folder: events.join(format!("date={date}")),
            date,
            number,
            connection: connection(plan)?,
            key_check: &key_check,
        };
        day.fill(plan, first_pair)?;
        first_pair += plan.pairs(number);
        day.count(&mut made)?;
        fs::create_dir_all(&day.folder)?;
        let files = match plan.pushed {
            true => day.push()?,
            false => vec![day.compact()?],
        };
        made.files += files.len() as u64;
        for file in files {
            made.bytes += fs::metadata(file)?.len();
        }
    }
    Ok(made)
}

fn key_check(lake: &Path) -> Result<String, Box<dyn Error>> {
    let path = lake.join("plantune-lake.json");
    let text = fs::read(&path).map_err(|error| {
        let path = path.display();
        format!("{path}: {error}; `plantune fleet init` makes a lake")
    })?;
    let marker: Value = serde_json::from_slice(&text)?;
    let value = marker.get("key_check").and_then(Value::as_str);
    Ok(value
        .ok_or("the lake's marker has no key_check")?
        .to_owned())
}

fn connection(plan: &Plan) -> duckdb::Result<Connection> {
    let connection = Connection::open_in_memory()?;
    let memory = format!("{}MiB", plan.megabytes);
    connection.execute("SET VARIABLE threads = ?", [plan.threads])?;
    connection.execute("SET VARIABLE memory = ?", [memory])?;
    connection.execute_batch(include_str!("settings.sql"))?;
    connection.execute_batch(&with_event_columns(include_str!(
        "../../sql/lake/columns.sql"
    )))?;
    Ok(connection)
}

/// One day of the lake.
struct Day<'a> {
    folder: PathBuf,
    date: NaiveDate,
    /// From 0 on.
    number: u64,
    connection: Connection,
    key_check: &'a str,
}

impl Day<'_> {
    fn fill(&self, plan: &Plan, first_pair: u64) -> Result<(), Box<dyn Error>> {
        let midnight = self.date.and_time(NaiveTime::MIN).and_utc();
        let micros = u64::try_from(midnight.timestamp_micros())?;
        for (sql, value) in [
            ("SET VARIABLE pairs = ?::BIGINT", plan.pairs(self.number)),
            ("SET VARIABLE first_pair = ?::BIGINT", first_pair),
            ("SET VARIABLE machines = ?::BIGINT", plan.machines),
            ("SET VARIABLE day_us = ?::BIGINT", micros),
        ] {
            self.connection.execute(sql, [value])?;
        }
        self.set("SET VARIABLE key_check = ?", self.key_check)?;
        self.connection.execute_batch(include_str!("pairs.sql"))?;
        self.connection.execute_batch(include_str!("rows.sql"))?;
        Ok(())
    }

    fn set(&self, sql: &str, value: &str) -> duckdb::Result<usize> {
        self.connection.execute(sql, [value])
    }

    /// Adds what was made up for this day.
    fn count(&self, made: &mut Made) -> duckdb::Result<()> {
        let sql = include_str!("made.sql");
        self.connection.query_row(sql, [], |row| {
            let copies: u64 = row.get("copies")?;
            let events: u64 = row.get("events")?;
            made.events += events;
            made.rows += events + copies;
            made.questions += row.get::<_, u64>("questions")?;
            made.answered += row.get::<_, u64>("answered")?;
            made.auto_decided += row.get::<_, u64>("auto_decided")?;
            made.dismissed += row.get::<_, u64>("dismissed")?;
            made.failed += row.get::<_, u64>("failed")?;
            made.prompts += row.get::<_, u64>("prompts")?;
            made.sessions += row.get::<_, u64>("sessions")?;
            Ok(())
        })
    }

    /// The ids of the publishers of the day.
    fn publishers(&self) -> duckdb::Result<Vec<String>> {
        let sql = "SELECT DISTINCT publisher FROM lake_rows ORDER BY publisher";
        let mut statement = self.connection.prepare(sql)?;
        let publishers = statement.query_map([], |row| row.get(0))?;
        publishers.collect()
    }

    /// The name of a publisher's file of the day, without ending.
    fn name(&self, publisher: &str) -> String {
        format!("{publisher}-{:012}", self.number + 1)
    }

    /// Writes the day as a compaction does.
    fn compact(&self) -> Result<PathBuf, Box<dyn Error>> {
        let publishers = self.publishers()?;
        let names: Vec<String> = publishers.iter().map(|id| self.name(id)).collect();
        let path = self
            .folder
            .join(format!("compact-{:016x}.parquet", self.number));
        self.set("SET VARIABLE inputs = ?", &serde_json::to_string(&names)?)?;
        self.set("SET VARIABLE path = ?", &path.to_string_lossy())?;
        self.connection
            .execute_batch("CREATE VIEW kept AS FROM lake_rows")?;
        let write = include_str!("../../sql/compact/write.sql");
        self.connection.execute_batch(write)?;
        Ok(path)
    }

    /// Writes the day as pushes do.
    fn push(&self) -> Result<Vec<PathBuf>, Box<dyn Error>> {
        self.set("SET VARIABLE day = ?", &self.date.to_string())?;
        let incoming = include_str!("../../sql/publish/incoming.sql");
        self.connection.execute_batch(incoming)?;
        // Else each machine's file would cost a reading of the whole day.
        let index = "CREATE INDEX of_publisher ON lake_rows (publisher)";
        self.connection.execute_batch(index)?;
        let mut files = BTreeMap::new();
        for publisher in self.publishers()? {
            let path = self
                .folder
                .join(format!("{}.parquet", self.name(&publisher)));
            self.set("SET VARIABLE path = ?", &path.to_string_lossy())?;
            self.connection.execute_batch("TRUNCATE incoming")?;
            let sql = include_str!("incoming.sql");
            self.connection.execute(sql, [&publisher])?;
            let write = include_str!("../../sql/publish/write.sql");
            self.connection.execute_batch(write)?;
            files.insert(publisher, path);
        }
        Ok(files.into_values().collect())
    }
}
