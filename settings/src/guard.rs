//! The permission rules of `plantune install --guard`: what an agent may not do in its user's name.
//!
//! Inside a session plantune refuses to change preferences by itself; the rules hold where an agent writes
//! the files with other tools, or takes away the variables that show it.

use std::path::Path;

use crate::SettingsError;
use crate::file::{Host, SettingsScope};

/// Verbs of plantune's that change what is answered or what that rests on, or undo the guard itself. A `*` stands
/// for anything, spaces included: a path or `env -u CLAUDECODE` before the program, a version behind it
/// (`npx plantune@latest`), flags wherever they are taken.
const VERBS: [&str; 5] = [
    "* prefs* set *",
    "* prefs* clear *",
    "* suggest* --apply*",
    "* fleet* adopt *",
    "* import *",
];

/// Verbs that are ordinary words and appear in many commands: right after the program, or after flags.
const WORDS: [&str; 4] = ["undo*", "away*", "install* --*", "uninstall*"];

/// The text between the program and such a word.
const BEFORE_WORDS: [&str; 3] = [" ", " -* ", "@* "];

/// The hook itself: its standard input passes for the person's actions.
const HOOK_PROGRAMS: [&str; 2] = ["*plantune-hook", "*plantune-hook *"];

/// The commands that are denied, as rules of the shell tool name them.
pub fn commands() -> impl Iterator<Item = String> {
    let verbs = VERBS.iter().map(|verb| format!("*plantune{verb}"));
    let words = WORDS.iter().flat_map(|word| {
        let rule = move |before: &&str| format!("*plantune{before}{word}");
        BEFORE_WORDS.iter().map(rule)
    });
    verbs.chain(words).chain(HOOK_PROGRAMS.map(str::to_owned))
}

/// Characters with a meaning in a rule: a folder with one of them in its name cannot be guarded.
const SPECIAL: [char; 8] = ['*', '?', '[', ']', '(', ')', '!', '\\'];

/// The rules for the settings of `scope`, in the order in which they are added.
///
/// Settings that a team shares get the folders that everybody has, named from the home.
///
/// # Errors
/// When a folder's name cannot stand in a rule.
pub fn rules(host: &Host<'_>, scope: SettingsScope) -> Result<Vec<String>, SettingsError> {
    let folders = match scope {
        SettingsScope::Project => vec![
            "~/.config/plantune".to_owned(),
            "~/.local/share/plantune".to_owned(),
        ],
        SettingsScope::User | SettingsScope::Local => {
            let mut folders = vec![named(host, host.paths.config())?];
            let data = named(host, host.paths.data())?;
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
fn named(host: &Host<'_>, folder: &Path) -> Result<String, SettingsError> {
    let folder = std::path::absolute(folder)?;
    let home = (host.variable)("HOME");
    let home = home.as_deref().map(Path::new);
    let below = home
        .filter(|home| home.is_absolute())
        .and_then(|home| folder.strip_prefix(home).ok());
    let text = match below {
        Some(below) => format!("~/{}", below.display()),
        None => format!("/{}", folder.display()),
    };
    if text.contains(SPECIAL) || text.chars().any(char::is_control) {
        return Err(SettingsError::Unnamable(text));
    }
    Ok(text)
}
