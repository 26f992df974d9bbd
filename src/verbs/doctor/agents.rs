//! Whether the other agents that are there call the hook.

use std::path::Path;

use super::Seen;
use super::check::{Findings, word};
use crate::agents::{Found, inspect, install};
use crate::claude_settings::editor::{Edited, Registration};
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
    let judged = inspect(there.agent, file.text()).and_then(|inspection| {
        let entries = &inspection.registrations;
        let right = entries.iter().find(|entry| entry.place_ok && entry.form_ok);
        let meant = right.or(entries.first());
        let install = |text: &str, entry: &Registration| install(there.agent, text, &entry.program);
        let edited = Edited::unchanged(file.text()).with(meant, install)?;
        Ok((inspection.registrations, edited.summary()))
    });
    let (entries, repairs) = match judged {
        Ok(judged) => judged,
        Err(problem) => {
            found.failure(NAME, &file.conflict(&problem));
            return;
        }
    };
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
    if !repairs.is_empty() {
        let message =
            format!("{title} does not call the hook as plantune registers it ({repairs})");
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
