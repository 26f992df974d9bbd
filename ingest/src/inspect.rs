//! The store, looked into without being changed: whether the log is whole, and whether what is
//! derived from it is what it says.

use chrono_tz::Tz;
use duckdb::{AccessMode, Connection, Row};
use plantune_domain::paths::Paths;

use crate::compare::{Difference, compare};
use crate::error::Error;
use crate::feeds::Feeds;
use crate::ingest::TRANSACTION_BYTES;
use crate::open::patiently;
use crate::rebuild::events_in;

/// What can be wrong with the ids, in the order of `ids.sql`.
const IDS: [&str; 4] = [
    "events that are in the log more than once",
    "events that are in the list of ids more than once",
    "events of the log that are not in the list of ids",
    "ids of the list that no event of the log has",
];

/// In the order of `references.sql`.
const REFERENCES: [&str; 4] = [
    "events that lack where they came from",
    "events that lack what was asked",
    "events that lack what they tell",
    "wordings that lack their form",
];

/// In the order of `numbers.sql`.
const NUMBERS: [&str; 4] = [
    "contexts that share a number with another",
    "forms that share a number with another",
    "wordings that share a number with another",
    "details that share a number with another",
];

/// `batches.sql`.
const BATCHES: [&str; 1] = ["transactions that lack some of their events, or have too many"];

/// The store, open to be looked into.
pub struct Inspector {
    connection: Connection,
    feeds: Feeds,
    zone: Tz,
}

impl Inspector {
    /// Opens the store below `paths` to read it. `None` when there is nothing to be looked into: no
    /// store, or one of an earlier version, whose projections the next writer computes.
    ///
    /// # Errors
    /// [`Error::Held`] when another process writes to it for longer than five seconds,
    /// [`Error::Newer`] and [`Error::Broken`] for a store that this program cannot use, and DuckDB's.
    pub fn open(paths: &Paths) -> Result<Option<Self>, Error> {
        let store = paths.store();
        if !store.exists() {
            return Ok(None);
        }
        let connection = patiently(&store, &AccessMode::ReadOnly)?;
        if plantune_migrations::check(&connection)? < plantune_migrations::newest() {
            return Ok(None);
        }
        connection.execute_batch(include_str!("../sql/session.sql"))?;
        connection.execute_batch(include_str!("../sql/memory_to_rebuild.sql"))?;
        let known: Result<String, _> =
            connection.query_row(include_str!("../sql/setting.sql"), ["time_zone"], |row| {
                row.get(0)
            });
        let zone = match known {
            Ok(name) => name.parse().ok(),
            Err(duckdb::Error::QueryReturnedNoRows) => None,
            Err(error) => return Err(error.into()),
        };
        let Some(zone) = zone else {
            return Ok(None);
        };
        let feeds = Feeds::register(&connection)?;
        Ok(Some(Self {
            connection,
            feeds,
            zone,
        }))
    }

    /// What is wrong with the log, such as `events that are in the log more than once: 2`; nothing
    /// when every event is in it once, with everything it refers to.
    ///
    /// # Errors
    /// DuckDB's.
    pub fn log_faults(&self) -> Result<Vec<String>, Error> {
        let mut faults = self.count(include_str!("../sql/inspect/ids.sql"), IDS)?;
        faults.extend(self.count(include_str!("../sql/inspect/references.sql"), REFERENCES)?);
        faults.extend(self.count(include_str!("../sql/inspect/numbers.sql"), NUMBERS)?);
        faults.extend(self.count(include_str!("../sql/inspect/batches.sql"), BATCHES)?);
        Ok(faults)
    }

    /// What `sql` counts, a column each, as far as it is not zero.
    fn count<const N: usize>(&self, sql: &str, words: [&str; N]) -> Result<Vec<String>, Error> {
        let read = |row: &Row<'_>| -> duckdb::Result<Vec<u64>> {
            (0..N).map(|column| row.get(column)).collect()
        };
        let counts = self.connection.query_row(sql, [], read)?;
        let wrong = words.iter().zip(counts).filter(|(_, count)| *count > 0);
        Ok(wrong
            .map(|(words, count)| format!("{words}: {count}"))
            .collect())
    }

    /// Computes the projections and rollups anew from the log, beside the store, and returns those
    /// of the store that differ. Days are those of the time zone that the store was brought up to
    /// date with.
    ///
    /// # Errors
    /// DuckDB's.
    pub fn compare(&self) -> Result<Vec<Difference>, Error> {
        match self.compare_once() {
            Err(Error::DuckDb(error)) if error.to_string().contains("Out of Memory Error") => {
                self.connection
                    .execute_batch(include_str!("../sql/more_memory.sql"))?;
                self.compare_once()
            }
            compared => compared,
        }
    }

    fn compare_once(&self) -> Result<Vec<Difference>, Error> {
        let beside = self.connection.try_clone()?;
        Ok(compare(
            &beside,
            &self.feeds,
            self.zone,
            events_in(TRANSACTION_BYTES / 2),
        )?)
    }
}
