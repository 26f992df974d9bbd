//! `plantune fleet`: an organisation's lake of events, which machines push to, and reports over it. The feature `fleet`:
//! nobody else pays for the object store's client and its runtime.

#[cfg(feature = "fleet")]
mod adopt;
#[cfg(feature = "fleet")]
mod config;
#[cfg(feature = "fleet")]
mod due;
#[cfg(feature = "fleet")]
mod engine;
#[cfg(feature = "fleet")]
mod fields;
#[cfg(feature = "fleet")]
mod init;
#[cfg(feature = "fleet")]
mod key;
#[cfg(feature = "fleet")]
mod lake;
#[cfg(feature = "fleet")]
mod member;
#[cfg(feature = "fleet")]
mod push;
#[cfg(feature = "fleet")]
mod report;
#[cfg(feature = "fleet")]
mod rows;
#[cfg(feature = "spark")]
mod spark;
#[cfg(feature = "fleet")]
mod spark_address;

use clap::Args;

use crate::failure::Failure;
use crate::workspace::Workspace;

/// Push to an organisation's lake, and report over it
///
/// Nothing leaves this machine before `plantune fleet init` has shown what would and you have said yes.
#[cfg(feature = "fleet")]
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[cfg(feature = "fleet")]
#[derive(clap::Subcommand, Debug)]
enum Verb {
    Init(init::Arguments),
    Preview(push::PreviewArguments),
    Push(push::Arguments),
    Forget(push::ForgetArguments),
    Report(report::Arguments),
    Adopt(adopt::Arguments),
}

/// Does what is asked.
///
/// # Errors
/// Those of the verb.
#[cfg(feature = "fleet")]
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    match &arguments.verb {
        Verb::Init(arguments) => init::run(arguments, workspace),
        Verb::Preview(arguments) => push::preview(arguments, workspace),
        Verb::Push(arguments) => push::run(arguments, workspace),
        Verb::Forget(arguments) => push::forget(arguments, workspace),
        Verb::Report(arguments) => report::run(arguments, workspace),
        Verb::Adopt(arguments) => adopt::run(arguments, workspace),
    }
}

/// Push to an organisation's lake, and report over it
///
/// This plantune was built without it.
#[cfg(not(feature = "fleet"))]
#[derive(Args, Debug)]
#[command(disable_help_flag = true)]
pub(crate) struct Arguments {
    /// What it takes where it is built in
    #[arg(value_name = "WORD", num_args = 0.., trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<std::ffi::OsString>,
}

/// Says how to get it.
///
/// # Errors
/// Always: this program was built without it.
#[cfg(not(feature = "fleet"))]
pub(crate) fn run(arguments: &Arguments, _: &Workspace) -> Result<(), Failure> {
    let verb = arguments.words.first().map(|word| word.to_string_lossy());
    let words = format!(
        "fleet {}: this plantune was built without the fleet",
        verb.unwrap_or_default()
    );
    Err(Failure::failed(words)
        .hint("in plantune's source: `make fleet-install`; docs/fleet.md says what it does"))
}
