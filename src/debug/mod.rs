//! `plantune debug`: what packaging, scripts and people who work on plantune call. A verb is a file.

mod compare;
mod demo;
pub(crate) mod packaging;
mod session_kind;
mod statusline;
mod version;

use clap::{Args, Command, Subcommand};

use crate::failure::Failure;
use crate::session::Session;

/// Commands for packaging, scripts and work on plantune itself
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune debug version
      which plantune, formats and hook
  plantune debug demo                             watch it at work")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand, Debug)]
enum Verb {
    Compare(compare::Arguments),
    Completions(packaging::CompletionsArguments),
    Demo(demo::Arguments),
    Man(packaging::ManArguments),
    SessionKind(session_kind::Arguments),
    Statusline(statusline::Arguments),
    Version(version::Arguments),
}

/// Does what the call asks. `command` is all that can be called, and `play` runs a line of words.
///
/// # Errors
/// Whatever the verb reports.
pub(crate) fn run(
    arguments: &Arguments,
    session: &Session,
    command: Command,
    play: demo::Run,
) -> Result<(), Failure> {
    match &arguments.verb {
        Verb::Compare(_) => compare::run(session),
        Verb::Completions(arguments) => packaging::completions(arguments),
        Verb::Demo(_) => demo::run(session, play),
        Verb::Man(arguments) => packaging::man(arguments, command),
        Verb::SessionKind(arguments) => session_kind::run(arguments),
        Verb::Statusline(_) => statusline::run(),
        Verb::Version(arguments) => version::run(arguments, session),
    }
}
