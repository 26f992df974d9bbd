//! `plantune report`: where the questions come from, who answers them, and what it costs; on the terminal, as a page, and
//! of one question.

mod subject;

use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::{mem, thread};

use chrono::NaiveDate;
use clap::Args;
use plantune_domain::registry::Registry;
use plantune_query::habits::{Grouping, Habits, is_called};
use plantune_query::permissions::prompts::WantedSubjects;
use plantune_query::permissions::propose::Proposals;
use plantune_query::questions::{Listed, askings};
use plantune_query::report::{By, Days, Report, Request};
use plantune_query::suggest::Suggestions;
use plantune_query::{Error, Store};
use plantune_reports::prompts::Groups;
use plantune_reports::questions::QuestionList;
use plantune_reports::report::{Document, Heading, Rules, Span};
use plantune_reports::text::clean;
use plantune_reports::{csv, html, output, report};

use crate::failure::{Failure, unwritten};
use crate::preferences::proposals::Depth;
use crate::preferences::{InForce, proposals, standing};
use crate::session::Session;
use crate::session::period::{Period, PeriodArguments, WEEKS};
use crate::session::project::{ProjectArguments, ShortNames};
use crate::verbs::install;
use crate::{away, rule_proposals, terminal};

/// How many questions are listed where the person does not say.
const TOP: u32 = 10;

/// Where questions and prompts come from, and what they cost you
///
/// Compares the last seven days with the seven before. If nothing happened in them, it shows the latest seven days in
/// which something did. Days follow your time zone: `time_zone` in config.toml, or the system's.
#[derive(Args, Debug, Default)]
#[command(after_help = "Examples:
  plantune report --html --open                   a page for your browser
  plantune report --month last                    a calendar month; or --week last
  plantune report --since '2 weeks ago' --here    this project since a day
  plantune report test-scope
      every time one question was asked
  plantune report npm test
      every permission prompt about it
  plantune report --all                           also what came up only once
  plantune report --by asker --since 3w
      which commands and skills stop you, and for how long
  plantune report --html --redact                 a page to pass on; no texts
  plantune report --json                          for scripts")]
pub(crate) struct Arguments {
    /// Only this question or permission prompt, every time it came: its key, or its first words
    #[arg(value_name = "WHAT", conflicts_with_all = ["by", "all", "prompts", "csv", "markdown", "html"])]
    what: Vec<String>,
    #[command(flatten)]
    period: PeriodArguments,
    #[command(flatten)]
    project: ProjectArguments,
    /// How many questions to list; --json lists them all [default: 10]
    #[arg(short = 'n', long, alias = "limit", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    top: Option<u32>,
    /// Group the questions: by who asked, project, header, day of the week or kind of session
    #[arg(long, value_enum, value_name = "WHAT")]
    by: Option<subject::Grouping>,
    /// List every question, also those that came up only once
    #[arg(long, conflicts_with_all = ["top", "prompts"])]
    all: bool,
    /// Show permission prompts instead of questions
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
    /// Write numbers instead of texts, projects, answers and the keys in your skills and registry, to pass the report on
    #[arg(long, conflicts_with = "what")]
    redact: bool,
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
pub(crate) fn run(arguments: &Arguments, session: &Session) -> Result<(), Failure> {
    if !arguments.what.is_empty() {
        return subject::run(arguments, session);
    }
    let period = arguments.period.resolve(session.now, session.zone()?)?;
    if let (Some(by), true) = (arguments.by, arguments.prompts) {
        if arguments.redact {
            let fact = "--redact can't be used with --prompts and --by together";
            return Err(Failure::usage(fact).hint("leave out --prompts or --by"));
        }
        let project = arguments.project.resolve(session)?;
        let days = period.days;
        return count_prompts(by, days, project.as_deref(), arguments.json, session);
    }
    let latest = match period.span {
        Span::LastDays => latest(arguments, session, &period)?,
        _ => None,
    };
    let period = latest.map_or(period.clone(), |last| period.latest(last));
    write(
        arguments,
        session,
        &made(arguments, session, &period, false)?,
    )
}

/// The report of `period`, or of the latest weeks with anything where it has nothing: for JSON where `json`, else with
/// each question once over all projects.
///
/// # Errors
/// The errors of [`run`].
pub(crate) fn overview(
    session: &Session,
    period: &Period,
    json: bool,
) -> Result<Document, Failure> {
    let arguments = Arguments {
        json,
        ..Arguments::default()
    };
    let latest = match session.store()? {
        Some(store) => {
            let request = request(&arguments, period, None);
            session.read(store.latest_weeks(&request, WEEKS))?
        }
        None => None,
    };
    let period = latest.map_or(period.clone(), |days| period.latest_weeks(days));
    made(&arguments, session, &period, !json)
}

/// The last day on which anything came up, where nothing did in `period`.
fn latest(
    arguments: &Arguments,
    session: &Session,
    period: &Period,
) -> Result<Option<NaiveDate>, Failure> {
    let Some(store) = session.store()? else {
        return Ok(None);
    };
    let project = arguments.project.resolve(session)?;
    let request = request(arguments, period, project.as_deref());
    session.read(store.latest(&request))
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

/// The report of `period`, as far as `arguments` ask for it; with each question once over all projects if `across`.
fn made(
    arguments: &Arguments,
    session: &Session,
    period: &Period,
    across: bool,
) -> Result<Document, Failure> {
    subject::check(arguments.by, arguments.project.word())?;
    let zone = session.zone()?;
    let store = session.store()?;
    let project = arguments.project.resolve(session)?;
    let request = request(arguments, period, project.as_deref());
    let is_detailed = arguments.is_detailed();
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
        project: project.clone(),
    };
    let mut preferences = standing::review(session)?;
    let standing = preferences.clone();
    if let Some(project) = &heading.project {
        preferences.retain(|one| one.project.as_ref().is_none_or(|mine| mine == project));
    }
    let proposed = found.as_ref().map(|found| found.suggestions.len() as u64);
    let is_lately = period.span == Span::LastDays && heading.project.is_none();
    let saved = is_lately.then_some(report.totals.seconds_saved);
    let left = found
        .as_ref()
        .map(|found| proposals::left(found, project.as_deref()));
    session.found(|findings| {
        findings.standing = Some(standing);
        findings.proposed = left;
        findings.seconds_saved = saved;
    });
    let in_document = proposed.and_then(|count| u32::try_from(count).ok());
    let renamed = mem::take(&mut report.renamed);
    if let (Some(store), true) = (&store, across && report.totals.questions > 0) {
        report.questions = session.read(store.questions_across(&request, &renamed))?;
    }
    let mut document = Document::new(heading, report, in_document);
    document.groups = subject::groups(arguments.by, &request, session, store.as_deref())?;
    document.standing_preferences = preferences;
    document.proposals = found.as_ref().map(report::proposals);
    document.lists_all = arguments.all;
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
            let find = || rule_proposals::find(session, store, project.as_deref());
            let found = terminal::while_showing("looking for permission rules", find);
            let found = found.unwrap_or_default();
            document.rules = rules(&found.proposals);
            document.own_rules = found.tighten;
        }
    }
    if arguments.redact {
        document = document.redacted();
    } else if !(arguments.json || arguments.csv) {
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
    Ok(document.with_sentences())
}

/// The permission rules that are proposed.
fn rules(found: &Proposals) -> Rules {
    let rules = &found.proposals;
    Rules {
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
) -> (Result<Report, Error>, Option<Suggestions>) {
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
            let read = |_| Grouping::read(&other, registry);
            other.report(request, || take.recv().or_else(read))
        });
        let depth = Depth {
            reasons: is_detailed,
            hindsight: 0,
        };
        let in_force = InForce::new(session);
        let find = |of_habits: &mut dyn FnMut(&Habits)| {
            let project = request.project;
            proposals::find(session, store, &in_force, project, depth, of_habits).ok()
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
fn write(arguments: &Arguments, session: &Session, document: &Document) -> Result<(), Failure> {
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
        let mut out = session.terminal();
        report::show(document, top, &mut out);
        terminal::print(&out.into_text())
    }
}

// `plantune report KEY`: every time a question was asked.

/// Those of `listed` that `word` means: the key of a question; else the one
/// question whose text has these words.
fn meant(listed: &[Listed], word: &str) -> Vec<Listed> {
    let has_key =
        |one: &&Listed| one.question_key == word || one.keys.iter().any(|key| key == word);
    let of_key: Vec<Listed> = listed.iter().filter(has_key).cloned().collect();
    if !of_key.is_empty() {
        return of_key;
    }
    let is_called = |one: &&Listed| is_called(&one.name, word);
    let called: Vec<Listed> = listed.iter().filter(is_called).cloned().collect();
    if !called.is_empty() {
        return called;
    }
    let word = word.trim_end_matches('…').to_lowercase();
    let has_text = |one: &&Listed| !word.is_empty() && one.question.to_lowercase().contains(&word);
    let of_text: Vec<Listed> = listed.iter().filter(has_text).cloned().collect();
    let is_one = of_text
        .iter()
        .all(|one| Some(&one.question_key) == of_text.first().map(|first| &first.question_key));
    if is_one { of_text } else { Vec::new() }
}

/// Shows the questions with all their askings, in every project that knows them.
///
/// # Errors
/// When the store cannot be read.
fn show(meant: Vec<Listed>, store: &Store, json: bool, session: &Session) -> Result<(), Failure> {
    let names = ShortNames::new(session)?;
    let mut shown = Vec::new();
    for mut one in meant {
        let found = session.read(askings(store, &one))?;
        if !json {
            names.shorten(&mut one.project);
        }
        shown.push((one, found));
    }
    terminal::print_document(&QuestionList::new(shown), json, session)
}

// `plantune report --prompts --by asker`: prompts for permission by who was at work.

/// How many groups a terminal gets.
const MOST: usize = 40;

/// Lists who was at work when prompts came in the days of `period`, the most frequent first.
///
/// # Errors
/// Usage for what prompts cannot be counted by; failed when the store cannot be read.
fn count_prompts(
    by: subject::Grouping,
    period: Days,
    project: Option<&str>,
    json: bool,
    session: &Session,
) -> Result<(), Failure> {
    let by = match by {
        subject::Grouping::Asker => By::Asker,
        subject::Grouping::Framework => By::Framework,
        _ => {
            let fact = "permission prompts can be grouped by asker or framework only";
            return Err(Failure::usage(fact).hint("or run `plantune report --prompts`"));
        }
    };
    let wanted = WantedSubjects {
        by: Some(by),
        days: Some(period),
        project,
        open_from: open_from(session)?,
        ..WantedSubjects::default()
    };
    let groups = session.ask(|store| store.prompt_subjects(&wanted))?;
    let most = if json { usize::MAX } else { MOST };
    terminal::print_document(&Groups::new(by.as_str(), &groups, most), json, session)
}

/// Yesterday: a prompt without a decision from before that was left by everybody.
///
/// # Errors
/// Conflict for a config.toml that is not understood.
fn open_from(session: &Session) -> Result<Option<NaiveDate>, Failure> {
    Ok(session.today()?.checked_sub_days(chrono::Days::new(1)))
}

// `report --html`: the report as a file for a browser.

/// Where the page is written without a name for it.
const DEFAULT: &str = "plantune-report.html";

/// The arguments of `--html`.
#[derive(Args, Clone, Debug, Default)]
struct PageArguments {
    /// Write a page for a browser, in one file [default: plantune-report.html]; - for standard output
    #[arg(
        long,
        value_name = "FILE",
        num_args = 0..=1,
        default_missing_value = DEFAULT,
        conflicts_with_all = ["json", "markdown", "csv", "prompts"]
    )]
    html: Option<PathBuf>,
    /// Open the page that was written
    #[arg(long, requires = "html")]
    open: bool,
    /// Replace a file that plantune did not write
    #[arg(long, requires = "html")]
    force: bool,
}

impl PageArguments {
    /// True when a page is to be written.
    fn is_wanted(&self) -> bool {
        self.html.is_some()
    }

    /// Writes `page` where it is to be, says where that is, and opens it.
    ///
    /// # Errors
    /// The errors of [`html::put`]. That it could not be opened is said, and no failure.
    fn write(&self, page: &str) -> Result<(), Failure> {
        let path = self.html.as_deref().unwrap_or(Path::new(DEFAULT));
        if path == Path::new("-") {
            return terminal::print_exactly(page);
        }
        let path = html::put(page, path, self.force).map_err(unwritten)?;
        let shown = clean(&path.to_string_lossy());
        terminal::print(&format!("Wrote {shown}\n"))?;
        if self.open
            && let Err(why) = output::open(&path)
        {
            terminal::say(&format!(
                "plantune: the page could not be opened ({}); open this file in a browser:\n{shown}\n",
                clean(&why)
            ));
        }
        Ok(())
    }
}
