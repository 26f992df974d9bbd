//! `plantune prefs list`.

use chrono::{DateTime, NaiveDate};
use chrono_tz::Tz;
use clap::Args;
use plantune_domain::gate::check_preference;
use plantune_domain::preferences::{AssistMode, Level, Policy, Preference, Scope};
use plantune_domain::registry::Registry;
use plantune_query::standing::Standing;
use plantune_reports::level::policy_in_words;
use plantune_reports::standing::{StandingPreference, note, record_in_words};
use plantune_reports::suggestions::answer_in_words;
use plantune_reports::terminal::Terminal;
use plantune_reports::{inert, when};
use serde::Serialize;

use crate::away;
use crate::claude_settings::file::SettingsFile;
use crate::failure::Failure;
use crate::permission_rules::writer::added;
use crate::preferences::binding;
use crate::preferences::files::{self, Found};
use crate::preferences::renamed::renamed;
use crate::preferences::scope::{PreferenceScope, quoted};
use crate::preferences::standing::review;
use crate::preferences::trial;
use crate::terminal;
use crate::workspace::Workspace;
use crate::workspace::names::ShortNames;
use crate::workspace::project::ProjectArguments;

/// How much of a project, a path or a reason is shown, in characters.
const SHOWN: usize = 400;

/// List your preferences
#[derive(Args, Debug, Default)]
pub(crate) struct Arguments {
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    project: ProjectArguments,
    /// With how each stands by the log: how often it answered, and how many spot checks agreed
    #[arg(long)]
    standing: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    schema_version: u32,
    preferences: Vec<Row<'a>>,
    problems: Vec<&'a str>,
    permission_rules: Vec<Rule>,
    away_until: Option<String>,
}

/// A permission rule that plantune added to settings.
#[derive(Serialize)]
struct Rule {
    rule: String,
    settings: String,
}

#[derive(Serialize)]
struct Row<'a> {
    question_key: &'a str,
    preference: &'static str,
    level: Option<&'static str>,
    assist: Option<&'static str>,
    answer: Option<&'a str>,
    scope: &'static str,
    project: Option<&'a str>,
    question: Option<&'a str>,
    set_at: Option<&'a str>,
    set_by: Option<&'a str>,
    inert: Option<String>,
    #[serde(flatten)]
    standing: Option<&'a Standing>,
}

/// Lists the preferences, and which of them the hook ignores; on a terminal, offers to bind those that do not
/// say what they were given for.
///
/// # Errors
/// Conflict for a configuration or registry that is not understood.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let registry = workspace.registry()?;
    let found = match arguments.project.resolve(workspace)? {
        None => files::all(workspace),
        Some(project) => files::of(
            workspace,
            &[PreferenceScope::Project(project), PreferenceScope::Global],
        ),
    };
    let standing = match arguments.standing {
        true => standing(workspace),
        false => Vec::new(),
    };
    if arguments.json {
        let document = Document {
            schema_version: 1,
            preferences: found
                .iter()
                .flat_map(|file| rows(file, registry, &standing))
                .collect(),
            problems: found
                .iter()
                .filter_map(|file| file.problem.as_deref())
                .collect(),
            permission_rules: rules(workspace),
            away_until: away::until(workspace),
        };
        return terminal::print_json(&document);
    }
    let mut out = workspace.terminal();
    let names = ShortNames::without_store(workspace);
    for file in &found {
        match &file.project {
            Some(project) => {
                out.hanging("", "  ", format!("project {}:", one(names.of(project))));
            }
            None => out.line(format!("{}:", file.scope.as_str())),
        }
        show_file(file, registry, &standing, workspace, &mut out)?;
    }
    let is_empty = |file: &Found| file.preferences.is_empty() && file.problem.is_none();
    if found.iter().all(is_empty) {
        let which = arguments.project.word().map_or("", |_| " for this project");
        out.line(format!(
            "no preferences{which}: every question is asked\n\
             `plantune suggest` says which could be answered for you"
        ));
    }
    show_rules(&rules(workspace), &mut out);
    if let Some(line) = away::line(workspace)? {
        out.hanging("", "  ", line);
    }
    terminal::print(&out.into_text())?;
    binding::offer(&found, workspace)
}

/// The permission rules that plantune added, in the settings of whatever project.
fn rules(workspace: &Workspace) -> Vec<Rule> {
    let of_file = |(file, rules): (SettingsFile, Vec<String>)| {
        let settings = file.name();
        rules.into_iter().map(move |rule| Rule {
            rule,
            settings: settings.clone(),
        })
    };
    added(workspace).into_iter().flat_map(of_file).collect()
}

fn show_rules(rules: &[Rule], out: &mut Terminal) {
    let Some(first) = rules.first() else {
        return;
    };
    out.line("permission rules that plantune added:");
    for Rule { rule, settings } in rules {
        out.hanging("  ", "    ", format!("{} in {settings}", one(rule)));
    }
    let rule = quoted(&one(&first.rule));
    out.hanging(
        "  ",
        "  ",
        format!("`plantune undo {rule}` takes one out again"),
    );
}

/// How the preferences stand; nothing, and why on standard error, when the store cannot be read.
fn standing(workspace: &Workspace) -> Vec<StandingPreference> {
    review(workspace).unwrap_or_else(|failure| {
        terminal::say(&format!(
            "plantune: how they stand is left out: {}\n",
            failure.message()
        ));
        Vec::new()
    })
}

fn standing_of<'a>(
    standing: &'a [StandingPreference],
    file: &Found,
    key: &str,
) -> Option<&'a StandingPreference> {
    standing.iter().find(|one| {
        one.question_key == key
            && one.scope == file.scope.as_str()
            && (file.scope == Scope::Global || one.project == file.project)
    })
}

fn rows<'a>(
    file: &'a Found,
    registry: &Registry,
    standing: &'a [StandingPreference],
) -> Vec<Row<'a>> {
    let row = |(key, preference): (&'a String, &'a Preference)| {
        let policy = preference.preference;
        let (answers, assists) = (policy.answers(), policy.assists());
        Row {
            question_key: key,
            preference: preference.preference.as_str(),
            level: answers.then_some(preference.level().as_str()),
            assist: assists.then_some(preference.assist.unwrap_or(AssistMode::Note).as_str()),
            answer: preference.answer.as_deref(),
            scope: file.scope.as_str(),
            project: file.project.as_deref(),
            question: preference.question.as_deref(),
            set_at: preference.set_at.as_deref(),
            set_by: preference.set_by.as_deref(),
            inert: file.inert_reason(key, preference, registry),
            standing: standing_of(standing, file, key).map(|one| &one.standing),
        }
    };
    file.preferences.iter().map(row).collect()
}

/// The preferences of one file, and why the ones that are not obeyed are not.
fn show_file(
    file: &Found,
    registry: &Registry,
    standing: &[StandingPreference],
    workspace: &Workspace,
    out: &mut Terminal,
) -> Result<(), Failure> {
    let (zone, today) = (workspace.zone()?, workspace.today()?);
    if let Some(problem) = &file.problem {
        out.hanging("  ", "  ", format!("not obeyed: {}", one(problem)));
    }
    for (key, preference) in &file.preferences {
        let (name, does) = (one(key), policy_in_words(preference));
        let (answer, set) = (answer(preference), set(preference, zone, today));
        out.hanging("  ", "    ", format!("{name}: {does}{answer}{set}"));
        if let Some(question) = &preference.question {
            let question = inert::one_line(question, out.width.saturating_sub(4));
            out.line(format!("    {question}"));
        }
        let mut under = Vec::new();
        match standing_of(standing, file, key) {
            Some(one) => {
                under.push(record_in_words(&one.standing));
                under.extend(note(one));
            }
            None if preference.level() == Level::Trial && preference.preference.answers() => {
                under.push(trial::in_words(&workspace.paths, file, key, preference));
            }
            None => {}
        }
        if let Err(refusal) = check_preference(key, preference, registry) {
            under.push(format!("not obeyed: {}", one(&refusal.to_string())));
        } else if let Some(reason) = file.unbound(key, preference) {
            under.push(format!("not obeyed: {}", one(&reason)));
        } else if let Some(renamed) = renamed(key, preference, registry) {
            let remedy = renamed.remedy(key, preference, &file.preference_scope());
            under.push(format!("not obeyed: {}; {remedy}", renamed.reason()));
        }
        under
            .iter()
            .for_each(|line| out.hanging("    ", "    ", line));
    }
    Ok(())
}

fn one(text: &str) -> String {
    inert::one_line(text, SHOWN)
}

fn answer(preference: &Preference) -> String {
    match preference.preference {
        Policy::AlwaysAsk => String::new(),
        Policy::NeverAsk | Policy::AskOnlyForOneWay | Policy::Assist => {
            format!(", {}", answer_in_words(preference.answer.as_deref()))
        }
    }
}

/// When it was set, in the person's time zone, and by what.
fn set(preference: &Preference, zone: Tz, today: NaiveDate) -> String {
    let day = preference.set_at.as_deref().and_then(|at| {
        let at = DateTime::parse_from_rfc3339(at).ok()?;
        let day = at.with_timezone(&zone).date_naive();
        Some(format!(" {}", when::day(day, today)))
    });
    let by = preference
        .set_by
        .as_deref()
        .map(|by| format!(" by {}", inert::one_line(by, SHOWN)));
    match (day, by) {
        (None, None) => String::new(),
        (day, by) => format!(
            " (set{}{})",
            day.unwrap_or_default(),
            by.unwrap_or_default()
        ),
    }
}
