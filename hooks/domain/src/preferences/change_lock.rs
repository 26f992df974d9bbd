//! One change of the person's files at a time: two writers at once must not each put back what the other
//! has just written.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use crate::paths::create_private_dir;

/// How long another writer is waited for before it is asked for again.
const PAUSE: Duration = Duration::from_millis(100);

/// Keeps other changes away until what is returned is dropped; `None` when another writer holds on for all of
/// `tries`, a tenth of a second each. `folder`, that of the configuration, is what is locked, so that
/// nothing is left behind; whoever only reads waits for nobody.
///
/// # Errors
/// When the folder cannot be made, opened or locked.
pub fn hold(folder: &Path, tries: u32) -> io::Result<Option<File>> {
    create_private_dir(folder)?;
    let lock = File::open(folder)?;
    for _ in 0..tries {
        match lock.try_lock() {
            Ok(()) => return Ok(Some(lock)),
            Err(TryLockError::WouldBlock) => sleep(PAUSE),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
    Ok(None)
}
