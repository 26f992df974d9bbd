//! What is wrong with the entries that were found.

#[cfg(test)]
mod tests;

use super::settings::{ScopeFile, Settings, Target, matcher_words, resolve};
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

/// Events that no scope has an entry for.
fn absent(files: &[&ScopeFile], scope: SettingsScope, found: &mut Findings) {
    let registrations = files.iter().flat_map(|file| &file.found.registrations);
    let all = Inspection {
        registrations: registrations.cloned().collect(),
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

/// What is wrong with the entries of a file, each fault once.
fn entries(file: &ScopeFile, found: &mut Findings) {
    let (all, name) = (&file.found.registrations, &file.name);
    let needed: Vec<&str> = missing(&Inspection::default()).collect();
    let mut faults = Vec::new();
    for entry in all {
        let event = &entry.event;
        let same = || all.iter().filter(|other| other.event == *event);
        let fault = if let Some(fact) = program_fault(&entry.program) {
            (
                Status::Failed,
                format!("{name} names {}, {fact}", entry.program),
            )
        } else if !needed.contains(&&**event) {
            (
                Status::Warning,
                format!("{name} calls the hook for {event} in vain"),
            )
        } else if !entry.place_ok {
            let matcher = matcher_words(&entry.matcher);
            let message = format!("the entry for {event} in {name} is called for {matcher}");
            match same().any(|other| other.place_ok) {
                true => (Status::Warning, message),
                false => (Status::Failed, message + ", not for what the hook needs"),
            }
        } else if !entry.form_ok {
            let message = "may run late, seldom or through a shell";
            (
                Status::Warning,
                format!("the entry for {event} in {name} {message}"),
            )
        } else if same().count() > 1 {
            (
                Status::Warning,
                format!("{name} calls the hook twice for {event}"),
            )
        } else {
            continue;
        };
        if !faults.contains(&fault) {
            faults.push(fault);
        }
    }
    for (status, message) in faults {
        found.add(NAME, status, message).remedy(install(file.scope));
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
