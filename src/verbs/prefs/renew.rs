//! `plantune prefs renew`.

use clap::Args;
use plantune_domain::clock;
use plantune_domain::preferences::Policy;
use plantune_reports::inert::one_line;

use super::SHOWN;
use super::one::{Made, One};
use crate::failure::Failure;
use crate::terminal;
use crate::workspace::Workspace;

/// Say that a preference is still right
///
/// What was decided by it and what its spot checks said is counted anew from now on.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    one: One,
}

/// Sets the preference anew, as it is, after showing the change and asking.
///
/// # Errors
/// Failed without such a preference; refused where the person cannot be asked, and for one that is
/// not obeyed; conflict for a file that is not understood.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let one = &arguments.one;
    let (place, mut preference) = one.find(workspace)?;
    let key = one_line(&one.key, SHOWN);
    if preference.preference == Policy::AlwaysAsk {
        return terminal::print(&format!("{key} is always put to you: nothing to renew\n"));
    }
    preference.set_at = Some(clock::timestamp(workspace.now));
    let made = Made {
        verb: "renew",
        reason: "prefs renew",
        question: "Is this preference still right?",
        preference: Some(preference),
    };
    if one.change(place, made, workspace)? {
        terminal::print(&format!("renewed: {key} stands for another ninety days\n"))?;
    }
    Ok(())
}
