//! The permission rules of `plantune install --guard`: what an agent may not do in its user's name.
//!
//! Inside a session plantune refuses to change preferences by itself; the rules hold where an agent writes
//! the files with other tools, or takes away the variables that show it.

use std::env;
use std::path::{Path, PathBuf};

use plantune_domain::platform;

use crate::claude_settings::scope::SettingsScope;
use crate::failure::Failure;
use crate::terminal;
use crate::workspace::Workspace;

/// Verbs of plantune's that change what is answered or what that rests on, or undo the guard itself. A `*` stands
/// for anything, spaces included: a path or `env -u CLAUDECODE` before the program, a version behind it
/// (`npx plantune@latest`), flags wherever they are taken.
const VERBS: [&str; 6] = [
    "* prefs* set *",
    "* prefs* clear *",
    "* suggest* --apply*",
    "* questions* --register*",
    "* fleet* adopt *",
    "* import *",
];

/// Verbs of one ordinary word, which stands in many a command: right behind the program, or behind flags.
const WORDS: [&str; 4] = ["undo*", "away*", "install* --*", "uninstall*"];

/// What stands between the program and such a word.
const BEFORE_WORDS: [&str; 3] = [" ", " -* ", "@* "];

/// The hook itself: what it is sent on standard input passes for what the person did.
const HOOK: [&str; 2] = ["*plantune-hook", "*plantune-hook *"];

/// The commands that are denied, as rules of the shell tool name them.
pub(crate) fn commands() -> impl Iterator<Item = String> {
    let verbs = VERBS.iter().map(|verb| format!("*plantune{verb}"));
    let words = WORDS.iter().flat_map(|word| {
        let rule = move |before: &&str| format!("*plantune{before}{word}");
        BEFORE_WORDS.iter().map(rule)
    });
    verbs.chain(words).chain(HOOK.map(str::to_owned))
}

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
    let commands = commands().map(|command| format!("Bash({command})"));
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
        return Err(
            Failure::usage(format!("{text}: no permission rule can name this folder"))
                .hint("leave --guard out, or keep plantune's files in a folder of plain letters"),
        );
    }
    Ok(text)
}
