//! One change of the person's files at a time: two writers at once must not each put back what the other
//! has just written.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

use crate::paths::create_private_dir;
use crate::platform;

/// Keeps other changes away until what is returned is dropped; `None` while another writer does. `folder`, that
/// of the configuration, is what is locked, so that nothing is left behind; whoever only reads needs no lock.
///
/// # Errors
/// When the folder cannot be made, opened or locked.
pub fn try_hold(folder: &Path) -> io::Result<Option<File>> {
    create_private_dir(folder)?;
    let lock = platform::open_lock(folder)?;
    match lock.try_lock() {
        Ok(()) => Ok(Some(lock)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}
