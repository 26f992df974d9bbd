//! `plantune config`: what may be configured, and what is.

mod schema;
mod show;

use clap::{Args, Subcommand};

use crate::failure::Failure;
use crate::workspace::Workspace;

/// What may be configured, and what is: config.toml and registry.toml
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand, Debug)]
enum Verb {
    Show(show::Arguments),
    Schema(schema::Arguments),
}

impl Arguments {
    /// True when a file of plantune's is read.
    pub(crate) fn uses_files(&self) -> bool {
        matches!(self.verb, Verb::Show(_))
    }
}

/// Does what the call asks.
///
/// # Errors
/// Whatever the verb reports.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    match &arguments.verb {
        Verb::Show(arguments) => show::run(arguments, workspace),
        Verb::Schema(arguments) => schema::run(arguments),
    }
}
