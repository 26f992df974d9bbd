//! Giving a preference for what its owner has answered: `prefs set --bind`, and the offer to do so wherever one is
//! met that does not say what it was given for.

use chrono::{DateTime, Utc};
use plantune_domain::clock;
use plantune_domain::preferences::{Coverage, Preference};
use plantune_query::binding::Binding;
use plantune_query::seen::seen;
use plantune_reports::binding::{covers_of, preference_holds_for};
use plantune_reports::inert::one_line;

use crate::failure::Failure;
use crate::preferences::called;
use crate::preferences::change::Change;
use crate::preferences::files::Found;
use crate::preferences::scope::PreferenceScope;
use crate::preferences::writer::apply_one;
use crate::terminal;
use crate::terminal::consent;
use crate::workspace::Workspace;

/// How much of a key, a label or a project is shown, in characters.
const SHOWN: usize = 400;

/// What the person answered as `preference` would, to cover what is `wanted` or else what would be proposed: empty where
/// the log holds less than three such answers.
///
/// # Errors
/// Those of the store.
pub(crate) fn answered_so(
    key: &str,
    scope: &PreferenceScope,
    preference: &Preference,
    wanted: Option<Coverage>,
    workspace: &Workspace,
) -> Result<Binding, Failure> {
    let registry = workspace.registry()?;
    let seen = workspace.ask(|store| seen(store, key, scope.project(), registry))?;
    Ok(seen.binding(preference.answer.as_deref(), wanted))
}

/// `preference`, given at `now` for what `binding` describes.
pub(crate) fn bound(preference: Preference, binding: &Binding, now: DateTime<Utc>) -> Preference {
    Preference {
        question: preference
            .question
            .or_else(|| Some(binding.question.clone())),
        options: Some(binding.options.clone()),
        added: binding.added.clone(),
        tool: binding.tool.clone(),
        multi_select: binding.multi_select,
        coverage: binding.coverage,
        binding: binding.forms.clone(),
        familiar: binding.familiar.clone(),
        set_at: Some(clock::timestamp(now)),
        ..preference
    }
}

/// What the preference for `key` holds for `after` it was bound, in words; what it did not `before` is marked with `+`.
fn comparison(key: &str, before: &Preference, after: &Preference) -> String {
    let known = covers_of(before);
    let new = covers_of(after)
        .into_iter()
        .filter(|text| !known.contains(text));
    let new: String = new.map(|text| format!("\n  + {text}")).collect();
    let holds_for = preference_holds_for(after).unwrap_or_default();
    format!("From now on {key} answers what you answered so.{new}\n{holds_for}")
}

/// Shows what was answered with each preference of `files` that does not say what it was given for, and asks
/// whether to bind it to that. Nothing where no person can reply: in an agent's session, in a pipe. A store
/// that cannot be read is named on standard error.
///
/// # Errors
/// Those of the writer of preferences.
pub(crate) fn offer(files: &[Found], workspace: &Workspace) -> Result<(), Failure> {
    if !consent::can_be_asked(workspace) {
        return Ok(());
    }
    for file in files.iter().filter(|file| file.problem.is_none()) {
        for (key, preference) in &file.preferences {
            if file.unbound(key, preference).is_some() {
                offer_one(key, preference, file.preference_scope(), workspace)?;
            }
        }
    }
    Ok(())
}

fn offer_one(
    key: &str,
    preference: &Preference,
    scope: PreferenceScope,
    workspace: &Workspace,
) -> Result<(), Failure> {
    let binding = match answered_so(key, &scope, preference, None, workspace) {
        Ok(binding) if binding.is_empty() => return Ok(()),
        Ok(binding) => binding,
        Err(failure) => {
            let message = failure.message();
            terminal::say(&format!("plantune: not offered to bind: {message}\n"));
            return Ok(());
        }
    };
    terminal::print(&format!(
        "\n{} does not say what it was given for, so it answers nothing.\n",
        one_line(&called::word(key, preference), SHOWN)
    ))?;
    let after = bound(preference.clone(), &binding, workspace.now);
    bind(key, scope, (preference, after), false, workspace)
}

/// Puts the preference that holds for more in the place of the one before it, after showing what is new and asking.
///
/// # Errors
/// Those of [`apply_one`].
pub(crate) fn bind(
    key: &str,
    scope: PreferenceScope,
    (before, after): (&Preference, Preference),
    yes: bool,
    workspace: &Workspace,
) -> Result<(), Failure> {
    let word = called::word(key, before);
    let sentence = comparison(&one_line(&word, SHOWN), before, &after);
    let words = (&*sentence, "Answer these for you?");
    let command = scope.prefs("set --bind", &word);
    let change = Change::new(workspace, scope, key, Some(after), "prefs bind");
    apply_one(workspace, &change, words, yes, &command).map(drop)
}
