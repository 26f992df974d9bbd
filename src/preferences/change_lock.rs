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
    let try_hold = || {
        let held = change_lock::try_hold(folder);
        held.map_err(|error| not_written(folder, &error, kept))
    };
    wait_for(try_hold)?.ok_or_else(|| {
        Failure::failed("another plantune command is changing preferences or rules")
            .hint(format!("{kept}; let it finish, then run this again"))
    })
}

/// What `try_hold` gets, which is tried again for five seconds while it gets nothing.
///
/// # Errors
/// Those of `try_hold`.
pub(crate) fn wait_for<T>(
    try_hold: impl Fn() -> Result<Option<T>, Failure>,
) -> Result<Option<T>, Failure> {
    for _ in 0..TRIES {
        if let Some(held) = try_hold()? {
            return Ok(Some(held));
        }
        std::thread::sleep(PAUSE);
    }
    Ok(None)
}
