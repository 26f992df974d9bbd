//! One change of the person's files at a time: two commands at once must not each put back what the
//! other has just written.

use std::fs::{File, TryLockError};
use std::time::Duration;

use plantune_domain::paths::create_private_dir;

use crate::failure::Failure;
use crate::failure::write_failure::not_written;
use crate::workspace::Workspace;

/// How often another command is waited for, and for how long each time.
const TRIES: u32 = 50;
const PAUSE: Duration = Duration::from_millis(100);

/// Keeps other changes away until it is dropped. The folder of the configuration is what is locked,
/// so that nothing is left behind; the hook, which only reads, waits for nobody. `kept` says what was
/// not changed.
///
/// # Errors
/// When another command holds it for longer than five seconds, or the folder cannot be made or opened.
pub(crate) fn hold(workspace: &Workspace, kept: &str) -> Result<File, Failure> {
    let folder = workspace.paths.config();
    let unlocked = |error: std::io::Error| not_written(folder, &error, kept);
    let lock = create_private_dir(folder)
        .and_then(|()| File::open(folder))
        .map_err(unlocked)?;
    for _ in 0..TRIES {
        match lock.try_lock() {
            Ok(()) => return Ok(lock),
            Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
            Err(TryLockError::Error(error)) => return Err(unlocked(error)),
        }
    }
    Err(
        Failure::failed("another plantune command is changing preferences or rules")
            .hint(format!("{kept}; let it finish, then run this again")),
    )
}
