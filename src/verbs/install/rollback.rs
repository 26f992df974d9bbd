//! `plantune install --rollback`: undoes the last change to an agent's settings.

use crate::agents;
use crate::claude_settings::file::{ChangeArguments, SettingsChange, SettingsFile};
use crate::failure::{Failure, Kind};
use crate::terminal;
use crate::workspace::Workspace;

/// Puts back, byte for byte, what the settings were before plantune's last change to them.
///
/// # Errors
/// Failed when there is no such change; conflict when somebody else changed the file since, or the
/// backup is gone; refused where the person cannot be asked.
pub(crate) fn run(
    arguments: &ChangeArguments,
    agent: Option<&str>,
    workspace: &Workspace,
) -> Result<(), Failure> {
    let (file, scope) = match agent {
        Some(name) => (
            agents::named(name)?.settings(workspace)?,
            format!("--agent {name}"),
        ),
        None => (
            SettingsFile::open(workspace, arguments.scope)?,
            arguments.scope.argument(),
        ),
    };
    let name = file.name();
    let journal = file.journal(workspace)?;
    let Some(last) = journal.last() else {
        return Err(Failure::failed(format!(
            "{name}: plantune has made no change here that is not rolled back already"
        ))
        .hint(format!(
            "`plantune uninstall {scope}` takes out what is plantune's"
        )));
    };
    let (at, what) = (
        terminal::sanitized(&last.at),
        terminal::sanitized(&last.command),
    );
    if !last.left(file.before.as_deref()) {
        let fact = format!("{name} was changed since `{what}` of {at}: a rollback would lose that");
        let failure = Failure::new(Kind::Conflict, fact).hint(format!(
            "`plantune uninstall {scope}` takes out what is plantune's and keeps the rest"
        ));
        return Err(match &last.backup {
            Some(backup) => {
                let backup = terminal::sanitized(&backup.display().to_string());
                failure.hint(format!("or copy back what was there before: {backup}"))
            }
            None => failure.hint("before that change there was no such file"),
        });
    }
    let before = last.before()?;
    let command = format!("plantune install --rollback {scope}");
    let sentence = match before {
        Some(_) => format!("{name} becomes what it was before `{what}` of {at}, byte for byte."),
        None => format!("{name} is removed: there was none before `{what}` of {at}."),
    };
    let change = SettingsChange {
        sentence: &sentence,
        command: &command,
        after: before.as_deref(),
        rules: None,
    };
    file.change(workspace, arguments, &change, || Ok(()))
        .map(drop)
}
