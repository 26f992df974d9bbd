//! `plantune prefs`: what the person decided about questions, listed, set, renewed, cleared and checked.

mod check;
mod clear;
mod explain;
mod list;
mod renew;
mod selected;
mod set;

use clap::{Args, Subcommand};
use plantune_domain::keys::is_id;
use plantune_reports::inert::one_line;

use crate::failure::{Failure, Kind};
use crate::preferences::scope::PreferenceScope;
use crate::workspace::Workspace;

/// How much of a key or project is shown, in characters.
const SHOWN: usize = 400;

/// List, set, renew, clear and check preferences
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand, Debug)]
enum Verb {
    List(list::Arguments),
    Set(set::Arguments),
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
        Verb::Set(arguments) => set::run(arguments, workspace),
        Verb::Renew(arguments) => renew::run(arguments, workspace),
        Verb::Clear(arguments) => clear::run(arguments, workspace),
        Verb::Check(arguments) => check::run(arguments, workspace),
    }
}

/// Refuses what cannot be a question key.
fn check_key(key: &str) -> Result<(), Failure> {
    if is_id(key) {
        return Ok(());
    }
    Err(Failure::new(
        Kind::Usage,
        format!("{key:?} is no question key: a key is 1 to 64 of a-z, 0-9 and -"),
    )
    .hint("`plantune questions` lists the keys of the questions you were asked"))
}

/// That there is no preference for `key` in `scope`.
fn missing(key: &str, scope: &PreferenceScope) -> Failure {
    let key = one_line(key, SHOWN);
    let scope = match scope {
        PreferenceScope::Project(project) => format!("in project {}", one_line(project, SHOWN)),
        PreferenceScope::Global => "among the global ones".to_owned(),
    };
    Failure::failed(format!("there is no preference for {key} {scope}"))
        .hint("`plantune prefs list --all` shows all there are")
}
