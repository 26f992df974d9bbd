//! `plantune prefs`: what the person decided about questions.

pub(crate) mod change;
mod list;
pub(crate) mod set;
mod show;

use clap::{Args, Subcommand};

use crate::failure::Failure;
use crate::session::Session;

/// List, show, set and clear your preferences
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune prefs list --standing
      what plantune answers, and how it is doing
  plantune prefs clear test-scope                 be asked again")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Option<Verb>,
}

#[derive(Subcommand, Debug)]
enum Verb {
    #[command(alias = "ls")]
    List(list::Arguments),
    Show(show::Arguments),
    #[command(aliases = ["add", "edit"])]
    Set(set::Arguments),
    #[command(aliases = ["delete", "remove", "rm", "unset"])]
    Clear(change::ClearArguments),
}

/// Does what the call asks.
///
/// # Errors
/// Whatever the verb reports.
pub(crate) fn run(arguments: &Arguments, session: &Session) -> Result<(), Failure> {
    match &arguments.verb {
        None => list::run(&list::Arguments::default(), session),
        Some(Verb::List(arguments)) => list::run(arguments, session),
        Some(Verb::Show(arguments)) => show::run(arguments, session),
        Some(Verb::Set(arguments)) => set::run(arguments, session),
        Some(Verb::Clear(arguments)) => change::clear(arguments, session),
    }
}
