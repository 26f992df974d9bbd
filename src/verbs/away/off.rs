//! `plantune away off`: the person is here again, and sees what was answered meanwhile.

use plantune_domain::away::Away;
use plantune_domain::decision::AWAY;
use plantune_domain::event::{Event, Kind, SCHEMA_VERSION};
use plantune_domain::session_kind::session_kind;
use plantune_domain::{clock, hash, spool};
use serde_json::json;

use crate::away;
use crate::failure::Failure;
use crate::failure::write_failure::not_written;
use crate::preferences::actor::Actor;
use crate::preferences::change_lock;
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
    consent::may_change(workspace, true, "plantune away off")?;
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
    reason: &str,
    yes: bool,
    workspace: &Workspace,
) -> Result<(), Failure> {
    let ts = clock::timestamp(workspace.now);
    let kind = Kind::PreferenceChanged.as_str();
    let cwd = std::env::current_dir().unwrap_or_default();
    let cwd = cwd.to_string_lossy();
    let detail = json!({"until": clock::timestamp(away.until)});
    let detail = Actor::of_this_process(yes).detail(Some(&detail));
    let project = away.project.as_deref().unwrap_or_default();
    let event = Event {
        v: SCHEMA_VERSION,
        id: hash::hex(&[kind, reason, &ts, project]).into(),
        ts: ts.as_str().into(),
        kind: kind.into(),
        session_kind: session_kind(|name| std::env::var_os(name)).as_str().into(),
        project: project.into(),
        cwd: cwd.as_ref().into(),
        source: "cli".into(),
        preference: (reason == AWAY).then(|| AWAY.into()),
        preference_scope: Some(away::scope(away).as_str().into()),
        reason: Some(reason.into()),
        detail: Some(detail.as_str().into()),
        ..Event::default()
    };
    spool::append(&workspace.paths, workspace.now, &event.to_line()?)
        .map_err(|error| not_written(&workspace.paths.events(), &error, UNCHANGED))
}
