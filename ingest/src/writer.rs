//! The store, open for writing: the one way in for everything that changes it.

use std::fs;
use std::io;

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use duckdb::{Connection, params};
use plantune_domain::paths::{Paths, create_private_dir};

use crate::allocator;
use crate::compare::{Difference, compare, digests, unlike};
use crate::error::{Error, SPOOL_UNREADABLE};
use crate::feeds::Feeds;
use crate::ingest::{Run, Summary, TRANSACTION_BYTES, ingest};
use crate::kept::Kept;
use crate::open::{create, make_private, sweep_temporary_files, write_ahead_log};
use crate::progress::Progress;
use crate::rebuild::{events_in, rebuild};
use crate::running::Running;
use crate::trace;

/// The schema version that had a log and no projections.
const WITHOUT_PROJECTIONS: u32 = 1;

/// How long the write-ahead log may be when a run ends, in bytes: whoever opens the store reads it.
const LOG_BYTES: u64 = 4 * 1024 * 1024;

/// The store, open for writing. Only one process at a time can hold one.
pub struct Writer {
    // Before the connection: the mark goes while the store is still held.
    _running: Running,
    connection: Connection,
    // Behind the connection: what is dropped later is closed later.
    kept: Kept,
    feeds: Feeds,
    paths: Paths,
    zone: Tz,
    transaction_bytes: u64,
    log_is_new: bool,
}

impl Drop for Writer {
    /// DuckDB makes its write-ahead log with whatever mode the process would give a file; a log
    /// that this writer caused is made the person's alone, like the store.
    fn drop(&mut self) {
        let log = write_ahead_log(&self.paths.store());
        if self.log_is_new && log.exists() {
            // The folder is private too; a mode that cannot be set is doctor's to tell.
            let _ = make_private(&log);
        }
    }
}

impl Writer {
    /// Opens the store below `paths`, makes it when there is none, and brings its schema up to
    /// date. Days are those of `time_zone` (an IANA name); when it changed, the projections are
    /// computed anew.
    ///
    /// # Errors
    /// [`Error::TimeZone`] for a name that no zone has,
    /// [`Error::Held`] when another process keeps the store for longer than five seconds,
    /// [`Error::Newer`] and [`Error::Broken`] for a store that this program cannot use, which is
    /// left as it is, and those of the file system and DuckDB.
    pub fn open(paths: &Paths, time_zone: &str) -> Result<Self, Error> {
        allocator::keep_little();
        let zone = time_zone
            .parse()
            .map_err(|_| Error::TimeZone(time_zone.to_owned()))?;
        let store = paths.store();
        create_private_dir(paths.data()).map_err(|error| Error::Folder {
            path: paths.data().to_owned(),
            error,
        })?;
        let log_is_new = !write_ahead_log(&store).exists();
        if !store.exists() {
            create(&store)?;
        }
        let kept = Kept::open(&store).map_err(|error| Error::Folder {
            path: store.clone(),
            error,
        })?;
        let (mut connection, running) = Running::open(&store)?;
        sweep_temporary_files(&store)?;
        if plantune_migrations::version(&connection)? == WITHOUT_PROJECTIONS {
            // Without a zone the projections are computed, whenever this run is interrupted.
            connection.execute(include_str!("../sql/forget_setting.sql"), ["time_zone"])?;
        }
        plantune_migrations::apply(&mut connection)?;
        let feeds = Feeds::register(&connection)?;
        let mut writer = Self {
            connection,
            kept,
            _running: running,
            feeds,
            paths: paths.clone(),
            zone,
            transaction_bytes: TRANSACTION_BYTES,
            log_is_new,
        };
        writer.follow_time_zone()?;
        Ok(writer)
    }

    /// Lets a transaction take `bytes` of the spool, rounded up to a piece of it, an import not
    /// hold more back before it writes, and a rebuild not read more of the log at a time, rounded up
    /// to a transaction of those that wrote it.
    #[must_use]
    pub fn with_transaction_bytes(mut self, bytes: u64) -> Self {
        self.transaction_bytes = bytes.max(1);
        self
    }

    /// Reads what is new in the spool, and returns what was done. `progress` tells how far it is,
    /// meanwhile.
    ///
    /// # Errors
    /// Of the spool and DuckDB's; what was not committed is read again by the next run.
    pub fn ingest(&mut self, now: DateTime<Utc>, progress: &Progress) -> Result<Summary, Error> {
        let mut summary = Summary::default();
        let read = self.with_memory(|writer| {
            let run = Run {
                feeds: &writer.feeds,
                now,
                zone: writer.zone,
                transaction_bytes: writer.transaction_bytes,
            };
            ingest(
                &mut writer.connection,
                &writer.paths,
                &run,
                progress,
                &mut summary,
            )
        });
        read.map_err(of_spool)?;
        self.shorten_log()?;
        Ok(summary)
    }

    /// Computes the projections and rollups anew from the log, and returns the names of those that
    /// were otherwise before.
    ///
    /// # Errors
    /// DuckDB's; the projections are as before then.
    pub fn rebuild(&mut self) -> Result<Vec<&'static str>, Error> {
        let mut changed = Vec::new();
        self.connection
            .execute_batch(include_str!("../sql/memory_to_rebuild.sql"))?;
        self.with_memory(|writer| {
            let transaction = writer.connection.transaction()?;
            let before = digests(&transaction)?;
            rebuild(
                &transaction,
                &writer.feeds,
                writer.zone,
                events_in(writer.transaction_bytes),
            )?;
            changed = unlike(&before, &digests(&transaction)?);
            put_zone(&transaction, writer.zone.name())?;
            Ok(transaction.commit()?)
        })?;
        self.shorten_log()?;
        // What follows is held to what it was.
        self.connection
            .execute_batch(include_str!("../sql/session.sql"))?;
        Ok(changed)
    }

    /// Computes the projections and rollups anew from the log, beside the store, and returns those
    /// of the store that differ. Nothing is changed.
    ///
    /// # Errors
    /// DuckDB's.
    pub fn compare(&mut self) -> Result<Vec<Difference>, Error> {
        let mut differences = Vec::new();
        self.connection
            .execute_batch(include_str!("../sql/memory_to_rebuild.sql"))?;
        self.with_memory(|writer| {
            let beside = writer.connection.try_clone()?;
            differences = compare(
                &beside,
                &writer.feeds,
                writer.zone,
                events_in(writer.transaction_bytes),
            )?;
            Ok(())
        })?;
        Ok(differences)
    }

    /// Does `work`, and once more with more memory when it ran out of what a run is held to: its
    /// open transaction was rolled back, and what it had committed is not done again.
    fn with_memory(
        &mut self,
        mut work: impl FnMut(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        match work(self) {
            Err(Error::DuckDb(error)) if error.to_string().contains("Out of Memory Error") => {
                self.connection
                    .execute_batch(include_str!("../sql/more_memory.sql"))?;
                work(self)
            }
            done => done,
        }
    }

    /// Takes what the write-ahead log holds into the store's file, such that a kill at any moment
    /// leaves a store.
    ///
    /// # Errors
    /// Of the file system, and DuckDB's.
    pub(crate) fn checkpoint(&self) -> Result<(), Error> {
        self.kept.during(&self.connection, || {
            self.connection
                .execute_batch(include_str!("../sql/checkpoint.sql"))
        })
    }

    /// Takes what the write-ahead log holds into the store's file, once that is worth it.
    fn shorten_log(&self) -> Result<(), Error> {
        let log = write_ahead_log(&self.paths.store());
        if fs::metadata(log).is_ok_and(|log| log.len() > LOG_BYTES) {
            trace::step("checkpoint", || self.checkpoint())?;
        }
        Ok(())
    }

    fn follow_time_zone(&mut self) -> Result<(), Error> {
        let known: Result<String, _> =
            self.connection
                .query_row(include_str!("../sql/setting.sql"), ["time_zone"], |row| {
                    row.get(0)
                });
        match known {
            Ok(known) if known == self.zone.name() => Ok(()),
            Ok(_) => self.rebuild().map(drop),
            Err(duckdb::Error::QueryReturnedNoRows) if self.has_events()? => {
                self.rebuild().map(drop)
            }
            Err(duckdb::Error::QueryReturnedNoRows) => {
                Ok(put_zone(&self.connection, self.zone.name())?)
            }
            Err(error) => Err(error.into()),
        }
    }

    fn has_events(&self) -> Result<bool, Error> {
        let sql = include_str!("../sql/has_events.sql");
        Ok(self.connection.query_row(sql, [], |row| row.get(0))?)
    }

    pub(crate) fn paths(&self) -> &Paths {
        &self.paths
    }

    pub(crate) fn transaction_bytes(&self) -> u64 {
        self.transaction_bytes
    }

    pub(crate) fn feeds(&self) -> &Feeds {
        &self.feeds
    }

    pub(crate) fn connection_mut(&mut self) -> &mut Connection {
        &mut self.connection
    }

    pub(crate) fn connection(&self) -> &Connection {
        &self.connection
    }
}

/// An error of the spool for what it is: on its way through DuckDB it became DuckDB's.
fn of_spool(error: Error) -> Error {
    let words = error.to_string();
    match words.rsplit_once(SPOOL_UNREADABLE) {
        Some((_, why)) => Error::Spool(io::Error::other(why.trim().to_owned())),
        None => error,
    }
}

fn put_zone(connection: &Connection, zone: &str) -> duckdb::Result<()> {
    connection
        .execute(
            include_str!("../sql/put_setting.sql"),
            params!["time_zone", zone],
        )
        .map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_the_spool_arrives_as_one() {
        let store = Connection::open_in_memory().unwrap();
        let by_way_of_duckdb = |words: &str| -> Error {
            let error = store.execute("SELECT error(?)", [words]).unwrap_err();
            error.into()
        };
        let words = "the spool cannot be read: /s/2026-11-20.jsonl: Input/output error";
        let error = of_spool(by_way_of_duckdb(words));
        assert!(matches!(error, Error::Spool(_)));
        assert_eq!(error.to_string(), words);
        assert_eq!(of_spool(error).to_string(), words);
        assert!(matches!(of_spool(by_way_of_duckdb("no")), Error::DuckDb(_)));
    }

    #[test]
    fn temporary_files_of_a_killed_run_are_swept() {
        let folder = tempfile::tempdir().unwrap();
        let paths = Paths::below(folder.path().to_owned());
        let left = folder.path().join("plantune.duckdb.tmp");
        create_private_dir(&left).unwrap();
        fs::copy("Cargo.toml", left.join("duckdb_temp_storage_S128K-0.tmp")).unwrap();
        drop(Writer::open(&paths, "UTC").unwrap());
        assert!(!left.exists());
    }

    #[test]
    fn work_that_runs_out_of_memory_is_done_again_with_more() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = Writer::open(&Paths::below(folder.path().to_owned()), "UTC").unwrap();
        let little = "SET temp_directory = ''; SET memory_limit = '8MiB';";
        writer.connection.execute_batch(little).unwrap();
        let mut times = 0;
        let much = "CREATE TABLE much AS SELECT range, hash(range) FROM range(3_000_000)";
        let done = writer.with_memory(|writer| {
            times += 1;
            Ok(writer
                .connection
                .execute_batch(&format!("{much} ORDER BY 2"))?)
        });
        done.unwrap();
        assert_eq!(times, 2);
        // Any other failure is told at once.
        let mut times = 0;
        let failed = writer.with_memory(|writer| {
            times += 1;
            Ok(writer
                .connection
                .execute_batch("SELECT nothing FROM nowhere")?)
        });
        assert!(failed.is_err() && times == 1);
    }
}
