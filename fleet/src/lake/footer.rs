//! The ends of Parquet files, which say what they hold.

use std::fs;
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::PathBuf;

use object_store::ObjectStoreExt as _;
use object_store::path::Path as Key;
use plantune_domain::paths::create_private_dir;

use super::{Entry, Lake};
use crate::failure::Failure;

impl Lake {
    /// Where a Parquet file, or its end, can be read on this machine; `None` when the file is gone.
    ///
    /// # Errors
    /// Those of [`Lake::local`] and [`Lake::footer`].
    pub(crate) fn on_this_machine(
        &self,
        entry: &Entry,
        footer_only: bool,
    ) -> Result<Option<PathBuf>, Failure> {
        match footer_only {
            true => self.footer(entry),
            false => self.local(entry),
        }
    }

    /// Where the end of a Parquet file can be read on this machine; `None` when the file is gone. Of an object
    /// store's file that is a copy with a hole in place of the rows.
    ///
    /// # Errors
    /// The store's, and the file system's.
    pub(crate) fn footer(&self, entry: &Entry) -> Result<Option<PathBuf>, Failure> {
        if self.folder.is_some() {
            return self.local(entry);
        }
        let copy = self.copies.join("footers").join(&entry.path);
        if fs::metadata(&copy).is_ok_and(|copy| copy.len() == entry.size) {
            return Ok(Some(copy));
        }
        // The last eight bytes are the length of what stands before them, and "PAR1".
        let Some(end) = self.last(entry, 8)? else {
            return Ok(None);
        };
        let length = end.first_chunk::<4>().copied().map(u32::from_le_bytes);
        let Some(footer) = self.last(entry, u64::from(length.unwrap_or_default()) + 8)? else {
            return Ok(None);
        };
        let folder = copy.parent().unwrap_or(&self.copies);
        create_private_dir(folder)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(b"PAR1")?;
        file.as_file().set_len(entry.size)?;
        file.seek(SeekFrom::Start(entry.size - footer.len() as u64))?;
        file.write_all(&footer)?;
        file.persist(&copy)?;
        Ok(Some(copy))
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
