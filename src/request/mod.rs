//! What a call asks for, in plain values: the arguments of each verb resolved against the clock, the person's time zone
//! and the projects that are known, before anything runs.

pub(crate) mod maintenance;

use std::path::PathBuf;

use chrono::NaiveDate;
use plantune_domain::preferences::Policy;
use plantune_query::report::GroupKey;

use crate::away::Absence;
use crate::cli::arguments::{
    AwayArguments, GroupBy, LogArguments, PeriodArguments, PrefsArguments, PrefsListArguments,
    PrefsSetArguments, PrefsVerb, ProjectArguments, ReportArguments, ScopeArguments,
    SelectedArguments, SuggestArguments, UndoArguments,
};
use crate::failure::Failure;
use crate::period::{self, Period};
use crate::preferences::{PreferenceScope, meant_key};
use crate::projects;
use crate::session::Session;
use plantune_settings::file::SettingsScope;

// The parts that several verbs share.

/// The period that the arguments mean now, in the person's time zone.
///
/// # Errors
/// Usage (exit code 2) for a week, a month or a date that does not exist, and for a first day after the last; the value
/// is named.
pub(crate) fn period(arguments: &PeriodArguments, session: &Session) -> Result<Period, Failure> {
    period_on(arguments, session.today()?)
}

/// The same on the day `today`, in whatever time zone.
///
/// # Errors
/// The errors of [`period`].
pub fn period_on(arguments: &PeriodArguments, today: NaiveDate) -> Result<Period, Failure> {
    let until = arguments.until.as_deref();
    match arguments {
        PeriodArguments {
            week: Some(week), ..
        } => Period::week(week, today),
        PeriodArguments {
            month: Some(month), ..
        } => Period::month(month, today),
        PeriodArguments {
            since: Some(since), ..
        } => Period::range(since, until, today),
        PeriodArguments {
            days: Some(days), ..
        } => Period::range(&format!("{days}d"), until, today),
        PeriodArguments { today: true, .. } => Period::range("1d", until, today),
        _ => Ok(Period::last_seven_days(today)),
    }
}

/// True if the person chose a period.
pub fn is_period_given(arguments: &PeriodArguments) -> bool {
    let named = [&arguments.week, &arguments.month, &arguments.since];
    arguments.today || arguments.days.is_some() || named.iter().any(|one| one.is_some())
}

/// The key of the one project that is meant; `None` for all.
///
/// # Errors
/// The errors of [`projects::resolve`].
fn project(arguments: &ProjectArguments, session: &Session) -> Result<Option<String>, Failure> {
    let word = match arguments.here {
        true => Some("."),
        false => arguments.project.as_deref(),
    };
    word.map(|word| projects::resolve(word, session))
        .transpose()
}

/// The scope that the arguments name; `None` if they name none.
///
/// # Errors
/// The errors of [`projects::resolve`].
pub fn scope(
    arguments: &ScopeArguments,
    session: &Session,
) -> Result<Option<PreferenceScope>, Failure> {
    if arguments.global {
        return Ok(Some(PreferenceScope::Global));
    }
    let word = arguments.project.as_deref();
    let project = word.map(|word| projects::resolve(word, session));
    Ok(project.transpose()?.map(PreferenceScope::Project))
}

/// The form in which a verb answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowFormat {
    /// For a person.
    Text,
    Json,
    Csv,
}

fn format(json: bool, csv: bool) -> RowFormat {
    match (json, csv) {
        (true, _) => RowFormat::Json,
        (_, true) => RowFormat::Csv,
        _ => RowFormat::Text,
    }
}

// `plantune report`.

/// A call of `plantune report`.
pub(crate) enum ReportCall {
    /// A period, in figures.
    Report(ReportRequest),
    /// One question, or the permission prompts about one subject.
    Of(SubjectRequest),
    /// The permission prompts of a period, by who was at work.
    PromptGroups(PromptGroupsRequest),
}

/// The report of a period.
pub(crate) struct ReportRequest {
    /// The days.
    pub(crate) period: Period,
    /// The one project; `None` for all.
    pub(crate) project: Option<String>,
    /// How many questions are listed where not all are.
    pub(crate) top: u32,
    /// Group the questions so.
    pub(crate) by: Option<GroupKey>,
    /// List those that came up only once, too.
    pub(crate) all: bool,
    /// Permission prompts instead of questions.
    pub(crate) prompts: bool,
    /// Numbers instead of texts.
    pub(crate) redact: bool,
    /// The form, and where it goes.
    pub(crate) format: ReportFormat,
}

/// The forms of a report.
pub(crate) enum ReportFormat {
    /// For a person.
    Text,
    Json,
    Csv,
    Markdown,
    /// For a browser.
    Page(PageRequest),
}

/// Where the page of a report goes.
pub(crate) struct PageRequest {
    /// The file; `-` for standard output.
    pub(crate) path: PathBuf,
    /// Open it.
    pub(crate) open: bool,
    /// Replace a file that plantune did not write.
    pub(crate) force: bool,
}

/// Every time that one question, or the prompts about one subject, came.
pub(crate) struct SubjectRequest {
    /// The key or the first words.
    pub(crate) what: String,
    pub(crate) project: Option<String>,
    /// How many prompts are listed, if the person says.
    pub(crate) top: Option<u32>,
    pub(crate) json: bool,
}

/// Permission prompts in groups.
pub(crate) struct PromptGroupsRequest {
    pub(crate) by: GroupKey,
    pub(crate) period: Period,
    pub(crate) project: Option<String>,
    pub(crate) json: bool,
}

/// How many questions are listed where the person does not say.
const TOP: u32 = 10;

impl ReportRequest {
    /// The report of `period` with all projects, as for the overview; as JSON where `json`.
    pub(crate) fn of(period: Period, json: bool) -> Self {
        Self {
            period,
            project: None,
            top: TOP,
            by: None,
            all: false,
            prompts: false,
            redact: false,
            format: match json {
                true => ReportFormat::Json,
                false => ReportFormat::Text,
            },
        }
    }
}

/// Resolves the arguments of `plantune report`.
///
/// # Errors
/// Usage for a period or project that does not exist, and for what cannot be grouped so.
pub(crate) fn report(
    arguments: &ReportArguments,
    session: &Session,
) -> Result<ReportCall, Failure> {
    let json = arguments.json;
    if !arguments.what.is_empty() {
        return Ok(ReportCall::Of(SubjectRequest {
            what: arguments.what.join(" "),
            project: project(&arguments.project, session)?,
            top: arguments.top,
            json,
        }));
    }
    let period = period(&arguments.period, session)?;
    if let (Some(by), true) = (arguments.by, arguments.prompts) {
        if arguments.redact {
            let fact = "--redact can't be used with --prompts and --by together";
            return Err(Failure::usage(fact).hint("leave out --prompts or --by"));
        }
        if !matches!(by, GroupBy::Asker | GroupBy::Framework) {
            let fact = "permission prompts can be grouped by asker or framework only";
            return Err(Failure::usage(fact).hint("or run `plantune report --prompts`"));
        }
        return Ok(ReportCall::PromptGroups(PromptGroupsRequest {
            by: by.into(),
            period,
            project: project(&arguments.project, session)?,
            json,
        }));
    }
    let is_of_one = arguments.project.here || arguments.project.project.is_some();
    if arguments.by == Some(GroupBy::Project) && is_of_one {
        let fact = "--by project can't be used with --project";
        return Err(Failure::usage(fact)
            .hint("leave --project out to see all projects")
            .hint("or see this one with --by asker, framework, header, weekday, session-kind or agent"));
    }
    let page = &arguments.page;
    Ok(ReportCall::Report(ReportRequest {
        period,
        project: project(&arguments.project, session)?,
        top: arguments.top.unwrap_or(TOP),
        by: arguments.by.map(GroupKey::from),
        all: arguments.all,
        prompts: arguments.prompts,
        redact: arguments.redact,
        format: match (&page.html, format(json, arguments.csv)) {
            (Some(path), _) => ReportFormat::Page(PageRequest {
                path: path.clone(),
                open: page.open,
                force: page.force,
            }),
            (None, RowFormat::Json) => ReportFormat::Json,
            (None, RowFormat::Csv) => ReportFormat::Csv,
            (None, RowFormat::Text) if arguments.markdown => ReportFormat::Markdown,
            (None, RowFormat::Text) => ReportFormat::Text,
        },
    }))
}

impl From<GroupBy> for GroupKey {
    fn from(by: GroupBy) -> Self {
        match by {
            GroupBy::Asker => Self::Asker,
            GroupBy::Framework => Self::Framework,
            GroupBy::Project => Self::Project,
            GroupBy::Header => Self::Header,
            GroupBy::Weekday => Self::Weekday,
            GroupBy::SessionKind => Self::SessionKind,
            GroupBy::Agent => Self::Agent,
        }
    }
}

// `plantune log`.

/// A call of `plantune log`.
pub(crate) enum LogCall {
    /// The latest questions.
    List(LogRequest),
    /// Why one was asked, and who answered it.
    Explain(ExplainRequest),
}

/// The latest questions, and prompts where they are wanted.
pub(crate) struct LogRequest {
    pub(crate) period: Option<Period>,
    pub(crate) project: Option<String>,
    /// Only what was answered for the person.
    pub(crate) auto: bool,
    pub(crate) prompts: bool,
    /// How many, if the person says.
    pub(crate) limit: Option<u32>,
    pub(crate) format: RowFormat,
}

/// One question or permission prompt in full.
pub(crate) struct ExplainRequest {
    /// Its key or id.
    pub(crate) what: String,
    pub(crate) project: Option<String>,
    pub(crate) json: bool,
}

/// Resolves the arguments of `plantune log`.
///
/// # Errors
/// Usage for a period or project that does not exist.
pub(crate) fn log(arguments: &LogArguments, session: &Session) -> Result<LogCall, Failure> {
    let project = project(&arguments.project, session)?;
    if let Some(what) = arguments.what.clone() {
        let json = arguments.json;
        return Ok(LogCall::Explain(ExplainRequest {
            what,
            project,
            json,
        }));
    }
    let period = is_period_given(&arguments.period).then(|| period(&arguments.period, session));
    Ok(LogCall::List(LogRequest {
        period: period.transpose()?,
        project,
        auto: arguments.auto,
        prompts: arguments.prompts,
        limit: arguments.limit,
        format: format(arguments.json, arguments.csv),
    }))
}

// `plantune suggest`.

/// A call of `plantune suggest`.
pub(crate) enum SuggestCall {
    Suggest(SuggestRequest),
    Backtest(BacktestRequest),
    Tidy(TidyRequest),
}

/// The permission rules that could go.
pub(crate) struct TidyRequest {
    pub(crate) project: Option<String>,
    /// Take them out.
    pub(crate) apply: bool,
    /// The rules or reasons that are meant; all without.
    pub(crate) only: Vec<String>,
    /// Don't ask.
    pub(crate) yes: bool,
    pub(crate) json: bool,
}

/// The proposals to show or to apply.
pub(crate) struct SuggestRequest {
    pub(crate) project: Option<String>,
    /// False where only permission rules are meant.
    pub(crate) questions: bool,
    /// False where only questions are meant.
    pub(crate) rules: bool,
    /// The words that name some of them, as one.
    pub(crate) which: Option<String>,
    /// Questions that are left out.
    pub(crate) except: Vec<String>,
    /// List what is not proposed, too.
    pub(crate) all: bool,
    pub(crate) json: bool,
    pub(crate) apply: Option<ApplyRequest>,
}

/// How the proposals are applied.
pub(crate) struct ApplyRequest {
    /// The words that name those that are meant, besides the first.
    pub(crate) only: Vec<String>,
    /// Whose settings rules are written to, if the person says.
    pub(crate) settings: Option<SettingsScope>,
    /// Don't ask.
    pub(crate) yes: bool,
    /// The label that was typed for all.
    pub(crate) answer: Option<String>,
}

/// The history replayed.
pub(crate) struct BacktestRequest {
    pub(crate) project: Option<String>,
    /// The first day that counts.
    pub(crate) since: Option<NaiveDate>,
    pub(crate) json: bool,
}

/// Resolves the arguments of `plantune suggest`.
///
/// # Errors
/// Usage for a project or day that does not exist.
pub(crate) fn suggest(
    arguments: &SuggestArguments,
    session: &Session,
) -> Result<SuggestCall, Failure> {
    let project = project(&arguments.project, session)?;
    let json = arguments.json;
    if arguments.tidy {
        return Ok(SuggestCall::Tidy(TidyRequest {
            project,
            apply: arguments.apply,
            only: arguments.only.clone(),
            yes: arguments.yes,
            json,
        }));
    }
    if arguments.backtest {
        let since = day("--since", arguments.since.as_deref(), session)?;
        return Ok(SuggestCall::Backtest(BacktestRequest {
            project,
            since,
            json,
        }));
    }
    Ok(SuggestCall::Suggest(SuggestRequest {
        project,
        questions: !arguments.permissions,
        rules: !arguments.questions,
        which: (!arguments.which.is_empty()).then(|| arguments.which.join(" ")),
        except: arguments.except.clone(),
        all: arguments.all,
        json,
        apply: arguments.apply.then(|| ApplyRequest {
            only: arguments.only.clone(),
            settings: arguments.settings,
            yes: arguments.yes,
            answer: arguments.answer.clone(),
        }),
    }))
}

/// The day that `text`, the value of `option`, means.
fn day(option: &str, text: Option<&str>, session: &Session) -> Result<Option<NaiveDate>, Failure> {
    let today = session.today()?;
    text.map(|text| period::date(option, text, today))
        .transpose()
}

// `plantune prefs`.

/// A call of `plantune prefs`.
pub(crate) enum PrefsCall {
    List(PrefsListRequest),
    Show(PrefsShowRequest),
    Set(PrefsSetRequest),
    SetAgents(PrefsAgentsRequest),
    Clear(PreferenceName),
}

/// The preferences to list.
#[derive(Default)]
pub(crate) struct PrefsListRequest {
    pub(crate) project: Option<String>,
    /// With how each is doing.
    pub(crate) standing: bool,
    pub(crate) json: bool,
}

/// The preference that a person names.
pub struct PreferenceName {
    /// The key of its question; what was typed, where nothing is called so.
    pub key: String,
    /// Where it stands, if the person says.
    pub scope: Option<PreferenceScope>,
    /// Don't ask before it is changed.
    pub yes: bool,
}

/// The preference to show.
pub(crate) struct PrefsShowRequest {
    pub(crate) name: PreferenceName,
    pub(crate) json: bool,
}

/// The preference to set.
pub(crate) struct PrefsSetRequest {
    pub(crate) name: PreferenceName,
    pub(crate) policy: Policy,
    pub(crate) trial: bool,
    /// The label; the recommended one without it.
    pub(crate) answer: Option<String>,
    /// The question and its options, where the person describes it.
    pub(crate) question: Option<(String, Vec<String>)>,
    /// Also for a key that nothing has yet.
    pub(crate) force: bool,
}

/// The agents in which alone a preference is to hold.
pub(crate) struct PrefsAgentsRequest {
    pub(crate) name: PreferenceName,
    pub(crate) agents: Vec<String>,
}

/// Resolves the arguments of `plantune prefs`.
///
/// # Errors
/// Usage for a project that does not exist, and where several questions are called so; failed when the store cannot be
/// read.
pub(crate) fn prefs(arguments: &PrefsArguments, session: &Session) -> Result<PrefsCall, Failure> {
    Ok(match &arguments.verb {
        None => PrefsCall::List(PrefsListRequest::default()),
        Some(PrefsVerb::List(PrefsListArguments {
            json,
            project: only,
            standing,
        })) => PrefsCall::List(PrefsListRequest {
            project: project(only, session)?,
            standing: *standing,
            json: *json,
        }),
        Some(PrefsVerb::Show(arguments)) => PrefsCall::Show(PrefsShowRequest {
            name: named(&arguments.key, &arguments.scope, false, session)?,
            json: arguments.json,
        }),
        Some(PrefsVerb::Set(arguments)) => prefs_set(arguments, session)?,
        Some(PrefsVerb::Clear(arguments)) => {
            let SelectedArguments { key, scope, yes } = &arguments.selected;
            PrefsCall::Clear(named(key, scope, *yes, session)?)
        }
    })
}

/// The preference that is called `word`.
fn named(
    word: &str,
    place: &ScopeArguments,
    yes: bool,
    session: &Session,
) -> Result<PreferenceName, Failure> {
    let scope = scope(place, session)?;
    let key = meant_key(word, scope.as_ref(), session)?;
    Ok(PreferenceName { key, scope, yes })
}

fn prefs_set(arguments: &PrefsSetArguments, session: &Session) -> Result<PrefsCall, Failure> {
    let name = named(&arguments.key, &arguments.scope, arguments.yes, session)?;
    if !arguments.agents.is_empty() {
        let agents = arguments.agents.clone();
        return Ok(PrefsCall::SetAgents(PrefsAgentsRequest { name, agents }));
    }
    let question = arguments.question.clone();
    Ok(PrefsCall::Set(PrefsSetRequest {
        name,
        policy: arguments.policy.unwrap_or(Policy::NeverAsk),
        trial: arguments.trial,
        answer: arguments.answer.clone(),
        question: question.map(|text| (text, arguments.options.clone())),
        force: arguments.force,
    }))
}

// `plantune undo` and `plantune away`.

/// What is to be taken back.
pub(crate) struct UndoRequest {
    /// A key, a name, the id of a call or a permission rule; the last answer without it.
    pub(crate) what: Option<String>,
    /// The labels that the person wants instead.
    pub(crate) answers: Vec<String>,
    pub(crate) project: Option<String>,
    pub(crate) yes: bool,
}

/// Resolves the arguments of `plantune undo`.
///
/// # Errors
/// Usage for a project that does not exist.
pub(crate) fn undo(arguments: &UndoArguments, session: &Session) -> Result<UndoRequest, Failure> {
    Ok(UndoRequest {
        what: arguments.tool_use_id.clone(),
        answers: arguments.answer.clone(),
        project: project(&arguments.project, session)?,
        yes: arguments.yes,
    })
}

/// Whether, and for how long, the person is away.
pub(crate) struct AwayRequest {
    /// `None` asks whether they are.
    pub(crate) wanted: Option<Absence>,
    pub(crate) project: Option<String>,
    pub(crate) yes: bool,
}

/// Resolves the arguments of `plantune away`.
///
/// # Errors
/// Usage for a project that does not exist.
pub(crate) fn away(arguments: &AwayArguments, session: &Session) -> Result<AwayRequest, Failure> {
    Ok(AwayRequest {
        wanted: arguments.wanted,
        project: project(&arguments.project, session)?,
        yes: arguments.yes,
    })
}
