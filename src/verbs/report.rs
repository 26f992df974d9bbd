//! `plantune report`: where the questions come from, who answers them, and what it costs.

use std::panic::resume_unwind;
use std::thread;

use clap::Args;
use plantune_query::report::{Report, Request};
use plantune_query::suggest::{Level, Suggestion};
use plantune_query::{Error, Store};
use plantune_reports::Format;
use plantune_reports::report::{Document, Heading, Json, Markdown, Terminal};

use crate::away;
use crate::failure::Failure;
use crate::preferences::in_force::InForce;
use crate::preferences::{marks, nudges, proposals, standing};
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
    /// Show the prompts for permission in place of the questions: by subject, refused, asked again
    #[arg(long)]
    prompts: bool,
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
        prompts: arguments.prompts,
    };
    let (report, waiting) = match &store {
        Some(store) => {
            let (report, waiting) = side_by_side(workspace, store, &request);
            let report = report.map_err(|error| store::failure(&workspace.paths, &error))?;
            (report, waiting)
        }
        None => (Report::empty(&request), None),
    };
    let heading = heading(&period, zone.name(), project.clone());
    let mut preferences = standing::review(workspace)?;
    marks::update(workspace, &preferences);
    if let Some(project) = &heading.project {
        preferences.retain(|one| one.project.as_ref().is_none_or(|mine| mine == project));
    }
    let document = Document::new(heading, report, waiting).with_preferences(preferences);
    let document = document.with_away(away::until(workspace), away::line(workspace)?);
    write(arguments, workspace, &document)
}

/// The report, and how many proposals wait: they have nothing in common, and each takes as long as the other.
/// What fails is tried once more alone: together they may need more memory than DuckDB is given.
fn side_by_side(
    workspace: &Workspace,
    store: &Store,
    request: &Request<'_>,
) -> (Result<Report, Error>, Option<u32>) {
    let other = match store.another() {
        Ok(other) => other,
        Err(error) => return (Err(error), None),
    };
    thread::scope(|scope| {
        let report = scope.spawn(move || other.report(request));
        let waiting = proposed(workspace, store, request.project);
        let report = report.join().unwrap_or_else(|panic| resume_unwind(panic));
        (
            report.or_else(|_| store.report(request)),
            waiting.or_else(|| proposed(workspace, store, request.project)),
        )
    })
}

/// How many proposals wait for the person; `None` when that cannot be computed.
fn proposed(workspace: &Workspace, store: &Store, project: Option<&str>) -> Option<u32> {
    let found = proposals::find_only(workspace, store, &InForce::new(workspace), project).ok()?;
    nudges::update(workspace, &found, project);
    // Those that would answer; what is only shown can wait.
    let answers = |one: &&Suggestion| one.level > Level::Assist;
    let waiting = found.suggestions.iter().filter(answers).count();
    u32::try_from(waiting + found.askers.len()).ok()
}

fn heading(period: &Period, time_zone: &str, project: Option<String>) -> Heading {
    Heading {
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
