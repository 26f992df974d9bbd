//! Taking the write-ahead log into the store's file, so that a kill at any moment leaves a store.
//!
//! A checkpoint of DuckDB's writes data to free blocks and the header last, but blocks of metadata
//! that have room it writes over, and a signal can end such a write between two pages: header and
//! log are the old ones then, and the block is neither old nor new. Nothing can open that store. So
//! these blocks are kept in a file beside it meanwhile, and put back when the checkpoint did not get
//! to its header.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read as _, Write as _};
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use duckdb::Connection;

/// Where the blocks begin in a store: behind three headers of 4 KiB.
const HEADER_BYTES: usize = 3 * 4096;

/// A lock on a folder, gone with the process that holds it. DuckDB locks the store itself in another
/// way.
///
/// # Errors
/// Those of the file system; one that knows no such locks is none.
pub(crate) fn lock(folder: &Path) -> io::Result<File> {
    let lock = File::open(folder)?;
    match lock.lock() {
        Err(error) if error.kind() != io::ErrorKind::Unsupported => Err(error),
        _ => Ok(lock),
    }
}

/// The store's file, for reading what is to be kept. It must stay open as long as DuckDB has the
/// store open: closing any descriptor of a file takes the process's locks off it, DuckDB's too.
#[derive(Debug)]
pub(crate) struct Kept {
    file: File,
    store: PathBuf,
}

impl Kept {
    /// Puts back what a killed checkpoint left half written, and makes ready for the next. To be
    /// called before DuckDB opens the store.
    ///
    /// # Errors
    /// Those of the file system.
    pub(crate) fn open(store: &Path) -> io::Result<Self> {
        restore(store)?;
        Ok(Self {
            file: File::open(store)?,
            store: store.to_owned(),
        })
    }

    /// Does `checkpoint`, and can be killed meanwhile.
    ///
    /// # Errors
    /// Those of the file system, as DuckDB's are told, and those of `checkpoint`.
    pub(crate) fn during(
        &self,
        connection: &Connection,
        checkpoint: impl FnOnce() -> duckdb::Result<()>,
    ) -> Result<(), crate::Error> {
        let failed = |error| crate::Error::Folder {
            path: self.store.clone(),
            error,
        };
        let _lock = lock(folder(&self.store)).map_err(failed)?;
        let (blocks, block_bytes) = metadata_blocks(connection)?;
        self.keep(&blocks, block_bytes).map_err(failed)?;
        checkpoint()?;
        fs::remove_file(undo(&self.store)).map_err(failed)
    }

    /// Writes the headers and `blocks` beside the store: the size of a block, the headers, and each
    /// block behind its number.
    fn keep(&self, blocks: &[u64], block_bytes: u64) -> io::Result<()> {
        let new = unfinished(&self.store);
        // A link in its place is not followed.
        remove_if_there(&new)?;
        let file = File::options()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&new)?;
        let mut out = BufWriter::new(file);
        out.write_all(&block_bytes.to_le_bytes())?;
        let mut headers = [0; HEADER_BYTES];
        self.file.read_exact_at(&mut headers, 0)?;
        out.write_all(&headers)?;
        let mut bytes = vec![0; usize::try_from(block_bytes).map_err(io::Error::other)?];
        let length = self.file.metadata()?.len();
        for block in blocks {
            let at = offset(*block, block_bytes);
            // What lies beyond the end was never written, so no header leads to it.
            if at + block_bytes <= length {
                self.file.read_exact_at(&mut bytes, at)?;
                out.write_all(&block.to_le_bytes())?;
                out.write_all(&bytes)?;
            }
        }
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        fs::rename(&new, undo(&self.store))
    }
}

/// The numbers of the blocks that a checkpoint may write over, and the size of a block in bytes.
fn metadata_blocks(connection: &Connection) -> duckdb::Result<(Vec<u64>, u64)> {
    let mut statement = connection.prepare(include_str!("../sql/metadata_blocks.sql"))?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let mut blocks = Vec::new();
    let mut block_bytes = 0;
    for row in rows {
        let (block, bytes) = row?;
        blocks.push(block);
        block_bytes = bytes;
    }
    Ok((blocks, block_bytes))
}

fn restore(store: &Path) -> io::Result<()> {
    let (undo, unfinished) = (undo(store), unfinished(store));
    if !undo.exists() && !unfinished.exists() {
        return Ok(());
    }
    // Whoever is at a checkpoint has the lock, and has removed the file when it is done.
    let _lock = lock(folder(store))?;
    remove_if_there(&unfinished)?;
    match File::open(&undo).and_then(|kept| put_back(kept, store)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        // It gets its name when it is whole: this is none of ours, or damaged, and helps nobody.
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => fs::remove_file(&undo),
        done => done.and_then(|()| fs::remove_file(&undo)),
    }
}

/// Writes the blocks that are `kept` where they were in the store.
fn put_back(kept: File, store: &Path) -> io::Result<()> {
    let mut kept = BufReader::new(kept);
    let mut number = [0; 8];
    kept.read_exact(&mut number)?;
    let block_bytes = u64::from_le_bytes(number);
    let mut headers = ([0; HEADER_BYTES], [0; HEADER_BYTES]);
    kept.read_exact(&mut headers.0)?;
    let file = File::options().read(true).write(true).open(store)?;
    file.read_exact_at(&mut headers.1, 0)?;
    // With another header the checkpoint got to its end, or this is another store.
    if headers.0 == headers.1 {
        let mut bytes = vec![0; usize::try_from(block_bytes).map_err(io::Error::other)?];
        while kept.read_exact(&mut number).is_ok() {
            kept.read_exact(&mut bytes)?;
            let block = u64::from_le_bytes(number);
            file.write_all_at(&bytes, offset(block, block_bytes))?;
        }
        file.sync_all()?;
    }
    Ok(())
}

/// Removes a file.
///
/// # Errors
/// Those of the file system, except that it is not there.
pub(crate) fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn offset(block: u64, block_bytes: u64) -> u64 {
    HEADER_BYTES as u64 + block * block_bytes
}

fn folder(store: &Path) -> &Path {
    store.parent().unwrap_or(Path::new("."))
}

fn undo(store: &Path) -> PathBuf {
    store.with_extension("duckdb.undo")
}

fn unfinished(store: &Path) -> PathBuf {
    store.with_extension("duckdb.undo.new")
}

#[cfg(test)]
mod tests {
    use super::*;
    use duckdb::AccessMode;

    const LOG: &str = "duckdb.wal";

    /// A store in the midst of a checkpoint: all blocks are written, one of them in half, and the
    /// header is not.
    struct Killed {
        folder: tempfile::TempDir,
        before: Vec<u8>,
        after: Vec<u8>,
        log: Vec<u8>,
        undo: Vec<u8>,
        blocks: Vec<u64>,
    }

    fn put(path: &Path, bytes: &[u8]) {
        plantune_domain::atomic_file::replace(path, bytes, 0o600).unwrap();
    }

    fn count(store: &Path) -> duckdb::Result<u64> {
        let store = plantune_migrations::open(store, AccessMode::ReadWrite)?;
        store.query_row("SELECT count(*) FROM numbers", [], |row| row.get(0))
    }

    impl Killed {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("plantune.duckdb");
            drop(plantune_migrations::open(&path, AccessMode::ReadWrite).unwrap());
            let kept = Kept::open(&path).unwrap();
            let store = plantune_migrations::open(&path, AccessMode::ReadWrite).unwrap();
            let fill = "INSERT INTO numbers SELECT range, hash(range) FROM range(50_000);";
            let sql = "PRAGMA disable_checkpoint_on_shutdown;
                       CREATE TABLE numbers (number UBIGINT, hash UBIGINT);";
            store
                .execute_batch(&format!(
                    "{sql} {fill} CHECKPOINT; {fill} CHECKPOINT; {fill}"
                ))
                .unwrap();
            let (blocks, _) = metadata_blocks(&store).unwrap();
            let mut killed = Self {
                folder,
                before: fs::read(&path).unwrap(),
                log: fs::read(path.with_extension(LOG)).unwrap(),
                after: Vec::new(),
                undo: Vec::new(),
                blocks,
            };
            kept.during(&store, || {
                killed.undo = fs::read(undo(&path)).unwrap();
                store.execute_batch("CHECKPOINT")
            })
            .unwrap();
            assert!(!undo(&path).exists());
            killed.after = fs::read(&path).unwrap();
            killed
        }

        /// Leaves `block` half written; the path of the store.
        fn leave(&self, block: u64) -> PathBuf {
            let path = self.folder.path().join("plantune.duckdb");
            let mut torn = self.after.clone();
            torn[..HEADER_BYTES].copy_from_slice(&self.before[..HEADER_BYTES]);
            let start = offset(block, 262_144) as usize;
            let end = (start + 262_144).min(self.before.len());
            let half = start + 4096;
            torn[half..end].copy_from_slice(&self.before[half..end]);
            put(&path, &torn);
            put(&path.with_extension(LOG), &self.log);
            path
        }
    }

    #[test]
    fn what_a_killed_checkpoint_left_half_written_is_put_back() {
        let killed = Killed::new();
        let mut unreadable = 0;
        for block in &killed.blocks {
            unreadable += u32::from(count(&killed.leave(*block)).is_err());
            let path = killed.leave(*block);
            put(&undo(&path), &killed.undo);
            put(&unfinished(&path), b"and a later one that did not get far");
            drop(Kept::open(&path).unwrap());
            assert_eq!(count(&path).unwrap(), 150_000);
            assert!(!undo(&path).exists() && !unfinished(&path).exists());
        }
        assert!(unreadable > 0, "DuckDB no longer writes over its metadata");
    }

    #[test]
    fn what_keeps_no_blocks_is_no_hindrance() {
        let killed = Killed::new();
        let path = killed.folder.path().join("plantune.duckdb");
        for foreign in [&b""[..], b"short", &killed.undo[..HEADER_BYTES]] {
            put(&undo(&path), foreign);
            drop(Kept::open(&path).unwrap());
            assert!(fs::read(&path).unwrap() == killed.after && !undo(&path).exists());
        }
        let precious = killed.folder.path().join("precious");
        put(&precious, b"precious");
        std::os::unix::fs::symlink(&precious, unfinished(&path)).unwrap();
        let store = plantune_migrations::open(&path, AccessMode::ReadWrite).unwrap();
        let kept = Kept {
            file: File::open(&path).unwrap(),
            store: path.clone(),
        };
        kept.during(&store, || Ok(())).unwrap();
        assert_eq!(fs::read(&precious).unwrap(), b"precious");
    }

    #[test]
    fn a_checkpoint_that_got_to_its_end_is_left_alone() {
        let killed = Killed::new();
        let path = killed.folder.path().join("plantune.duckdb");
        put(&undo(&path), &killed.undo);
        drop(Kept::open(&path).unwrap());
        assert!(fs::read(&path).unwrap() == killed.after && !undo(&path).exists());
        assert_eq!(count(&path).unwrap(), 150_000);
    }
}
