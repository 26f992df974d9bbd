//! The agents as they are found on this machine: which Claude Code, and whether plantune is its plugin; and the others,
//! whose files get the hook and the guard.

use std::collections::BTreeMap;
use std::env::consts;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use plantune_agents::installed::{Guard, Lookup, Registration};
use plantune_agents::{Installed, OTHERS, claude_code};
use plantune_domain::sanitize::block as sanitized;
use serde::Deserialize;
use serde_json::Value;

use crate::document::{EditChange, Edited, RuleEffect};
use crate::file::{Host, SettingsFile, SettingsScope};
use crate::journal::OurRules;
use crate::programs::{LIMIT, in_path, is_executable, run};
use crate::registration::{Inspection, Matcher, RegisteredHook};
use crate::rules::{RuleList, add_guard, edit_rules, guard_rules, guarded_commands};
use crate::{HOOK, Problem, SettingsError, ours, registration};

// Claude Code: which events the installed client knows.

/// How the hook is registered in the `settings` of that scope, as the installed client knows its events. Shared settings
/// have only what every client knows.
pub fn claude_code_registration(scope: SettingsScope, settings: &str) -> &'static Registration {
    if scope == SettingsScope::Project {
        return claude_code::registration(None, "");
    }
    static VERSION: OnceLock<Option<Vec<u64>>> = OnceLock::new();
    let version = VERSION.get_or_init(client_version);
    claude_code::registration(version.as_deref(), settings)
}

/// The version of the `claude` in `PATH`; `None` without one, or if it does not say.
fn client_version() -> Option<Vec<u64>> {
    let claude = in_path("claude")?;
    let ended = run(Command::new(claude).arg("--version"), b"", LIMIT).ok()?;
    version(&String::from_utf8_lossy(&ended.stdout)).map(numbers)
}

/// The first word of the form `2.1.197`, without what follows the last number.
pub fn version(printed: &str) -> Option<&str> {
    printed.split_whitespace().find_map(|word| {
        let word = word.strip_prefix('v').unwrap_or(word);
        let end = word.find(|c: char| c != '.' && !c.is_ascii_digit());
        let numbers = word.get(..end.unwrap_or(word.len()))?;
        let is_version = numbers.split('.').count() == 3 && !numbers.split('.').any(str::is_empty);
        is_version.then_some(numbers)
    })
}

/// The numbers of a version, by which versions are compared.
pub fn numbers(version: &str) -> Vec<u64> {
    let parts = version.split('.');
    parts.map(|part| part.parse().unwrap_or(0)).collect()
}

// Plantune as a plugin.
//
// `enabledPlugins` in the settings maps `name@marketplace` to true or false, and the nearest
// settings decide: local, project, user. What is installed stands in `plugins/installed_plugins.json`
// of the configuration folder (both seen with 2.1.197 and 2.1.329).

/// The plugin's name, whatever marketplace it comes from.
const NAME: &str = "plantune";

/// A plugin of ours that is installed and switched on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plugin {
    /// `plantune@marketplace`, as Claude Code's commands take it; sanitized for a terminal.
    pub id: String,
    /// The settings file that switches it on, sanitized for a terminal.
    pub settings: String,
    /// The hook for this machine that it carries; none in the repository's own folder, which starts an
    /// installed one.
    pub hook: Option<PathBuf>,
}

impl Plugin {
    /// True if it starts plantune's copy of the hook.
    pub fn starts_the_copy(&self) -> bool {
        self.hook.is_none()
    }
}

#[derive(Deserialize)]
struct PluginSwitches {
    #[serde(default, rename = "enabledPlugins")]
    enabled: BTreeMap<String, Value>,
}

#[derive(Deserialize)]
struct InstalledPlugins {
    plugins: BTreeMap<String, Vec<Installation>>,
}

/// A plugin in one scope.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Installation {
    install_path: Option<PathBuf>,
}

impl Installation {
    /// The hook in it for this machine: the folders are those of `scripts/assemble_plugin.py`.
    fn hook(&self) -> Option<PathBuf> {
        let system = match consts::OS {
            "macos" => "darwin",
            other => other,
        };
        let processor = match consts::ARCH {
            "x86_64" => "x64",
            "aarch64" => "arm64",
            other => other,
        };
        let folder = self.install_path.as_ref()?.join("hooks");
        let hook = folder.join(format!("{system}-{processor}")).join(HOOK);
        is_executable(&hook).then_some(hook)
    }
}

/// Our plugins that are on in the current folder. A file that cannot be read adds none.
pub fn plugins(host: &Host<'_>) -> Vec<Plugin> {
    let files = SettingsScope::ALL.map(|scope| SettingsFile::open(host, scope));
    plugins_in(files.iter().flatten())
}

/// The plugins of ours that `files`, the settings of the current folder, switch on; the nearest file
/// is the last.
pub fn plugins_in<'a>(files: impl Iterator<Item = &'a SettingsFile>) -> Vec<Plugin> {
    let mut enabled: BTreeMap<String, Option<String>> = BTreeMap::new();
    let mut installed = None;
    for file in files {
        for (id, on) in switches(file.text()) {
            enabled.insert(id, on.then(|| file.name()));
        }
        if file.scope == SettingsScope::User {
            installed = file.path.parent().and_then(installed_in);
        }
    }
    let installed = installed.unwrap_or_default();
    let on = enabled.into_iter().filter_map(|(id, settings)| {
        let found = installed.get(&id)?;
        Some(Plugin {
            id: sanitized(&id),
            settings: settings?,
            hook: found.iter().find_map(Installation::hook),
        })
    });
    on.collect()
}

fn names_our_plugin(id: &str) -> bool {
    id.split_once('@').is_some_and(|(name, _)| name == NAME)
}

/// The plugins of ours that the settings `text` mention, and whether they switch them on.
fn switches(text: &str) -> Vec<(String, bool)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let enabled = serde_json::from_str::<PluginSwitches>(text).map(|settings| settings.enabled);
    let ours = enabled.unwrap_or_default().into_iter();
    ours.filter(|(id, _)| names_our_plugin(id))
        .map(|(id, value)| (id, value == Value::Bool(true)))
        .collect()
}

/// The plugins of ours that are installed below `folder`, Claude Code's configuration, scope by scope.
fn installed_in(folder: &Path) -> Option<BTreeMap<String, Vec<Installation>>> {
    let text = fs::read_to_string(folder.join("plugins/installed_plugins.json")).ok()?;
    let mut installed: InstalledPlugins = serde_json::from_str(&text).ok()?;
    installed.plugins.retain(|id, _| names_our_plugin(id));
    Some(installed.plugins)
}

// The agents beside Claude Code.

/// An agent that is there.
pub struct FoundAgent {
    /// What is known of it.
    pub agent: &'static dyn Installed,
    /// Where it keeps its configuration.
    pub folder: PathBuf,
}

/// The agent of that name, which must be there.
///
/// # Errors
/// When its folder is not there.
pub fn named(name: &str, variable: Lookup<'_>) -> Result<FoundAgent, SettingsError> {
    let agent = OTHERS.iter().find(|agent| agent.name() == name);
    let title = agent.map_or(name, |agent| agent.title());
    found(variable)
        .find(|found| found.agent.name() == name)
        .ok_or_else(|| SettingsError::NoAgent(title.to_owned()))
}

/// The agents whose folder is there.
pub fn found(variable: Lookup<'_>) -> impl Iterator<Item = FoundAgent> {
    let folder = move |agent: &'static dyn Installed| {
        let folder = agent.facts().folder.find(variable)?;
        folder.is_dir().then_some(FoundAgent { agent, folder })
    };
    OTHERS.iter().copied().filter_map(folder)
}

impl FoundAgent {
    /// Its file of hooks.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    pub fn settings(&self, host: &Host<'_>) -> Result<SettingsFile, SettingsError> {
        let path = self.folder.join(self.agent.facts().registration.file);
        SettingsFile::of_agent(host, std::path::absolute(path)?)
    }

    /// The file of its rules; `None` for an agent that has none.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    pub fn rules(&self, host: &Host<'_>) -> Result<Option<SettingsFile>, SettingsError> {
        let file = match self.agent.facts().guard {
            Guard::List(file) | Guard::Commands(file) | Guard::Own(file, _) => file,
            Guard::Nowhere => return Ok(None),
        };
        let path = std::path::absolute(self.folder.join(file))?;
        SettingsFile::of_agent(host, path).map(Some)
    }

    /// The hooks that it calls; none if its file cannot be read.
    pub fn programs(&self, host: &Host<'_>) -> Vec<String> {
        let file = self.settings(host).ok();
        let inspected = file.and_then(|file| inspect(self.agent, file.text()).ok());
        let entries = inspected
            .map(|found| found.registrations)
            .unwrap_or_default();
        entries.into_iter().map(|entry| entry.program).collect()
    }

    /// Removes the subfolder that was made for `file`, if it is empty now.
    pub fn remove_folder_of(&self, file: &SettingsFile) {
        let folder = file.path.parent();
        if let Some(folder) = folder.filter(|one| *one != self.folder && !file.path.exists()) {
            // One that holds anything else stays.
            let _ = fs::remove_dir(folder);
        }
    }

    /// The text of `file` before the hook was registered, when it has not changed since: a backup, or (`Some(None)`) no
    /// file at all.
    pub fn origin(&self, file: &SettingsFile) -> Option<Option<String>> {
        let found = inspect(self.agent, file.text()).ok()?;
        let program = &found.registrations.first()?.program;
        file.origin_where(|text| {
            let is_without_ours =
                inspect(self.agent, text).is_ok_and(|found| found.registrations.is_empty());
            let installed = install(self.agent, text, program);
            is_without_ours && installed.is_ok_and(|edited| edited.text == file.text())
        })
    }
}

// The guard of `plantune install --guard` in the rules of the agents beside Claude Code: what an agent may not do in its
// user's name. What their rules cannot name, plantune refuses by itself inside a session.

/// The rules that refuse, as in Claude Code.
const LIST: RuleList = RuleList::Permissions(RuleEffect::Deny);

/// The refused ones among OpenCode's commands.
const COMMANDS: RuleList = RuleList::Commands(RuleEffect::Deny);

/// How a file of plantune's own begins.
const MARK: &str = "# plantune's: ";

impl FoundAgent {
    /// The text of `file`, that of its rules, with the guard in it, and the rules of plantune's that it then has.
    ///
    /// # Errors
    /// When the file cannot be edited safely, or is somebody else's; when a folder cannot be named in a rule.
    pub fn guarded(
        &self,
        host: &Host<'_>,
        file: &SettingsFile,
    ) -> Result<(String, OurRules), SettingsError> {
        let mut ours = file.ours()?;
        let commands: Vec<String> = guarded_commands().collect();
        let (list, wanted) = match self.agent.facts().guard {
            Guard::List(_) => (LIST, guard_rules(host, SettingsScope::User)?),
            Guard::Commands(_) => (COMMANDS, commands),
            Guard::Own(_, text) if file.text().is_empty() || file.text().starts_with(MARK) => {
                return Ok((text(&commands), ours));
            }
            Guard::Own(..) => return Err(SettingsError::NotOurs(file.path.clone())),
            Guard::Nowhere => return Ok((String::new(), ours)),
        };
        let edited = file.apply(|text| add_guard(text, list, wanted, &mut ours))?;
        Ok((edited.text, ours))
    }

    /// The text of `file`, that of its rules, without the guard (`Some(None)`: no file); `None` when it has none. A file
    /// that is as it was left becomes what it was, byte for byte.
    ///
    /// # Errors
    /// When the file cannot be edited safely.
    pub fn unguarded(&self, file: &SettingsFile) -> Result<Option<Option<String>>, SettingsError> {
        let list = match self.agent.facts().guard {
            Guard::List(_) => LIST,
            Guard::Commands(_) => COMMANDS,
            Guard::Own(..) | Guard::Nowhere => {
                return Ok(file.text().starts_with(MARK).then_some(None));
            }
        };
        let deny = file.ours()?.deny;
        if deny.is_empty() {
            return Ok(None);
        }
        let edited = file.apply(|text| edit_rules(text, list, &[], &deny))?;
        let is_origin = |text: &str| {
            let guarded = edit_rules(text, list, &deny, &[]);
            guarded.is_ok_and(|guarded| guarded.text == file.text())
        };
        let rest = Some(edited.text).filter(|text| !text.is_empty());
        Ok(Some(file.origin_where(is_origin).unwrap_or(rest)))
    }
}

// The hook in an agent's file: entries among others in a file of hooks, or a plugin, which is a file of its own.

/// The placeholder for the hook's path in a plugin.
const PROGRAM: &str = "\"plantune-hook\"";

/// Registers the hook at `program` in the `text` of the file of `agent`.
///
/// # Errors
/// When the text cannot be edited safely, or is somebody else's.
pub fn install(agent: &dyn Installed, text: &str, program: &str) -> Result<Edited, Problem> {
    let Some(plugin) = agent.facts().plugin else {
        return registration::install(&agent.facts().registration, text, program);
    };
    let name = agent.facts().registration.file;
    let wanted = with_program(plugin, program);
    let changes = match text {
        _ if text == wanted => Vec::new(),
        "" => vec![EditChange::part("add", name)],
        _ if is_ours(plugin, text) => vec![EditChange::part("update", name)],
        _ => {
            let problem = Problem::at(text, 0, "this is not plantune's plugin");
            return Err(problem.remedy("move the file away, then run this again"));
        }
    };
    Ok(Edited {
        text: wanted,
        changes,
    })
}

/// Takes the hook out of the `text` of the file of `agent`; of a plugin of ours nothing is left.
///
/// # Errors
/// When the text cannot be edited safely.
pub fn uninstall(agent: &dyn Installed, text: &str) -> Result<Edited, Problem> {
    match agent.facts().plugin {
        None => ours::uninstall(text),
        Some(plugin) if is_ours(plugin, text) => Ok(Edited {
            text: String::new(),
            changes: vec![EditChange::part("remove", agent.facts().registration.file)],
        }),
        Some(_) => Ok(Edited::unchanged(text)),
    }
}

/// The registrations in the `text` of the file of `agent`.
///
/// # Errors
/// When the text is not understood.
pub fn inspect(agent: &dyn Installed, text: &str) -> Result<Inspection, Problem> {
    let Some(plugin) = agent.facts().plugin else {
        return registration::inspect(&agent.facts().registration, text);
    };
    let mut found = Inspection::default();
    if is_ours(plugin, text) {
        let program = program(plugin, text).unwrap_or_default();
        found.registrations.push(RegisteredHook {
            event: agent.facts().registration.file.to_owned(),
            form_ok: with_program(plugin, &program) == text,
            program,
            matcher: Matcher::All,
            place_ok: true,
        });
    }
    Ok(found)
}

fn with_program(plugin: &str, program: &str) -> String {
    plugin.replacen(PROGRAM, &Value::from(program).to_string(), 1)
}

/// True for what begins as our plugin does, of whatever release.
fn is_ours(plugin: &str, text: &str) -> bool {
    plugin.lines().next() == text.lines().next()
}

/// The program in the plugin `text`.
fn program(plugin: &str, text: &str) -> Option<String> {
    let (before, _) = plugin.split_once(PROGRAM)?;
    let start = before.lines().last()?;
    let mut lines = text.lines();
    let word = lines.find_map(|line| line.strip_prefix(start))?;
    serde_json::from_str(word).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ours_and_only_what_is_on() {
        let text = "\u{feff}{\"enabledPlugins\": {\"plantune@here\": true, \"other@here\": true, \
                    \"plantune@there\": false, \"plantune@odd\": 1, \"plantune\": true}}";
        let on = |id: &str, on| (id.to_owned(), on);
        let wanted = [
            on("plantune@here", true),
            on("plantune@odd", false),
            on("plantune@there", false),
        ];
        assert_eq!(switches(text), wanted);
        assert!(switches("{\"enabledPlugins\": 7}").is_empty());
        assert!(switches("").is_empty());
    }

    #[test]
    fn the_hook_is_that_of_the_installation() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().to_str().unwrap();
        let text = r#"{"version": 2, "plugins": {"other@a": [{"version": "1"}],
            "plantune@a": [{"scope": "user", "version": "0.1.0", "installPath": "ROOT"}],
            "plantune@b": [{}], "plantune@c": []}}"#;
        fs::create_dir(folder.path().join("plugins")).unwrap();
        let file = folder.path().join("plugins/installed_plugins.json");
        plantune_domain::atomic_file::replace(&file, text.replace("ROOT", root).as_bytes(), 0o600)
            .unwrap();
        let found = installed_in(folder.path()).unwrap();
        let ids: Vec<_> = found.keys().collect();
        assert_eq!(ids, ["plantune@a", "plantune@b", "plantune@c"]);
        let first = found.get("plantune@a").unwrap().first().unwrap();
        assert_eq!(first.hook(), None);
    }
}
