//! `plantune report`: where the questions come from, who answers them, and what it costs.

mod by;
mod page;
mod prompts;
mod question;
mod shown;
mod subject;

use std::mem;
use std::panic::resume_unwind;
use std::sync::mpsc;
use std::thread;

use chrono::NaiveDate;
use clap::Args;
use plantune_domain::registry::Registry;
use plantune_query::families::{Grouping, Habits};
use plantune_query::report::{Report, Request};
use plantune_query::suggest::Suggestions;
use plantune_query::{Error, Store};
use plantune_reports::report::{self, Document, Heading, Rules, Span};
use plantune_reports::{csv, html};

use page::PageArguments;

use crate::away;
use crate::failure::Failure;
use crate::permission_rules::proposals as rule_proposals;
use crate::preferences::in_force::InForce;
use crate::preferences::proposals::Depth;
use crate::preferences::{proposals, standing};
use crate::terminal;
use crate::verbs::install;
use crate::workspace::Workspace;
use crate::workspace::names::ShortNames;
use crate::workspace::period::{Period, PeriodArguments};
use crate::workspace::project::ProjectArguments;

/// How many questions are listed where the person does not say.
const TOP: u32 = 10;

/// Where questions and prompts come from, and what they cost you
///
/// Reports on the last seven days, beside the seven before; where nothing came up in them, on the latest seven in
/// which something did. Days are those of your time zone: `time_zone` in config.toml, else the system's.
#[derive(Args, Debug, Default)]
pub(crate) struct Arguments {
    /// Only this question or subject of prompts, every time it came: its key, or how it begins
    #[arg(value_name = "WHAT", conflicts_with_all = ["by", "all", "prompts", "csv", "markdown", "html"])]
    what: Vec<String>,
    #[command(flatten)]
    period: PeriodArguments,
    #[command(flatten)]
    project: ProjectArguments,
    /// How many questions to list; --json lists them all [default: 10]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    top: Option<u32>,
    /// Show the questions in groups in place of one by one: who asked, in which project, under which header,
    /// on which day of the week, in which kind of session
    #[arg(long, value_enum, value_name = "WHAT")]
    by: Option<by::Grouping>,
    /// List every question, also what was asked once
    #[arg(long, conflicts_with_all = ["top", "prompts"])]
    all: bool,
    /// Show the prompts for permission in place of the questions: by subject, refused, asked again
    #[arg(long)]
    prompts: bool,
    /// Write JSON, for scripts
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Write Markdown, for documents
    #[arg(long)]
    markdown: bool,
    /// Write the questions as CSV, for spreadsheets; all of them, or with --by all groups
    #[arg(long, conflicts_with_all = ["json", "markdown", "prompts"])]
    csv: bool,
    #[command(flatten)]
    page: PageArguments,
}

impl Arguments {
    /// True for a format that holds all questions, however many.
    fn lists_all(&self) -> bool {
        self.all || self.json || self.csv
    }

    /// How many questions the report lists.
    fn top(&self) -> u32 {
        self.top.unwrap_or(TOP)
    }

    /// True for a format that shows everything that is known.
    fn is_detailed(&self) -> bool {
        self.json || self.page.is_wanted()
    }
}

/// Writes the report to standard output.
///
/// # Errors
/// Usage for a period or project that does not exist; conflict for a config.toml that cannot be
/// read; failed when the store cannot be.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    if !arguments.what.is_empty() {
        return shown::run(arguments, workspace);
    }
    let period = arguments.period.resolve(workspace.now, workspace.zone()?)?;
    if let (Some(by), true) = (arguments.by, arguments.prompts) {
        let project = arguments.project.resolve(workspace)?;
        let days = period.days;
        return prompts::by(by, days, project.as_deref(), arguments.json, workspace);
    }
    let latest = match period.span {
        Span::LastDays => latest(arguments, workspace, &period)?,
        _ => None,
    };
    let period = latest.map_or(period.clone(), |last| period.latest(last));
    write(arguments, workspace, &made(arguments, workspace, &period)?)
}

/// The report of `period`, or of as many weeks up to the last one with a question, for JSON where `json`.
///
/// # Errors
/// Those of [`run`].
pub(crate) fn overview(
    workspace: &Workspace,
    period: &Period,
    json: bool,
) -> Result<Document, Failure> {
    let arguments = Arguments {
        json,
        ..Arguments::default()
    };
    let latest = latest(&arguments, workspace, period)?;
    let period = latest.map_or(period.clone(), |last| period.weeks_until(last));
    made(&arguments, workspace, &period)
}

/// The last day on which anything came up, where nothing did in `period`.
fn latest(
    arguments: &Arguments,
    workspace: &Workspace,
    period: &Period,
) -> Result<Option<NaiveDate>, Failure> {
    let Some(store) = workspace.store()? else {
        return Ok(None);
    };
    let project = arguments.project.resolve(workspace)?;
    let request = request(arguments, period, project.as_deref());
    workspace.read(store.latest(&request))
}

fn request<'p>(arguments: &Arguments, period: &Period, project: Option<&'p str>) -> Request<'p> {
    Request {
        period: period.days,
        previous: period.previous,
        today: period.today,
        project,
        limit: (!arguments.lists_all()).then_some(arguments.top()),
        prompts: arguments.prompts,
    }
}

/// The report of `period`, as far as `arguments` ask for it.
fn made(
    arguments: &Arguments,
    workspace: &Workspace,
    period: &Period,
) -> Result<Document, Failure> {
    by::check(arguments.by, arguments.project.word())?;
    let zone = workspace.zone()?;
    let store = workspace.store()?;
    let project = arguments.project.resolve(workspace)?;
    let request = request(arguments, period, project.as_deref());
    let is_detailed = arguments.is_detailed();
    let (mut report, found) = match &store {
        Some(store) => {
            let (report, found) = side_by_side(workspace, store, &request, is_detailed);
            (workspace.read(report)?, found)
        }
        None => {
            let away_after_seconds = workspace.report_settings()?.away_after_seconds();
            let empty = Report {
                away_after_seconds,
                ..Report::empty(&request)
            };
            (empty, None)
        }
    };
    let heading = Heading {
        period: period.days,
        previous: period.previous,
        span: period.span,
        running: period.running,
        time_zone: zone.name().to_owned(),
        project: project.clone(),
    };
    let mut preferences = standing::review(workspace)?;
    let standing = preferences.clone();
    if let Some(project) = &heading.project {
        preferences.retain(|one| one.project.as_ref().is_none_or(|mine| mine == project));
    }
    let proposed = found.as_ref().map(proposals::waiting);
    let is_lately = period.span == Span::LastDays && heading.project.is_none();
    let saved = is_lately.then_some(report.totals.seconds_saved);
    let left = found
        .as_ref()
        .map(|found| proposals::left(found, project.as_deref()));
    workspace.found(|findings| {
        findings.standing = Some(standing);
        findings.proposed = left;
        findings.seconds_saved = saved;
    });
    let in_document = proposed.and_then(|count| u32::try_from(count).ok());
    let renamed = mem::take(&mut report.renamed);
    let mut document = Document::new(heading, report, in_document);
    document.groups = by::groups(arguments.by, &request, workspace, store.as_deref())?;
    document.standing_preferences = preferences;
    document.proposals = found.as_ref().map(report::proposals);
    document.lists_all = arguments.all;
    if let Some(store) = &store {
        // What only these formats show is not looked for without them.
        if is_detailed {
            let details =
                store.report_details(&request, &renamed, &document.report.timeline, &zone);
            document = document.with_details(workspace.read(details)?);
            document.not_proposed = found.as_ref().map(report::not_proposed).unwrap_or_default();
        }
        if document.report.has_permissions {
            document.rules = rules(workspace, store, project.as_deref());
        }
    }
    if !(arguments.json || arguments.csv) {
        let projects = document.project_names();
        // Which names are short enough is asked of the store.
        if !projects.is_empty() {
            let names = ShortNames::new(workspace)?;
            projects
                .into_iter()
                .for_each(|project| names.shorten(project));
        }
    }
    document.can_notify = install::can_notify(workspace);
    document.away_until = away::until(workspace);
    document.away = away::line(workspace)?;
    Ok(document.with_sentences())
}

/// The permission rules that are proposed; none when they cannot be computed.
fn rules(workspace: &Workspace, store: &Store, project: Option<&str>) -> Rules {
    let found = rule_proposals::find(workspace, store, project).unwrap_or_default();
    let rules = &found.proposals.proposals;
    Rules {
        rules: rules.len() as u64,
        prompts_per_week: rules.iter().map(|one| one.prompts_per_week).sum(),
    }
}

/// The report, and the proposals, each on a connection of its own: each takes as long as the other. What is
/// one question follows from what the proposals rest on, and the report asks for it last. What fails is
/// tried once more alone: together they may need more memory than DuckDB is given. Where `is_detailed`, also what
/// is not proposed is found.
fn side_by_side(
    workspace: &Workspace,
    store: &Store,
    request: &Request<'_>,
    is_detailed: bool,
) -> (Result<Report, Error>, Option<Suggestions>) {
    let other = match store.another() {
        Ok(other) => other,
        Err(error) => return (Err(error), None),
    };
    let no_rules = Registry::default();
    // One that is not understood is reported by what needs it.
    let registry = workspace.registry().unwrap_or(&no_rules);
    let (give, take) = mpsc::channel();
    thread::scope(|scope| {
        let report = scope.spawn(move || {
            let read = |_| Grouping::read(&other, registry);
            other.report(request, || take.recv().or_else(read))
        });
        let depth = Depth {
            reasons: is_detailed,
            hindsight: 0,
        };
        let in_force = InForce::new(workspace);
        let find = |of_habits: &mut dyn FnMut(&Habits)| {
            let project = request.project;
            proposals::find(workspace, store, &in_force, project, depth, of_habits).ok()
        };
        let found = find(&mut |habits| {
            // Nobody takes it where the report failed.
            let _ = give.send(habits.grouping(registry));
        });
        drop(give);
        let report = report.join().unwrap_or_else(|panic| resume_unwind(panic));
        (
            report.or_else(|_| store.report(request, || Grouping::read(store, registry))),
            found.or_else(|| find(&mut |_| ())),
        )
    })
}

/// Writes `document` in the format and to the place that `arguments` ask for.
fn write(arguments: &Arguments, workspace: &Workspace, document: &Document) -> Result<(), Failure> {
    let top = usize::try_from(arguments.top()).unwrap_or(usize::MAX);
    if arguments.json {
        terminal::print_json(document)
    } else if arguments.csv {
        terminal::print_exactly(&csv::report(document)?)
    } else if arguments.page.is_wanted() {
        arguments.page.write(&html::report_page(document, top))
    } else if arguments.markdown {
        terminal::print_exactly(&report::markdown(document, top))
    } else {
        let mut out = workspace.terminal();
        report::show(document, top, false, &mut out);
        terminal::print(&out.into_text())
    }
}
