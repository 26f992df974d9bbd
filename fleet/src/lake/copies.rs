//! The lake's files on this machine: themselves, or copies of an object store's.

use std::fs;
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::PathBuf;

use object_store::ObjectStoreExt as _;
use object_store::path::Path as Key;
use plantune_domain::paths::create_private_dir;

use super::{Entry, Lake};
use crate::failure::Failure;

impl Lake {
    /// Where a file, or at least its end where `footer_only` says so, can be read on this machine: itself, or a copy,
    /// which has a hole in place of the rows where only the end was wanted; `None` when the file is gone.
    ///
    /// # Errors
    /// The store's, and the file system's.
    pub(crate) fn on_this_machine(
        &self,
        entry: &Entry,
        footer_only: bool,
    ) -> Result<Option<PathBuf>, Failure> {
        if let Some(folder) = &self.folder {
            let path = folder.join(&entry.path);
            return Ok(path.exists().then_some(path));
        }
        let copy = match footer_only {
            true => self.copies.join("footers").join(&entry.path),
            false => self.copies.join(&entry.path),
        };
        // Files never change, so a copy of the right length is good.
        if fs::metadata(&copy).is_ok_and(|copy| copy.len() == entry.size) {
            return Ok(Some(copy));
        }
        let end = match footer_only {
            true => self.footer(entry)?,
            false => self.get(&entry.path)?,
        };
        let Some(end) = end else {
            return Ok(None);
        };
        let folder = copy.parent().unwrap_or(&self.copies);
        create_private_dir(folder)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(b"PAR1")?;
        file.as_file().set_len(entry.size)?;
        file.seek(SeekFrom::Start(entry.size.saturating_sub(end.len() as u64)))?;
        file.write_all(&end)?;
        // Its length alone says that it is whole.
        file.as_file().sync_all()?;
        file.persist(&copy)?;
        Ok(Some(copy))
    }

    /// The end of a Parquet file, which says what it holds; `None` when the file is gone.
    fn footer(&self, entry: &Entry) -> Result<Option<Vec<u8>>, Failure> {
        // The last eight bytes are the length of what stands before them, and "PAR1".
        let Some(end) = self.last(entry, 8)? else {
            return Ok(None);
        };
        let length = end.first_chunk::<4>().copied().map(u32::from_le_bytes);
        self.last(entry, u64::from(length.unwrap_or_default()) + 8)
    }

    /// The last `length` bytes of a file, all where it has fewer; `None` when it is gone.
    fn last(&self, entry: &Entry, length: u64) -> Result<Option<Vec<u8>>, Failure> {
        let range = entry.size.saturating_sub(length)..entry.size;
        if range.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let key = Key::from(entry.path.as_str());
        let bytes = self.wait(self.store.get_range(&key, range))?;
        Ok(bytes.map(|bytes| bytes.to_vec()))
    }
}
