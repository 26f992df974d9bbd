//! `plantune prompts`: what Claude Code asked permission for.

mod classify;

use clap::{Args, Subcommand};

use crate::failure::Failure;
use crate::workspace::Workspace;

/// What Claude Code asks permission for
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand, Debug)]
enum Verb {
    Classify(classify::Arguments),
}

/// Does what the call asks.
///
/// # Errors
/// Whatever the verb reports.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    match &arguments.verb {
        Verb::Classify(arguments) => classify::run(arguments, workspace),
    }
}
