//! `plantune uninstall`: takes the hook out of the agents' settings.

use clap::Args;

use crate::agents;
use crate::claude_settings::editor::{self, Edited, List, OurRules};
use crate::claude_settings::file::{ChangeArguments, SettingsChange, SettingsFile, lock};
use crate::claude_settings::guard;
use crate::claude_settings::plugins;
use crate::claude_settings::scope::SettingsScope;
use crate::failure::{Failure, Kind};
use crate::installed_hook::{InstalledHook, users};
use crate::terminal::{self, consent};
use crate::workspace::Workspace;

/// Take the hook out of the agents' settings
///
/// Removes plantune's entries, the rules that `--guard` and `suggest --apply` added, and nothing else, after
/// showing each change and asking. A file that plantune made and nobody touched since is removed. With your own
/// settings the rules in those of your projects go too. The copy of the hook goes when no settings call it any
/// more. Data and preferences stay. A plugin of plantune's goes on: Claude Code itself takes that out.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    change: ChangeArguments,
}

/// Takes the hook out, and the rules that were accepted from `suggest`: with the person's own settings those of
/// every project.
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
    let mut found = take_out(arguments, workspace, &file)?;
    let mut add = |done: Result<bool, Failure>| match done {
        Ok(done) => {
            found |= done;
            Ok(())
        }
        Err(failure) if failure.kind() == Kind::Conflict => {
            let message = failure.message();
            terminal::say(&format!("note: {message}; it was left as it is\n"));
            Ok(())
        }
        Err(failure) => Err(failure),
    };
    if arguments.change.scope == SettingsScope::User {
        // Rules that were written into projects' settings.
        for other in SettingsFile::with_allowed(workspace) {
            add(other.and_then(|other| match other.path == file.path {
                true => Ok(false),
                false => take_out(arguments, workspace, &other),
            }))?;
        }
        for other in agents::found() {
            add(other.uninstall(workspace, &arguments.change))?;
        }
    }
    if !found {
        let name = file.name();
        terminal::print(&format!("not installed: {name} has no entry of plantune\n"))?;
    }
    remove_hook(arguments, workspace)?;
    terminal::print(&plugins(workspace))
}

/// Says when a plugin goes on all the same, and how to end that.
fn plugins(workspace: &Workspace) -> String {
    let line = |plugin: plugins::Plugin| {
        let id = plugin.id;
        format!(
            "note: the plugin {id} is on, and goes on logging and answering; `claude plugin uninstall {id}` ends \
             that, `claude plugin disable {id}` for a while\n"
        )
    };
    plugins::ours(workspace).into_iter().map(line).collect()
}

/// Removes the copies of the hook, unless somebody still calls them.
fn remove_hook(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let installed = InstalledHook::of(&workspace.paths);
    if arguments.change.dry_run || !installed.exists() {
        return Ok(());
    }
    let path = terminal::path(&installed.path());
    if let [first, others @ ..] = users::of(workspace, &installed).as_slice() {
        let more = match others.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        return terminal::print(&format!("kept {path}: {first}{more} still calls it\n"));
    }
    consent::may_change(workspace, arguments.change.yes, "plantune uninstall")?;
    let removed = installed.remove_all();
    removed.map_err(|error| Failure::failed(format!("{path} cannot be removed: {error}")))?;
    terminal::print(&format!(
        "removed {path}; sessions that are running go on without it, and ask you everything\n"
    ))
}

/// Takes what is plantune's out of one file; false when there is nothing.
fn take_out(
    arguments: &Arguments,
    workspace: &Workspace,
    file: &SettingsFile,
) -> Result<bool, Failure> {
    let conflict = |problem| file.conflict(&problem);
    let rules = rules(arguments, workspace, file)?;
    let edited = match file.allowing() {
        // A file of rules alone.
        List::Policies => Edited::unchanged(file.text()),
        _ => editor::uninstall(file.text()).map_err(conflict)?,
    };
    let edited = edited.with(Some(&rules), editor::without_rules);
    let edited = edited.map_err(conflict)?;
    if edited.changes.is_empty() {
        return Ok(false);
    }
    let command_line = format!("plantune uninstall {}", arguments.change.scope.argument());
    let after = file
        .origin(&rules)
        .unwrap_or_else(|| Some(edited.text.clone()).filter(|text| !text.is_empty()));
    let name = file.name();
    let sentence = match after {
        Some(_) => format!(
            "{} is taken out of {name} ({}); your data and preferences stay. `plantune install {}` puts it back.",
            what(&rules),
            terminal::sanitized(&edited.summary()),
            arguments.change.scope.argument()
        ),
        None => format!(
            "{name} is removed: nothing but plantune's hook was in it. Your data and preferences stay."
        ),
    };
    let change = SettingsChange {
        sentence: &sentence,
        command: &command_line,
        after: after.as_deref(),
        rules: Some(&OurRules::default()),
    };
    file.change(workspace, &arguments.change, &change, || Ok(()))?;
    Ok(true)
}

/// What is taken out.
fn what(rules: &OurRules) -> &'static str {
    match rules.allow.is_empty() && rules.deny.is_empty() {
        true => "plantune's hook",
        false => "what is plantune's, the permission rules that it added included,",
    }
}

/// The permission rules that are plantune's: those on record. Where nothing is on record (another
/// machine, a removed data folder), those that `--guard` would add here.
fn rules(
    arguments: &Arguments,
    workspace: &Workspace,
    file: &SettingsFile,
) -> Result<OurRules, Failure> {
    match file.journal(workspace)?.rules() {
        Some(rules) => Ok(rules),
        None => {
            // A folder that no rule can name has none, and rules that cannot be read are not ours.
            let rules = guard::rules(workspace, arguments.change.scope).unwrap_or_default();
            Ok(OurRules {
                deny: editor::denied(file.text(), &rules).unwrap_or_default(),
                ..OurRules::default()
            })
        }
    }
}
