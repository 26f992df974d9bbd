//! What is left after a verb for those that open no store: marks, habits and what was agreed to for the hook, figures
//! for the status line, names for completions. Verbs only read; this is the one place that writes down what they found.

use plantune_domain::state::State;
use plantune_reports::standing::StandingPreference;

use crate::preferences::in_force::InForce;
use crate::preferences::proposals::Depth;
use crate::preferences::{grown, marks, nudges, proposals, standing};
use crate::workspace::findings::Findings;
use crate::workspace::{Workspace, names, status_line};

/// Leaves what this run found out. Where it brought the store up to date, what its verb did not ask is found
/// out too, so that it does not matter which verb comes first.
pub(crate) fn leave(workspace: &Workspace) {
    let mut findings = workspace.take_findings();
    if workspace.has_loaded() && !findings.is_outdated {
        complete(workspace, &mut findings);
    }
    if let Some(standing) = &findings.standing {
        marks::update(workspace, standing);
    }
    if !findings.is_outdated {
        leave_proposals(workspace, &findings);
        if let Some(standing) = &findings.standing {
            grown::update(workspace, standing);
        }
    }
    names::leave(workspace);
}

fn leave_proposals(workspace: &Workspace, findings: &Findings) {
    let proposed = findings.proposed.as_ref();
    if let Some(proposed) = proposed {
        nudges::update(workspace, proposed);
    }
    let is_stopped = |one: &&StandingPreference| one.standing.state == State::Stopped;
    let standing = findings.standing.as_ref();
    let stopped = standing.map(|all| all.iter().filter(is_stopped).count() as u64);
    if workspace.has_loaded()
        || proposed.is_some()
        || findings.seconds_saved.is_some()
        || stopped.is_some()
    {
        let of_all = proposed.filter(|one| one.project.is_none());
        let waiting = of_all.map(|one| one.waiting);
        status_line::leave(workspace, findings.seconds_saved, waiting, stopped);
    }
}

/// Finds out what the verb did not. What goes wrong there is reported by the verb that is about it.
fn complete(workspace: &Workspace, findings: &mut Findings) {
    let Some(store) = workspace.open_store() else {
        return;
    };
    if findings.standing.is_none() {
        findings.standing = standing::review(workspace).ok();
    }
    if findings.proposed.is_none() {
        let in_force = InForce::new(workspace);
        let found = proposals::find(workspace, &store, &in_force, None, Depth::default(), |_| ());
        findings.proposed = found.ok().map(|found| proposals::left(&found, None));
    }
}
