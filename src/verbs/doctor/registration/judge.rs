//! What is wrong with the entries that were found.

#[cfg(test)]
mod tests;

use super::settings::{ScopeFile, Settings, Target, matcher_words, resolve};
use crate::claude_settings::editor::{Inspection, Registration, missing};
use crate::claude_settings::plugins::Plugin;
use crate::claude_settings::scope::SettingsScope;
use crate::programs::is_executable;
use crate::verbs::doctor::check::{Check, Status};

const NAME: &str = "registration";

/// The findings about our entries: one that all is well, or one for each thing that is not.
pub(in crate::verbs::doctor) fn check(settings: &Settings) -> Vec<Check> {
    let files = settings.files.iter();
    let files = files.filter(|file| !file.found.registrations.is_empty());
    let files: Vec<&ScopeFile> = files.collect();
    let mut checks = settings.unreadable.clone();
    let off = settings.files.iter().filter(|file| file.hooks_off);
    checks.extend(off.map(hooks_off));
    let before = checks.len();
    let Some(first) = files.first() else {
        checks.extend(by_plugin_alone(settings));
        return checks;
    };
    checks.extend(absent(&files, first.scope));
    for file in &files {
        checks.extend(entries(file));
    }
    checks.extend(files.iter().skip(1).map(|other| {
        let both = format!("both {} and {}", first.name, other.name);
        Check::warning(NAME, both + " register the hook, so it runs twice").remedy(format!(
            "run `plantune uninstall {}`",
            other.scope.argument()
        ))
    }));
    checks.extend(settings.plugins.iter().map(|plugin| beside(first, plugin)));
    checks.extend(settings.plugins.iter().filter_map(other_version));
    if checks.len() == before {
        let events = events(first.found.registrations.iter());
        let message = format!(
            "once for each event, in {}: {}",
            first.name,
            events.join(", ")
        );
        checks.push(Check::ok(NAME, message));
    }
    checks
}

/// The findings where no settings name the hook: plugins may, and an unreadable file may as well.
fn by_plugin_alone(settings: &Settings) -> Vec<Check> {
    let Some((first, others)) = settings.plugins.split_first() else {
        let check = Check::failed(NAME, "the hook is not registered in Claude Code's settings");
        let check = check.remedy("run `plantune install`");
        let unknown = !settings.unreadable.is_empty();
        return if unknown { Vec::new() } else { vec![check] };
    };
    let (id, by) = (&first.id, &first.settings);
    let twice = others.iter().map(|other| {
        let message = format!(
            "the plugins {id} and {} register the hook, so it runs twice",
            other.id
        );
        Check::warning(NAME, message).remedy(disable(other))
    });
    let mut checks: Vec<_> = twice.collect();
    if checks.is_empty() {
        let message = format!("by the plugin {id}, which {by} switches on");
        checks.push(Check::ok(NAME, message));
    }
    checks.extend(settings.plugins.iter().filter_map(other_version));
    checks
}

/// A plugin of another version than this program: the log of either is read by both.
fn other_version(plugin: &Plugin) -> Option<Check> {
    let ours = env!("CARGO_PKG_VERSION");
    let theirs = plugin.version.as_ref().filter(|theirs| *theirs != ours)?;
    let id = &plugin.id;
    let message = format!("the plugin {id} is version {theirs}, this plantune is {ours}");
    let remedy = format!("run `claude plugin update {id}`, or update plantune");
    Some(Check::note(NAME, message).remedy(remedy))
}

/// A plugin beside the settings' own entries: what it starts keeps silent for every event that they have a good
/// entry for.
fn beside(file: &ScopeFile, plugin: &Plugin) -> Check {
    let entries = &file.found.registrations;
    let is_good = |entry: &Registration| {
        let program = resolve(&entry.program);
        let runs = matches!(program, Target::At(path) if is_executable(&path));
        entry.form_ok && entry.place_ok && runs
    };
    let (name, id) = (&file.name, &plugin.id);
    let both = format!("both {name} and the plugin {id} register the hook");
    let (status, acts) = if entries.iter().all(is_good) {
        (
            Status::Note,
            "that of the settings acts, the plugin's keeps silent",
        )
    } else {
        (
            Status::Warning,
            "the plugin's acts where that of the settings is not as `plantune install` writes it",
        )
    };
    let uninstall = match file.scope {
        SettingsScope::User => "plantune uninstall".to_owned(),
        other => format!("plantune uninstall {}", other.argument()),
    };
    Check::new(NAME, status, format!("{both}: {acts}"))
        .remedy(format!("to start one program less, {}", disable(plugin)))
        .remedy(format!("or, to keep the plugin's: `{uninstall}`"))
}

fn disable(plugin: &Plugin) -> String {
    format!("run `claude plugin disable {}`", plugin.id)
}

fn hooks_off(file: &ScopeFile) -> Check {
    let message = format!("{} switches all hooks off (disableAllHooks)", file.name);
    Check::failed(NAME, message).remedy(format!("take `disableAllHooks` out of {}", file.name))
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
fn absent(files: &[&ScopeFile], scope: SettingsScope) -> Option<Check> {
    let all = Inspection {
        registrations: files
            .iter()
            .flat_map(|file| file.found.registrations.iter().cloned())
            .collect(),
        conflicting: Vec::new(),
    };
    let absent: Vec<&str> = missing(&all).collect();
    // An earlier plantune installed it, and questions work.
    let is_older = |event: &&str| event.starts_with("Permission");
    (!absent.is_empty()).then(|| {
        let message = format!("the hook is not registered for {}", absent.join(", "));
        let check = if absent.iter().all(is_older) {
            Check::warning(NAME, message + ": prompts for permission are not logged")
        } else {
            Check::failed(NAME, message)
        };
        check.remedy(install(scope))
    })
}

/// What is wrong with the entries of a file, each fault once.
fn entries(file: &ScopeFile) -> Vec<Check> {
    let all = &file.found.registrations;
    let needed: Vec<&str> = missing(&Inspection::default()).collect();
    let mut checks: Vec<Check> = Vec::new();
    for entry in all {
        let (name, event) = (&file.name, &entry.event);
        let same = || all.iter().filter(|other| other.event == *event);
        let check = if let Some(fact) = program_fault(&entry.program) {
            Check::failed(NAME, format!("{name} names {}, {fact}", entry.program))
        } else if !needed.contains(&&**event) {
            Check::warning(NAME, format!("{name} calls the hook for {event} in vain"))
        } else if !entry.place_ok {
            let matcher = matcher_words(&entry.matcher);
            let message = format!("the entry for {event} in {name} is called for {matcher}");
            match same().any(|other| other.place_ok) {
                true => Check::warning(NAME, message),
                false => Check::failed(NAME, message + ", not for what the hook needs"),
            }
        } else if !entry.form_ok {
            let message = "may run late, seldom or through a shell";
            Check::warning(NAME, format!("the entry for {event} in {name} {message}"))
        } else if same().count() > 1 {
            Check::warning(NAME, format!("{name} calls the hook twice for {event}"))
        } else {
            continue;
        };
        let check = check.remedy(install(file.scope));
        if !checks.contains(&check) {
            checks.push(check);
        }
    }
    checks
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
