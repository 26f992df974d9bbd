//! The lock under which preferences and rules are changed, for the command line.

use std::fs::File;

use plantune_domain::preferences::change_lock;

use crate::failure::Failure;
use crate::failure::write_failure::not_written;
use crate::workspace::Workspace;

/// How often another command is asked for the lock, ten times a second.
const TRIES: u32 = 50;

/// Keeps other changes away until it is dropped. `kept` says what was not changed.
///
/// # Errors
/// When another command holds it for longer than five seconds, or the folder cannot be made or opened.
pub(crate) fn hold(workspace: &Workspace, kept: &str) -> Result<File, Failure> {
    let folder = workspace.paths.config();
    change_lock::hold(folder, TRIES)
        .map_err(|error| not_written(folder, &error, kept))?
        .ok_or_else(|| {
            Failure::failed("another plantune command is changing preferences or rules")
                .hint(format!("{kept}; let it finish, then run this again"))
        })
}
