//! The open store, read-only, and its rows as structs that have the columns of a query for fields.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use chrono::NaiveDate;
use duckdb::arrow::array::RecordBatch;
use duckdb::types::Type;
use duckdb::{AccessMode, Connection, Params};
use plantune_migrations::{PATIENCE, holder, is_damage, open_patiently};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

/// Why the store cannot be read.
#[derive(Debug, Error)]
pub enum StoreError {
    /// There is no store yet.
    #[error("there is no store at {}", .0.display())]
    Missing(PathBuf),
    /// The store's schema version is not the one known here.
    #[error("the store has schema version {found}, and this plantune reads {known}")]
    Version {
        /// The store's version.
        found: u32,
        /// The version known here.
        known: u32,
    },
    /// Another process writes to the store: which, in DuckDB's words.
    #[error("in use by another process: {0}")]
    Held(String),
    /// The file is no store, or a damaged one.
    #[error("{0}")]
    Broken(duckdb::Error),
    /// DuckDB's own error.
    #[error("{0}")]
    DuckDb(duckdb::Error),
}

impl From<duckdb::Error> for StoreError {
    fn from(error: duckdb::Error) -> Self {
        match holder(&error) {
            Some(holder) => Self::Held(holder),
            None if is_damage(&error) => Self::Broken(error),
            None => Self::DuckDb(error),
        }
    }
}

/// After how many seconds without an answer a person counts as away, unless config.toml says otherwise.
pub(crate) const AWAY_AFTER: f64 = 600.0;

/// A day after all others, for a store that is asked without one.
const LAST_DAY: NaiveDate = NaiveDate::from_ymd_opt(9999, 12, 31).unwrap();

/// The store, opened read-only.
pub struct Store {
    pub(crate) connection: Connection,
    away_after: f64,
    today: NaiveDate,
}

impl Store {
    /// Opens the store in `path`, and waits up to five seconds for a process that writes to it.
    ///
    /// # Errors
    /// [`StoreError::Missing`] without a file, [`StoreError::Held`] when that process takes longer,
    /// [`StoreError::Broken`] for a file that is no store, [`StoreError::Version`] for a schema of another
    /// version, and DuckDB's own.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Self::open_within(path, PATIENCE)
    }

    /// [`Store::open`] with another patience.
    ///
    /// # Errors
    /// The errors of [`Store::open`].
    pub fn open_within(path: &Path, patience: Duration) -> Result<Self, StoreError> {
        if !path.exists() {
            return Err(StoreError::Missing(path.to_owned()));
        }
        let connection = open_patiently(path, &AccessMode::ReadOnly, patience)?;
        let (found, known) = (
            plantune_migrations::version(&connection)?,
            plantune_migrations::newest(),
        );
        if found != known {
            return Err(StoreError::Version { found, known });
        }
        connection.execute_batch(include_str!("../sql/session.sql"))?;
        Self::with_definitions(connection)?
            .away_after(AWAY_AFTER)?
            .until(LAST_DAY)
    }

    /// Defines what every connection needs for itself: what answering and away mean.
    fn with_definitions(connection: Connection) -> Result<Self, StoreError> {
        connection.execute_batch(include_str!("../sql/answering.sql"))?;
        Ok(Self {
            connection,
            away_after: AWAY_AFTER,
            today: LAST_DAY,
        })
    }

    /// The same store, where a person who has not answered after `seconds` counts as away; without it after ten minutes.
    /// Every median, sum and estimate of their time depends on it.
    ///
    /// # Errors
    /// The errors of DuckDB.
    pub fn away_after(self, seconds: f64) -> Result<Self, StoreError> {
        self.connection
            .execute("SET VARIABLE away_after = $1::DOUBLE", [seconds])?;
        Ok(Self {
            away_after: seconds,
            ..self
        })
    }

    /// Defines waiting, for the few queries that need it: it takes longer than all the other definitions together.
    pub(crate) fn define_waits(&self) -> Result<(), StoreError> {
        let sql = include_str!("../sql/waiting.sql");
        Ok(self.connection.execute_batch(sql)?)
    }

    /// The same store, where `today` is the last day whose answers count; an answer that is dated later does not.
    ///
    /// # Errors
    /// The errors of DuckDB.
    pub fn until(self, today: NaiveDate) -> Result<Self, StoreError> {
        self.connection
            .execute("SET VARIABLE today = $1::DATE", [today])?;
        Ok(Self { today, ..self })
    }

    /// After how many seconds without an answer the person is held to be away.
    pub fn away_after_seconds(&self) -> f64 {
        self.away_after
    }

    /// Another connection to the same store, for another thread.
    ///
    /// # Errors
    /// The errors of DuckDB.
    pub fn another(&self) -> Result<Self, StoreError> {
        Self::with_definitions(self.connection.try_clone()?)?
            .away_after(self.away_after)?
            .until(self.today)
    }

    /// The connection, to see whether the store is up to date.
    pub fn connection(&self) -> &Connection {
        &self.connection
    }
}

impl Store {
    /// The rows of `sql`.
    pub(crate) fn rows<T: DeserializeOwned>(
        &self,
        sql: &str,
        parameters: impl Params,
    ) -> Result<Vec<T>, StoreError> {
        let mut rows = Vec::new();
        for batch in self.connection.prepare(sql)?.query_arrow(parameters)? {
            rows.extend(in_batch(&batch)?);
        }
        Ok(rows)
    }

    /// The same, each row as two structs that share its columns.
    pub(crate) fn pairs<A: DeserializeOwned, B: DeserializeOwned>(
        &self,
        sql: &str,
        parameters: impl Params,
    ) -> Result<Vec<(A, B)>, StoreError> {
        let mut rows = Vec::new();
        for batch in self.connection.prepare(sql)?.query_arrow(parameters)? {
            rows.extend(in_batch(&batch)?.into_iter().zip(in_batch(&batch)?));
        }
        Ok(rows)
    }

    /// The texts that `sql` finds, one a row.
    pub(crate) fn texts(&self, sql: &str) -> Result<Vec<String>, StoreError> {
        let rows = self.rows(sql, [])?.into_iter();
        Ok(rows.map(|(text,)| text).collect())
    }

    /// The one row that `sql` finds.
    pub(crate) fn row<T: DeserializeOwned>(
        &self,
        sql: &str,
        parameters: impl Params,
    ) -> Result<T, StoreError> {
        let row = self.rows(sql, parameters)?.pop();
        Ok(row.ok_or(duckdb::Error::QueryReturnedNoRows)?)
    }
}

/// The rows of a batch.
fn in_batch<T: DeserializeOwned>(batch: &RecordBatch) -> duckdb::Result<Vec<T>> {
    let rows = serde_arrow::from_record_batch(batch);
    rows.map_err(|error| duckdb::Error::FromSqlConversionFailure(0, Type::Any, Box::new(error)))
}

/// A column that holds JSON text, such as a list of labels; the default for NULL and for anything unreadable.
pub(crate) fn json<'de, D: Deserializer<'de>, T: DeserializeOwned + Default>(
    column: D,
) -> Result<T, D::Error> {
    let text: Option<String> = Deserialize::deserialize(column)?;
    let value = text.and_then(|text| serde_json::from_str(&text).ok());
    Ok(value.unwrap_or_default())
}

/// A variant of `T`, or a name that this version does not know: an event may come from a later one. In rows and JSON it
/// is the name alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Named<T> {
    /// A variant.
    Known(T),
    /// Another name, as it was logged.
    Other(String),
}

impl<T: Copy> Named<T> {
    /// The variant, if it is a known one.
    pub fn known(&self) -> Option<T> {
        match self {
            Self::Known(variant) => Some(*variant),
            Self::Other(_) => None,
        }
    }
}

impl<T> Default for Named<T> {
    fn default() -> Self {
        Self::Other(String::new())
    }
}

impl<T> From<T> for Named<T> {
    fn from(variant: T) -> Self {
        Self::Known(variant)
    }
}

impl<T: PartialEq> PartialEq<T> for Named<T> {
    fn eq(&self, variant: &T) -> bool {
        matches!(self, Self::Known(known) if known == variant)
    }
}

impl<T: fmt::Display> fmt::Display for Named<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(variant) => variant.fmt(f),
            Self::Other(name) => f.write_str(name),
        }
    }
}

/// Times of the store, which are UTC; in JSON to the millisecond.
pub(crate) mod utc {
    use chrono::{DateTime, NaiveDateTime, SecondsFormat, Utc};
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        column: D,
    ) -> Result<DateTime<Utc>, D::Error> {
        Ok(NaiveDateTime::deserialize(column)?.and_utc())
    }

    pub(crate) fn serialize<S: Serializer>(at: &DateTime<Utc>, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&at.to_rfc3339_opts(SecondsFormat::Millis, true))
    }
}

/// The same where they may be unknown.
pub(crate) mod any_utc {
    use chrono::{DateTime, NaiveDateTime, Utc};
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        column: D,
    ) -> Result<Option<DateTime<Utc>>, D::Error> {
        let at: Option<NaiveDateTime> = Option::deserialize(column)?;
        Ok(at.map(|at| at.and_utc()))
    }

    #[expect(clippy::ref_option, reason = "serde passes the field by reference")]
    pub(crate) fn serialize<S: Serializer>(
        at: &Option<DateTime<Utc>>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        match at {
            Some(at) => super::utc::serialize(at, to),
            None => to.serialize_none(),
        }
    }
}

/// A field as the text that it displays.
pub(crate) fn displayed<S: Serializer>(
    value: &impl fmt::Display,
    to: S,
) -> Result<S::Ok, S::Error> {
    to.collect_str(value)
}

/// `seconds`, rounded to the millisecond. The sum of nothing is negative zero, which is not shown.
pub(crate) fn to_milliseconds(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0 + 0.0
}
