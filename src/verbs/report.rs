//! `plantune report`: where the questions come from, who answers them, and what it costs; on the terminal, as a page, and
//! of one question.

use std::panic::resume_unwind;
use std::path::Path;
use std::sync::mpsc;
use std::{mem, thread};

use chrono::{Days, NaiveDate};
use plantune_agents::claude_code;
use plantune_domain::registry::Registry;
use plantune_query::habits::{Habits, QuestionGrouping, is_called};
use plantune_query::permissions::DecidedPrompt;
use plantune_query::permissions::near_miss::near_misses;
use plantune_query::permissions::prompts::{LoggedPrompt, Subject, WantedPrompts, WantedSubjects};
use plantune_query::permissions::propose::Proposals;
use plantune_query::questions::{Listed, askings};
use plantune_query::report::{GroupKey, QuestionGroups, Report, Request};
use plantune_query::suggest::Suggestions;
use plantune_query::{Store, StoreError};
use plantune_reports::explain::QuestionList;
use plantune_reports::prompts::{PromptGroups, SubjectPrompts, Subjects};
use plantune_reports::report::{Heading, PeriodKind, ReportDocument, RuleSummary};
use plantune_reports::text::{clean, one_line};
use plantune_reports::{csv, html, output, report};

use crate::document::{Document, Findings};
use crate::failure::{Failure, unwritten};
use crate::period::{Period, WEEKS};
use crate::projects::ShortNames;
use crate::proposals::Depth;
use crate::request::{
    PageRequest, PromptGroupsRequest, ReportCall, ReportFormat, ReportRequest, SubjectRequest,
};
use crate::session::Session;
use crate::standing::review;
use crate::verbs::install;
use crate::{away, proposals, rule_proposals, session, terminal};

/// Writes the report to standard output.
///
/// # Errors
/// Usage for a period or project that does not exist; conflict for a config.toml that cannot be
/// read; failed when the store cannot be.
pub(crate) fn run(call: &ReportCall, session: &Session) -> Result<Document, Failure> {
    match call {
        ReportCall::Report(request) => report(request, session),
        ReportCall::Of(request) => of_subject(request, session),
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
            let details = store.report_details(&request, &renamed, &mut document.report, &zone);
            document.details = session.read(details)?;
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

/// The report and the proposals, computed at the same time, each on a connection of its own, because each takes about as
/// long as the other. Both need to know which askings are one question. The search for proposals finds that out early and
/// hands it to the report, which needs it last. What fails is tried once more alone: the two together may need more memory
/// than DuckDB is given. Why other questions are not proposed is found out only where `is_detailed`.
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
        open_from: open_from(session)?,
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

// `plantune report WHAT`: one question, or the prompts for permission about one subject.

/// How much of what was typed is shown, in characters.
const SHOWN: usize = 100;

/// How many are named where several may be meant.
const NAMED: usize = 5;

/// Shows the question of that key or text, else the subject.
///
/// # Errors
/// Failed for what was never asked, and for what may mean several.
fn of_subject(request: &SubjectRequest, session: &Session) -> Result<Document, Failure> {
    let what = &*request.what;
    let project = request.project.as_deref();
    let Some(store) = session.store()? else {
        return Err(unknown(what).hint("nothing was logged yet: run `plantune install`"));
    };
    let listed = session::questions(project, session)?;
    let meant = meant_questions(&listed, what);
    if !meant.is_empty() {
        return show_questions(meant, &store, request.json, session);
    }
    let found = subjects_called(&store, what, project, session)?;
    if !found.is_empty() {
        return show_prompts(found, request, session);
    }
    let subjects = all_subjects(&store, project, session)?;
    Err(nearest(what, &listed, &subjects))
}

/// The command to type instead.
fn nearest(what: &str, listed: &[Listed], subjects: &[Subject]) -> Failure {
    let word = what.to_lowercase();
    let several = listed
        .iter()
        .filter(|one| one.name.to_lowercase().contains(&word));
    let mut failure = unknown(what);
    for one in several.take(NAMED) {
        failure = failure.hint(one_line(&one.name, SHOWN));
    }
    let keys = listed.iter().map(|one| one.question_key.as_str());
    let texts = listed.iter().map(|one| one.name.as_str());
    let subjects = subjects.iter().map(|one| one.subject.as_str());
    failure
        .did_you_mean_option("report", what)
        .did_you_mean(what, keys.chain(texts).chain(subjects))
        .hint(
            "`plantune report --all` lists the questions, `plantune report --prompts` the prompts",
        )
}

fn unknown(what: &str) -> Failure {
    Failure::failed(format!(
        "no question or permission prompt is called {:?}",
        one_line(what, SHOWN)
    ))
}

// One question: every time it was asked.

/// Those of `listed` that `word` means: the key of a question; else the one
/// question whose text has these words.
fn meant_questions(listed: &[Listed], word: &str) -> Vec<Listed> {
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
fn show_questions(
    meant: Vec<Listed>,
    store: &Store,
    json: bool,
    session: &Session,
) -> Result<Document, Failure> {
    let names = ShortNames::new(session)?;
    let mut shown = Vec::new();
    for mut one in meant {
        let found = session.read(askings(store, &one))?;
        if !json {
            names.shorten(&mut one.project);
        }
        shown.push((one, found));
    }
    Document::of(&QuestionList::new(shown), json, session)
}

// The prompts about a subject.

/// How many prompts a terminal gets.
const MOST_PROMPTS: u32 = 20;

/// Shows what [`subjects_called`] found: the latest prompts, the rules that were offered, what was refused, and why it was asked
/// although a rule seems to cover it.
///
/// # Errors
/// Conflict for a configuration that is not understood.
fn show_prompts(
    mut shown: Vec<SubjectPrompts>,
    request: &SubjectRequest,
    session: &Session,
) -> Result<Document, Failure> {
    for one in &mut shown {
        let of_claude_code = one
            .prompts
            .iter()
            .filter(|one| one.agent == claude_code::NAME);
        let prompts: Vec<DecidedPrompt> = of_claude_code.map(LoggedPrompt::to_evidence).collect();
        let known = rule_proposals::rules(session, None, &prompts);
        one.although = near_misses(&prompts, &known.rules, session.registry()?.own_reaches());
    }
    if !request.json {
        let names = ShortNames::new(session)?;
        let prompts = shown.iter_mut().flat_map(|one| &mut one.prompts);
        prompts.for_each(|one| names.shorten(&mut one.project));
    }
    let usual = if request.json { u32::MAX } else { MOST_PROMPTS };
    let most = usize::try_from(request.top.unwrap_or(usual)).unwrap_or(usize::MAX);
    Document::of(&Subjects::new(&shown, most), request.json, session)
}

/// The subjects that were asked about.
///
/// # Errors
/// When the store cannot be read.
fn all_subjects(
    store: &Store,
    project: Option<&str>,
    session: &Session,
) -> Result<Vec<Subject>, Failure> {
    let subjects = store.prompt_subjects(&WantedSubjects {
        project,
        open_from: open_from(session)?,
        ..WantedSubjects::default()
    });
    session.read(subjects)
}

/// The subjects that are meant, with their prompts: of each tool that was asked about it.
///
/// # Errors
/// When the store cannot be read.
fn subjects_called(
    store: &Store,
    what: &str,
    project: Option<&str>,
    session: &Session,
) -> Result<Vec<SubjectPrompts>, Failure> {
    let open_from = open_from(session)?;
    let subjects = meant_subjects(all_subjects(store, project, session)?, what);
    let shown = subjects.into_iter().map(|subject| {
        let prompts = store.prompts(&WantedPrompts {
            subject: Some(&subject.subject),
            tool: Some(&subject.tool),
            project,
            open_from,
            ..WantedPrompts::default()
        });
        Ok(SubjectPrompts {
            subject,
            prompts: session.read(prompts)?,
            although: Vec::new(),
        })
    });
    shown.collect()
}

/// The subjects that are `word`, as logged or as shown; else the one that alone begins with it.
fn meant_subjects(mut subjects: Vec<Subject>, word: &str) -> Vec<Subject> {
    let word = clean(word);
    let is_word = |one: &Subject| clean(&one.subject) == word;
    if subjects.iter().any(is_word) {
        subjects.retain(is_word);
        return subjects;
    }
    // What is too long for its column is shown with this at its end.
    let start = word.trim_end_matches('…');
    subjects.retain(|one| !start.is_empty() && clean(&one.subject).starts_with(start));
    let first = subjects.first().map(|one| one.subject.clone());
    let is_one = subjects
        .iter()
        .all(|one| Some(&one.subject) == first.as_ref());
    if is_one { subjects } else { Vec::new() }
}

/// Yesterday: a prompt without a decision from before that was left by everybody.
///
/// # Errors
/// Conflict for a config.toml that is not understood.
fn open_from(session: &Session) -> Result<Option<NaiveDate>, Failure> {
    Ok(session.today()?.checked_sub_days(Days::new(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_is_found_as_it_is_shown() {
        let subjects = || {
            let subjects = [
                ("npm test", "Bash"),
                ("npm testing", "Bash"),
                ("g\u{1b}[31mit", "X"),
            ];
            let subjects = subjects.map(|(subject, tool)| Subject {
                subject: subject.to_owned(),
                tool: tool.to_owned(),
                ..Subject::default()
            });
            subjects.to_vec()
        };
        let found = |word: &str| -> Vec<String> {
            let found = meant_subjects(subjects(), word).into_iter();
            found.map(|one| one.subject).collect()
        };
        assert_eq!(found("npm test"), ["npm test"]);
        assert_eq!(found("npm testi…"), ["npm testing"]);
        assert_eq!(found("git"), ["g\u{1b}[31mit"]);
        for none in ["npm", "", "…", "other"] {
            assert_eq!(found(none), Vec::<String>::new(), "{none}");
        }
    }
}
