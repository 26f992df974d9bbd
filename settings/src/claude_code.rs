//! Claude Code on this machine: which events the installed client knows, and whether plantune is switched on as its plugin.

use std::collections::BTreeMap;
use std::env::consts;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use plantune_agents::claude_code;
use plantune_agents::installed::Registration;
use plantune_domain::sanitize::block as sanitized;
use serde::Deserialize;
use serde_json::Value;

use crate::HOOK;
use crate::file::{Host, SettingsFile, SettingsScope};
use crate::programs::{LIMIT, in_path, is_executable, run};

// Which events the client knows.

/// How the hook is registered in the `settings` of that scope, as the installed client knows its events. Shared settings
/// have only what every client knows.
pub fn registration(scope: SettingsScope, settings: &str) -> &'static Registration {
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
    /// Its version, if recorded; sanitized for a terminal.
    pub version: Option<String>,
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
    version: Option<String>,
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
        let version = found.iter().find_map(|one| one.version.as_deref());
        Some(Plugin {
            id: sanitized(&id),
            settings: settings?,
            version: version.map(sanitized),
            hook: found.iter().find_map(Installation::hook),
        })
    });
    on.collect()
}

fn is_ours(id: &str) -> bool {
    id.split_once('@').is_some_and(|(name, _)| name == NAME)
}

/// The plugins of ours that the settings `text` mention, and whether they switch them on.
fn switches(text: &str) -> Vec<(String, bool)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let enabled = serde_json::from_str::<PluginSwitches>(text).map(|settings| settings.enabled);
    let ours = enabled.unwrap_or_default().into_iter();
    ours.filter(|(id, _)| is_ours(id))
        .map(|(id, value)| (id, value == Value::Bool(true)))
        .collect()
}

/// The plugins of ours that are installed below `folder`, Claude Code's configuration, scope by scope.
fn installed_in(folder: &Path) -> Option<BTreeMap<String, Vec<Installation>>> {
    let text = fs::read_to_string(folder.join("plugins/installed_plugins.json")).ok()?;
    let mut installed: InstalledPlugins = serde_json::from_str(&text).ok()?;
    installed.plugins.retain(|id, _| is_ours(id));
    Some(installed.plugins)
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
    fn version_and_hook_are_those_of_the_installation() {
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
        assert_eq!(
            (first.version.as_deref(), first.hook()),
            (Some("0.1.0"), None)
        );
    }
}
