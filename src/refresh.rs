//! Bringing the store up to date before it is read.

use plantune_hooks::config::Config;

use crate::context::Context;
use crate::failure::Failure;

/// Loads what the hooks have logged since the last time into the store, so that a report shows
/// the question answered a moment ago.
///
/// # Errors
/// When the store cannot be written, or the log not be read.
#[allow(
    clippy::unnecessary_wraps,
    reason = "loading can fail as soon as there is an ingester to call"
)]
pub(crate) fn refresh(_context: &Context, _config: &Config) -> Result<(), Failure> {
    Ok(())
}
