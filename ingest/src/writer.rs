//! The store, open for writing: the one way in for everything that changes it.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use duckdb::{AccessMode, Connection, params};
use plantune_hooks::paths::{Paths, create_private_dir};

use crate::error::Error;
use crate::ingest::{Feeds, Run, Summary, TRANSACTION_BYTES, ingest};
use crate::progress::Progress;
use crate::project;
use crate::trace;

/// How long a store that another process holds is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long the write-ahead log may be when a run ends, in bytes: whoever opens the store reads it.
const LOG_BYTES: u64 = 4 * 1024 * 1024;

/// The store, open for writing. Only one process at a time can hold one.
pub struct Writer {
    connection: Connection,
    feeds: Feeds,
    paths: Paths,
    time_zone: String,
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
    /// [`Error::Held`] when another process keeps the store for longer than five seconds, and
    /// those of the file system and DuckDB.
    pub fn open(paths: &Paths, time_zone: &str) -> Result<Self, Error> {
        let store = paths.store();
        create_private_dir(paths.data()).map_err(|error| Error::Folder {
            path: paths.data().to_owned(),
            error,
        })?;
        if !store.exists() {
            make(&store, paths.data())?;
        }
        let log_is_new = !write_ahead_log(&store).exists();
        let mut connection = open_patiently(&store)?;
        connection.execute_batch(include_str!("../sql/session.sql"))?;
        plantune_migrations::apply(&mut connection)?;
        let feeds = Feeds::register(&connection)?;
        let mut writer = Self {
            connection,
            feeds,
            paths: paths.clone(),
            time_zone: time_zone.to_owned(),
            transaction_bytes: TRANSACTION_BYTES,
            log_is_new,
        };
        writer.follow_time_zone()?;
        Ok(writer)
    }

    /// Lets a transaction take `bytes` of the spool, rounded up to a piece of it, and an import not
    /// hold more back before it writes.
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
        self.with_memory(|writer| {
            let run = Run {
                feeds: &writer.feeds,
                now,
                time_zone: &writer.time_zone,
                transaction_bytes: writer.transaction_bytes,
            };
            ingest(
                &mut writer.connection,
                &writer.paths,
                &run,
                progress,
                &mut summary,
            )
        })?;
        self.shorten_log()?;
        Ok(summary)
    }

    /// Computes the projections and rollups anew from the log.
    ///
    /// # Errors
    /// DuckDB's; the projections are as before then.
    pub fn rebuild(&mut self) -> Result<(), Error> {
        self.with_memory(|writer| {
            let transaction = writer.connection.transaction()?;
            project::rebuild(&transaction, &writer.time_zone)?;
            put_zone(&transaction, &writer.time_zone)?;
            Ok(transaction.commit()?)
        })?;
        self.shorten_log()
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

    /// Takes what the write-ahead log holds into the store's file, once that is worth it.
    fn shorten_log(&self) -> Result<(), Error> {
        let log = write_ahead_log(&self.paths.store());
        if fs::metadata(log).is_ok_and(|log| log.len() > LOG_BYTES) {
            trace::step("checkpoint", || {
                self.connection
                    .execute_batch(include_str!("../sql/checkpoint.sql"))
            })?;
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
            Ok(known) if known == self.time_zone => Ok(()),
            Ok(_) => self.rebuild(),
            Err(duckdb::Error::QueryReturnedNoRows) => {
                Ok(put_zone(&self.connection, &self.time_zone)?)
            }
            Err(error) => Err(error.into()),
        }
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

    pub(crate) fn connection(&self) -> &Connection {
        &self.connection
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

fn write_ahead_log(store: &Path) -> PathBuf {
    store.with_extension("duckdb.wal")
}

/// Makes an empty store in `folder`, under another name first: a run that is killed meanwhile leaves
/// no store, instead of half of one that nothing can open.
fn make(store: &Path, folder: &Path) -> Result<(), Error> {
    let of_folder = |error| Error::Folder {
        path: folder.to_owned(),
        error,
    };
    // One process at a time; the lock is gone with the process.
    let lock = File::open(folder).map_err(of_folder)?;
    match lock.lock() {
        Err(error) if error.kind() != io::ErrorKind::Unsupported => return Err(of_folder(error)),
        _ => {}
    }
    if store.exists() {
        return Ok(());
    }
    let new = store.with_extension("duckdb.new");
    match fs::remove_file(&new) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(of_folder(error)),
        _ => {}
    }
    drop(plantune_migrations::open(&new, AccessMode::ReadWrite)?);
    make_private(&new)?;
    fs::rename(&new, store).map_err(of_folder)
}

fn make_private(store: &Path) -> Result<(), Error> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(store, fs::Permissions::from_mode(0o600)).map_err(|error| Error::Folder {
        path: store.to_owned(),
        error,
    })
}

fn open_patiently(store: &Path) -> Result<Connection, Error> {
    let start = Instant::now();
    loop {
        match plantune_migrations::open(store, AccessMode::ReadWrite) {
            Ok(connection) => return Ok(connection),
            Err(error) => match holder(&error.to_string()) {
                Some(_) if start.elapsed() < PATIENCE => thread::sleep(Duration::from_millis(50)),
                Some(holder) => {
                    return Err(Error::Held {
                        store: store.to_owned(),
                        holder,
                    });
                }
                None => return Err(error.into()),
            },
        }
    }
}

/// Who holds the lock, from DuckDB's message: "Conflicting lock is held in PROGRAM (PID n)…".
fn holder(message: &str) -> Option<String> {
    let (_, held) = message.split_once("Conflicting lock is held in ")?;
    let end = held.find(')').map_or(held.len(), |at| at + 1);
    held.get(..end).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_holder_is_named() {
        let message = "IO Error: Could not set lock on file \"/x\": Conflicting lock is held in \
                       /usr/bin/duckdb (PID 4711). See also https://duckdb.org/docs";
        assert_eq!(
            holder(message).as_deref(),
            Some("/usr/bin/duckdb (PID 4711)")
        );
        assert_eq!(holder("IO Error: not a database"), None);
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
