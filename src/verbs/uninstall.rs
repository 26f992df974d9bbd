//! `plantune uninstall`: takes the hook out of Claude Code's settings.

use clap::Args;

use crate::claude_settings::editor;
use crate::claude_settings::file::{ChangeArguments, Record, SettingsFile, lock};
use crate::claude_settings::guard;
use crate::failure::Failure;
use crate::terminal;
use crate::workspace::Workspace;

/// Take the hook out of Claude Code's settings
///
/// Removes plantune's entries, the rules that `--guard` added, and nothing else, after showing the change and asking. A file that
/// `install` made and nobody touched since is removed. Data and preferences stay.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    change: ChangeArguments,
}

/// Takes the hook out.
///
/// # Errors
/// Conflict when the settings cannot be edited safely; refused where the person cannot be asked.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let _lock = if arguments.change.dry_run {
        None
    } else {
        Some(lock(workspace)?)
    };
    let file = SettingsFile::open(workspace, arguments.change.scope)?;
    let conflict = |problem| file.conflict(&problem);
    let rules = rules(arguments, workspace, &file)?;
    let edited = editor::uninstall(file.text()).map_err(conflict)?;
    let edited = if rules.is_empty() {
        edited
    } else {
        let unruled = editor::rule(&edited.text, &[], &rules).map_err(conflict)?;
        edited.and_then(unruled)
    };
    if edited.changes.is_empty() {
        let name = file.name();
        return terminal::print(&format!("not installed: {name} has no entry of plantune\n"));
    }
    let command_line = format!("plantune uninstall {}", arguments.change.scope.argument());
    let after = origin(&file, &rules).unwrap_or_else(|| Some(edited.text.clone()));
    let (to, record) = (after.as_deref(), Record::Change { rules: Vec::new() });
    if file.change(workspace, &arguments.change, &command_line, to, &record)? {
        let changes = match after {
            Some(_) => terminal::harmless(&edited.summary()),
            None => "the file is removed, as nothing else was in it".to_owned(),
        };
        terminal::print(&format!("uninstalled from {}: {changes}\n", file.name()))?;
    }
    Ok(())
}

/// The permission rules that are plantune's: those on record. Where nothing is on record (another
/// machine, a removed data folder), those that `--guard` would add here.
fn rules(
    arguments: &Arguments,
    workspace: &Workspace,
    file: &SettingsFile,
) -> Result<Vec<String>, Failure> {
    match file.journal(workspace)?.rules() {
        Some(rules) => Ok(rules.to_vec()),
        None => {
            // A folder that no rule can name has none, and rules that cannot be read are not ours.
            let rules = guard::rules(workspace, arguments.change.scope).unwrap_or_default();
            Ok(editor::denied(file.text(), &rules).unwrap_or_default())
        }
    }
}

/// What the file was before `install`, when it has not changed since: a backup, or (`Some(None)`)
/// no file at all. Taking the entries out gives the same settings, but cannot distinguish two texts
/// apart that install to the same bytes.
fn origin(file: &SettingsFile, rules: &[String]) -> Option<Option<String>> {
    let is_origin = |text: &str| {
        editor::is_origin(text, file.text()) || editor::is_origin_with(text, file.text(), rules)
    };
    match file.backed_up().find(|text| is_origin(text)) {
        Some(text) => Some(Some(text)),
        None => is_origin("").then_some(None),
    }
}
