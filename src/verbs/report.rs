//! `plantune report`: where the questions come from, who answers them, and what it costs; on the terminal, as a page, and
//! of one question.

use std::panic::resume_unwind;
use std::path::Path;
use std::sync::mpsc;
use std::{mem, thread};

use plantune_domain::registry::Registry;
use plantune_query::habits::{Habits, QuestionGrouping};
use plantune_query::permissions::prompts::WantedSubjects;
use plantune_query::permissions::propose::Proposals;
use plantune_query::report::{GroupKey, QuestionGroups, Report, Request};
use plantune_query::suggest::Suggestions;
use plantune_query::{Store, StoreError};
use plantune_reports::prompts::PromptGroups;
use plantune_reports::report::{Heading, PeriodKind, ReportDocument, RuleSummary};
use plantune_reports::text::clean;
use plantune_reports::{csv, html, output, report};

use crate::document::{Document, Findings};
use crate::failure::{Failure, unwritten};
use crate::period::{Period, WEEKS};
use crate::projects::ShortNames;
use crate::proposals::Depth;
use crate::request::{PageRequest, PromptGroupsRequest, ReportCall, ReportFormat, ReportRequest};
use crate::session::Session;
use crate::standing::review;
use crate::verbs::{install, report_subject};
use crate::{away, proposals, rule_proposals, terminal};

/// Writes the report to standard output.
///
/// # Errors
/// Usage for a period or project that does not exist; conflict for a config.toml that cannot be
/// read; failed when the store cannot be.
pub(crate) fn run(call: &ReportCall, session: &Session) -> Result<Document, Failure> {
    match call {
        ReportCall::Report(request) => report(request, session),
        ReportCall::Of(request) => report_subject::run(request, session),
        ReportCall::PromptGroups(request) => count_prompts(request, session),
    }
}

fn report(request: &ReportRequest, session: &Session) -> Result<Document, Failure> {
    let latest = match request.period.span {
        PeriodKind::LastDays => {
            session.ask(|store| store.latest(&request.of_store(&request.period)))?
        }
        _ => None,
    };
    let period = latest.map_or_else(
        || request.period.clone(),
        |last| request.period.latest(last),
    );
    let (document, findings) = made(request, &period, false, session)?;
    Ok(written(request, &document, session)?.with(findings))
}

/// The report of `period`, or of the latest weeks with anything where it has nothing: for JSON where `json`, else with
/// each question once over all projects.
///
/// # Errors
/// The errors of [`run`].
pub(crate) fn overview(
    period: Period,
    json: bool,
    session: &Session,
) -> Result<(ReportDocument, Findings), Failure> {
    let request = ReportRequest::of(period, json);
    let latest =
        session.ask(|store| store.latest_weeks(&request.of_store(&request.period), WEEKS))?;
    let period = latest.map_or_else(
        || request.period.clone(),
        |days| request.period.latest_weeks(days),
    );
    made(&request, &period, !json, session)
}

impl ReportRequest {
    /// The same for the store, of `period`.
    fn of_store(&self, period: &Period) -> Request<'_> {
        Request {
            period: period.days,
            previous: period.previous,
            today: period.today,
            project: self.project.as_deref(),
            limit: (!self.lists_all()).then_some(self.top),
            prompts: self.prompts,
        }
    }

    /// True for a format that holds all questions, however many.
    fn lists_all(&self) -> bool {
        self.all || matches!(self.format, ReportFormat::Json | ReportFormat::Csv)
    }

    /// True for a format that shows everything that is known.
    fn is_detailed(&self) -> bool {
        matches!(self.format, ReportFormat::Json | ReportFormat::Page(_))
    }
}

/// The report of `period`, as far as `asked` asks for it; with each question once over all projects if `across`.
fn made(
    asked: &ReportRequest,
    period: &Period,
    across: bool,
    session: &Session,
) -> Result<(ReportDocument, Findings), Failure> {
    let zone = session.zone()?;
    let store = session.store()?;
    let project = asked.project.as_deref();
    let request = asked.of_store(period);
    let is_detailed = asked.is_detailed();
    let (mut report, found) = match &store {
        Some(store) => {
            let both = || side_by_side(session, store, &request, is_detailed);
            let (report, found) = terminal::while_showing("looking for habits", both);
            (session.read(report)?, found)
        }
        None => {
            let away_after_seconds = session.report_settings()?.away_after_seconds();
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
        project: asked.project.clone(),
    };
    let mut preferences = review(session)?;
    let standing = preferences.clone();
    if let Some(project) = &heading.project {
        preferences.retain(|one| one.project.as_ref().is_none_or(|mine| mine == project));
    }
    let proposed = found.as_ref().map(|found| found.suggestions.len() as u64);
    let is_lately = period.span == PeriodKind::LastDays && heading.project.is_none();
    let saved = is_lately.then_some(report.totals.seconds_saved);
    let left = found.as_ref().map(|found| proposals::left(found, project));
    let findings = Findings {
        standing: Some(standing),
        proposed: left,
        seconds_saved: saved,
        is_outdated: false,
    };
    let in_document = proposed.and_then(|count| u32::try_from(count).ok());
    let renamed = mem::take(&mut report.renamed);
    if let (Some(store), true) = (&store, across && report.totals.questions > 0) {
        report.questions = session.read(store.questions_across(&request, &renamed))?;
    }
    let mut document = ReportDocument::new(heading, report, in_document);
    document.groups = groups(asked.by, &request, session, store.as_deref())?;
    document.standing_preferences = preferences;
    document.proposals = found.as_ref().map(report::proposals);
    document.lists_all = asked.all;
    let made = session.now.with_timezone(&zone);
    document.made = Some(made.format("%a %-d %b %Y, %H:%M").to_string());
    if let Some(store) = &store {
        // What only these formats show is not looked for without them.
        if is_detailed {
            let details =
                store.report_details(&request, &renamed, &document.report.timeline, &zone);
            document = document.with_details(session.read(details)?);
            document.not_proposed = found.as_ref().map(report::not_proposed).unwrap_or_default();
        }
        if document.report.has_permissions {
            let find = || rule_proposals::find(session, store, project);
            let found = terminal::while_showing("looking for permission rules", find);
            let found = found.unwrap_or_default();
            document.rules = rules(&found.proposals);
            document.own_rules = found.tighten;
        }
    }
    let is_for_programs = matches!(asked.format, ReportFormat::Json | ReportFormat::Csv);
    if asked.redact {
        document = document.redacted();
    } else if !is_for_programs {
        let projects = document.project_names();
        // Which names are short enough is asked of the store.
        if !projects.is_empty() {
            let names = ShortNames::new(session)?;
            projects
                .into_iter()
                .for_each(|project| names.shorten(project));
        }
    }
    document.can_notify = install::can_notify(session);
    document.away_until = away::until(session);
    document.away = away::line(session)?;
    Ok((document.with_sentences(), findings))
}

/// The permission rules that are proposed.
fn rules(found: &Proposals) -> RuleSummary {
    let rules = &found.proposals;
    RuleSummary {
        rules: rules.len() as u64,
        prompts_per_week: rules.iter().map(|one| one.prompts_per_week).sum(),
        subjects: rules.iter().map(|one| one.subject.clone()).collect(),
    }
}

/// The report, and the proposals, each on a connection of its own: each takes as long as the other. What is
/// one question follows from what the proposals rest on, and the report asks for it last. What fails is
/// tried once more alone: together they may need more memory than DuckDB is given. Where `is_detailed`, also what
/// is not proposed is found.
fn side_by_side(
    session: &Session,
    store: &Store,
    request: &Request<'_>,
    is_detailed: bool,
) -> (Result<Report, StoreError>, Option<Suggestions>) {
    let other = match store.another() {
        Ok(other) => other,
        Err(error) => return (Err(error), None),
    };
    let no_rules = Registry::default();
    // One that is not understood is reported by what needs it.
    let registry = session.registry().unwrap_or(&no_rules);
    let (give, take) = mpsc::channel();
    thread::scope(|scope| {
        let report = scope.spawn(move || {
            let read = |_| QuestionGrouping::read(&other, registry);
            other.report(request, || take.recv().or_else(read))
        });
        let depth = Depth {
            reasons: is_detailed,
            hindsight: 0,
        };
        let find = |of_habits: &mut dyn FnMut(&Habits)| {
            let project = request.project;
            let found = proposals::find(session, store, project, depth, of_habits);
            found.ok().map(|(found, _)| found)
        };
        let found = find(&mut |habits| {
            // Nobody takes it where the report failed.
            let _ = give.send(habits.grouping(registry));
        });
        drop(give);
        let report = report.join().unwrap_or_else(|panic| resume_unwind(panic));
        (
            report.or_else(|_| store.report(request, || QuestionGrouping::read(store, registry))),
            found.or_else(|| find(&mut |_| ())),
        )
    })
}

/// `document` in the form that is wanted; a page is written where it is to be.
fn written(
    request: &ReportRequest,
    document: &ReportDocument,
    session: &Session,
) -> Result<Document, Failure> {
    let top = usize::try_from(request.top).unwrap_or(usize::MAX);
    match &request.format {
        ReportFormat::Json => Document::json(document),
        ReportFormat::Csv => Ok(Document::exact(csv::report(document)?)),
        ReportFormat::Markdown => Ok(Document::exact(report::markdown(document, top))),
        ReportFormat::Page(request) => write_page(&html::report_page(document, top), request),
        ReportFormat::Text => {
            let mut out = session.terminal();
            report::show(document, top, &mut out);
            Ok(Document::text(out.into_text()))
        }
    }
}

/// The groups that are asked for; none of a store that is not there.
///
/// # Errors
/// When the store cannot be read.
fn groups(
    by: Option<GroupKey>,
    request: &Request<'_>,
    session: &Session,
    store: Option<&Store>,
) -> Result<Option<QuestionGroups>, Failure> {
    let Some(by) = by else {
        return Ok(None);
    };
    match store {
        Some(store) => session.read(store.report_by(request, by)).map(Some),
        None => Ok(Some(QuestionGroups {
            by,
            groups: Vec::new(),
        })),
    }
}

// `plantune report --prompts --by asker`: prompts for permission by who was at work.

/// How many groups a terminal gets.
const MOST: usize = 40;

/// Lists who was at work when prompts came in the days of `period`, the most frequent first.
///
/// # Errors
/// Usage for what prompts cannot be counted by; failed when the store cannot be read.
fn count_prompts(request: &PromptGroupsRequest, session: &Session) -> Result<Document, Failure> {
    let wanted = WantedSubjects {
        by: Some(request.by),
        days: Some(request.period.days),
        project: request.project.as_deref(),
        open_from: report_subject::open_from(session)?,
        ..WantedSubjects::default()
    };
    let groups = session.ask(|store| store.prompt_subjects(&wanted))?;
    let most = if request.json { usize::MAX } else { MOST };
    let document = PromptGroups::new(request.by.as_str(), &groups, most);
    Document::of(&document, request.json, session)
}

// `report --html`: the report as a file for a browser.

/// Writes `page` where it is to be, says where that is, and opens it.
///
/// # Errors
/// The errors of [`html::put`]. That it could not be opened is said, and no failure.
fn write_page(page: &str, request: &PageRequest) -> Result<Document, Failure> {
    if request.path == Path::new("-") {
        return Ok(Document::exact(page));
    }
    let path = html::put(page, &request.path, request.force).map_err(unwritten)?;
    let shown = clean(&path.to_string_lossy());
    if request.open
        && let Err(why) = output::open(&path)
    {
        terminal::say(&format!(
            "plantune: the page could not be opened ({}); open this file in a browser:\n{shown}\n",
            clean(&why)
        ));
    }
    Ok(Document::text(format!("Wrote {shown}\n")))
}
