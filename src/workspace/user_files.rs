//! The files that belong to the user, read whole: what cannot be understood stops the verb.

use plantune_domain::config::{Retention, Suggest};
use plantune_domain::paths::Paths;

use crate::failure::Failure;
use crate::terminal::sanitized;

/// The table `[retention]` of `config.toml`, or the defaults without one.
///
/// # Errors
/// Conflict (exit code 3) when it is not understood.
pub(crate) fn retention(paths: &Paths) -> Result<Retention, Failure> {
    understood(Retention::load(&paths.config_file()))
}

/// The table `[suggest]` of `config.toml`, or the defaults without one.
///
/// # Errors
/// Conflict (exit code 3) when it is not understood.
pub(crate) fn suggest(paths: &Paths) -> Result<Suggest, Failure> {
    understood(Suggest::load(&paths.config_file()))
}

/// What was loaded of a user's file.
///
/// # Errors
/// Conflict (exit code 3) when the file is not understood.
pub(super) fn understood<T>(loaded: Result<T, String>) -> Result<T, Failure> {
    loaded.map_err(|error| conflict(&error))
}

/// A failure about a user's file that `error` names; it was left as it is.
pub(crate) fn conflict(error: &str) -> Failure {
    Failure::conflict(sanitized(error.trim_end()))
        .hint("nothing was changed; repair the file, or move it away, and try again")
}
