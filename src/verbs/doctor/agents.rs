//! Whether the other agents that are there call the hook.

use super::check::{Check, word};
use crate::agents::{Found, found, inspect};
use crate::claude_settings::editor;
use crate::claude_settings::file::SettingsFile;
use crate::programs::is_executable;
use crate::workspace::Workspace;

const NAME: &str = "agents";

/// A line for each agent that is there.
pub(super) fn check(workspace: &Workspace) -> Vec<Check> {
    found().map(|found| check_one(&found, workspace)).collect()
}

fn check_one(found: &Found, workspace: &Workspace) -> Check {
    let title = found.agent.title();
    match found.settings(workspace) {
        Ok(file) => judge(found, &file),
        Err(failure) => {
            let check = Check::from_failure(NAME, &failure);
            check.remedy(format!("{title} may not call the hook"))
        }
    }
}

fn judge(found: &Found, file: &SettingsFile) -> Check {
    let (agent, title) = (found.agent, found.agent.title());
    let as_registered = &agent.facts().registration;
    let again = format!("run `plantune install --agent {}`", agent.name());
    let inspection = match inspect(agent, file.text()) {
        Ok(inspection) => inspection,
        Err(problem) => return Check::from_failure(NAME, &file.conflict(&problem)),
    };
    if inspection.registrations.is_empty() {
        return Check::note(NAME, format!("{title} is here and does not call the hook"))
            .remedy(format!("to have its questions logged, {again}"));
    }
    let missing: Vec<&str> = editor::missing_for(as_registered, &inspection).collect();
    let mut entries = inspection.registrations.iter();
    let is_gone = |program: &str| {
        let path = std::path::Path::new(program);
        path.is_absolute() && !is_executable(path)
    };
    if let Some(gone) = entries.clone().find(|entry| is_gone(&entry.program)) {
        let program = word(std::path::Path::new(&gone.program));
        let message = format!("{title} calls {program}, which is not there");
        return Check::failed(NAME, message).remedy(again);
    }
    if !missing.is_empty() || entries.any(|entry| !entry.place_ok || !entry.form_ok) {
        let events = missing.join(", ");
        let message = match missing.is_empty() {
            true => format!("{title}: an entry of the hook is not as plantune writes it"),
            false => format!("{title} does not call the hook for {events}"),
        };
        return Check::warning(NAME, message).remedy(again);
    }
    let tested = agent.facts().tested_version;
    match agent.is_trusted(&found.folder, &file.path) {
        Some(false) => Check::warning(
            NAME,
            format!("{title} has the hook in its settings and may not call it yet"),
        )
        .remedy(agent.facts().to_be_done.unwrap_or_default()),
        _ => Check::ok(
            NAME,
            format!("{title} calls the hook (tested with version {tested})"),
        ),
    }
}
