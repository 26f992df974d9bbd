//! The hook's programs, and whether Claude Code and the other agents call them as they should.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use plantune_agents::claude_code::{ClaudeCode, NAME, is_only_logged};
use plantune_agents::{Agent as _, installed::tested_version};
use plantune_domain::paths::Paths;
use plantune_reports::doctor::DoctorFindings;
use plantune_reports::doctor::Status::{Failed, Note, Warning};
use plantune_reports::humanize::counted;
use plantune_reports::text::one_line;
use plantune_settings::agents::{
    self, FoundAgent, Plugin, claude_code_registration, numbers, plugins_in, version,
};
use plantune_settings::document::Edited;
use plantune_settings::file::{SettingsFile, SettingsScope, lock};
use plantune_settings::installed_hook::{InstalledHook, has_same_bytes, our_hook};
use plantune_settings::programs::{
    LIMIT, ProbeHome, alive, in_path, is_executable, is_planted_answer, run, words,
};
use plantune_settings::registration::{
    Inspection, Matcher, RegisteredHook, inspect, install as edit, missing,
};
use plantune_settings::{HOOK, Problem};
use serde_json::Value;

use super::{Seen, fail, word};
use crate::failure::{Failure, FailureClass};
use crate::session::Session;
use crate::settings_change::{copy_hook, host, scope_argument};
use crate::terminal;
use crate::verbs::install;

// What Claude Code's settings say about questions.

/// The version of this plantune, and of its hook.
const CURRENT: &str = env!("CARGO_PKG_VERSION");

/// The variables by which plantune finds its folders.
const ROOT_VARIABLES: [&str; 4] = ["PLANTUNE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "HOME"];

/// All that may call the hook for Claude Code.
#[derive(Debug, Default)]
pub(super) struct Callers {
    /// The settings that count in this folder.
    files: Vec<ScopeFile>,
    unreadable: Vec<Failure>,
    /// The plugins of plantune's that are on.
    plugins: Vec<Plugin>,
}

/// The settings of one scope.
#[derive(Debug)]
struct ScopeFile {
    scope: SettingsScope,
    /// The path, sanitized for a terminal.
    name: String,
    settings: Value,
    found: Inspection,
    /// What `install` would change: `update PreToolUse, remove Stop`.
    repairs: String,
}

impl Callers {
    /// Reads the settings that count in the current folder.
    pub(super) fn read(session: &Session) -> Self {
        let host = host(session);
        let opened = SettingsScope::ALL.map(|scope| SettingsFile::open(&host, scope));
        let mut callers = Self {
            plugins: plugins_in(opened.iter().flatten()),
            ..Self::default()
        };
        for file in opened {
            let read = file
                .and_then(|file| file.apply(|text| ScopeFile::read(file.scope, file.name(), text)));
            match read.map_err(Failure::from) {
                Ok(file) => callers.files.push(file),
                // In the home folder the project's settings are the user's, which were read.
                Err(failure) if failure.kind() == FailureClass::Usage => {}
                Err(failure) => callers.unreadable.push(failure),
            }
        }
        callers
    }

    /// The settings that register the hook.
    fn registered(&self) -> impl Iterator<Item = &ScopeFile> {
        let registers = |file: &&ScopeFile| !file.found.registrations.is_empty();
        self.files.iter().filter(registers)
    }

    /// True when the hook is registered anywhere.
    pub(super) fn is_any(&self) -> bool {
        !self.plugins.is_empty() || self.registered().next().is_some()
    }
}

impl ScopeFile {
    fn read(scope: SettingsScope, name: String, text: &str) -> Result<Self, Problem> {
        let registered = claude_code_registration(scope, text);
        let found = inspect(&plantune_agents::claude_code::REGISTRATION, text)?;
        let install = |text: &str, program: &str| edit(registered, text, program);
        let repairs = repairs(text, &found.registrations, install)?;
        let settings = serde_json::from_str(text.trim_start_matches('\u{feff}'));
        Ok(Self {
            scope,
            name,
            settings: settings.unwrap_or_default(),
            found,
            repairs,
        })
    }

    /// How to have it name the hook as it should.
    fn install(&self) -> String {
        match self.scope {
            SettingsScope::User => "run `plantune install`".to_owned(),
            other => format!("run `plantune install {}`", scope_argument(other)),
        }
    }
}

/// What `install` would change of `entries`, which are in the settings `text`.
fn repairs(
    text: &str,
    entries: &[RegisteredHook],
    install: impl FnOnce(&str, &str) -> Result<Edited, Problem>,
) -> Result<String, Problem> {
    // One that is right says best which program is meant.
    let right = entries.iter().find(|entry| entry.place_ok && entry.form_ok);
    match right.or(entries.first()) {
        Some(meant) => Ok(install(text, &meant.program)?.summary()),
        None => Ok(String::new()),
    }
}

/// Where a registered program is; `None` where `PATH` does not lead to it, or a shell or a folder decides that, as far as
/// one can tell.
fn resolve(program: &str) -> Option<PathBuf> {
    if !program.contains(['/', '\\']) {
        return in_path(program);
    }
    let path = PathBuf::from(program);
    let is_fixed = path.is_absolute() && (!program.contains(['$', '`', '%']) || path.exists());
    is_fixed.then_some(path)
}

/// The first program of `entries` that cannot be run, as far as that can be known, and why.
fn program_fault(entries: &[RegisteredHook]) -> Option<String> {
    entries.iter().find_map(|RegisteredHook { program, .. }| {
        let fault = match resolve(program) {
            Some(path) if is_executable(&path) => return None,
            Some(path) if path.exists() => "is not executable",
            Some(_) => "doesn't exist",
            None if program == HOOK => "is not in your PATH",
            None => return None,
        };
        Some(format!("{program}, which {fault}"))
    })
}

// Whether the hook works, and is the right one.

/// A hook binary and how it was found.
#[derive(Debug)]
pub(super) struct FoundHook {
    path: PathBuf,
    places: Vec<&'static str>,
    /// False for what only a project's settings name: an unknown repository must not get its program started by
    /// looking at it.
    may_start: bool,
}

const REGISTERED: &str = "registered";

/// A plugin that carries no hook starts plantune's copy.
const BY_PLUGIN: &str = "called by the plugin";

/// The binaries that there are, the registered ones first, each once.
pub(super) fn hooks(callers: &Callers, session: &Session) -> Vec<FoundHook> {
    let copy = InstalledHook::of(&session.paths).path();
    let registered = callers.files.iter().flat_map(|file| {
        let entries = file.found.registrations.iter();
        let programs = entries.filter_map(|entry| resolve(&entry.program));
        programs.map(|path| (path, REGISTERED, file.scope == SettingsScope::User))
    });
    let plugins = callers.plugins.iter().map(|plugin| match &plugin.hook {
        Some(carried) => (carried.clone(), "in the plugin", true),
        None => (copy.clone(), BY_PLUGIN, true),
    });
    let ours = our_hook().ok();
    let ours = ours.map(|path| (path, "beside plantune", true));
    let mut found: Vec<FoundHook> = Vec::new();
    for (path, place, may_start) in registered.chain(plugins).chain(ours) {
        // A copy is the same hook: what one does, the other does.
        let same = |known: &&mut FoundHook| has_same_bytes(&known.path, &path);
        match found.iter_mut().find(same) {
            Some(known) => {
                known.may_start |= may_start;
                known.places.push(place);
                known.places.dedup();
            }
            None if path.is_file() => found.push(FoundHook {
                path,
                places: vec![place],
                may_start,
            }),
            None => {}
        }
    }
    found
}

/// Tries every hook binary that can be found.
pub(super) fn hook(seen: &Seen<'_>, found: &mut DoctorFindings) {
    if let Err(failure) = our_hook().map_err(Failure::from) {
        fail(found, &failure);
    }
    for hook in &seen.hooks {
        let name = format!("{} ({})", hook.path.display(), hook.places.join(", "));
        if !hook.may_start {
            let fact = "only this project's settings name it, so it wasn't tried";
            found.add(Note, format!("{name}: {fact}"));
        } else if let Err(fact) = tried(&hook.path) {
            let remedy = "install plantune again, then run `plantune doctor --fix`";
            found.add(Failed, format!("{name} {fact}")).remedy(remedy);
        } else {
            let does = "starts, stays silent when it should, and answers by a preference";
            found.ok(format!("{name}: {does}"));
        }
    }
}

/// Tries the hook at `path` in a home of its own.
///
/// # Errors
/// Its behaviour, in words that follow its name.
fn tried(path: &Path) -> Result<(), String> {
    let home = ProbeHome::new().map_err(|error| format!("cannot be tried: {error}"))?;
    alive(path, &home)?;
    let ended = run(&mut home.command(path), &home.planted_call(), LIMIT);
    let ended = ended.map_err(|trouble| words(&trouble))?;
    match ended.status.success() && is_planted_answer(&ended.stdout) {
        true => Ok(()),
        false => Err("doesn't answer a question as a preference says".to_owned()),
    }
}

/// Whether the hooks that Claude Code calls are plantune's own copy, of this release.
pub(super) fn release(seen: &Seen<'_>, found: &mut DoctorFindings) {
    const FIX: &str = "run `plantune doctor --fix`";
    // If there is none beside plantune, another check says so.
    let Ok(ours) = our_hook() else {
        return;
    };
    let copy = InstalledHook::of(&seen.session.paths).path();
    for FoundHook { path, places, .. } in seen.hooks.iter().filter(|hook| hook.may_start) {
        let shown = path.display();
        if !places.contains(&REGISTERED) && !places.contains(&BY_PLUGIN) {
            continue;
        } else if !has_same_bytes(&ours, path) {
            let message = format!("{shown} is not the hook of this plantune ({CURRENT})");
            found.add(Warning, message).remedy(FIX);
        } else if *path != copy {
            let message = format!("{shown} is registered instead of plantune's own copy");
            found.add(Note, message).remedy(FIX);
        } else {
            found.ok(format!("up to date ({CURRENT})"));
        }
    }
}

/// The homes of the installed hooks that are called, and whether this command has the same.
pub(super) fn homes(seen: &Seen<'_>, found: &mut DoctorFindings) {
    let (session, host) = (seen.session, host(seen.session));
    let files = seen.callers.files.iter();
    let by_claude_code = files.flat_map(|file| &file.found.registrations);
    let by_claude_code = by_claude_code.map(|entry| entry.program.clone());
    let by_agents = agents::found(host.variable).flat_map(|agent| agent.programs(&host));
    let programs = by_claude_code.chain(by_agents);
    let programs = programs.filter_map(|program| resolve(&program));
    let starts_the_copy = seen.callers.plugins.iter().any(Plugin::starts_the_copy);
    let copy = starts_the_copy.then(|| InstalledHook::of(&session.paths).path());
    let programs: BTreeSet<PathBuf> = programs.chain(copy).map(real).collect();
    for home in programs.iter().filter_map(|one| Paths::of_installed(one)) {
        let (of_hook, ours) = (in_words(&home), in_words(&session.paths));
        let folders = |home: &Paths| [home.data(), home.config()].map(|one| real(one.to_owned()));
        if folders(&home) == folders(&session.paths) {
            found.ok(format!("the hook uses {of_hook}; no variable changes that"));
            continue;
        }
        let message = format!("the hook uses {of_hook}, but this command uses {ours}");
        let variables = ROOT_VARIABLES.join(", ");
        found
            .add(Warning, message)
            .remedy(format!(
                "set {variables} as they were for `plantune install`"
            ))
            .remedy("or, for the hook to use this command's folders, run `plantune install`");
    }
}

/// `path` without links, as far as it is there.
fn real(path: PathBuf) -> PathBuf {
    fs::canonicalize(&path).unwrap_or(path)
}

/// The folders of a home, in words.
fn in_words(home: &Paths) -> String {
    match (home.data(), home.config()) {
        (data, config) if data == config => data.display().to_string(),
        (data, config) => format!("{} and {}", data.display(), config.display()),
    }
}

// Whether each event is registered once, and nobody else is called for questions.

/// The findings about our entries: one that all is well, or one for each thing that is not.
pub(super) fn registration(Seen { callers, .. }: &Seen<'_>, found: &mut DoctorFindings) {
    for failure in &callers.unreadable {
        fail(found, failure);
    }
    for file in &callers.files {
        judge_switches(file, found);
    }
    let files: Vec<&ScopeFile> = callers.registered().collect();
    let before = found.checks.len();
    files.iter().for_each(|file| judge_entries(file, found));
    let is_right = found.checks.len() == before;
    let Some(first) = files.first() else {
        for Plugin { id, settings, .. } in &callers.plugins {
            found.ok(format!("by the plugin {id}, which {settings} switches on"));
        }
        if callers.plugins.is_empty() && callers.unreadable.is_empty() {
            let message = "the hook is not registered in Claude Code's settings";
            found.add(Failed, message).remedy("run `plantune install`");
        }
        return;
    };
    let both = format!("both {} and", first.name);
    for other in files.iter().skip(1) {
        let message = format!("{both} {} register the hook, so it runs twice", other.name);
        let remedy = format!("run `plantune uninstall {}`", scope_argument(other.scope));
        found.add(Warning, message).remedy(remedy);
    }
    for Plugin { id, .. } in &callers.plugins {
        let acts = match is_right {
            true => "the one in the settings acts; the plugin's stays silent",
            false => "the plugin's acts, because the one in the settings was changed",
        };
        let message = format!("{both} the plugin {id} register the hook: {acts}");
        let remedy = format!("to start one program less, run `claude plugin disable {id}`");
        found.add(Note, message).remedy(remedy);
    }
    if found.checks.len() == before {
        let events = claude_code_registration(first.scope, "").events;
        let events: Vec<&str> = events.iter().map(|(event, _)| *event).collect();
        let events = events.join(", ");
        found.ok(format!("once for each event, in {}: {events}", first.name));
    }
}

/// What a file says that keeps the hook from being called, or from finding plantune's folders.
fn judge_switches(file: &ScopeFile, found: &mut DoctorFindings) {
    let (name, settings) = (&file.name, &file.settings);
    if settings.get("disableAllHooks") == Some(&true.into()) {
        let message = format!("{name} switches all hooks off (disableAllHooks)");
        let remedy = format!("remove `disableAllHooks` from {name}");
        found.add(Failed, message).remedy(remedy);
    }
    for variable in ROOT_VARIABLES {
        let is_set = settings.pointer(&format!("/env/{variable}")).is_some();
        if is_set && file.scope != SettingsScope::User {
            let message = format!("{name} sets {variable} for sessions here");
            let remedy = "remove it unless you put it there: a repository can bring no folders";
            found.add(Warning, message).remedy(remedy);
        }
    }
}

/// The faults of a file's entries.
fn judge_entries(file: &ScopeFile, found: &mut DoctorFindings) {
    let (name, entries) = (&file.name, &file.found.registrations);
    if let Some(fault) = program_fault(entries) {
        let message = format!("{name} names {fault}");
        found.add(Failed, message).remedy(file.install());
    }
    let mut called = file.found.clone();
    called.registrations.retain(|entry| entry.place_ok);
    let registered = claude_code_registration(file.scope, "");
    let absent: Vec<&str> = missing(registered, &called).collect();
    let message = format!("the hook is not registered for {}", absent.join(", "));
    let (status, message) = match absent.iter().all(|event| is_only_logged(event)) {
        // Questions work without these.
        true if !absent.is_empty() => (Warning, message + ", so that is not logged"),
        true if file.repairs.is_empty() => return,
        true => {
            let fact = "need repair, and may run late, twice or not at all";
            let message = format!("entries of the hook in {name} {fact} ({})", file.repairs);
            (Warning, message)
        }
        false => (Failed, message),
    };
    found.add(status, message).remedy(file.install());
}

/// Other hooks that are called for questions; of several that answer, one wins by chance.
pub(super) fn other_hooks(seen: &Seen<'_>, found: &mut DoctorFindings) {
    let before = found.checks.len();
    let withdrawn = seen.store.as_ref().map_or(0, |contents| contents.withdrawn);
    let lost = (withdrawn > 0).then(|| {
        let answers = counted(withdrawn, "answer", "answers");
        format!("{answers} of your preferences did not reach the agent, and you were asked, or nobody was")
    });
    for file in &seen.callers.files {
        for hook in &file.found.conflicting {
            let command = match &hook.command {
                Some(command) => format!("`{}`", one_line(command, 120)),
                None => "a hook that isn't a command".to_owned(),
            };
            let tools = match &hook.matcher {
                Matcher::Pattern(pattern) => format!("`{}`", one_line(pattern, 60)),
                Matcher::All | Matcher::Unknown => "every tool".to_owned(),
            };
            let message = format!("{command} in {} is called for {tools} too", file.name);
            let warning = found.add(Warning, message).remedy(
                "if it answers questions: of several hooks that answer, the last to finish wins; \
                 take it out, or narrow its matcher",
            );
            if let Some(lost) = &lost {
                warning.remedy(lost);
            }
        }
    }
    if found.checks.len() > before || !seen.callers.unreadable.is_empty() {
        return;
    }
    match lost {
        Some(lost) => {
            let why = "no other hook for questions is in the settings: a plugin may bring one, or a rule or mode of the \
                       agent shows the dialog all the same";
            found.add(Warning, lost).remedy(why);
        }
        None => found.ok("no other hook is called for questions"),
    }
}

// Whether Claude Code can do what the hook asks of it, and whether the other agents call it.

/// The oldest Claude Code that can be used. Earlier ones skip the whole settings file if it names an event that they
/// don't know.
const OLDEST: &str = "2.1.101";

/// Asks the `claude` in `PATH` for its version.
pub(super) fn claude_code(_: &Seen<'_>, found: &mut DoctorFindings) {
    let Some(claude) = in_path("claude") else {
        found.add(
            Note,
            "`claude` is not in your PATH, so its version is unknown",
        );
        return;
    };
    let ended = run(Command::new(&claude).arg("--version"), b"", LIMIT);
    let printed = ended.map(|ended| ended.stdout).unwrap_or_default();
    match version(&String::from_utf8_lossy(&printed)) {
        None => {
            let message = format!("`{} --version` prints no version", word(&claude));
            found.add(Warning, message).remedy("run it to see why");
        }
        Some(version) if numbers(version) < numbers(OLDEST) => {
            let message = format!("version {version} is too old; plantune needs {OLDEST} or newer");
            found.add(Failed, message).remedy("run `claude update`");
        }
        Some(version) => {
            let tested = tested_version(ClaudeCode.name()).unwrap_or("none");
            let needed = format!("{OLDEST} or newer is needed; tested with {tested}");
            found.ok(format!("version {version} ({needed})"));
        }
    }
}

/// A line for each agent that is there.
pub(super) fn agents(seen: &Seen<'_>, found: &mut DoctorFindings) {
    let host = host(seen.session);
    for there in agents::found(host.variable) {
        let file = there.settings(&host).map_err(Failure::from);
        if let Err(failure) = file.and_then(|file| judge_agent(&there, &file, found)) {
            let remedy = format!("{} may not call the hook", there.agent.title());
            fail(found, &failure).remedy(remedy);
        }
    }
}

fn judge_agent(
    there: &FoundAgent,
    file: &SettingsFile,
    found: &mut DoctorFindings,
) -> Result<(), Failure> {
    let (name, title) = (there.agent.name(), there.agent.title());
    let entries = file.apply(|text| agents::inspect(there.agent, text))?;
    let entries = entries.registrations;
    let install = |text: &str, program: &str| agents::install(there.agent, text, program);
    let repairs = file.apply(|text| repairs(text, &entries, install))?;
    let mut remedy = format!("run `plantune install --agent {name}`");
    let (status, message) = if entries.is_empty() {
        remedy = format!("to log its questions, {remedy}");
        (Note, format!("{title} doesn't call the hook"))
    } else if let Some(fault) = program_fault(&entries) {
        (Failed, format!("{title} calls {fault}"))
    } else if !repairs.is_empty() {
        let message = format!("{title}'s entry for the hook needs repair ({repairs})");
        (Warning, message)
    } else if there.agent.is_trusted(&there.folder, &file.path) == Some(false) {
        remedy = there
            .agent
            .facts()
            .to_be_done
            .unwrap_or_default()
            .to_owned();
        let message = format!("{title} has the hook in its settings but may not call it yet");
        (Warning, message)
    } else {
        let tested = tested_version(name).unwrap_or("none");
        found.ok(format!("{title} calls the hook (tested with {tested})"));
        return Ok(());
    };
    found.add(status, message).remedy(remedy);
    Ok(())
}

/// `--fix`: registers the hook of this plantune again wherever one is registered, and nowhere else.
///
/// # Errors
/// The errors of `plantune install`.
pub(super) fn fix(yes: bool, session: &Session) -> Result<(), Failure> {
    // What cannot be read, the checks name. Settings that are shared name no folder.
    let callers = Callers::read(session);
    let is_own = |file: &&ScopeFile| file.scope != SettingsScope::Project;
    for file in callers.registered().filter(is_own) {
        install::again(NAME, file.scope, yes, session)?;
    }
    if callers.plugins.iter().any(Plugin::starts_the_copy) {
        let _lock = lock(session.paths.data())?;
        let installed = InstalledHook::of(&session.paths);
        terminal::print(&copy_hook(&installed, &our_hook()?)?)?;
    }
    let host = host(session);
    for agent in agents::found(host.variable) {
        if !agent.programs(&host).is_empty() {
            install::again(agent.agent.name(), SettingsScope::User, yes, session)?;
        }
    }
    Ok(())
}
