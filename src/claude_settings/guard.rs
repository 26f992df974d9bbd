//! The permission rules of `plantune install --guard`: what an agent may not do in its user's name.
//!
//! Inside a session plantune refuses to change preferences by itself (`CLAUDECODE` is set); the
//! rules hold where an agent writes the files with other tools, or takes the variable away.

use std::env;
use std::path::{Path, PathBuf};

use plantune_domain::platform;

use crate::claude_settings::scope::SettingsScope;
use crate::failure::{Failure, Kind};
use crate::terminal;
use crate::workspace::Workspace;

/// Words of plantune's that change what is answered, or undo the guard itself. A `*` stands for
/// anything, spaces included: a path before the program, `env -u CLAUDECODE`, flags before a flag.
const COMMANDS: [&str; 15] = [
    "*plantune prefs set *",
    "*plantune prefs bind *",
    "*plantune prefs clear *",
    "*plantune prefs renew *",
    "*plantune suggest --apply*",
    "*plantune suggest * --apply*",
    "*plantune questions * --register*",
    "*plantune fleet adopt *",
    "*plantune undo*",
    "*plantune away*",
    "*plantune back*",
    "*plantune install --*",
    "*plantune uninstall*",
    // The hook itself: what it is sent on standard input passes for what the person did.
    "*plantune-hook",
    "*plantune-hook *",
];

/// What stands for something else in a rule, so that a folder named so cannot be guarded.
const SPECIAL: [char; 8] = ['*', '?', '[', ']', '(', ')', '!', '\\'];

/// The rules for the settings of `scope`, in the order in which they are added.
///
/// Settings that a team shares get the folders that everybody has, named from the home.
///
/// # Errors
/// Usage when a folder's name cannot stand in a rule.
pub(crate) fn rules(workspace: &Workspace, scope: SettingsScope) -> Result<Vec<String>, Failure> {
    let folders = match scope {
        SettingsScope::Project => vec![
            "~/.config/plantune".to_owned(),
            "~/.local/share/plantune".to_owned(),
        ],
        SettingsScope::User | SettingsScope::Local => {
            let mut folders = vec![named(workspace.paths.config())?];
            let data = named(workspace.paths.data())?;
            if !folders.contains(&data) {
                folders.push(data);
            }
            folders
        }
    };
    let edits = folders.iter().map(|folder| format!("Edit({folder}/**)"));
    let commands = COMMANDS.iter().map(|command| format!("Bash({command})"));
    Ok(edits.chain(commands).collect())
}

/// `folder` as a rule names it: from the home on, else from the root on with two slashes.
fn named(folder: &Path) -> Result<String, Failure> {
    let folder = std::path::absolute(folder)?;
    let home = env::var_os(platform::HOME).map(PathBuf::from);
    let below = home
        .as_deref()
        .filter(|home| home.is_absolute())
        .and_then(|home| folder.strip_prefix(home).ok());
    let text = match below {
        Some(below) => format!("~/{}", below.display()),
        None => format!("/{}", folder.display()),
    };
    if text.contains(SPECIAL) || text.chars().any(char::is_control) {
        let text = terminal::sanitized(&text);
        return Err(Failure::new(
            Kind::Usage,
            format!("{text}: no permission rule can name this folder"),
        )
        .hint("leave --guard out, or keep plantune's files in a folder of plain letters"));
    }
    Ok(text)
}
