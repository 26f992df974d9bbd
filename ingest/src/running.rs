//! A mark beside the store while a writer has it open. Who finds one there follows a writer that was
//! killed, perhaps in the midst of a commit.
//!
//! Of a commit that a kill cut short in the write-ahead log, DuckDB still shows the rows that went
//! straight into the file (full row groups), until the store is closed: a run that goes by them takes
//! every event for known and reads none. What is written next cuts the log behind its last whole
//! commit, and once the store is opened again it holds that and nothing else.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use duckdb::Connection;

use crate::error::Error;
use crate::open::{open, sync_folder, write_ahead_log};

/// The mark of a writer; it goes with this, which a killed writer does not get to. To be dropped while
/// the store is still held: another writer's mark is not to be taken for this one's.
#[derive(Debug)]
pub(crate) struct Running {
    mark: PathBuf,
}

impl Running {
    /// Opens the store for writing, as its last whole commit left it, and sets the mark.
    ///
    /// # Errors
    /// Those of [`open`], and of the file system.
    pub(crate) fn open(store: &Path) -> Result<(Connection, Self), Error> {
        let mark = store.with_extension("duckdb.open");
        let mut connection = open(store)?;
        if mark.exists() && write_ahead_log(store).exists() {
            connection.execute_batch(include_str!("../sql/settle.sql"))?;
            connection.close().map_err(|(_, error)| error)?;
            connection = open(store)?;
        }
        create(&mark).map_err(|error| Error::Folder {
            path: mark.clone(),
            error,
        })?;
        sync_folder(&mark);
        Ok((connection, Self { mark }))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // A mark that stays costs the next writer a moment.
        let _ = fs::remove_file(&self.mark);
    }
}

fn create(mark: &Path) -> io::Result<File> {
    OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(mark)
}
