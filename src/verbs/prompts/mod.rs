//! `plantune prompts`: what you were asked permission for, and how it was decided.

mod classify;
mod list;
mod show;

use chrono::{Days, NaiveDate};
use clap::{Args, Subcommand};
use plantune_reports::Format;
use plantune_reports::prompts::Terminal;
use serde::Serialize;

use crate::failure::Failure;
use crate::terminal;
use crate::workspace::{Workspace, project};

/// List what you were asked permission for, and how often you allowed it
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[command(flatten)]
    filter: list::Filter,
    /// Only this project: its key, the end of its key such as owner/repo, or . for the current directory's
    #[arg(long, value_name = "KEY", global = true)]
    project: Option<String>,
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand, Debug)]
enum Verb {
    Show(show::Arguments),
    Classify(classify::Arguments),
}

/// Whose prompts are meant, and how they are shown.
struct Request {
    project: Option<String>,
    json: bool,
}

impl Request {
    /// Prints `document`: as JSON where that is wanted, else for a terminal.
    fn print<D: Serialize>(&self, document: &D, workspace: &Workspace) -> Result<(), Failure>
    where
        for<'a> Terminal<'a>: Format<D>,
    {
        let clock = workspace.clock()?;
        let format = Terminal {
            width: usize::from(workspace.width),
            clock: &clock,
        };
        terminal::print_document(document, self.json, &format)
    }
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
        project: project::resolve_any(arguments.project.as_deref(), workspace)?,
        json: arguments.json,
    };
    match &arguments.verb {
        None | Some(Verb::Classify(_)) => list::run(&arguments.filter, &request, workspace),
        Some(Verb::Show(arguments)) => show::run(arguments, &request, workspace),
    }
}

/// Yesterday: a prompt without a decision from before that was left by everybody.
fn open_from(workspace: &Workspace) -> Result<Option<NaiveDate>, Failure> {
    let today = workspace.now.with_timezone(&workspace.zone()?).date_naive();
    Ok(today.checked_sub_days(Days::new(1)))
}
