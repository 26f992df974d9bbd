//! Bringing the store up to date before a verb reads it.

use plantune_hooks::config::Config;

use crate::context::Context;
use crate::failure::Failure;

/// Reads into the store what the hooks have logged since the last time.
///
/// # Errors
/// When the store cannot be written.
#[allow(
    clippy::unnecessary_wraps,
    reason = "a placeholder until the ingester is wired in"
)]
pub(crate) fn refresh(_context: &Context, _config: &Config) -> Result<(), Failure> {
    Ok(())
}
