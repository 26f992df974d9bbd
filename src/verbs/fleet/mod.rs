//! `plantune fleet`: an organisation's lake of events, which machines push to, and reports over it. The feature `fleet`:
//! nobody else pays for the object store's client and its runtime.

mod adopt;
mod config;
mod init;
mod lake;
mod push;
mod report;
mod rows;
#[cfg(feature = "spark")]
mod spark;

use clap::{Args, Subcommand};

use crate::failure::Failure;
use crate::session::Session;

/// Push your figures to your organisation's lake, and report on everybody's
///
/// Nothing leaves this machine until `plantune fleet init` has shown you what would, and you said yes.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune fleet init /mnt/share/lake
      see what would leave this machine, and decide
  plantune fleet report --week 2026-W46           the organisation's figures
  plantune fleet adopt ship-todos
      see how nearly everybody answers it, and answer the same way")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand, Debug)]
enum Verb {
    Init(init::Arguments),
    Push(push::Arguments),
    Forget(push::ForgetArguments),
    Report(report::Arguments),
    Adopt(adopt::Arguments),
}

/// Does what is asked.
///
/// # Errors
/// The errors of the verb.
pub(crate) fn run(arguments: &Arguments, session: &Session) -> Result<(), Failure> {
    match &arguments.verb {
        Verb::Init(arguments) => init::run(arguments, session),
        Verb::Push(arguments) => push::run(arguments, session),
        Verb::Forget(arguments) => push::forget(arguments, session),
        Verb::Report(arguments) => report::run(arguments, session),
        Verb::Adopt(arguments) => adopt::run(arguments, session),
    }
}
