//! `plantune doctor --fix`: has the registered hook be the one of this plantune, and reads the log again where that
//! helps.

use std::path::Path;

use plantune_agents::claude_code::REGISTRATION;
use plantune_query::Error;
use plantune_query::health::health;
use plantune_settings::agents::{Plugin, claude_code_registration, plugins};
use plantune_settings::document::Edited;
use plantune_settings::file::{SettingsFile, SettingsScope, lock};
use plantune_settings::installed_hook::{InstalledHook, our_hook, path_text};
use plantune_settings::ours::{
    StatusLineOwner, install_status_line, status_line_command, status_line_owner,
};
use plantune_settings::registration::{inspect, install};

use super::COMMAND;
use crate::failure::Failure;
use crate::refresh;
use crate::session::Session;
use crate::settings_change::{ChangeArguments, SettingsChange, copy_hook, host};
use crate::terminal;
use crate::terminal::consent;

/// Reads the log again where that may help, and says how many lines became events, and how many stay. A newer
/// plantune does so by itself when it knows more events than an older one did; this is for a segment of the log
/// that was repaired by hand.
///
/// # Errors
/// When the store cannot be written or the log not be read.
pub(super) fn read_log_again(_: bool, session: &Session) -> Result<(), Failure> {
    let helps = match health(&session.paths.store(), 0) {
        Ok(health) => health
            .contents
            .is_some_and(|contents| !contents.quarantine.is_empty()),
        Err(Error::Missing(_)) => false,
        Err(_) => true,
    };
    if !helps {
        return Ok(());
    }
    consent::may_change_log(session, COMMAND)?;
    let mut writer = refresh::open(session, session.zone()?)?;
    let before = writer
        .quarantined_lines()
        .map_err(|error| refresh::failure(session, &error))?;
    refresh::announce(session, writer.reason());
    writer.discard();
    let after = refresh::load(session, &mut writer)?.quarantined;
    terminal::print(&describe(before, after))
}

/// The outcome for the lines, in words. `before` is `None` if no store knew of them.
fn describe(before: Option<u64>, after: u64) -> String {
    let read = before.map_or(0, |before| before.saturating_sub(after));
    if after == 0 && read == 0 {
        return "the quarantine is empty\n".to_owned();
    }
    let left = if after == 0 {
        "no more are left\n".to_owned()
    } else {
        format!(
            "{after} {}; `plantune doctor --quarantine` shows them\n",
            if after == 1 { "stays" } else { "stay" }
        )
    };
    format!("lines taken out of quarantine: {read}\n{left}")
}

/// Brings the hook's copy up to date where somebody calls it, and what is registered in the person's own
/// settings. Registers nothing if nothing is.
///
/// # Errors
/// Refused in an agent's session and where the person cannot be asked; failed without a hook of this release.
pub(super) fn repair_hook(yes: bool, session: &Session) -> Result<(), Failure> {
    let _lock = lock(session.paths.data())?;
    let installed = InstalledHook::of(&session.paths);
    let (source, host) = (our_hook()?, host(session));
    let mut is_called = plugins(&host).iter().any(Plugin::starts_the_copy);
    for scope in [SettingsScope::User, SettingsScope::Local] {
        // What cannot be read, the checks name.
        let Ok(file) = SettingsFile::open(&host, scope) else {
            continue;
        };
        let Ok(Some(edited)) = repaired(&file, &installed) else {
            continue;
        };
        if edited.changes.is_empty() {
            is_called = true;
            continue;
        }
        let arguments = ChangeArguments {
            scope,
            dry_run: false,
            yes,
            ..ChangeArguments::default()
        };
        let rules = file.ours()?;
        let copy = || bring_up_to_date(&installed, &source);
        let sentence = format!(
            "This repairs plantune's entries in {} ({}), so that its hook is called again.",
            file.name(),
            terminal::sanitized(&edited.summary())
        );
        let change = SettingsChange {
            sentence: &sentence,
            command: COMMAND,
            after: Some(&edited.text),
            rules: Some(&rules),
        };
        is_called |= change.make(&file, session, &arguments, copy)?;
    }
    if is_called {
        bring_up_to_date(&installed, &source)?;
    }
    Ok(())
}

/// The settings of `file` with what they call of plantune's leading to the installed hook; `None` if they
/// call nothing.
fn repaired(file: &SettingsFile, installed: &InstalledHook) -> Result<Option<Edited>, Failure> {
    let found = file.apply(|text| inspect(&REGISTRATION, text))?;
    let command = path_text(installed.path())?;
    let owner = file.apply(status_line_owner)?;
    let has_line = matches!(owner, StatusLineOwner::Ours(_));
    let line = has_line.then(|| status_line_command(&command));
    let hook = (!found.registrations.is_empty()).then_some(&*command);
    let edited = file.apply(|text| {
        let registered = claude_code_registration(file.scope, text);
        Edited::unchanged(text)
            .with(hook, |text, command| install(registered, text, command))?
            .with(line.as_deref(), install_status_line)
    })?;
    Ok((line.is_some() || hook.is_some()).then_some(edited))
}

/// Copies the hook where it is not copied yet, and says so.
pub(super) fn bring_up_to_date(installed: &InstalledHook, source: &Path) -> Result<(), Failure> {
    terminal::print(&copy_hook(installed, source)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_read_and_left() {
        assert!(describe(Some(0), 0).starts_with("the quarantine is empty"));
        assert!(describe(None, 0).starts_with("the quarantine is empty"));
        assert_eq!(
            describe(Some(2), 0),
            "lines taken out of quarantine: 2\nno more are left\n"
        );
        assert!(describe(Some(13), 12).contains("\n12 stay; "));
        assert!(describe(None, 1).contains("\n1 stays; "));
    }
}
