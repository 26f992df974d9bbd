//! `plantune prefs bind`.

use clap::Args;
use plantune_domain::clock;
use plantune_domain::preferences::{Policy, Preference};
use plantune_query::binding::{Binding, seen};
use plantune_reports::binding::{covers_of, only};
use plantune_reports::inert::one_line;

use super::key::SHOWN;
use super::selected::{Edit, Selected};
use crate::failure::Failure;
use crate::preferences::scope::PreferenceScope;
use crate::terminal;
use crate::workspace::{Workspace, store};

/// Let a preference answer what you have answered with it
///
/// A preference answers exactly what it was given for. This gives it for every text of the question that
/// you answered with its label, and shows them before it asks.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    selected: Selected,
}

/// Binds the preference to what the log says was answered so, after showing the change and asking.
///
/// # Errors
/// Failed without such a preference, or when nothing was answered so; refused where the person cannot be
/// asked; conflict for a file that is not understood.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let selected = &arguments.selected;
    let (scope, preference) = selected.find(workspace)?;
    let key = one_line(&selected.key, SHOWN);
    if preference.preference == Policy::AlwaysAsk {
        return terminal::print(&format!("{key} is always asked: nothing to bind\n"));
    }
    let binding = binding(&selected.key, &scope, &preference, workspace)?;
    if binding.forms.is_empty() {
        return Err(Failure::failed(format!(
            "{key}: the log holds no question that you answered so at least three times"
        ))
        .hint("`plantune questions show KEY` shows what was asked and answered"));
    }
    let bound = bound(preference.clone(), &binding, workspace);
    if (&bound.binding, &bound.options) == (&preference.binding, &preference.options) {
        return terminal::print(&format!("{key} is bound to all that you answered so\n"));
    }
    terminal::print(&comparison(&preference, &bound))?;
    let edit = Edit {
        verb: "bind",
        reason: "prefs bind",
        question: "Answer these for you?",
        preference: Some(bound),
    };
    if selected.change(scope, edit, workspace)? {
        terminal::print(&format!("bound: {key}\n"))?;
    }
    Ok(())
}

fn binding(
    key: &str,
    scope: &PreferenceScope,
    preference: &Preference,
    workspace: &Workspace,
) -> Result<Binding, Failure> {
    let Some(store) = workspace.store()? else {
        return Ok(Binding::default());
    };
    let seen = seen(&store, key, scope.project(), workspace.registry()?)
        .map_err(|error| store::failure(&workspace.paths, &error))?;
    Ok(seen.binding(preference.answer.as_deref()))
}

/// `preference`, given for what `binding` describes.
fn bound(preference: Preference, binding: &Binding, workspace: &Workspace) -> Preference {
    Preference {
        question: preference
            .question
            .or_else(|| Some(binding.question.clone())),
        options: Some(binding.options.clone()),
        tool: binding.tool.clone(),
        multi_select: binding.multi_select,
        binding: binding.forms.clone(),
        set_at: Some(clock::timestamp(workspace.now)),
        ..preference
    }
}

fn comparison(before: &Preference, after: &Preference) -> String {
    let texts = covers_of(after);
    let known = covers_of(before);
    let line = |text: &String| {
        let mark = if known.contains(text) { ' ' } else { '+' };
        format!("  {mark} {text}\n")
    };
    let lines: String = texts.iter().map(line).collect();
    format!("answers:\n{lines}    {}\n", only(&texts, &after.binding))
}
