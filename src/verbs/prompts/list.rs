//! `plantune prompts` without a word: the subjects.

use clap::Args;
use plantune_query::permissions::prompts::{Subject, WantedSubjects};
use plantune_reports::prompts::List;

use super::{Request, open_from};
use crate::failure::Failure;
use crate::workspace::period::PeriodArguments;
use crate::workspace::{Workspace, store};

/// How many subjects a terminal gets.
const MOST: u32 = 40;

/// Which subjects are listed.
#[derive(Args, Debug)]
pub(super) struct Filter {
    #[command(flatten)]
    period: PeriodArguments,
    /// Only what reaches so far: 1 read-only, 2 changes the project, 3 leaves it or cannot be taken back
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=3))]
    tier: Option<u32>,
    /// Only this tool, such as Bash or `mcp__tracker__create_issue`
    #[arg(long, value_name = "NAME")]
    tool: Option<String>,
    /// How many subjects to list [default: 40; all with --json]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
}

/// Lists the subjects, the most frequent first.
///
/// # Errors
/// Usage for a period or project that does not exist; failed when the store cannot be read.
pub(super) fn run(
    filter: &Filter,
    request: &Request,
    workspace: &Workspace,
) -> Result<(), Failure> {
    let period = filter
        .period
        .resolve_any(workspace.now, workspace.zone()?)?;
    let wanted = WantedSubjects {
        days: period.map(|period| period.days),
        project: request.project.as_deref(),
        tier: filter.tier,
        tool: filter.tool.as_deref(),
        open_from: open_from(workspace)?,
    };
    let subjects: Vec<Subject> = match workspace.store()? {
        Some(store) => store
            .prompt_subjects(&wanted)
            .map_err(|error| store::failure(&workspace.paths, &error))?,
        None => Vec::new(),
    };
    let usual = if request.json { u32::MAX } else { MOST };
    let list = List::new(&subjects, most(filter.limit, usual));
    request.print(&list, workspace)
}

/// How many rows are shown: so many as asked for, else as many as is usual.
pub(super) fn most(limit: Option<u32>, usual: u32) -> usize {
    usize::try_from(limit.unwrap_or(usual)).unwrap_or(usize::MAX)
}
