//! Who still calls the installed hook.

use super::InstalledHook;
use crate::claude_settings::editor::{self, StatusLineOwner};
use crate::claude_settings::file::SettingsFile;
use crate::claude_settings::plugins::{self, Plugin};
use crate::claude_settings::scope::SettingsScope;
use crate::workspace::Workspace;

/// Who calls the installed hook, in words for a person: settings that count here or that plantune ever
/// changed, and plugins. Settings that cannot be read may name it as well, and are among them.
pub(crate) fn of(workspace: &Workspace, hook: &InstalledHook) -> Vec<String> {
    let here = SettingsScope::ALL.map(|scope| SettingsFile::open(workspace, scope));
    let here = here.into_iter().flatten();
    let on_record = SettingsFile::on_record(workspace).into_iter().flatten();
    let mut users: Vec<String> = here
        .chain(on_record)
        .filter(|file| names(file.text(), hook))
        .map(|file| file.name())
        .collect();
    let plugins = plugins::ours(workspace).into_iter();
    let plugins = plugins.filter(Plugin::starts_the_copy);
    users.extend(plugins.map(|plugin| format!("the plugin {}", plugin.id)));
    users.sort();
    users.dedup();
    users
}

/// True when the settings `text` call `hook`.
fn names(text: &str, hook: &InstalledHook) -> bool {
    let path = hook.path();
    let path = path.to_string_lossy();
    match (editor::inspect(text), editor::status_line_owner(text)) {
        (Ok(found), Ok(owner)) => {
            let mut entries = found.registrations.iter();
            let is_status_line =
                matches!(owner, StatusLineOwner::Ours(command) if command.contains(&*path));
            entries.any(|entry| entry.program == path) || is_status_line
        }
        _ => text.contains(&*path),
    }
}
