//! `plantune fleet` where it is not built in: how to get it.

use std::ffi::OsString;

use clap::Args;

use crate::failure::Failure;
use crate::workspace::Workspace;

/// Push to an organisation's lake, and report over it
///
/// This plantune was built without it.
#[derive(Args, Debug)]
#[command(disable_help_flag = true)]
pub(crate) struct Arguments {
    /// What it takes where it is built in
    #[arg(value_name = "WORD", num_args = 0.., trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

/// Says how to get it.
///
/// # Errors
/// Always: this program was built without it.
pub(crate) fn run(arguments: &Arguments, _: &Workspace) -> Result<(), Failure> {
    let verb = arguments
        .words
        .first()
        .map(|word| word.to_string_lossy())
        .unwrap_or_default();
    Err(Failure::failed(format!(
        "fleet {verb}: this plantune was built without the fleet"
    ))
    .hint("in plantune's source: `make fleet-install`; docs/fleet.md says what it does"))
}
