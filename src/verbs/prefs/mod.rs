//! `plantune prefs`: what the person decided about questions, listed, shown, set, bound, renewed, cleared and checked.

mod bind;
mod check;
mod clear;
mod explain;
mod key;
mod list;
mod renew;
mod selected;
pub(crate) mod set;
mod show;

use clap::{Args, Subcommand};

use crate::failure::Failure;
use crate::workspace::Workspace;

/// List, show, set, bind, renew, clear and check preferences
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand, Debug)]
enum Verb {
    List(list::Arguments),
    Show(show::Arguments),
    Set(set::Arguments),
    Bind(bind::Arguments),
    Renew(renew::Arguments),
    Clear(clear::Arguments),
    Check(check::Arguments),
}

/// Does what the call asks.
///
/// # Errors
/// Whatever the verb reports.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    match &arguments.verb {
        Verb::List(arguments) => list::run(arguments, workspace),
        Verb::Show(arguments) => show::run(arguments, workspace),
        Verb::Bind(arguments) => bind::run(arguments, workspace),
        Verb::Set(arguments) => set::run(arguments, workspace),
        Verb::Renew(arguments) => renew::run(arguments, workspace),
        Verb::Clear(arguments) => clear::run(arguments, workspace),
        Verb::Check(arguments) => check::run(arguments, workspace),
    }
}
