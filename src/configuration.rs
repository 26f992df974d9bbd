//! Reading config.toml and registry.toml, with what to do when they cannot be read.

use plantune_hooks::config::Config;
use plantune_hooks::registry::Registry;

use crate::context::Context;
use crate::failure::{Failure, Kind};

/// The configuration.
///
/// # Errors
/// Conflict (exit code 3) when config.toml cannot be read or understood.
pub(crate) fn load(context: &Context) -> Result<Config, Failure> {
    Config::load(&context.paths.config_file()).map_err(conflict)
}

/// The registry of known questions.
///
/// # Errors
/// Conflict (exit code 3) when registry.toml cannot be read or understood.
pub(crate) fn registry(context: &Context) -> Result<Registry, Failure> {
    Registry::load(&context.paths.registry_file()).map_err(conflict)
}

fn conflict(message: String) -> Failure {
    Failure::new(Kind::Conflict, message).hint("correct the file; it was left as it is")
}
