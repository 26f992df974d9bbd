//! `plantune log`: what was decided lately, and why.

mod explain;

use clap::Args;
use plantune_query::decisions::Wanted;
use plantune_query::permissions::prompts::WantedPrompts;
use plantune_reports::csv;
use plantune_reports::log::Log;

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
    let prompts = match arguments.prompts {
        true => Some(workspace.ask(|store| {
            store.prompts(&WantedPrompts {
                project: project.as_deref(),
                limit: Some(arguments.limit),
                ..WantedPrompts::default()
            })
        })?),
        false => None,
    };
    let limit = usize::try_from(arguments.limit).unwrap_or(usize::MAX);
    let mut log = Log::new(decisions, prompts, limit);
    if arguments.csv {
        return terminal::print_exactly(&csv::decisions(&log.decisions)?);
    }
    if !arguments.json {
        let names = ShortNames::new(workspace)?;
        let of_decisions = log.decisions.iter_mut().map(|one| &mut one.project);
        let of_prompts = log.prompts.iter_mut().flatten();
        of_decisions
            .chain(of_prompts.map(|one| &mut one.project))
            .for_each(|project| names.shorten(project));
    }
    terminal::print_document(&log, arguments.json, workspace)
}
