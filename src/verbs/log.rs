//! `plantune log`: what was decided lately, and why.

mod explain;
mod prompts;

use clap::Args;
use plantune_query::decisions::{Decision, Wanted};
use plantune_query::permissions::prompts::{Prompt, WantedPrompts};
use plantune_reports::csv;
use plantune_reports::log::Log;
use serde::Serialize;

use crate::failure::Failure;
use crate::terminal;
use crate::workspace::Workspace;
use crate::workspace::names::ShortNames;
use crate::workspace::project::ProjectArguments;

/// What was asked and answered lately, and why
///
/// With a key or an id: why that was asked or answered, by which preference, rule and evidence.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Why this was asked or answered: a question's key, the id of a call, or that of a prompt for permission
    #[arg(value_name = "KEY|ID", conflicts_with_all = ["auto", "prompts", "limit", "csv"])]
    what: Option<String>,
    /// Only what was answered for you
    #[arg(long)]
    auto: bool,
    /// Prompts for permission as well
    #[arg(long, conflicts_with = "auto")]
    prompts: bool,
    /// How many questions (and prompts) to list
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
    #[command(flatten)]
    project: ProjectArguments,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print the questions as CSV, for spreadsheets
    #[arg(long, conflicts_with_all = ["json", "prompts"])]
    csv: bool,
}

#[derive(Serialize)]
struct Document {
    schema_version: u32,
    decisions: Vec<Decision>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompts: Option<Vec<Prompt>>,
}

/// Lists the latest questions, and prompts where they are wanted, the latest first.
///
/// # Errors
/// Conflict for a configuration that is not understood; failed when the store cannot be read.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let project = arguments.project.resolve(workspace)?;
    if let Some(what) = &arguments.what {
        return explain::run(what, project, arguments.json, workspace);
    }
    let wanted = Wanted {
        project: project.as_deref(),
        auto_decided: arguments.auto,
        limit: arguments.limit,
        ..Wanted::default()
    };
    let mut decisions = workspace.decisions(&wanted)?;
    workspace.find_families(&mut decisions)?;
    let mut prompts = match arguments.prompts {
        true => Some(latest_prompts(
            arguments.limit,
            project.as_deref(),
            workspace,
        )?),
        false => None,
    };
    if !(arguments.json || arguments.csv) {
        let names = ShortNames::new(workspace)?;
        let of_decisions = decisions.iter_mut().map(|one| &mut one.project);
        let of_prompts = prompts.iter_mut().flatten().map(|one| &mut one.project);
        of_decisions
            .chain(of_prompts)
            .for_each(|project| names.shorten(project));
    }
    let limit = usize::try_from(arguments.limit).unwrap_or(usize::MAX);
    let log = Log::new(decisions, prompts.unwrap_or_default(), limit);
    if arguments.json {
        let document = Document {
            schema_version: 1,
            decisions: log.decisions,
            prompts: arguments.prompts.then_some(log.prompts),
        };
        return terminal::print_json(&document);
    }
    if arguments.csv {
        return terminal::print_exactly(&csv::decisions(&log.decisions)?);
    }
    let mut out = workspace.terminal();
    log.show(&mut out);
    terminal::print(&out.into_text())
}

fn latest_prompts(
    limit: u32,
    project: Option<&str>,
    workspace: &Workspace,
) -> Result<Vec<Prompt>, Failure> {
    let wanted = WantedPrompts {
        project,
        limit: Some(limit),
        ..WantedPrompts::default()
    };
    workspace.ask(|store| store.prompts(&wanted))
}
