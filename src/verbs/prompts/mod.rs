//! `plantune prompts`: what you were asked permission for, and how it was decided.

mod classify;
mod list;
mod request;
mod show;

use clap::{Args, Subcommand};

use request::Request;

use crate::failure::Failure;
use crate::workspace::Workspace;
use crate::workspace::project::ProjectArguments;

/// List what you were asked permission for, and how often you allowed it
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[command(flatten)]
    filter: list::Filter,
    #[command(flatten)]
    project: ProjectArguments,
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand, Debug)]
enum Verb {
    Show(show::Arguments),
    Classify(classify::Arguments),
}

/// Does what the call asks.
///
/// # Errors
/// Usage for a project that does not exist, and whatever the verb reports.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    // A judgement about text, which needs no store.
    if let Some(Verb::Classify(arguments)) = &arguments.verb {
        return classify::run(arguments, workspace);
    }
    let request = Request {
        project: arguments.project.resolve(workspace)?,
        json: arguments.json,
    };
    match &arguments.verb {
        None | Some(Verb::Classify(_)) => list::run(&arguments.filter, &request, workspace),
        Some(Verb::Show(arguments)) => show::run(arguments, &request, workspace),
    }
}
