//! Whether the other agents that are there call the hook.

use std::path::Path;

use super::Seen;
use super::check::{Findings, word};
use crate::agents::{Found, inspect};
use crate::claude_settings::editor::missing_for;
use crate::claude_settings::file::SettingsFile;
use crate::programs::is_executable;

const NAME: &str = "agents";

/// A line for each agent that is there.
pub(super) fn check(seen: &Seen<'_>, found: &mut Findings) {
    for agent in crate::agents::found() {
        match agent.settings(seen.workspace) {
            Ok(file) => check_one(&agent, &file, found),
            Err(failure) => {
                let title = agent.agent.title();
                let remedy = format!("{title} may not call the hook");
                found.failure(NAME, &failure).remedy(remedy);
            }
        }
    }
}

fn check_one(there: &Found, file: &SettingsFile, found: &mut Findings) {
    let (facts, title) = (there.agent.facts(), there.agent.title());
    let again = format!("run `plantune install --agent {}`", there.agent.name());
    let inspection = match inspect(there.agent, file.text()) {
        Ok(inspection) => inspection,
        Err(problem) => {
            found.failure(NAME, &file.conflict(&problem));
            return;
        }
    };
    let entries = &inspection.registrations;
    if entries.is_empty() {
        found
            .note(NAME, format!("{title} is here and does not call the hook"))
            .remedy(format!("to have its questions logged, {again}"));
        return;
    }
    let is_gone = |program: &Path| program.is_absolute() && !is_executable(program);
    let mut programs = entries.iter().map(|entry| Path::new(&entry.program));
    if let Some(gone) = programs.find(|program| is_gone(program)) {
        let message = format!("{title} calls {}, which is not there", word(gone));
        found.failed(NAME, message).remedy(again);
        return;
    }
    let missing: Vec<&str> = missing_for(&facts.registration, &inspection).collect();
    if !missing.is_empty() {
        let message = format!("{title} does not call the hook for {}", missing.join(", "));
        found.warning(NAME, message).remedy(again);
    } else if entries
        .iter()
        .any(|entry| !entry.place_ok || !entry.form_ok)
    {
        let message = format!("{title}: an entry of the hook is not as plantune writes it");
        found.warning(NAME, message).remedy(again);
    } else if there.agent.is_trusted(&there.folder, &file.path) == Some(false) {
        let message = format!("{title} has the hook in its settings and may not call it yet");
        let remedy = facts.to_be_done.unwrap_or_default();
        found.warning(NAME, message).remedy(remedy);
    } else {
        let tested = facts.tested_version;
        let message = format!("{title} calls the hook (tested with version {tested})");
        found.ok(NAME, message);
    }
}
