//! `plantune prefs renew`.

use clap::Args;
use plantune_domain::clock;
use plantune_domain::preferences::Policy;
use plantune_reports::inert::one_line;

use super::key::SHOWN;
use super::selected::{Edit, Selected};
use crate::failure::Failure;
use crate::terminal;
use crate::workspace::Workspace;

/// Say that a preference is still right
///
/// What was decided by it and what its spot checks said is counted from now on only.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    selected: Selected,
}

/// Sets the preference again, as it is, after showing the change and asking.
///
/// # Errors
/// Failed without such a preference; refused where the person cannot be asked, and for one that is
/// not obeyed; conflict for a file that is not understood.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let selected = &arguments.selected;
    let (scope, mut preference) = selected.find(workspace)?;
    let key = one_line(&selected.key, SHOWN);
    if preference.preference == Policy::AlwaysAsk {
        return terminal::print(&format!("{key} is always asked: nothing to renew\n"));
    }
    preference.set_at = Some(clock::timestamp(workspace.now));
    let edit = Edit {
        verb: "renew",
        reason: "prefs renew",
        question: "Is this preference still right?",
        preference: Some(preference),
    };
    if selected.change(scope, edit, workspace)? {
        terminal::print(&format!("renewed: {key} stands for another ninety days\n"))?;
    }
    Ok(())
}
