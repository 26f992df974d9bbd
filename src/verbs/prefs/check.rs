//! `plantune prefs check`.

use std::collections::BTreeMap;

use clap::Args;
use plantune_domain::gate::{ProposedAnswer, check, check_preference};
use plantune_domain::preferences::{Policy, Preference, Scope};
use plantune_domain::recommended::same_label;
use plantune_domain::registry::Registry;
use plantune_query::known::KnownQuestions;
use plantune_reports::inert::one_line;

use super::explain::{Asked, explain};
use crate::failure::{Failure, Kind};
use crate::preferences::files::{self, Found};
use crate::preferences::renamed::renamed;
use crate::terminal;
use crate::workspace::Workspace;
use crate::workspace::store;

/// How much of a key, a path or a reason is shown, in characters.
const SHOWN: usize = 400;

/// Check all preferences: what the hook ignores, and why
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Only these questions
    #[arg(value_name = "KEY")]
    keys: Vec<String>,
    /// Say whether a question with this text may be answered, and what decides that
    #[arg(long, value_name = "TEXT", conflicts_with = "keys")]
    explain: Option<String>,
    /// The header of the question to explain
    #[arg(long, value_name = "TEXT", requires = "explain")]
    header: Option<String>,
    /// The option that would be chosen
    #[arg(long, value_name = "LABEL", requires = "explain")]
    option: Option<String>,
    /// What that option is described with
    #[arg(long, value_name = "TEXT", requires = "option")]
    description: Option<String>,
    /// Its preview
    #[arg(long, value_name = "TEXT", requires = "option")]
    preview: Option<String>,
}

/// Checks every file of preferences.
///
/// # Errors
/// Conflict (exit code 3) when a file cannot be read, is not understood, or lies where nothing
/// looks for it; failed for a key that no preference has.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let registry = workspace.registry()?;
    if let Some(text) = &arguments.explain {
        let asked = Asked {
            text,
            header: arguments.header.as_deref(),
            option: arguments.option.as_deref(),
            description: arguments.description.as_deref().unwrap_or_default(),
            preview: arguments.preview.as_deref().unwrap_or_default(),
        };
        return terminal::print(&explain(&asked, registry));
    }
    let found = files::all(workspace);
    let known = match workspace.store()? {
        Some(store) => {
            let keys = wanted(&found, &arguments.keys).map(|(_, key, _)| key.as_str());
            let keys: Vec<&str> = keys.collect();
            let known = KnownQuestions::load(&store, &keys, registry);
            Some(known.map_err(|error| store::failure(&workspace.paths, &error))?)
        }
        None => None,
    };
    let (mut findings, mut categories) = (Vec::new(), Vec::new());
    let mut checked = 0_usize;
    for (file, key, preference) in wanted(&found, &arguments.keys) {
        checked += 1;
        if let Err(refusal) = check_preference(key, preference, registry) {
            let reason = one_line(&refusal.to_string(), SHOWN);
            findings.push(finding(file, key, &format!("not obeyed, {reason}")));
        }
        if let Some(renamed) = renamed(key, preference, registry) {
            let remedy = renamed.remedy(key, preference, &file.preference_scope());
            let text = format!("not obeyed, {}; {remedy}", renamed.reason());
            findings.push(finding(file, key, &text));
        }
        if let Some(category) = registry
            .rules_of(key)
            .find_map(|rule| rule.category.as_deref())
        {
            categories.push(finding(
                file,
                key,
                &format!("category {}", one_line(category, SHOWN)),
            ));
        }
        if let Some(known) = &known
            && let Some(problem) = against_store(file, key, preference, known, registry)
        {
            findings.push(finding(file, key, &problem));
        }
    }
    findings.extend(disagreements(&found, &arguments.keys));
    terminal::print(&categories.concat())?;
    terminal::print(&findings.concat())?;
    if let Some(failure) = ignored(&found).or_else(|| missing(&found, &arguments.keys)) {
        return Err(failure);
    }
    terminal::print(&summary(checked, findings.len()))
}

/// The preferences for `keys` in all files; all of them without keys.
fn wanted<'a>(
    found: &'a [Found],
    keys: &'a [String],
) -> impl Iterator<Item = (&'a Found, &'a String, &'a Preference)> {
    found
        .iter()
        .flat_map(|file| {
            let entries = file.preferences.iter();
            entries.map(move |(key, preference)| (file, key, preference))
        })
        .filter(|(_, key, _)| keys.is_empty() || keys.contains(key))
}

fn finding(file: &Found, key: &str, text: &str) -> String {
    format!("{} ({}): {text}\n", one_line(key, SHOWN), scope(file))
}

/// The files that the hook ignores as a whole.
fn ignored(found: &[Found]) -> Option<Failure> {
    let mut problems = found.iter().filter_map(|file| file.problem.as_deref());
    let first = Failure::new(Kind::Conflict, one_line(problems.next()?, SHOWN));
    let failure = problems.fold(first, |failure, other| {
        failure.hint(format!("also {}", one_line(other, SHOWN)))
    });
    Some(failure.hint("the hook ignores such a file, and asks; repair it, or move it away"))
}

/// The keys that no preference has.
fn missing(found: &[Found], keys: &[String]) -> Option<Failure> {
    let has = |key: &String| found.iter().any(|file| file.preferences.contains_key(key));
    let missing: Vec<String> = keys
        .iter()
        .filter(|key| !has(key))
        .map(|key| one_line(key, SHOWN))
        .collect();
    (!missing.is_empty()).then(|| {
        Failure::failed(format!("there is no preference for {}", missing.join(", ")))
            .hint("`plantune prefs list` shows all there are")
    })
}

fn summary(checked: usize, findings: usize) -> String {
    let plural = if checked == 1 { "" } else { "s" };
    match findings {
        0 => format!("{checked} preference{plural} checked, all in order\n"),
        _ => format!("{checked} preference{plural} checked\n"),
    }
}

fn scope(file: &Found) -> String {
    match (&file.scope, &file.project) {
        (Scope::Global, _) => "global".to_owned(),
        (Scope::Project, Some(project)) => one_line(project, SHOWN),
        (Scope::Project, None) => "a project it does not name".to_owned(),
    }
}

/// What the store says about a preference: its question was never asked, must be asked as it was last
/// asked, or no longer offers the pinned label.
fn against_store(
    file: &Found,
    key: &str,
    preference: &Preference,
    known: &KnownQuestions,
    registry: &Registry,
) -> Option<String> {
    let Some(known) = known.of(key, file.project.as_deref()) else {
        return Some("no such question was ever asked".to_owned());
    };
    let proposed = ProposedAnswer {
        key,
        text: &known.question,
        header: known.header.as_deref(),
        options: &known.options,
        label: preference.answer.as_deref(),
        description: "",
        preview: "",
    };
    if let Err(difference) = preference.covers(&known.shown()) {
        return Some(format!(
            "not obeyed as it was last asked ({})",
            difference.as_str()
        ));
    }
    if preference.preference != Policy::AlwaysAsk
        && check_preference(key, preference, registry).is_ok()
        && let Err(refusal) = check(&proposed, registry)
    {
        let reason = one_line(&refusal.to_string(), SHOWN);
        return Some(format!("not obeyed as it was last asked, {reason}"));
    }
    let offered = |pinned: &str| known.options.iter().any(|label| same_label(label, pinned));
    let missing = preference
        .answer
        .as_deref()
        .filter(|pinned| !offered(pinned));
    missing.map(|pinned| {
        let pinned = one_line(pinned, SHOWN);
        format!("its answer \"{pinned}\" was not among the options when it was last asked")
    })
}

/// Questions about which a project's preference and the global one say different things: the hook
/// asks then.
fn disagreements(found: &[Found], keys: &[String]) -> Vec<String> {
    let global: BTreeMap<&String, &Preference> = found
        .iter()
        .filter(|file| file.scope == Scope::Global)
        .flat_map(|file| &file.preferences)
        .collect();
    wanted(found, keys)
        .filter(|(file, _, _)| file.scope == Scope::Project)
        .filter_map(|(file, key, mine)| {
            let text = if value(mine) == value(global.get(key)?) {
                "the global preference says the same"
            } else {
                "the global preference says otherwise, so it is asked"
            };
            Some(finding(file, key, text))
        })
        .collect()
}

fn value(preference: &Preference) -> (Policy, Option<String>) {
    let answer = preference.answer.as_deref().map(str::to_lowercase);
    (preference.preference, answer)
}
