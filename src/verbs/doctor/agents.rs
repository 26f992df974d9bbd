//! Whether Claude Code can do what the hook asks of it, and whether the other agents call it.

use std::path::Path;
use std::process::Command;

use plantune_agents::Agent as _;
use plantune_agents::claude_code::ClaudeCode;
use plantune_agents::installed::tested_version;
use plantune_settings::SettingsError;
use plantune_settings::agents::{self, FoundAgent, inspect, install, numbers, version};
use plantune_settings::document::Edited;
use plantune_settings::file::{SettingsFile, SettingsScope};
use plantune_settings::installed_hook::{InstalledHook, our_hook, path_text};
use plantune_settings::programs::{LIMIT, in_path, is_executable, run, words};
use plantune_settings::registration::RegisteredHook;

use super::{Findings, Seen, fix, word};
use crate::failure::Failure;
use crate::session::Session;
use crate::settings_change::{ChangeArguments, host, install_for};

/// A line for each agent that is there.
pub(super) fn check_agents(seen: &Seen<'_>, found: &mut Findings) {
    let host = host(seen.session);
    for agent in agents::found(host.variable) {
        match agent.settings(&host) {
            Ok(file) => check_one(&agent, &file, found),
            Err(error) => {
                let title = agent.agent.title();
                let remedy = format!("{title} may not call the hook");
                found.failure(&error.into()).remedy(remedy);
            }
        }
    }
}

/// Has the agents that call the hook call the one of this plantune as it is registered, after asking.
///
/// # Errors
/// The errors of [`install_for`]; failed without a hook of this release.
pub(super) fn repair(yes: bool, session: &Session) -> Result<(), Failure> {
    let installed = InstalledHook::of(&session.paths);
    let host = host(session);
    for agent in agents::found(host.variable) {
        // What cannot be read, the check names.
        let Ok(file) = agent.settings(&host) else {
            continue;
        };
        let Ok((entries, repairs)) = judged(&agent, &file) else {
            continue;
        };
        if entries.is_empty() || (repairs.is_empty() && gone(&entries).is_none()) {
            continue;
        }
        let arguments = ChangeArguments {
            scope: SettingsScope::User,
            dry_run: false,
            yes,
            ..ChangeArguments::default()
        };
        let copy = || fix::bring_up_to_date(&installed, &our_hook()?);
        install_for(
            &agent,
            session,
            &arguments,
            &path_text(installed.path())?,
            copy,
        )?;
    }
    Ok(())
}

/// The entries of the hook in the agent's file, and what `install` would repair of them.
fn judged(
    there: &FoundAgent,
    file: &SettingsFile,
) -> Result<(Vec<RegisteredHook>, String), SettingsError> {
    let entries = file.apply(|text| inspect(there.agent, text))?.registrations;
    let right = entries.iter().find(|entry| entry.place_ok && entry.form_ok);
    let meant = right.or(entries.first());
    let install = |text: &str, entry: &RegisteredHook| install(there.agent, text, &entry.program);
    let edited = file.apply(|text| Edited::unchanged(text).with(meant, install))?;
    let repairs = edited.summary();
    Ok((entries, repairs))
}

/// The first program of `entries` that is not there.
fn gone(entries: &[RegisteredHook]) -> Option<&Path> {
    let mut programs = entries.iter().map(|entry| Path::new(&entry.program));
    programs.find(|program| program.is_absolute() && !is_executable(program))
}

fn check_one(there: &FoundAgent, file: &SettingsFile, found: &mut Findings) {
    let (facts, title) = (there.agent.facts(), there.agent.title());
    let again = format!("run `plantune install --agent {}`", there.agent.name());
    let (entries, repairs) = match judged(there, file) {
        Ok(judged) => judged,
        Err(error) => {
            found.failure(&error.into());
            return;
        }
    };
    if entries.is_empty() {
        found
            .note(format!("{title} doesn't call the hook"))
            .remedy(format!("to log its questions, {again}"));
        return;
    }
    if let Some(gone) = gone(&entries) {
        let message = format!("{title} calls {}, which doesn't exist", word(gone));
        found.failed(message).remedy(again);
        return;
    }
    if !repairs.is_empty() {
        let message = format!("{title}'s entry for the hook needs repair ({repairs})");
        found.warning(message).remedy(again);
    } else if there.agent.is_trusted(&there.folder, &file.path) == Some(false) {
        let message = format!("{title} has the hook in its settings but may not call it yet");
        let remedy = facts.to_be_done.unwrap_or_default();
        found.warning(message).remedy(remedy);
    } else {
        let tested = tested_version(there.agent.name()).unwrap_or("none");
        let message = format!("{title} calls the hook (tested with {tested})");
        found.ok(message);
    }
}

// Whether Claude Code can do what the hook asks of it.
/// The oldest Claude Code that can be used. Earlier ones skip the whole settings file if it names an event that they
/// don't know.
const OLDEST: &str = "2.1.101";

/// Asks the `claude` in `PATH` for its version.
pub(super) fn check_claude_code(_: &Seen<'_>, found: &mut Findings) {
    let Some(claude) = in_path("claude") else {
        found.note("`claude` is not in your PATH, so its version is unknown");
        return;
    };
    let command = format!("{} --version", word(&claude));
    match run(Command::new(&claude).arg("--version"), b"", LIMIT) {
        Ok(ended) => judge(&String::from_utf8_lossy(&ended.stdout), &command, found),
        Err(trouble) => {
            found
                .warning(format!("`{command}` {}", words(&trouble)))
                .remedy("run it to see why");
        }
    }
}

fn judge(printed: &str, command: &str, found: &mut Findings) {
    match version(printed) {
        None => {
            found
                .warning(format!("`{command}` prints no version"))
                .remedy("run it to see what it says");
        }
        Some(version) if numbers(version) < numbers(OLDEST) => {
            let message = format!("version {version} is too old; plantune needs {OLDEST} or newer");
            found.failed(message).remedy("run `claude update`");
        }
        Some(version) => {
            let tested = tested_version(ClaudeCode.name()).unwrap_or("none");
            let message =
                format!("version {version} ({OLDEST} or newer is needed; tested with {tested})");
            found.ok(message);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verbs::doctor::Status;

    #[test]
    fn versions() {
        for (printed, status) in [
            ("2.1.197 (Claude Code)\n", Status::Ok),
            ("2.1.101 (Claude Code)", Status::Ok),
            ("notice: update\nClaude Code v3.0.0-beta.1", Status::Ok),
            ("2.1.100 (Claude Code)", Status::Failed),
            ("1.9.200 (Claude Code)", Status::Failed),
            ("", Status::Warning),
            ("2.1 (Claude Code)", Status::Warning),
            ("\u{1b}[31mnot.a.version", Status::Warning),
        ] {
            let mut found = Findings::default();
            judge(printed, "claude --version", &mut found);
            assert_eq!(found.checks[0].status, status, "{printed}");
        }
    }
}
