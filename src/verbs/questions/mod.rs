//! `plantune questions`: the questions there are, every time one was asked, and rules for the unmarked.

mod known;
pub(in crate::verbs) mod register;
mod request;
pub(in crate::verbs) mod rule;
mod show;
mod unmarked;

use clap::{Args, Subcommand};
use plantune_reports::csv::Csv;
use plantune_reports::questions::List;

use request::Request;

use crate::failure::Failure;
use crate::terminal;
use crate::workspace::Workspace;
use crate::workspace::names::ShortNames;
use crate::workspace::project::ProjectArguments;

/// List the questions and families of questions you were asked
///
/// A family is what unmarked questions with the same options are: their texts differ every time.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[command(flatten)]
    project: ProjectArguments,
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
    /// List every question, also what was asked once
    #[arg(long)]
    all: bool,
    /// Print the list as CSV, for spreadsheets
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

#[derive(Subcommand, Debug)]
enum Verb {
    Show(show::Arguments),
    Unmarked(unmarked::Arguments),
    Known(known::Arguments),
}

/// Does what the call asks.
///
/// # Errors
/// Whatever the verb reports.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let project = arguments.project.resolve(workspace)?;
    let request = Request {
        store: workspace.store()?,
        project,
        json: arguments.json,
    };
    match &arguments.verb {
        None => write(&request, arguments, workspace),
        Some(Verb::Show(arguments)) => show::run(arguments, &request, workspace),
        Some(Verb::Unmarked(arguments)) => unmarked::run(arguments, &request, workspace),
        Some(Verb::Known(arguments)) => known::run(arguments, &request, workspace),
    }
}

fn write(request: &Request, arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let mut list = List::new(request.listed(workspace)?);
    if arguments.csv {
        return terminal::print_in(&Csv, &list, true);
    }
    if !request.json {
        let names = ShortNames::new(workspace)?;
        let questions = list.questions.iter_mut();
        questions.for_each(|one| names.shorten(&mut one.project));
    }
    request.show(&list, arguments.all, workspace)
}
