//! `plantune prefs list`.

use std::fmt::Write as _;

use chrono::DateTime;
use chrono_tz::Tz;
use clap::Args;
use plantune_hooks::preferences::{Policy, Preference};
use plantune_hooks::registry::Registry;
use plantune_reports::inert;
use plantune_reports::suggestions::answer_in_words;
use serde::Serialize;

use super::files::{self, Found};
use crate::context::Context;
use crate::failure::Failure;
use crate::place::{Place, project};
use crate::{terminal, time_zone, user_files};

/// How much of a project, a path or a reason is shown, in characters.
const SHOWN: usize = 400;

/// List the preferences of this project and the global ones
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Of all projects
    #[arg(long)]
    all: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    schema_version: u32,
    preferences: Vec<Row<'a>>,
    problems: Vec<&'a str>,
}

#[derive(Serialize)]
struct Row<'a> {
    question_key: &'a str,
    preference: &'static str,
    answer: Option<&'a str>,
    scope: &'static str,
    project: Option<&'a str>,
    question: Option<&'a str>,
    set_at: Option<&'a str>,
    set_by: Option<&'a str>,
    inert: Option<String>,
}

/// Lists the preferences, and which of them the hook ignores.
///
/// # Errors
/// Conflict for a configuration or registry that is not understood.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> Result<(), Failure> {
    let zone = time_zone::resolve(&user_files::config(context)?)?;
    let registry = user_files::registry(context)?;
    let found = if arguments.all {
        files::all(context)
    } else {
        files::of(context, &[Place::Project(project(".")?), Place::Global])
    };
    if arguments.json {
        let document = Document {
            schema_version: 1,
            preferences: found
                .iter()
                .flat_map(|file| rows(file, &registry))
                .collect(),
            problems: found
                .iter()
                .filter_map(|file| file.problem.as_deref())
                .collect(),
        };
        return terminal::print(&inert::json(&document).map_err(Failure::failed)?);
    }
    let mut text = String::new();
    for file in &found {
        text.push_str(&of_file(file, &registry, zone, usize::from(context.width)));
    }
    if found
        .iter()
        .all(|file| file.preferences.is_empty() && file.problem.is_none())
    {
        text.push_str("no preferences: every question is put to you\n");
        text.push_str("`plantune suggest` says which ones you always answer alike\n");
    }
    terminal::print(&text)
}

fn rows<'a>(file: &'a Found, registry: &Registry) -> Vec<Row<'a>> {
    let row = |(key, preference): (&'a String, &'a Preference)| Row {
        question_key: key,
        preference: preference.preference.name(),
        answer: preference.answer.as_deref(),
        scope: file.scope.name(),
        project: file.project.as_deref(),
        question: preference.question.as_deref(),
        set_at: preference.set_at.as_deref(),
        set_by: preference.set_by.as_deref(),
        inert: file.inert_reason(key, preference, registry),
    };
    file.preferences.iter().map(row).collect()
}

fn of_file(file: &Found, registry: &Registry, zone: Tz, width: usize) -> String {
    let mut text = match &file.project {
        Some(project) => format!("project {}:\n", inert::one_line(project, SHOWN)),
        None => format!("{}:\n", file.scope.name()),
    };
    if let Some(problem) = &file.problem {
        let problem = inert::one_line(problem, SHOWN);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  not obeyed: {problem}");
    }
    for (key, preference) in &file.preferences {
        let _ = writeln!(
            text,
            "  {}: {}{}{}",
            inert::one_line(key, SHOWN),
            preference.preference.name(),
            answer(preference),
            set(preference, zone)
        );
        if let Some(question) = &preference.question {
            let question = inert::one_line(question, width.saturating_sub(4));
            let _ = writeln!(text, "    {question}");
        }
        if let Some(reason) = preference.inert_reason(key, registry) {
            let _ = writeln!(text, "    not obeyed: {}", inert::one_line(&reason, SHOWN));
        }
    }
    text
}

fn answer(preference: &Preference) -> String {
    match preference.preference {
        Policy::AlwaysAsk => String::new(),
        Policy::NeverAsk | Policy::AskOnlyForOneWay => {
            format!(", {}", answer_in_words(preference.answer.as_deref()))
        }
    }
}

/// When it was set, in the person's time zone, and by what.
fn set(preference: &Preference, zone: Tz) -> String {
    let day = preference.set_at.as_deref().and_then(|at| {
        let at = DateTime::parse_from_rfc3339(at).ok()?;
        Some(format!(" {}", at.with_timezone(&zone).date_naive()))
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
