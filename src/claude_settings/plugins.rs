//! plantune as a plugin of Claude Code: whether one is switched on here.
//!
//! `enabledPlugins` in the settings maps `name@marketplace` to true or false, and the nearest
//! settings decide: local, project, user. What is installed stands in `plugins/installed_plugins.json`
//! of the configuration folder (both seen with 2.1.197 and 2.1.329).

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use crate::claude_settings::file::SettingsFile;
use crate::claude_settings::scope::SettingsScope;
use crate::terminal;
use crate::workspace::Workspace;

/// The plugin's name, whatever marketplace it comes from.
const NAME: &str = "plantune";

/// A plugin of ours that is installed and switched on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Plugin {
    /// `plantune@marketplace`, as Claude Code's commands take it; harmless on a terminal.
    pub(crate) id: String,
    /// The settings file that switches it on, harmless on a terminal.
    pub(crate) settings: String,
    /// Its version, where that is on record; harmless on a terminal.
    pub(crate) version: Option<String>,
}

#[derive(Deserialize)]
struct Settings {
    #[serde(default, rename = "enabledPlugins")]
    enabled: BTreeMap<String, Value>,
}

#[derive(Deserialize)]
struct Installed {
    plugins: BTreeMap<String, Vec<Installation>>,
}

/// A plugin in one scope.
#[derive(Deserialize)]
struct Installation {
    version: Option<String>,
}

/// The plugins of ours that are on in the current folder. What cannot be read holds none.
pub(crate) fn ours(workspace: &Workspace) -> Vec<Plugin> {
    let files = SettingsScope::ALL.map(|scope| SettingsFile::open(workspace, scope));
    ours_in(files.iter().flatten())
}

/// The plugins of ours that `files`, the settings of the current folder, switch on; the nearest file
/// is the last.
pub(crate) fn ours_in<'a>(files: impl Iterator<Item = &'a SettingsFile>) -> Vec<Plugin> {
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
        let version = installed.get(&id)?.as_deref();
        Some(Plugin {
            id: terminal::harmless(&id),
            settings: settings?,
            version: version.map(terminal::harmless),
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
    let enabled = serde_json::from_str::<Settings>(text).map(|settings| settings.enabled);
    let ours = enabled.unwrap_or_default().into_iter();
    ours.filter(|(id, _)| is_ours(id))
        .map(|(id, value)| (id, value == Value::Bool(true)))
        .collect()
}

/// The plugins of ours that are installed below `folder`, Claude Code's configuration, and their versions.
fn installed_in(folder: &Path) -> Option<BTreeMap<String, Option<String>>> {
    let text = fs::read_to_string(folder.join("plugins/installed_plugins.json")).ok()?;
    installed(&text)
}

fn installed(text: &str) -> Option<BTreeMap<String, Option<String>>> {
    let installed: Installed = serde_json::from_str(text).ok()?;
    let ours = installed.plugins.into_iter().filter(|(id, _)| is_ours(id));
    let version = |found: Vec<Installation>| found.into_iter().find_map(|one| one.version);
    Some(ours.map(|(id, found)| (id, version(found))).collect())
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
    fn the_version_is_read_where_it_is_on_record() {
        let text = r#"{"version": 2, "plugins": {"other@a": [{"version": "1"}],
            "plantune@a": [{"scope": "user", "version": "0.1.0"}], "plantune@b": [{}], "plantune@c": []}}"#;
        let found = installed(text).unwrap();
        let found: Vec<_> = found
            .iter()
            .map(|(id, version)| (id.as_str(), version.as_deref()))
            .collect();
        let wanted = [
            ("plantune@a", Some("0.1.0")),
            ("plantune@b", None),
            ("plantune@c", None),
        ];
        assert_eq!(found, wanted);
    }
}
