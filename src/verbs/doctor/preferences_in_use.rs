//! What the hook does with each preference, beside what is known of its question.

use std::collections::BTreeMap;

use plantune_domain::gate::{self, ProposedAnswer, check_preference};
use plantune_domain::preferences::{Policy, Preference, Scope};
use plantune_domain::recommended::same_label;
use plantune_domain::registry::Registry;
use plantune_query::Store;
use plantune_query::known::KnownQuestions;
use plantune_reports::inert::one_line;

use super::check::Check;
use crate::preferences::files::{self, Found};
use crate::preferences::renamed::renamed;
use crate::workspace::Workspace;

const NAME: &str = "preference";

/// How many are named.
const MOST: usize = 20;

/// How much of a key, a path or a reason is shown, in characters.
const SHOWN: usize = 400;

/// One finding for each preference that the hook does not obey, or that says something else than it was meant to: at
/// most [`MOST`], and how many more there are.
pub(super) fn check(workspace: &Workspace) -> Vec<Check> {
    let Ok(registry) = workspace.registry() else {
        return Vec::new();
    };
    let found = files::all(workspace);
    let keys: Vec<&str> = all(&found).map(|(_, key, _)| key.as_str()).collect();
    // Without a store nothing is known of their questions; what is wrong with one is said elsewhere.
    let known = (!keys.is_empty())
        .then(|| Store::open(&workspace.paths.store()).ok())
        .flatten()
        .and_then(|store| KnownQuestions::load(&store, &keys, registry).ok());
    let mut findings = Vec::new();
    for (file, key, preference) in all(&found) {
        if let Err(refusal) = check_preference(key, preference, registry) {
            findings.push(finding(file, key, &format!("not obeyed, {refusal}")));
        }
        if let Some(renamed) = renamed(key, preference, registry) {
            let remedy = renamed.remedy(key, preference, &file.preference_scope());
            let text = format!("not obeyed, {}; {remedy}", renamed.reason());
            findings.push(finding(file, key, &text));
        }
        if let Some(known) = &known
            && let Some(problem) = against_store(file, key, preference, known, registry)
        {
            findings.push(finding(file, key, &problem));
        }
    }
    findings.extend(disagreements(&found));
    let more = findings.len().saturating_sub(MOST);
    findings.truncate(MOST);
    if more > 0 {
        let message = format!("{more} more of the same kinds");
        findings.push(Check::note(NAME, message).remedy("run `plantune prefs list` to see them"));
    }
    findings
}

/// The preferences of all files.
fn all(found: &[Found]) -> impl Iterator<Item = (&Found, &String, &Preference)> {
    found.iter().flat_map(|file| {
        let entries = file.preferences.iter();
        entries.map(move |(key, preference)| (file, key, preference))
    })
}

fn finding(file: &Found, key: &str, text: &str) -> Check {
    let key = one_line(key, SHOWN);
    let text = one_line(text, SHOWN);
    Check::note(NAME, format!("{key} ({}): {text}", scope(file)))
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
        && let Err(refusal) = gate::check(&proposed, registry)
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
fn disagreements(found: &[Found]) -> Vec<Check> {
    let global: BTreeMap<&String, &Preference> = found
        .iter()
        .filter(|file| file.scope == Scope::Global)
        .flat_map(|file| &file.preferences)
        .collect();
    all(found)
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
