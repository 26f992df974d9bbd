//! `plantune away off`: the person is here again, and sees what was answered meanwhile.

use plantune_domain::away::Away;
use plantune_domain::clock;
use plantune_domain::decision::AWAY;
use plantune_domain::event::Event;
use serde_json::json;

use crate::away;
use crate::failure::Failure;
use crate::preferences::{change_lock, event};
use crate::terminal::{self, consent};
use crate::workspace::Workspace;

/// What a change that could not be made left as it was.
const UNCHANGED: &str = "nothing was changed";

/// Ends the absence, if there is one, and lists what was answered in it.
///
/// # Errors
/// Refused inside an agent's session: the list is for the person. Conflict for a file that others may
/// write or that is malformed, which is not obeyed either.
pub(super) fn run(workspace: &Workspace) -> Result<(), Failure> {
    // Nothing is asked: whoever is here may always be asked again.
    consent::is_person(workspace, "plantune away off")?;
    let Some(away) = away::load(workspace)? else {
        return terminal::print(
            "you are not away; `plantune log --auto` lists what was answered for you\n",
        );
    };
    let decisions = away::answers(&away, workspace)?;
    workspace.close_store();
    let _lock = change_lock::hold(workspace, UNCHANGED)?;
    if away::is_on(&away, workspace) {
        log(&away, "back", false, workspace)?;
    }
    let list = match decisions.is_empty() {
        true => "nothing was answered while you were away\n".to_owned(),
        false => away::list(&decisions, workspace)?,
    };
    terminal::print(&list)?;
    away::forget(workspace)
}

/// Records that the person went away, or is back.
///
/// # Errors
/// Those of the file system.
pub(super) fn log(
    away: &Away,
    reason: &'static str,
    yes: bool,
    workspace: &Workspace,
) -> Result<(), Failure> {
    let project = away.project.as_deref().unwrap_or_default();
    let until = json!({"until": clock::timestamp(away.until)});
    let event = Event {
        project: project.into(),
        preference: (reason == AWAY).then(|| AWAY.into()),
        preference_scope: Some(away::scope(away).as_str().into()),
        detail: Some(event::detail(Some(&until), yes)),
        ..event::event(workspace, reason, &[project])
    };
    event::log(workspace, &[event], UNCHANGED)
}
