//! `plantune prefs`: what the person decided about questions, listed, set, cleared and checked.

mod check;
mod clear;
mod explain;
mod files;
mod list;
mod set;

use clap::{Args, Subcommand};
use plantune_hooks::keys::is_id;

use crate::context::Context;
use crate::failure::{Failure, Kind};

/// List, set, clear and check preferences
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand, Debug)]
enum Verb {
    List(list::Arguments),
    Set(set::Arguments),
    Clear(clear::Arguments),
    Check(check::Arguments),
}

/// Does what the call asks.
///
/// # Errors
/// Whatever the verb reports.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> Result<(), Failure> {
    match &arguments.verb {
        Verb::List(arguments) => list::run(arguments, context),
        Verb::Set(arguments) => set::run(arguments, context),
        Verb::Clear(arguments) => clear::run(arguments, context),
        Verb::Check(arguments) => check::run(arguments, context),
    }
}

/// Refuses what cannot be a question key.
fn valid(key: &str) -> Result<(), Failure> {
    if is_id(key) {
        return Ok(());
    }
    Err(Failure::new(
        Kind::Usage,
        format!("{key:?} is no question key: a key is 1 to 64 of a-z, 0-9 and -"),
    )
    .hint("`plantune questions` lists the keys of the questions you were asked"))
}
