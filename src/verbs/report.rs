//! `plantune report`: where the questions come from, who answers them, and what it costs.

use clap::Args;
use plantune_query::Store;
use plantune_query::report::{Report, Request};
use plantune_query::suggest::{Level, Suggestion};
use plantune_reports::Format;
use plantune_reports::report::{Document, Json, Markdown, Scope, Terminal};

use crate::failure::Failure;
use crate::preferences::in_force::InForce;
use crate::preferences::{marks, proposals, standing};
use crate::terminal;
use crate::workspace::Workspace;
use crate::workspace::period::{Period, PeriodArguments};
use crate::workspace::{project, store};

/// Show where the questions come from, who answers them, and what it costs
///
/// Reports on the current week by default, beside the week before. Days and weeks are
/// those of your time zone: `time_zone` in config.toml, else the system's.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    period: PeriodArguments,
    /// Only this project: its key, the end of its key such as owner/repo, or . for the current directory's
    #[arg(long, value_name = "KEY")]
    project: Option<String>,
    /// How many questions to list; --json lists them all
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    top: u32,
    /// Write JSON, for scripts
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Write Markdown, for documents
    #[arg(long)]
    markdown: bool,
}

/// Writes the report to standard output.
///
/// # Errors
/// Usage for a period or project that does not exist; conflict for a config.toml that cannot be
/// read; failed when the store cannot be.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let zone = workspace.zone()?;
    let period = arguments.period.resolve(workspace.now, zone)?;
    let store = workspace.store()?;
    let project = project::resolve_any(arguments.project.as_deref(), workspace)?;
    let request = Request {
        period: period.days,
        previous: period.previous,
        today: period.today,
        project: project.as_deref(),
        limit: (!arguments.json).then_some(arguments.top),
    };
    let report = match &store {
        Some(store) => store
            .report(&request)
            .map_err(|error| store::failure(&workspace.paths, &error))?,
        None => Report::empty(&request),
    };
    let scope = scope(&period, zone.name(), project);
    let waiting = match &store {
        Some(store) => proposed(workspace, store, scope.project.as_deref()),
        None => None,
    };
    let mut preferences = standing::review(workspace)?;
    marks::update(workspace, &preferences);
    if let Some(project) = &scope.project {
        preferences.retain(|one| one.project.as_ref().is_none_or(|mine| mine == project));
    }
    let document = Document::new(scope, report, waiting).with_preferences(preferences);
    write(arguments, workspace, &document)
}

/// How many proposals wait for the person; `None` when that cannot be computed.
fn proposed(workspace: &Workspace, store: &Store, project: Option<&str>) -> Option<u32> {
    let found = proposals::find(workspace, store, &InForce::new(workspace), project, 0).ok()?;
    // Those that would answer; what is only shown can wait.
    let answers = |one: &&Suggestion| one.level > Level::Assist;
    let waiting = found.suggestions.iter().filter(answers).count();
    u32::try_from(waiting + found.askers.len()).ok()
}

fn scope(period: &Period, time_zone: &str, project: Option<String>) -> Scope {
    Scope {
        period: period.days,
        previous: period.previous,
        week: period.week,
        running: period.running,
        time_zone: time_zone.to_owned(),
        project,
    }
}

fn write(arguments: &Arguments, workspace: &Workspace, document: &Document) -> Result<(), Failure> {
    let top = usize::try_from(arguments.top).unwrap_or(usize::MAX);
    let format: &dyn Format<Document> = if arguments.json {
        &Json
    } else if arguments.markdown {
        &Markdown { top }
    } else {
        &Terminal {
            width: usize::from(workspace.width),
            colour: workspace.colour,
            top,
        }
    };
    let mut out = Vec::new();
    format.write(document, &mut out)?;
    terminal::print_made(&out, arguments.json || arguments.markdown)
}
