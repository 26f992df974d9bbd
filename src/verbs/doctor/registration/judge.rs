//! What is wrong with the entries that were found.

#[cfg(test)]
mod tests;

use super::settings::{ScopeFile, Settings, Target, resolve};
use crate::claude_settings::editor::{Inspection, Registration, missing};
use crate::claude_settings::plugins::Plugin;
use crate::claude_settings::scope::SettingsScope;
use crate::programs::is_executable;
use crate::verbs::doctor::Seen;
use crate::verbs::doctor::check::{Findings, Status};

const NAME: &str = "registration";

/// The findings about our entries: one that all is well, or one for each thing that is not.
pub(in crate::verbs::doctor) fn check(seen: &Seen<'_>, found: &mut Findings) {
    judge(&seen.settings, found);
}

fn judge(settings: &Settings, found: &mut Findings) {
    for failure in &settings.unreadable {
        found.failure("settings", failure);
    }
    for file in settings.files.iter().filter(|file| file.hooks_off) {
        let name = &file.name;
        found
            .failed(
                NAME,
                format!("{name} switches all hooks off (disableAllHooks)"),
            )
            .remedy(format!("take `disableAllHooks` out of {name}"));
    }
    let files = settings.files.iter();
    let files: Vec<&ScopeFile> = files
        .filter(|file| !file.found.registrations.is_empty())
        .collect();
    let Some((first, others)) = files.split_first() else {
        return by_plugin_alone(settings, found);
    };
    let before = found.checks.len();
    absent(&files, first.scope, found);
    files.iter().for_each(|file| entries(file, found));
    for other in others {
        let both = format!("both {} and {}", first.name, other.name);
        let remedy = format!("run `plantune uninstall {}`", other.scope.argument());
        found
            .warning(NAME, both + " register the hook, so it runs twice")
            .remedy(remedy);
    }
    for plugin in &settings.plugins {
        beside(first, plugin, found);
    }
    other_versions(settings, found);
    if found.checks.len() == before {
        let events = events(first.found.registrations.iter()).join(", ");
        let message = format!("once for each event, in {}: {events}", first.name);
        found.ok(NAME, message);
    }
}

/// The findings where no settings name the hook: plugins may, and an unreadable file may as well.
fn by_plugin_alone(settings: &Settings, found: &mut Findings) {
    let Some((first, others)) = settings.plugins.split_first() else {
        if settings.unreadable.is_empty() {
            let message = "the hook is not registered in Claude Code's settings";
            found.failed(NAME, message).remedy("run `plantune install`");
        }
        return;
    };
    let (id, by) = (&first.id, &first.settings);
    for other in others {
        let both = format!("the plugins {id} and {}", other.id);
        found
            .warning(NAME, both + " register the hook, so it runs twice")
            .remedy(disable(other));
    }
    if others.is_empty() {
        found.ok(NAME, format!("by the plugin {id}, which {by} switches on"));
    }
    other_versions(settings, found);
}

/// Plugins of another version than this program: the log of either is read by both.
fn other_versions(settings: &Settings, found: &mut Findings) {
    let ours = env!("CARGO_PKG_VERSION");
    for Plugin { id, version, .. } in &settings.plugins {
        if let Some(theirs) = version.as_ref().filter(|theirs| *theirs != ours) {
            let message = format!("the plugin {id} is version {theirs}, this plantune is {ours}");
            let remedy = format!("run `claude plugin update {id}`, or update plantune");
            found.note(NAME, message).remedy(remedy);
        }
    }
}

/// A plugin beside the settings' own entries: what it starts keeps silent for every event that they have a good
/// entry for.
fn beside(file: &ScopeFile, plugin: &Plugin, found: &mut Findings) {
    let is_good = |entry: &Registration| {
        entry.form_ok
            && entry.place_ok
            && matches!(resolve(&entry.program), Target::At(path) if is_executable(&path))
    };
    let (status, acts) = match file.found.registrations.iter().all(is_good) {
        true => (
            Status::Note,
            "that of the settings acts, the plugin's keeps silent",
        ),
        false => (
            Status::Warning,
            "the plugin's acts where that of the settings is not as `plantune install` writes it",
        ),
    };
    let uninstall = match file.scope {
        SettingsScope::User => "plantune uninstall".to_owned(),
        other => format!("plantune uninstall {}", other.argument()),
    };
    let (name, id) = (&file.name, &plugin.id);
    let both = format!("both {name} and the plugin {id} register the hook");
    found
        .add(NAME, status, format!("{both}: {acts}"))
        .remedy(format!("to start one program less, {}", disable(plugin)))
        .remedy(format!("or, to keep the plugin's: `{uninstall}`"));
}

fn disable(plugin: &Plugin) -> String {
    format!("run `claude plugin disable {}`", plugin.id)
}

/// The events of `entries`, each once, in order.
fn events<'a>(entries: impl Iterator<Item = &'a Registration>) -> Vec<&'a str> {
    let mut names: Vec<&str> = Vec::new();
    for entry in entries {
        if !names.contains(&entry.event.as_str()) {
            names.push(&entry.event);
        }
    }
    names
}

fn install(scope: SettingsScope) -> String {
    match scope {
        SettingsScope::User => "run `plantune install`".to_owned(),
        other => format!("run `plantune install {}`", other.argument()),
    }
}

/// Events for which no scope has an entry that is called for what the hook needs.
fn absent(files: &[&ScopeFile], scope: SettingsScope, found: &mut Findings) {
    let registrations = files.iter().flat_map(|file| &file.found.registrations);
    let all = Inspection {
        registrations: registrations
            .filter(|entry| entry.place_ok)
            .cloned()
            .collect(),
        conflicting: Vec::new(),
    };
    let absent: Vec<&str> = missing(&all).collect();
    if absent.is_empty() {
        return;
    }
    let message = format!("the hook is not registered for {}", absent.join(", "));
    // Questions work without these.
    let finding = match absent.iter().all(|event| event.starts_with("Permission")) {
        true => found.warning(NAME, message + ": prompts for permission are not logged"),
        false => found.failed(NAME, message),
    };
    finding.remedy(install(scope));
}

/// What is wrong with the entries of a file.
fn entries(file: &ScopeFile, found: &mut Findings) {
    let (name, install) = (&file.name, install(file.scope));
    let mut programs: Vec<&str> = file
        .found
        .registrations
        .iter()
        .map(|entry| &*entry.program)
        .collect();
    programs.sort_unstable();
    programs.dedup();
    for program in programs {
        if let Some(fact) = program_fault(program) {
            found
                .failed(NAME, format!("{name} names {program}, {fact}"))
                .remedy(&install);
        }
    }
    if !file.repairs.is_empty() {
        let fact = "are not as plantune registers it, and may run late, twice or in vain";
        found
            .warning(
                NAME,
                format!("entries of the hook in {name} {fact} ({})", file.repairs),
            )
            .remedy(&install);
    }
}

/// Why `program` cannot be run, as far as that can be known.
fn program_fault(program: &str) -> Option<&'static str> {
    match resolve(program) {
        Target::At(path) if is_executable(&path) => None,
        Target::Unknown => None,
        Target::At(path) if path.exists() => Some("which may not be run"),
        Target::At(_) => Some("where there is no program"),
        Target::NotInPath => Some("which is not in your PATH"),
    }
}
