//! The rows of a person's own statement. It reads views, whose columns are documented in `sql/views/`.

use std::io;

use chrono::{Days as Span, NaiveDate, NaiveDateTime, NaiveTime, Offset as _, TimeDelta, TimeZone};
use duckdb::arrow::array::{Array as _, AsArray};
use plantune_migrations::is_damage;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error as ThisError;

use crate::habits::QuestionGrouping;
use crate::store::{Store, StoreError};

/// A column of a view.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ViewColumn {
    /// The view.
    pub view: String,
    /// The meaning of its rows.
    #[serde(skip_serializing)]
    pub rows: String,
    /// Its name.
    pub column: String,
    /// DuckDB's type.
    pub r#type: String,
    /// Its meaning.
    pub meaning: String,
}

/// A column of what a statement gives.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ResultColumn {
    /// Its name.
    pub name: String,
    /// DuckDB's type.
    pub r#type: String,
}

impl ResultColumn {
    /// True for numbers.
    pub fn is_number(&self) -> bool {
        let r#type = self.r#type.as_str();
        let is_integer = r#type.ends_with("INT") || r#type.ends_with("INTEGER");
        is_integer || matches!(r#type, "DOUBLE" | "FLOAT") || r#type.starts_with("DECIMAL")
    }
}

/// A row of the view `preferences`.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct PreferenceRow<'a> {
    /// `project` or `global`.
    pub scope: &'a str,
    /// The project's key.
    pub project: Option<&'a str>,
    /// The question's key.
    pub question_key: &'a str,
    /// The policy.
    pub preference: &'a str,
    /// How it stands.
    pub level: Option<&'a str>,
    /// The label to answer with.
    pub answer: Option<&'a str>,
    /// The question as it was.
    pub question: Option<&'a str>,
    /// When it was set (UTC).
    pub set_at: Option<NaiveDateTime>,
    /// The command that set it.
    pub set_by: Option<&'a str>,
}

/// Why a statement gave nothing.
#[derive(Debug, ThisError)]
pub enum SqlError {
    /// The statement is wrong, or none that is allowed: DuckDB's words.
    #[error("{0}")]
    Statement(String),
    /// The same in words that DuckDB has for a damaged store. They may also be the statement's, so nothing follows from
    /// them.
    #[error("{0}")]
    Damage(String),
    /// The output could not be written.
    #[error(transparent)]
    Write(#[from] io::Error),
}

impl From<duckdb::Error> for SqlError {
    fn from(error: duckdb::Error) -> Self {
        let message = error.to_string();
        // What DuckDB advises, to change settings or to load extensions, is not allowed here.
        let advice = ["\n\nPossible solutions:", "\n\nPlease try installing"];
        let message = advice.iter().fold(&*message, |message, advice| {
            message.split(advice).next().unwrap_or_default()
        });
        let message = message.to_owned();
        match is_damage(&error) {
            true => Self::Damage(message),
            false => Self::Statement(message),
        }
    }
}

/// Errors of plantune's own queries about the statement.
impl From<StoreError> for SqlError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::DuckDb(error) | StoreError::Broken(error) => error.into(),
            other => Self::Statement(other.to_string()),
        }
    }
}

impl Store {
    /// Makes the views: times are those of `zone`, and questions are called as `grouping` says. `events` reads the view
    /// `whole_log`, which must be there. Afterwards nothing can be read but the store and the log, nothing be written,
    /// and no setting changed.
    ///
    /// # Errors
    /// The errors of DuckDB.
    pub fn define_views(
        &self,
        zone: &impl TimeZone,
        today: NaiveDate,
        grouping: &QuestionGrouping<'_>,
        preferences: &[PreferenceRow<'_>],
    ) -> Result<(), StoreError> {
        let connection = &self.connection;
        let offsets = serde_json::to_string(&offsets(zone, today)).unwrap_or_default();
        connection.execute(include_str!("../sql/views/zone.sql"), [offsets])?;
        connection.execute_batch(include_str!("../sql/views/local_time.sql"))?;
        self.name_all_questions(today, grouping)?;
        self.define_waits()?;
        connection.execute_batch(include_str!("../sql/views/questions.sql"))?;
        connection.execute_batch(include_str!("../sql/views/prompts.sql"))?;
        connection.execute_batch(include_str!("../sql/views/sessions.sql"))?;
        connection.execute_batch(include_str!("../sql/views/preferences.sql"))?;
        connection.execute_batch(include_str!("../sql/views/events.sql"))?;
        let preferences = serde_json::to_string(preferences).unwrap_or_default();
        let sql = include_str!("../sql/views/add_preferences.sql");
        connection.execute(sql, [preferences])?;
        connection.execute_batch(include_str!("../sql/views/lock.sql"))?;
        Ok(())
    }

    /// The columns of the views, view by view.
    ///
    /// # Errors
    /// The errors of DuckDB.
    pub fn views(&self) -> Result<Vec<ViewColumn>, StoreError> {
        self.rows(include_str!("../sql/views/list.sql"), [])
    }

    /// Prepares `statement`, one SELECT, whose rows [`Store::cells`] and [`Store::objects`] then read; returns its columns.
    ///
    /// # Errors
    /// [`SqlError::Statement`] for anything else, with the place of the mistake.
    pub fn select(&self, statement: &str) -> Result<Vec<ResultColumn>, SqlError> {
        self.check_is_select(statement)?;
        let sql = format!("CREATE TEMP VIEW result AS\n{statement}");
        let made = self.connection.prepare(&sql);
        let made = made.and_then(|mut made| made.execute([]));
        made.map_err(|error| match SqlError::from(error) {
            SqlError::Statement(message) => SqlError::Statement(without_first_line(&message)),
            other => other,
        })?;
        if self.reads_waits()? {
            let sql = include_str!("../sql/views/waits.sql");
            self.connection.execute_batch(sql)?;
        }
        Ok(self.rows(include_str!("../sql/views/columns.sql"), [])?)
    }

    /// True if the statement's rows depend on how long questions waited, by DuckDB's plan: it leaves out the columns that
    /// nothing reads.
    fn reads_waits(&self) -> Result<bool, SqlError> {
        let mut statement = self
            .connection
            .prepare(include_str!("../sql/views/plan.sql"))?;
        let plan: String = statement.query_row([], |row| row.get(1))?;
        let plan: Value = serde_json::from_str(&plan).unwrap_or_default();
        Ok(reads_waits(&plan))
    }

    /// Refuses what is not exactly one SELECT, by DuckDB's own grammar: of several statements all but the last would run
    /// at once. Text that is no SQL passes; running it says where the mistake is.
    fn check_is_select(&self, statement: &str) -> Result<(), SqlError> {
        let sql = include_str!("../sql/views/statements.sql");
        match self.row::<(Option<u64>, String)>(sql, [statement])? {
            (Some(1), _) => Ok(()),
            (None, error) if error == "parser" => Ok(()),
            (Some(0), _) => Err(SqlError::Statement("there is no statement".to_owned())),
            (Some(count), _) => Err(SqlError::Statement(format!("these are {count} statements"))),
            (None, _) => Err(SqlError::Statement("this is not a SELECT".to_owned())),
        }
    }

    /// Hands each row to `each` as texts, until that is false; `None` for NULL. Rows are made as they are read.
    ///
    /// # Errors
    /// The errors of the statement, and of `each`.
    pub fn cells(
        &self,
        mut each: impl FnMut(&[Option<&str>]) -> io::Result<bool>,
    ) -> Result<(), SqlError> {
        let sql = include_str!("../sql/views/cells.sql");
        self.stream(sql, |row| Ok(each(row)?))
    }

    /// Hands each row to `each` as a JSON object.
    ///
    /// # Errors
    /// The errors of the statement, and of `each`.
    pub fn objects(&self, mut each: impl FnMut(&str) -> io::Result<()>) -> Result<(), SqlError> {
        self.stream(include_str!("../sql/views/objects.sql"), |row| {
            let object = row.first().copied().flatten().unwrap_or("null");
            if serde_json::from_str::<IgnoredAny>(object).is_err() {
                let message = "a number is infinite or none (NaN), which JSON cannot hold";
                return Err(SqlError::Statement(message.to_owned()));
            }
            each(object)?;
            Ok(true)
        })
    }

    fn stream(
        &self,
        sql: &str,
        mut each: impl FnMut(&[Option<&str>]) -> Result<bool, SqlError>,
    ) -> Result<(), SqlError> {
        let mut statement = self.connection.prepare(sql)?;
        for batch in statement.stream_arrow([])? {
            let columns: Vec<_> = batch
                .columns()
                .iter()
                .map(AsArray::as_string::<i32>)
                .collect();
            for number in 0..batch.num_rows() {
                let row: Vec<Option<&str>> = columns
                    .iter()
                    .map(|column| column.is_valid(number).then(|| column.value(number)))
                    .collect();
                if !each(&row)? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

/// How many seconds the clock is ahead of UTC, and from when on.
#[derive(Serialize)]
struct ZoneOffset {
    since: String,
    seconds: i32,
}

/// The offsets of `zone` from the days before anything was logged to the year after `today`, to a quarter of an hour.
fn offsets(zone: &impl TimeZone, today: NaiveDate) -> Vec<ZoneOffset> {
    let offset = |at: &NaiveDateTime| zone.offset_from_utc_datetime(at).fix().local_minus_utc();
    let first = NaiveDate::from_ymd_opt(2020, 1, 1).unwrap_or(today);
    let mut at = first.and_time(NaiveTime::MIN);
    let end = today.checked_add_days(Span::new(366)).unwrap_or(today);
    let mut last = offset(&at);
    let mut found = vec![ZoneOffset {
        since: "0001-01-01 00:00:00".to_owned(),
        seconds: last,
    }];
    while at.date() < end {
        let next = at + TimeDelta::days(1);
        if offset(&next) != last {
            let quarters = (0..=96).map(|quarter| at + TimeDelta::minutes(15 * quarter));
            for quarter in quarters {
                if offset(&quarter) != last {
                    last = offset(&quarter);
                    found.push(ZoneOffset {
                        since: quarter.to_string(),
                        seconds: last,
                    });
                }
            }
        }
        at = next;
    }
    found
}

/// True if this `plan` reads what `known_waits` has, or questions without a look at it.
fn reads_waits(plan: &Value) -> bool {
    let mut scans = Vec::new();
    add_scans(plan, &mut scans);
    let mut waits = scans
        .iter()
        .filter(|(table, _)| table.ends_with("known_waits"));
    let reads = |(_, scan): &(&str, &Value)| scan.to_string().contains("waited_seconds");
    match waits.next() {
        Some(first) => reads(first) || waits.any(reads),
        None => scans
            .iter()
            .any(|(table, _)| table.ends_with("main.questions")),
    }
}

/// Adds the tables that this `plan` scans, each with what the plan says of it.
fn add_scans<'p>(plan: &'p Value, scans: &mut Vec<(&'p str, &'p Value)>) {
    let operators = plan.as_array().into_iter().flatten();
    operators.for_each(|operator| add_scans(operator, scans));
    if let Some(table) = plan.pointer("/extra_info/Table").and_then(Value::as_str) {
        scans.extend(plan.get("extra_info").map(|scan| (table, scan)));
    }
    if let Some(children) = plan.get("children") {
        add_scans(children, scans);
    }
}

/// DuckDB's `message` with its line numbers less one, as the statement stood behind a line of ours.
fn without_first_line(message: &str) -> String {
    let line = |line: &str| {
        let (number, text) = line.strip_prefix("LINE ")?.split_once(": ")?;
        let number: u32 = number.parse().ok()?;
        let width = line.len() - text.len() - "LINE : ".len();
        Some(format!("LINE {:>width$}: {text}", number.saturating_sub(1)))
    };
    let lines = message
        .lines()
        .map(|one| line(one).unwrap_or_else(|| one.to_owned()));
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_change_where_they_do() {
        let found = offsets(&chrono_tz::Europe::Berlin, "2020-06-01".parse().unwrap());
        let found: Vec<_> = found
            .iter()
            .map(|one| (one.since.as_str(), one.seconds))
            .collect();
        assert_eq!(
            found,
            [
                ("0001-01-01 00:00:00", 3600),
                ("2020-03-29 01:00:00", 7200),
                ("2020-10-25 01:00:00", 3600),
                ("2021-03-28 01:00:00", 7200),
            ]
        );
    }

    #[test]
    fn a_plan_says_whether_waits_are_read() {
        let scan = |table: &str, columns: &str| serde_json::json!({"extra_info": {"Table": table, "Projections": columns}});
        let of = |scans: &[Value]| {
            let join = serde_json::json!({"children": scans});
            reads_waits(&serde_json::json!([{"children": [join]}]))
        };
        let questions = scan("plantune.main.questions", "day");
        let (number, both) = ("number", "number, waited_seconds");
        let waits = |columns| scan("temp.main.known_waits", columns);
        assert!(!of(&[questions.clone(), waits(number)]));
        assert!(of(&[questions.clone(), waits(both)]));
        assert!(of(&[waits(number), waits(both)]));
        assert!(of(&[questions]), "where DuckDB's plan has another form");
        assert!(!of(&[scan("plantune.main.permission_prompts", "day")]));
    }

    #[test]
    fn lines_are_those_of_the_statement() {
        assert_eq!(
            without_first_line("Binder Error: no\n\nLINE 2: SELECT no\n               ^"),
            "Binder Error: no\n\nLINE 1: SELECT no\n               ^"
        );
        assert_eq!(without_first_line("LINE 10: x"), "LINE  9: x");
    }
}
