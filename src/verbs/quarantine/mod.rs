//! `plantune quarantine`: the lines of the spool that could not become events.

mod list;
mod retry;

use clap::{Args, Subcommand};

use crate::failure::Failure;
use crate::workspace::Workspace;

/// Look at lines that could not become events, and read them again
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand, Debug)]
enum Verb {
    List(list::Arguments),
    Retry(retry::Arguments),
}

/// Does what the call asks.
///
/// # Errors
/// Whatever the verb reports.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    match &arguments.verb {
        Verb::List(arguments) => list::run(arguments, workspace),
        Verb::Retry(arguments) => retry::run(arguments, workspace),
    }
}
