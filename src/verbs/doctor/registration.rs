//! Whether Claude Code calls the hook: once for each event, and nobody else for questions.

use std::path::{Path, PathBuf};

use plantune_agents::claude_code;
use plantune_reports::text::one_line;
use plantune_settings::agents::{Plugin, claude_code_registration, plugins_in};
use plantune_settings::document::EditChange;
use plantune_settings::file::{SettingsFile, SettingsScope};
use plantune_settings::programs::{in_path, is_executable};
use plantune_settings::registration::{
    self as hooks, Inspection, Matcher, RegisteredHook, inspect, missing,
};
use plantune_settings::{Problem, SettingsError};
use serde_json::Value;

use super::{Findings, Seen, Status};
use crate::failure::Failure;
use crate::session::Session;
use crate::settings_change::{host, scope_argument};

// What is wrong with the entries that were found.
/// The findings about our entries: one that all is well, or one for each thing that is not.
pub(in crate::verbs::doctor) fn check(seen: &Seen<'_>, found: &mut Findings) {
    judge(&seen.settings, found);
}

fn judge(settings: &Settings, found: &mut Findings) {
    for failure in &settings.unreadable {
        found.failure(failure);
    }
    for file in settings.files.iter().filter(|file| file.hooks_off) {
        let name = &file.name;
        found
            .failed(format!("{name} switches all hooks off (disableAllHooks)"))
            .remedy(format!("remove `disableAllHooks` from {name}"));
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
        let remedy = format!("run `plantune uninstall {}`", scope_argument(other.scope));
        found
            .warning(both + " register the hook, so it runs twice")
            .remedy(remedy);
    }
    for plugin in &settings.plugins {
        beside(first, plugin, found);
    }
    other_versions(settings, found);
    if found.checks.len() == before {
        let events = events(first.found.registrations.iter()).join(", ");
        let message = format!("once for each event, in {}: {events}", first.name);
        found.ok(message);
    }
}

/// The findings where no settings name the hook: plugins may, and an unreadable file may as well.
fn by_plugin_alone(settings: &Settings, found: &mut Findings) {
    let Some((first, others)) = settings.plugins.split_first() else {
        if settings.unreadable.is_empty() {
            let message = "the hook is not registered in Claude Code's settings";
            found.failed(message).remedy("run `plantune install`");
        }
        return;
    };
    let (id, by) = (&first.id, &first.settings);
    for other in others {
        let both = format!("the plugins {id} and {}", other.id);
        found
            .warning(both + " register the hook, so it runs twice")
            .remedy(disable(other));
    }
    if others.is_empty() {
        found.ok(format!("by the plugin {id}, which {by} switches on"));
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
            found.note(message).remedy(remedy);
        }
    }
}

/// A plugin beside the settings' own entries: what it starts keeps silent for every event that they have a good
/// entry for.
fn beside(file: &ScopeFile, plugin: &Plugin, found: &mut Findings) {
    let is_good = |entry: &RegisteredHook| {
        entry.form_ok
            && entry.place_ok
            && matches!(resolve(&entry.program), Target::At(path) if is_executable(&path))
    };
    let (status, acts) = match file.found.registrations.iter().all(is_good) {
        true => (
            Status::Note,
            "the one in the settings acts; the plugin's stays silent",
        ),
        false => (
            Status::Warning,
            "the plugin's acts, because the one in the settings was changed",
        ),
    };
    let uninstall = match file.scope {
        SettingsScope::User => "plantune uninstall".to_owned(),
        other => format!("plantune uninstall {}", scope_argument(other)),
    };
    let (name, id) = (&file.name, &plugin.id);
    let both = format!("both {name} and the plugin {id} register the hook");
    found
        .add(status, format!("{both}: {acts}"))
        .remedy(format!("to start one program less, {}", disable(plugin)))
        .remedy(format!("or, to keep the plugin's: `{uninstall}`"));
}

fn disable(plugin: &Plugin) -> String {
    format!("run `claude plugin disable {}`", plugin.id)
}

/// The events of `entries`, each once, in order.
fn events<'a>(entries: impl Iterator<Item = &'a RegisteredHook>) -> Vec<&'a str> {
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
        other => format!("run `plantune install {}`", scope_argument(other)),
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
    let absent: Vec<&str> = missing(claude_code_registration(scope, ""), &all).collect();
    if absent.is_empty() {
        return;
    }
    let message = format!("the hook is not registered for {}", absent.join(", "));
    // Questions work without these.
    let finding = match absent
        .iter()
        .all(|event| claude_code::is_only_logged(event))
    {
        true => found.warning(message + ", so that is not logged"),
        false => found.failed(message),
    };
    finding.remedy(install(scope));
}

/// The faults of a file's entries.
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
                .failed(format!("{name} names {program}, {fact}"))
                .remedy(&install);
        }
    }
    if !file.repairs.is_empty() {
        let fact = "need repair, and may run late, twice or not at all";
        found
            .warning(format!(
                "entries of the hook in {name} {fact} ({})",
                file.repairs
            ))
            .remedy(&install);
    }
}

/// Why `program` cannot be run, as far as that can be known.
fn program_fault(program: &str) -> Option<&'static str> {
    match resolve(program) {
        Target::At(path) if is_executable(&path) => None,
        Target::Unknown => None,
        Target::At(path) if path.exists() => Some("which is not executable"),
        Target::At(_) => Some("which doesn't exist"),
        Target::NotInPath => Some("which is not in your PATH"),
    }
}

// What the settings that count here say about questions.

/// The variables by which plantune finds its folders.
const ROOT_VARIABLES: [&str; 4] = ["PLANTUNE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "HOME"];

/// Everything the settings say about questions.
#[derive(Debug, Default)]
pub(in crate::verbs::doctor) struct Settings {
    files: Vec<ScopeFile>,
    unreadable: Vec<Failure>,
    /// The plugins that register the hook too.
    plugins: Vec<Plugin>,
}

/// The settings of one scope.
#[derive(Debug)]
struct ScopeFile {
    scope: SettingsScope,
    /// The path, sanitized for a terminal.
    name: String,
    /// True when it switches all hooks off.
    hooks_off: bool,
    /// The variables it sets that move plantune's folders.
    roots: Vec<&'static str>,
    found: Inspection,
    /// The repairs that `install` would make: `update PreToolUse, remove Stop`.
    repairs: String,
}

/// The repairs that `install` would make to the entries in `text`, which are `found` there. What is missing may be in
/// other settings.
fn repairs(scope: SettingsScope, text: &str, found: &Inspection) -> Result<String, Problem> {
    let entries = &found.registrations;
    // One that is right says best which program is meant.
    let is_right = |entry: &&RegisteredHook| entry.place_ok && entry.form_ok;
    let Some(meant) = entries.iter().find(is_right).or(entries.first()) else {
        return Ok(String::new());
    };
    let registered = claude_code_registration(scope, text);
    let mut edited = hooks::install(registered, text, &meant.program)?;
    edited
        .changes
        .retain(|change| !matches!(change, EditChange::Part("add", _)));
    Ok(edited.summary())
}

/// Reads the settings that count in the current folder.
pub(in crate::verbs::doctor) fn read(session: &Session) -> Settings {
    let opened = SettingsScope::ALL.map(|scope| SettingsFile::open(&host(session), scope));
    let mut settings = Settings {
        plugins: plugins_in(opened.iter().flatten()),
        ..Settings::default()
    };
    for file in opened {
        match file.and_then(|file| read_scope(&file)) {
            Ok(file) => settings.files.push(file),
            // In the home folder the project's settings are the user's, which were read.
            Err(SettingsError::AreUsers) => {}
            Err(error) => settings.unreadable.push(error.into()),
        }
    }
    settings
}

fn read_scope(file: &SettingsFile) -> Result<ScopeFile, SettingsError> {
    let found = file.apply(|text| inspect(&claude_code::REGISTRATION, text))?;
    let repairs = file.apply(|text| repairs(file.scope, text, &found))?;
    let text = file.text().trim_start_matches('\u{feff}');
    let settings: Value = serde_json::from_str(text).unwrap_or_default();
    let variables = settings.get("env");
    let is_set = |name: &&str| variables.is_some_and(|variables| variables.get(name).is_some());
    Ok(ScopeFile {
        scope: file.scope,
        name: file.name(),
        hooks_off: switches_hooks_off(&settings),
        roots: ROOT_VARIABLES.into_iter().filter(is_set).collect(),
        found,
        repairs,
    })
}

/// True for settings in which no hook is called.
fn switches_hooks_off(settings: &Value) -> bool {
    settings.get("disableAllHooks") == Some(&true.into())
}

impl Settings {
    /// True when the hook is registered anywhere.
    pub(in crate::verbs::doctor) fn any_registered(&self) -> bool {
        let in_settings = |file: &ScopeFile| !file.found.registrations.is_empty();
        !self.plugins.is_empty() || self.files.iter().any(in_settings)
    }

    /// The plugins of plantune's that are on.
    pub(in crate::verbs::doctor) fn plugins(&self) -> &[Plugin] {
        &self.plugins
    }

    /// The files of the project that move plantune's folders, each with the variable it sets.
    pub(in crate::verbs::doctor) fn project_roots(&self) -> impl Iterator<Item = (&str, &str)> {
        let of_project = |file: &&ScopeFile| file.scope != SettingsScope::User;
        let files = self.files.iter().filter(of_project);
        files.flat_map(|file| file.roots.iter().map(|name| (file.name.as_str(), *name)))
    }

    /// The programs that are registered, as far as they can be found, and whether the person's own
    /// settings name them.
    pub(in crate::verbs::doctor) fn programs(&self) -> impl Iterator<Item = (PathBuf, bool)> {
        self.files.iter().flat_map(|file| {
            let programs = file.found.registrations.iter();
            programs.filter_map(|entry| match resolve(&entry.program) {
                Target::At(path) => Some((path, file.scope == SettingsScope::User)),
                Target::NotInPath | Target::Unknown => None,
            })
        })
    }
}

/// Where a registered program is.
#[derive(Debug, PartialEq, Eq)]
enum Target {
    /// At this absolute path; whether anything is there is another question.
    At(PathBuf),
    /// A bare name that `PATH` does not lead to.
    NotInPath,
    /// Depends on a shell or on a folder.
    Unknown,
}

fn resolve(program: &str) -> Target {
    if program.starts_with('~') || program.contains(['$', '`', '%']) {
        return Target::Unknown;
    }
    let path = Path::new(program);
    if path.is_absolute() {
        return Target::At(path.to_owned());
    }
    if program.contains(['/', '\\']) {
        return Target::Unknown;
    }
    in_path(program).map_or(Target::NotInPath, Target::At)
}

/// Other hooks that are called for questions; of several that answer, one wins by chance.
pub(in crate::verbs::doctor) fn conflicting_hooks(seen: &Seen<'_>, found: &mut Findings) {
    let mut messages = Vec::new();
    for file in &seen.settings.files {
        for hook in &file.found.conflicting {
            let command = hook.command.as_deref();
            let command = command.map(|command| format!("`{}`", one_line(command, 120)));
            let command = command.unwrap_or_else(|| "a hook that isn't a command".to_owned());
            let matcher = matcher_words(&hook.matcher);
            let message = format!("{command} in {} is called for {matcher} too", file.name);
            if !messages.contains(&message) {
                messages.push(message);
            }
        }
    }
    for message in &messages {
        found.warning(message).remedy(
            "if it answers questions: of several hooks that answer, the last to finish wins; \
             take it out, or narrow its matcher",
        );
    }
    if messages.is_empty() && seen.settings.unreadable.is_empty() {
        found.ok("no other hook is called for questions");
    }
}

fn matcher_words(matcher: &Matcher) -> String {
    match matcher {
        Matcher::All => "every tool".to_owned(),
        Matcher::Pattern(pattern) => format!("`{}`", one_line(pattern, 60)),
        Matcher::Unknown => "a matcher that isn't a string".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use crate::verbs::doctor::registration::{repairs, switches_hooks_off, *};
    use crate::verbs::doctor::{Finding, Status};

    fn file(scope: SettingsScope, text: &str) -> ScopeFile {
        let found = inspect(&claude_code::REGISTRATION, text).unwrap();
        ScopeFile {
            scope,
            name: format!("/{scope:?}.json"),
            hooks_off: switches_hooks_off(&serde_json::from_str(text).unwrap_or_default()),
            roots: Vec::new(),
            repairs: repairs(scope, text, &found).unwrap(),
            found,
        }
    }

    fn judged(files: Vec<ScopeFile>) -> Vec<Finding> {
        findings(&Settings {
            files,
            ..Settings::default()
        })
    }

    fn findings(settings: &Settings) -> Vec<Finding> {
        let mut found = Findings::of("registration");
        judge(settings, &mut found);
        found.checks
    }

    /// A program called as the hook, and the settings that `install` writes for it.
    fn installed() -> (tempfile::TempDir, String) {
        let folder = tempfile::tempdir().unwrap();
        let hook = folder.path().join("plantune-hook");
        std::os::unix::fs::symlink("/bin/true", &hook).unwrap();
        let text = hooks::install(
            claude_code::registration(None, ""),
            "",
            hook.to_str().unwrap(),
        )
        .unwrap()
        .text;
        (folder, text)
    }

    /// The one finding about a user's settings that are `installed` with `from` made `to`.
    fn only(from: &str, to: &str) -> Finding {
        let (_folder, text) = installed();
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text);
        let mut checks = judged(vec![file(SettingsScope::User, &changed)]);
        assert_eq!(checks.len(), 1, "{checks:?}");
        checks.remove(0)
    }

    #[test]
    fn as_installed() {
        let (_folder, text) = installed();
        let checks = judged(vec![
            file(SettingsScope::User, &text),
            file(SettingsScope::Local, "{}"),
        ]);
        assert_eq!(checks.len(), 1);
        assert_eq!(checks[0].status, Status::Ok, "{checks:?}");
    }

    #[test]
    fn nothing_registered() {
        let checks = judged(vec![file(SettingsScope::User, "")]);
        assert_eq!(checks[0].status, Status::Failed);
        assert_eq!(checks[0].remedy.as_deref(), Some("run `plantune install`"));
    }

    #[test]
    fn what_can_be_wrong_in_one_file() {
        for (from, to, status, words) in [
            (
                "PostToolUseFailure",
                "Elsewhere",
                Status::Failed,
                "not registered for",
            ),
            (
                "PermissionRequest",
                "Elsewhere",
                Status::Warning,
                "not registered for PermissionRequest, so that is not logged",
            ),
            (
                "\"timeout\": 5",
                "\"timeout\": 5, \"async\": true",
                Status::Warning,
                "may run late, twice or not at all (update PreToolUse)",
            ),
            (
                "(AskUserQuestion|mcp__.*__AskUserQuestion)",
                "Bash",
                Status::Failed,
                "the hook is not registered for PreToolUse",
            ),
            (
                "{",
                "{\"disableAllHooks\": true,",
                Status::Failed,
                "switches all hooks off",
            ),
        ] {
            let (_folder, text) = installed();
            let changed = text.replacen(from, to, 1);
            let checks = judged(vec![file(SettingsScope::User, &changed)]);
            let found = checks.iter().find(|check| check.message.contains(words));
            assert_eq!(found.map(|check| check.status), Some(status), "{checks:?}");
        }
        let late = only("\"args\": [],", "");
        assert_eq!(late.remedy.as_deref(), Some("run `plantune install`"));
    }

    #[test]
    fn a_program_that_is_gone() {
        let (folder, text) = installed();
        drop(folder);
        let checks = judged(vec![file(SettingsScope::Local, &text)]);
        assert_eq!(checks.len(), 1, "{checks:?}");
        assert!(checks[0].message.contains("which doesn't exist"));
        assert_eq!(
            checks[0].remedy.as_deref(),
            Some("run `plantune install --scope local`")
        );
    }

    #[test]
    fn by_a_plugin() {
        let (_folder, text) = installed();
        let plugin = |id: &str| Plugin {
            id: id.to_owned(),
            settings: "/user.json".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            hook: None,
        };
        let judged = |text: &str, plugins: &[&str]| {
            findings(&Settings {
                files: vec![file(SettingsScope::Local, text)],
                plugins: plugins.iter().map(|id| plugin(id)).collect(),
                ..Settings::default()
            })
        };
        let alone = judged("{}", &["plantune@a"]);
        assert_eq!((alone.len(), alone[0].status), (1, Status::Ok), "{alone:?}");
        let two = judged("{}", &["plantune@a", "plantune@b"]);
        assert_eq!((two.len(), two[0].status), (1, Status::Warning), "{two:?}");
        let both = judged(&text, &["plantune@a"]);
        assert_eq!((both.len(), both[0].status), (1, Status::Note), "{both:?}");
        assert!(
            both[0].message.ends_with("the plugin's stays silent"),
            "{both:?}"
        );
        let remedy = both[0].remedy.as_deref().unwrap();
        assert!(
            remedy.contains("claude plugin disable plantune@a"),
            "{remedy}"
        );
        assert!(
            remedy.contains("plantune uninstall --scope local"),
            "{remedy}"
        );
        let late = text.replacen("\"timeout\": 5", "\"timeout\": 5, \"async\": true", 1);
        let late = judged(&late, &["plantune@a"]);
        let (status, message) = (late[1].status, &late[1].message);
        assert_eq!(status, Status::Warning, "{late:?}");
        assert!(message.contains("the plugin's acts, because"), "{message}");
    }

    #[test]
    fn a_plugin_of_another_version_is_named() {
        let plugin = |version: &str| Plugin {
            id: "plantune@a".to_owned(),
            settings: "/user.json".to_owned(),
            version: Some(version.to_owned()),
            hook: None,
        };
        let judged = |version| {
            findings(&Settings {
                plugins: vec![plugin(version)],
                ..Settings::default()
            })
        };
        assert_eq!(judged(env!("CARGO_PKG_VERSION")).len(), 1);
        let found = judged("0.0.1").remove(1);
        assert_eq!(found.status, Status::Note);
        let message = &found.message;
        assert!(message.contains("is version 0.0.1, this"), "{message}");
    }

    #[test]
    fn two_at_once() {
        let (_folder, text) = installed();
        let checks = judged(vec![
            file(SettingsScope::User, &text),
            file(SettingsScope::Project, &text),
        ]);
        assert_eq!(checks.len(), 1, "{checks:?}");
        assert_eq!(checks[0].status, Status::Warning);
        assert_eq!(
            checks[0].remedy.as_deref(),
            Some("run `plantune uninstall --scope project`")
        );
        let double = text.replacen("\"SessionStart\": [", "\"SessionStart\": [GROUP,", 1);
        let start = text.split("\"SessionStart\": [").nth(1).unwrap();
        let group = start.split("\n    ]").next().unwrap();
        let checks = judged(vec![file(
            SettingsScope::User,
            &double.replace("GROUP", group),
        )]);
        assert_eq!(checks.len(), 1, "{checks:?}");
        assert!(checks[0].message.contains("(remove SessionStart)"));
    }
}
