//! `plantune config`: what may be configured, and what is.

pub(in crate::verbs) mod questions;
mod schema;
mod show;

use clap::{Args, Subcommand};

use crate::failure::Failure;
use crate::workspace::Workspace;

/// What is configured, and names for your own questions
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Option<Verb>,
}

#[derive(Subcommand, Debug)]
enum Verb {
    Show(show::Arguments),
    Questions(questions::Arguments),
    Schema(schema::Arguments),
}

impl Arguments {
    /// True when a file of plantune's is read.
    pub(crate) fn uses_files(&self) -> bool {
        !matches!(self.verb, Some(Verb::Schema(_)))
    }
}

/// Does what the call asks.
///
/// # Errors
/// Whatever the verb reports.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    match &arguments.verb {
        None => show::run(&show::Arguments::default(), workspace),
        Some(Verb::Show(arguments)) => show::run(arguments, workspace),
        Some(Verb::Questions(arguments)) => questions::run(arguments, workspace),
        Some(Verb::Schema(arguments)) => schema::run(arguments),
    }
}
