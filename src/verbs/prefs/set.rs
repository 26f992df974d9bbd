//! `plantune prefs set`.

mod arguments;
mod asked;
mod preference;

use plantune_domain::gate::check_preference;
use plantune_domain::preferences::{Level, Policy, Preference};
use plantune_reports::standing::preference_holds_for;
use plantune_reports::text::one_line;
use serde_json::Value;

use super::key;
use super::selected::Selected;
use crate::failure::Failure;
use crate::preferences::change::Change;
use crate::preferences::scope::{PreferenceScope, quoted};
use crate::preferences::sentence::from_now_on;
use crate::preferences::writer::apply_one;
use crate::preferences::{called, evidence};
use crate::terminal;
use crate::verbs::install;
use crate::workspace::Workspace;

pub(crate) use arguments::Arguments;
use arguments::{command, given};
use asked::{known, never_asked, refuse_split, refuse_unknown};
use preference::{counts, covering, is_set, label, preference};

/// What a preference comes from, where that is not the person's own command.
pub(crate) struct Origin<'a> {
    /// What set it, for its file.
    pub(crate) set_by: &'static str,
    /// Why, for the record of the change.
    pub(crate) reason: &'static str,
    /// On what evidence.
    pub(crate) evidence: Value,
    /// What the person can run instead, where nobody can be asked.
    pub(crate) command: &'a str,
}

/// Sets the preference after showing the change and asking.
///
/// # Errors
/// Refused for a question that must always be asked, and where the person cannot be asked; usage
/// for a label that is not offered; conflict for a file that is not understood.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let arguments = &Arguments {
        key: called::key(&arguments.key, workspace)?,
        ..arguments.clone()
    };
    let selected = || Selected {
        key: arguments.key.clone(),
        scope: arguments.scope.clone(),
        yes: arguments.yes,
    };
    match arguments {
        Arguments { agents, .. } if !agents.is_empty() => {
            super::agents::run(&selected(), agents, workspace)
        }
        _ => set(arguments, None, workspace),
    }
}

/// The same for a preference that comes from `origin`.
///
/// # Errors
/// Those of [`run`].
pub(crate) fn set(
    arguments: &Arguments,
    origin: Option<&Origin<'_>>,
    workspace: &Workspace,
) -> Result<(), Failure> {
    key::check(&arguments.key)?;
    let standing = match origin {
        // What comes from elsewhere is for the place that is named.
        Some(_) => None,
        None => {
            let typed = |scope: &PreferenceScope, word: &str| command(arguments, word, scope);
            arguments
                .scope
                .standing(&arguments.key, &typed, workspace)?
        }
    };
    let scope = standing.map_or_else(|| arguments.scope.resolve(workspace), Ok)?;
    let known = match given(arguments) {
        Some(given) => Some(given),
        None => known(&arguments.key, &scope, workspace)?,
    };
    if arguments.wanted() != Policy::AlwaysAsk {
        refuse_split(&arguments.key)?;
    }
    let answer = label(arguments, known.as_ref())?;
    if arguments.trial && arguments.wanted() == Policy::AlwaysAsk {
        return Err(Failure::usage("--trial says nothing with always-ask"));
    }
    let evidence = evidence::now(workspace, &arguments.key, &scope);
    let mut preference = Preference {
        level: arguments.trial.then_some(Level::Trial),
        assist: arguments.assist,
        evidence: arguments
            .assist
            .and_then(|_| counts(evidence.as_ref()?, answer.as_deref()?)),
        ..preference(arguments.wanted(), answer, known.as_ref(), workspace)
    };
    if let Some(text) = &preference.question
        && let Some(name) = called::in_store(&arguments.key, text, workspace)?
    {
        preference.set_name(&name);
    }
    if let Some(coverage) = arguments.coverage {
        preference = covering(preference, coverage, &arguments.key, &scope, workspace)?;
    }
    if let Some(origin) = origin {
        preference.set_by = Some(origin.set_by.to_owned());
        preference.evidence = Some(origin.evidence.clone());
    }
    if is_set(&scope, &arguments.key, &preference, workspace)? {
        let word = one_line(&called::word(&arguments.key, &preference), key::SHOWN);
        return terminal::print(&format!("{word} is set so already\n"));
    }
    // What must be asked is refused for that, whether it is known or not.
    let may_be_set = check_preference(&arguments.key, &preference, workspace.registry()?).is_ok();
    if known.is_none() && may_be_set && !arguments.force {
        // What others answer is taken over for a question as the person was asked it, or not at all.
        if origin.is_some() {
            return Err(never_asked(&arguments.key));
        }
        refuse_unknown(&arguments.key, workspace)?;
    }
    let holds_for = match preference.preference {
        Policy::AlwaysAsk => String::new(),
        _ => preference_holds_for(&preference).map_or_else(
            || "\nIt does nothing yet: the question was never asked. Give --question and --option; without them it \
                holds for what you answer so three times."
                .to_owned(),
            |holds_for| format!("\n{holds_for}"),
        ),
    };
    let asked_in = known.as_ref().and_then(|known| known.asked_in.as_deref());
    let elsewhere = match (asked_in, scope.project()) {
        (Some(asked_in), Some(project)) if asked_in != project => format!(
            "\nUnder this key it was only asked elsewhere: `--project {}` sets it there, --global everywhere.",
            quoted(asked_in)
        ),
        _ => String::new(),
    };
    let reason = origin.map_or("prefs set", |origin| origin.reason);
    let word = called::word(&arguments.key, &preference);
    let change = Change {
        evidence,
        scope,
        key: arguments.key.clone(),
        preference: Some(preference),
        reason,
        undone: None,
    };
    let command = match origin {
        Some(origin) => origin.command.to_owned(),
        None => command(arguments, &word, &change.scope),
    };
    let sentence = from_now_on(&change, None, None, workspace) + &holds_for + &elsewhere;
    let words = (&*sentence, "Set it?");
    let is_set = apply_one(workspace, &change, words, arguments.yes, &command)?;
    match is_set && arguments.wanted() != Policy::AlwaysAsk {
        true => install::offer(workspace),
        false => Ok(()),
    }
}
