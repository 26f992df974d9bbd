//! A mark beside the store while a writer has it open. Who finds one there follows a writer that was
//! killed, perhaps in the midst of a commit.
//!
//! Of a commit that a kill cut short in the write-ahead log, DuckDB still shows the rows that went
//! straight into the file (full row groups), until the store is closed: a run that goes by them takes
//! every event for known and reads none. What is written next cuts the log behind its last whole
//! commit, and once the store is opened again it holds that and nothing else.

use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use duckdb::Connection;
use plantune_domain::paths::Paths;

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
        let mark = mark_of(store);
        let mut connection = open_as_it_is(store)?;
        if is_there(&mark) {
            // A newer plantune's store is left as it is, with the mark that its writer goes by.
            plantune_migrations::check(&connection)?;
            if write_ahead_log(store).exists() {
                connection.execute_batch(include_str!("../sql/settle.sql"))?;
                connection.close().map_err(|(_, error)| error)?;
                connection = open_as_it_is(store)?;
            }
        }
        set(&mark).map_err(|error| Error::Folder {
            path: mark.clone(),
            error,
        })?;
        Ok((connection, Self { mark }))
    }
}

/// True when a writer was killed, perhaps in the midst of a commit, and no other came after it: what is
/// read then may lack rows of that commit and hold others. While nobody has the store open for
/// writing, that is; to be asked by who reads it.
pub fn is_unsettled(paths: &Paths) -> bool {
    let store = paths.store();
    is_there(&mark_of(&store)) && write_ahead_log(&store).exists()
}

impl Drop for Running {
    fn drop(&mut self) {
        // A mark that stays costs the next writer a moment.
        let _ = fs::remove_file(&self.mark);
    }
}

fn mark_of(store: &Path) -> PathBuf {
    store.with_extension("duckdb.open")
}

/// Opens the store such that closing it, on whatever way out, does not write to it.
fn open_as_it_is(store: &Path) -> Result<Connection, Error> {
    let connection = open(store)?;
    connection.execute_batch(include_str!("../sql/session.sql"))?;
    Ok(connection)
}

/// Whatever stands there under the name of the mark is one.
fn is_there(mark: &Path) -> bool {
    fs::symlink_metadata(mark).is_ok()
}

/// Sets the mark, unless something stands there already: that is neither opened nor written to.
fn set(mark: &Path) -> io::Result<()> {
    let made = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(mark);
    match made {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => {
            made?;
            sync_folder(mark);
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plantune_domain::atomic_file::replace;
    use plantune_migrations::newest;
    use std::os::unix::fs::{FileTypeExt as _, symlink};

    fn new_store(folder: &Path) -> PathBuf {
        let store = folder.join("plantune.duckdb");
        let mut connection = open(&store).unwrap();
        plantune_migrations::apply(&mut connection).unwrap();
        store
    }

    #[test]
    fn whatever_stands_in_the_place_of_the_mark_is_taken_for_one() {
        let folder = tempfile::tempdir().unwrap();
        let store = new_store(folder.path());
        let (mark, precious) = (mark_of(&store), folder.path().join("precious"));
        replace(&precious, b"precious", 0o600).unwrap();
        symlink(&precious, &mark).unwrap();
        drop(Running::open(&store).unwrap());
        assert_eq!(fs::read(&precious).unwrap(), b"precious");
        assert!(!is_there(&mark));
        symlink(folder.path().join("nothing"), &mark).unwrap();
        drop(Running::open(&store).unwrap());
        assert!(!is_there(&mark) && !folder.path().join("nothing").exists());
        // Opening a pipe would wait for its other end.
        let made = std::process::Command::new("mkfifo").arg(&mark).status();
        assert!(made.unwrap().success());
        assert!(fs::metadata(&mark).unwrap().file_type().is_fifo());
        drop(Running::open(&store).unwrap());
        assert!(!is_there(&mark));
        // What cannot be taken away costs each writer a moment.
        fs::create_dir(&mark).unwrap();
        drop(Running::open(&store).unwrap());
        drop(Running::open(&store).unwrap());
        assert!(mark.is_dir());
    }

    #[test]
    fn a_newer_store_keeps_its_mark_and_its_log() {
        let folder = tempfile::tempdir().unwrap();
        let store = new_store(folder.path());
        let newer = open(&store).unwrap();
        newer
            .execute_batch(include_str!("../sql/session.sql"))
            .unwrap();
        newer
            .execute("INSERT INTO migrations VALUES (?, now())", [newest() + 1])
            .unwrap();
        drop(newer);
        let mark = mark_of(&store);
        replace(&mark, b"", 0o600).unwrap();
        let content = || {
            let files = [&store, &write_ahead_log(&store)];
            files.map(|file| fs::read(file).unwrap())
        };
        let before = content();
        let refused = Running::open(&store).unwrap_err();
        assert!(matches!(refused, Error::Newer(_)), "{refused}");
        assert!(content() == before && is_there(&mark));
    }
}
