//! `plantune prompts` without a word: the subjects.

use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap::{Args, ValueEnum};
use plantune_domain::permissions::Reach;
use plantune_query::permissions::prompts::{Grouping, Subject, WantedSubjects};
use plantune_reports::prompts::{Groups, List};

use super::request::{Request, most, open_from};
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
    /// Only what reaches so far
    #[arg(long, value_name = "REACH", value_parser = PossibleValuesParser::new(Reach::ALL.map(Reach::name)).map(|name| Reach::from_name(&name)))]
    reach: Option<Reach>,
    /// Only this tool, such as Bash or `mcp__tracker__create_issue`
    #[arg(long, value_name = "NAME")]
    tool: Option<String>,
    /// Count by who was at work in place of by subject
    #[arg(long, value_enum, value_name = "WHAT")]
    by: Option<By>,
    /// How many subjects to list [default: 40; all with --json]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
}

/// What prompts may be counted by.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum By {
    /// The command, skill, plugin or sub-agent, as far as it is known
    Asker,
    /// The framework that it belongs to: gsd:* for /gsd:discuss-phase
    Framework,
}

impl By {
    fn grouping(self) -> (Grouping, &'static str) {
        match self {
            Self::Asker => (Grouping::Asker, "asker"),
            Self::Framework => (Grouping::Framework, "framework"),
        }
    }
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
    let by = filter.by.map(By::grouping);
    let wanted = WantedSubjects {
        by: by.map(|(grouping, _)| grouping).unwrap_or_default(),
        days: period.map(|period| period.days),
        project: request.project.as_deref(),
        reach: filter.reach,
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
    let most = most(filter.limit, usual);
    match by {
        None => request.print(&List::new(&subjects, most), workspace),
        Some((_, by)) => request.print(&Groups::new(by, &subjects, most), workspace),
    }
}
