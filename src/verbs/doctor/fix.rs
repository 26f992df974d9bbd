//! `plantune doctor --fix`: has the registered hook be the one of this plantune, where it stays.

use std::path::Path;

use crate::claude_settings::editor::{self, Edited, StatusLineOwner};
use crate::claude_settings::file::{ChangeArguments, SettingsChange, SettingsFile, lock};
use crate::claude_settings::hook_binary::{self, path_text};
use crate::claude_settings::plugins::{self, Plugin};
use crate::claude_settings::scope::SettingsScope;
use crate::failure::Failure;
use crate::installed_hook::{Copied, InstalledHook, status_line_command};
use crate::terminal::{self, consent};
use crate::workspace::Workspace;

/// Brings the hook's copy up to date where somebody calls it, and what is registered in the person's own
/// settings. Registers nothing where nothing is.
///
/// # Errors
/// Refused in an agent's session and where the person cannot be asked; failed without a hook of this release.
pub(super) fn run(yes: bool, workspace: &Workspace) -> Result<(), Failure> {
    const COMMAND: &str = "plantune doctor --fix";
    // What is copied is asked about only where settings change with it.
    consent::is_person(workspace, COMMAND)?;
    workspace.check_roots()?;
    let _lock = lock(workspace)?;
    let installed = InstalledHook::of(&workspace.paths);
    let source = hook_binary::ours()?;
    let plugins = plugins::ours(workspace);
    let mut is_called = plugins.iter().any(Plugin::starts_the_copy);
    for scope in [SettingsScope::User, SettingsScope::Local] {
        // What cannot be read, the checks name.
        let Ok(file) = SettingsFile::open(workspace, scope) else {
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
        };
        let rules = file.journal(workspace)?.rules().unwrap_or_default();
        let copy = || bring_up_to_date(workspace, &installed, &source);
        let sentence = format!(
            "plantune's entries in {} are repaired ({}), so that its hook is called again.",
            file.name(),
            terminal::sanitized(&edited.summary())
        );
        let change = SettingsChange {
            sentence: &sentence,
            command: COMMAND,
            after: Some(&edited.text),
            rules: Some(&rules),
        };
        is_called |= file.change(workspace, &arguments, &change, copy)?;
    }
    if is_called {
        bring_up_to_date(workspace, &installed, &source)?;
    }
    Ok(())
}

/// The settings of `file` with what they call of plantune's leading to the installed hook; `None` where they
/// call nothing.
fn repaired(file: &SettingsFile, installed: &InstalledHook) -> Result<Option<Edited>, Failure> {
    let conflict = |problem| file.conflict(&problem);
    let found = editor::inspect(file.text()).map_err(conflict)?;
    let command = path_text(installed.path())?;
    let owner = editor::status_line_owner(file.text()).map_err(conflict)?;
    let has_line = matches!(owner, StatusLineOwner::Ours(_));
    let line = has_line.then(|| status_line_command(&command));
    let hook = (!found.registrations.is_empty()).then_some(&*command);
    let edited = Edited::unchanged(file.text())
        .with(hook, editor::install)
        .and_then(|edited| edited.with(line.as_deref(), editor::install_status_line))
        .map_err(conflict)?;
    Ok((line.is_some() || hook.is_some()).then_some(edited))
}

/// Copies the hook where it is not copied yet, and says so.
fn bring_up_to_date(
    workspace: &Workspace,
    installed: &InstalledHook,
    source: &Path,
) -> Result<(), Failure> {
    let copied = installed.bring_up_to_date(source, workspace.now)?;
    if copied != Copied::Nothing {
        terminal::print(&installed.report(&copied))?;
    }
    installed
        .remove_old(workspace.now)
        .map(drop)
        .map_err(|error| Failure::failed(format!("an old copy of the hook stays: {error}")))
}
