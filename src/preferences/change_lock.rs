//! The lock under which preferences and rules are changed, for the command line, which waits for it.

use std::fs::File;
use std::time::Duration;

use plantune_domain::preferences::change_lock;

use crate::failure::Failure;
use crate::failure::write_failure::not_written;
use crate::workspace::Workspace;

/// How often another command is waited for, and for how long each time.
const TRIES: u32 = 50;
const PAUSE: Duration = Duration::from_millis(100);

/// Keeps other changes away until it is dropped. `kept` says what was not changed.
///
/// # Errors
/// When another command holds it for longer than five seconds, or the folder cannot be made or opened.
pub(crate) fn hold(workspace: &Workspace, kept: &str) -> Result<File, Failure> {
    let folder = workspace.paths.config();
    for _ in 0..TRIES {
        let lock =
            change_lock::try_hold(folder).map_err(|error| not_written(folder, &error, kept))?;
        match lock {
            Some(lock) => return Ok(lock),
            None => std::thread::sleep(PAUSE),
        }
    }
    Err(
        Failure::failed("another plantune command is changing preferences or rules")
            .hint(format!("{kept}; let it finish, then run this again")),
    )
}
