//! The last bytes before a checkpoint: their hash shows whether a segment that has grown still begins with
//! what was read.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;

use plantune_domain::hash;

/// How much before a checkpoint is looked at, in bytes.
const TAIL_BYTES: usize = 4096;

/// The last bytes before an offset of a segment, 4 KiB at most.
#[derive(Debug, Default)]
pub(crate) struct Tail(Vec<u8>);

impl Tail {
    /// What stands before `offset` in `file`; less, when the file ends sooner.
    ///
    /// # Errors
    /// Those of the file system.
    pub(crate) fn before(file: &File, offset: u64) -> io::Result<Self> {
        let length = offset.min(TAIL_BYTES as u64);
        let mut bytes = vec![0; length as usize];
        let mut filled = 0;
        while let Some(rest) = bytes.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            match file.read_at(rest, offset - length + filled as u64)? {
                0 => break,
                read => filled += read,
            }
        }
        bytes.truncate(filled);
        Ok(Self(bytes))
    }

    /// Moves on behind `bytes`.
    pub(crate) fn pass(&mut self, bytes: &[u8]) {
        let last = bytes.len().saturating_sub(TAIL_BYTES);
        self.0.extend(bytes.get(last..).unwrap_or_default());
        let excess = self.0.len().saturating_sub(TAIL_BYTES);
        self.0.drain(..excess);
    }

    /// A hash of the bytes; `None` without any.
    pub(crate) fn hash(&self) -> Option<String> {
        (!self.0.is_empty()).then(|| hash::hex(&["tail", &hash::to_hex(&self.0)]))
    }
}
