//! The files that belong to the user, read whole: what cannot be understood stops the verb.

use plantune_domain::config::{Config, Retention, Suggest};
use plantune_domain::paths::Paths;
use plantune_domain::registry::Registry;
use plantune_domain::report_settings::ReportSettings;

use crate::failure::{Failure, Kind};
use crate::terminal::sanitized;

/// `config.toml`, or the defaults without one.
///
/// # Errors
/// Conflict (exit code 3) when the file is not understood.
pub(super) fn config(paths: &Paths) -> Result<Config, Failure> {
    Config::load(&paths.config_file()).map_err(|error| conflict(&error))
}

/// The table `[report]` of `config.toml`, or the defaults without one.
///
/// # Errors
/// Conflict (exit code 3) when it is not understood.
pub(super) fn report_settings(paths: &Paths) -> Result<ReportSettings, Failure> {
    ReportSettings::load(&paths.config_file()).map_err(|error| conflict(&error))
}

/// The table `[retention]` of `config.toml`, or the defaults without one.
///
/// # Errors
/// Conflict (exit code 3) when it is not understood.
pub(crate) fn retention(paths: &Paths) -> Result<Retention, Failure> {
    Retention::load(&paths.config_file()).map_err(|error| conflict(&error))
}

/// The table `[suggest]` of `config.toml`, or the defaults without one.
///
/// # Errors
/// Conflict (exit code 3) when it is not understood.
pub(crate) fn suggest(paths: &Paths) -> Result<Suggest, Failure> {
    Suggest::load(&paths.config_file()).map_err(|error| conflict(&error))
}

/// `registry.toml`, or an empty one.
///
/// # Errors
/// Conflict (exit code 3) when the file is not understood.
pub(super) fn registry(paths: &Paths) -> Result<Registry, Failure> {
    Registry::load(&paths.registry_file()).map_err(|error| conflict(&error))
}

/// A failure about a user's file that `error` names; it was left as it is.
pub(crate) fn conflict(error: &str) -> Failure {
    Failure::new(Kind::Conflict, sanitized(error.trim_end()))
        .hint("nothing was changed; repair the file, or move it away, and try again")
}
