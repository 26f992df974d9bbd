//! The words of a call: parsing them, and handing each verb to its file.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::context::Context;
use crate::failure::Failure;
use crate::{prefs, suggest};

/// Learns which questions a coding agent need not ask.
#[derive(Parser, Debug)]
#[command(version, disable_help_subcommand = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand, Debug)]
enum Verb {
    Suggest(suggest::Arguments),
    Prefs(prefs::Arguments),
}

/// Reads the call's words; help, version and usage errors are printed here and end the run.
pub(crate) fn parse() -> Result<Arguments, ExitCode> {
    Arguments::try_parse().map_err(|error| {
        let code = if error.use_stderr() { 2 } else { 0 };
        // Nothing is left to do when even the help text cannot be written.
        let _ = error.print();
        ExitCode::from(code)
    })
}

/// Does what the call asks.
///
/// # Errors
/// Whatever the verb reports.
pub(crate) fn run(arguments: Arguments, context: &Context) -> Result<(), Failure> {
    match arguments.verb {
        Verb::Suggest(arguments) => suggest::run(&arguments, context),
        Verb::Prefs(arguments) => prefs::run(&arguments, context),
    }
}
