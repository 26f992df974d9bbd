//! `plantune prefs set --renew KEY`.

use plantune_domain::clock;
use plantune_domain::preferences::{Level, Policy};
use plantune_domain::trial::{HOLDS_AFTER, TrialState};
use plantune_reports::amount::counted;
use plantune_reports::inert::one_line;

use super::key::SHOWN;
use super::selected::Selected;
use crate::failure::Failure;
use crate::preferences::trial;
use crate::terminal;
use crate::workspace::Workspace;

/// Sets the preference again, as it is, after showing the change and asking.
///
/// # Errors
/// Failed without such a preference; refused where the person cannot be asked, and for one that is
/// not obeyed; conflict for a file that is not understood.
pub(super) fn run(selected: &Selected, workspace: &Workspace) -> Result<(), Failure> {
    let (scope, before) = selected.find("set --renew", workspace)?;
    let mut preference = before.clone();
    let key = one_line(&selected.key, SHOWN);
    if preference.preference == Policy::AlwaysAsk {
        return terminal::print(&format!("{key} is always asked: nothing to renew\n"));
    }
    if preference.preference == Policy::Assist {
        return terminal::print(&format!("{key} is only a hint: nothing to renew\n"));
    }
    let is_trial = preference.level() == Level::Trial;
    let question = match is_trial {
        true => stand(&trial::state(
            &workspace.paths,
            &scope,
            &selected.key,
            &preference,
        )),
        false => "Is this preference still right?".to_owned(),
    };
    preference.level = None;
    preference.set_at = Some(clock::timestamp(workspace.now));
    let what = match is_trial {
        true => "Its trial is over, and it is automatic",
        false => "It holds",
    };
    let sentence = format!("{what} for another ninety days: {key}.");
    let words = (Some(sentence), &*question);
    let reason = ("set --renew", "prefs renew");
    selected.change(scope, (&before, Some(preference)), reason, words, workspace)
}

/// What the person is asked about a preference on trial: whether it is to end, and how its checks went.
fn stand((state, agreed): &(TrialState, u32)) -> String {
    match state {
        TrialState::Held => format!(
            "It proved right in {}. Make it automatic?",
            counted(*agreed, "check", "checks")
        ),
        TrialState::Running => {
            format!(
                "{agreed} of {HOLDS_AFTER} checks agreed so far. Make it automatic all the same?"
            )
        }
        TrialState::Ended => {
            "Its trial has ended, as a check disagreed. Make it automatic all the same?".to_owned()
        }
    }
}
