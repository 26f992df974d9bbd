//! `plantune prefs set --bind KEY`.

use plantune_domain::preferences::{Policy, Preference};
use plantune_reports::inert::one_line;

use super::key::SHOWN;
use super::selected::Selected;
use crate::failure::Failure;
use crate::preferences::binding::{self, answered_so, bound};
use crate::terminal;
use crate::workspace::Workspace;

/// Binds the preference to what the log says was answered so, after showing the change and asking.
///
/// # Errors
/// Failed without such a preference, or when nothing was answered so; refused where the person cannot be
/// asked; conflict for a file that is not understood.
pub(super) fn run(selected: &Selected, workspace: &Workspace) -> Result<(), Failure> {
    let (scope, preference) = selected.find("set --bind", workspace)?;
    let key = one_line(&selected.key, SHOWN);
    if preference.preference == Policy::AlwaysAsk {
        return terminal::print(&format!("{key} is always asked: nothing to bind\n"));
    }
    let binding = answered_so(&selected.key, &scope, &preference, None, workspace)?;
    if binding.is_empty() {
        return Err(Failure::failed(format!(
            "{key}: the log holds no question that you answered so at least three times"
        ))
        .hint("`plantune report KEY` shows what was asked and answered"));
    }
    let bound = bound(preference.clone(), &binding, workspace.now);
    let of = |one: &Preference| (one.coverage, one.binding.clone(), one.options.clone());
    if of(&bound) == of(&preference) {
        return terminal::print(&format!("{key} is bound to all that you answered so\n"));
    }
    let Selected { key, yes, .. } = selected;
    binding::bind(key, scope, (&preference, bound), *yes, workspace)
}
