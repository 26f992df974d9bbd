//! What the settings that count here say about questions.

use std::path::{Path, PathBuf};

use plantune_reports::text::cut;
use serde_json::Value;

use crate::claude_settings::editor::{self, Change, Inspection, Matcher, Problem, Registration};
use crate::claude_settings::file::SettingsFile;
use crate::claude_settings::plugins::{self, Plugin};
use crate::claude_settings::scope::SettingsScope;
use crate::failure::Failure;
use crate::programs::{binary, in_path};
use crate::verbs::doctor::Seen;
use crate::verbs::doctor::check::Findings;
use crate::workspace::Workspace;

/// The variables by which plantune finds its folders.
const ROOT_VARIABLES: [&str; 4] = ["PLANTUNE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "HOME"];

/// Everything the settings say about questions.
#[derive(Debug, Default)]
pub(in crate::verbs::doctor) struct Settings {
    pub(super) files: Vec<ScopeFile>,
    pub(super) unreadable: Vec<Failure>,
    /// The plugins that register the hook too.
    pub(super) plugins: Vec<Plugin>,
}

/// The settings of one scope.
#[derive(Debug)]
pub(super) struct ScopeFile {
    pub(super) scope: SettingsScope,
    /// The path, sanitized for a terminal.
    pub(super) name: String,
    /// True when it switches all hooks off.
    pub(super) hooks_off: bool,
    /// The variables it sets that move plantune's folders.
    pub(super) roots: Vec<&'static str>,
    pub(super) found: Inspection,
    /// What `install` would repair: `update PreToolUse, remove Stop`.
    pub(super) repairs: String,
}

/// What `install` would repair of the entries in `text`, which are `found` there. What is missing may be in other settings.
pub(super) fn repairs(text: &str, found: &Inspection) -> Result<String, Problem> {
    let entries = &found.registrations;
    // One that is right says best which program is meant.
    let is_right = |entry: &&Registration| entry.place_ok && entry.form_ok;
    let Some(meant) = entries.iter().find(is_right).or(entries.first()) else {
        return Ok(String::new());
    };
    let mut edited = editor::install(text, &meant.program)?;
    let adds =
        |change: &Change| matches!(change, Change::Words(words) if words.starts_with("add "));
    edited.changes.retain(|change| !adds(change));
    Ok(edited.summary())
}

/// Reads the settings that count in the current folder.
pub(in crate::verbs::doctor) fn read(workspace: &Workspace) -> Settings {
    let opened = SettingsScope::ALL.map(|scope| SettingsFile::open(workspace, scope));
    let mut settings = Settings {
        plugins: plugins::ours_in(opened.iter().flatten()),
        ..Settings::default()
    };
    for file in opened {
        match file.and_then(|file| read_scope(&file)) {
            Ok(file) => settings.files.push(file),
            // In the home folder the project's settings are the user's, which were read.
            Err(failure) if failure.exit_code() == 2 => {}
            Err(failure) => settings.unreadable.push(failure),
        }
    }
    settings
}

fn read_scope(file: &SettingsFile) -> Result<ScopeFile, Failure> {
    let found = editor::inspect(file.text()).map_err(|problem| file.conflict(&problem))?;
    let repairs = repairs(file.text(), &found).map_err(|problem| file.conflict(&problem))?;
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
pub(super) fn switches_hooks_off(settings: &Value) -> bool {
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
pub(super) enum Target {
    /// At this absolute path; whether anything is there is another question.
    At(PathBuf),
    /// A bare name that `PATH` does not lead to.
    NotInPath,
    /// Depends on a shell or on a folder.
    Unknown,
}

pub(super) fn resolve(program: &str) -> Target {
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
    let name = if path.extension().is_some() {
        program.into()
    } else {
        binary(program)
    };
    in_path(name).map_or(Target::NotInPath, Target::At)
}

/// Other hooks that are called for questions; of several that answer, one wins by chance.
pub(in crate::verbs::doctor) fn conflicting_hooks(seen: &Seen<'_>, found: &mut Findings) {
    const NAME: &str = "other_hooks";
    let mut messages = Vec::new();
    for file in &seen.settings.files {
        for hook in &file.found.conflicting {
            let command = hook.command.as_deref();
            let command = command.map(|command| format!("`{}`", cut(command, 120)));
            let command = command.unwrap_or_else(|| "a hook that is no command".to_owned());
            let matcher = matcher_words(&hook.matcher);
            let message = format!("{command} in {} is called for {matcher} too", file.name);
            if !messages.contains(&message) {
                messages.push(message);
            }
        }
    }
    for message in &messages {
        found.warning(NAME, message).remedy(
            "if it answers questions: of several hooks that answer, the last to finish wins; \
             take it out, or narrow its matcher",
        );
    }
    if messages.is_empty() && seen.settings.unreadable.is_empty() {
        found.ok(NAME, "no other hook is called for questions");
    }
}

fn matcher_words(matcher: &Matcher) -> String {
    match matcher {
        Matcher::All => "every tool".to_owned(),
        Matcher::Pattern(pattern) => format!("`{}`", cut(pattern, 60)),
        Matcher::Unknown => "a matcher that is no string".to_owned(),
    }
}
