//! `plantune fleet` where it is not built in: how to get it.

use std::borrow::Cow;
use std::ffi::OsString;
use std::iter;

use clap::Args;

use crate::failure::Failure;
use crate::session::Session;

/// Push your figures to your organisation's lake, and report on everybody's
///
/// This plantune was built without it.
#[derive(Args, Debug)]
#[command(disable_help_flag = true)]
pub(crate) struct Arguments {
    /// The words of the command
    #[arg(value_name = "WORD", num_args = 0.., trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

/// Says how to get it.
///
/// # Errors
/// Always: this program was built without it.
pub(crate) fn run(arguments: &Arguments, _: &Session) -> Result<(), Failure> {
    let words = arguments.words.iter().map(|word| word.to_string_lossy());
    let command = iter::once("fleet".into()).chain(words.take(1));
    let command = command.collect::<Vec<Cow<'_, str>>>().join(" ");
    Err(Failure::failed(format!(
        "`{command}` isn't in this plantune: it was built without the fleet"
    ))
    .hint("run `make fleet-install` in plantune's source; docs/fleet.md says what it does"))
}
