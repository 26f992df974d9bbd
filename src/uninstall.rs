//! `plantune uninstall`: takes the hook out of Claude Code's settings.

use clap::Args;

use crate::context::Context;
use crate::failure::Failure;
use crate::settings;
use crate::settings_file::{ChangeArguments, SettingsFile, lock};
use crate::terminal;

/// Take the hook out of Claude Code's settings
///
/// Removes plantune's entries and nothing else, after showing the change and asking. A file that
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
pub(crate) fn run(arguments: &Arguments, context: &Context) -> Result<(), Failure> {
    let _lock = if arguments.change.dry_run {
        None
    } else {
        Some(lock(context)?)
    };
    let file = SettingsFile::open(context, arguments.change.scope)?;
    let edited = settings::uninstall(file.text()).map_err(|problem| file.conflict(&problem))?;
    if edited.changes.is_empty() {
        let name = file.name();
        return terminal::print(&format!("not installed: {name} has no entry of plantune\n"));
    }
    let command_line = format!("plantune uninstall {}", arguments.change.scope.words());
    let after = origin(&file).unwrap_or_else(|| Some(edited.text.clone()));
    if file.change(context, &arguments.change, &command_line, after.as_deref())? {
        let changes = match after {
            Some(_) => terminal::harmless(&edited.summary()),
            None => "the file is removed, as nothing else was in it".to_owned(),
        };
        terminal::print(&format!("uninstalled from {}: {changes}\n", file.name()))?;
    }
    Ok(())
}

/// What the file was before `install`, when it has not changed since: a backup, or (`Some(None)`)
/// no file at all. Taking the entries out gives the same settings, but cannot tell two texts
/// apart that install to the same bytes.
fn origin(file: &SettingsFile) -> Option<Option<String>> {
    let backup = file
        .backed_up()
        .find(|text| settings::is_origin(text, file.text()));
    match backup {
        Some(text) => Some(Some(text)),
        None => settings::is_origin("", file.text()).then_some(None),
    }
}
