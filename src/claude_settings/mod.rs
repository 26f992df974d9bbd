//! Claude Code's settings: their scopes, the hook that they name and the rules of `install --guard`; editing their text
//! (`editor`), changing their file (`file`), and plantune as a plugin.

pub(crate) mod editor;
pub(crate) mod file;
pub(crate) mod plugins;

use std::path::{Component, Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::{env, fs, io};

use clap::ValueEnum;
use plantune_agents::claude_code;
use plantune_agents::installed::Registration;

use crate::failure::Failure;
use crate::installed_hook::probe::{self, LIMIT};
use crate::platform::{in_path, is_executable};
use crate::session::Session;
use crate::terminal;

// The scopes of Claude Code's settings.

/// Whose settings are meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum SettingsScope {
    /// All your projects: ~/.claude/settings.json (or below CLAUDE_CONFIG_DIR)
    #[default]
    User,
    /// Everybody who works on this project: .claude/settings.json
    Project,
    /// You, in this project: .claude/settings.local.json
    Local,
}

impl SettingsScope {
    /// Every scope, that of the settings that go before the others last.
    pub(crate) const ALL: [Self; 3] = [Self::User, Self::Project, Self::Local];

    /// The word for it on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
            Self::Local => "local",
        }
    }

    /// The argument that chooses this scope.
    pub(crate) fn argument(self) -> String {
        format!("--scope {}", self.name())
    }
}

// Where the hook binary lies: beside this program, or in `PATH`.

/// The hook binary's name, without the ending that some systems add.
pub(crate) const HOOK: &str = "plantune-hook";

/// Where the hook beside the running program is looked for, the preferred place first; there is
/// at least one, and the last is the folder the program really lies in. Nothing need be there.
///
/// The folder the program was called by goes before the one it really lies in: a package manager
/// replaces the folder of a version, and keeps the link to it.
///
/// # Errors
/// If the system does not say where the program is.
pub(crate) fn beside_us() -> io::Result<Vec<PathBuf>> {
    let real = env::current_exe()?;
    let same = |path: &PathBuf| fs::canonicalize(path).ok() == fs::canonicalize(&real).ok();
    let called = called_as().filter(same);
    let mut places: Vec<_> = [called.as_ref(), Some(&real)]
        .into_iter()
        .flatten()
        .map(|path| path.with_file_name(HOOK))
        .collect();
    places.dedup();
    Ok(places)
}

/// The hook beside the running program.
///
/// # Errors
/// If there is none.
pub(crate) fn ours() -> Result<PathBuf, Failure> {
    let places = beside_us()?;
    let folder = places.last().and_then(|path| path.parent());
    let folder = folder.map(terminal::path);
    let missing = || {
        let folder = folder.unwrap_or_default();
        Failure::failed(format!("there is no {HOOK} beside plantune, in {folder}"))
            .hint("install plantune again (from its source: `make install`), or give --hook-path")
    };
    let mut places = places.into_iter();
    places.find(|hook| is_executable(hook)).ok_or_else(missing)
}

/// `hook` as settings name it.
///
/// # Errors
/// Usage for a path that JSON cannot hold.
pub(crate) fn path_text(hook: PathBuf) -> Result<String, Failure> {
    hook.into_os_string().into_string().map_err(|path| {
        let path = terminal::sanitized(&path.to_string_lossy());
        Failure::usage(format!(
            "{path}: settings can't name this path, because it is not UTF-8"
        ))
        .hint("install plantune to another folder")
    })
}

/// The path this program was called by: as typed, or found through `PATH`.
fn called_as() -> Option<PathBuf> {
    let called = PathBuf::from(env::args_os().next()?);
    if called.components().count() > 1 {
        absolute(&called).ok()
    } else {
        in_path(called.as_os_str())
    }
}

/// `path` from the root on, without `..`, its symbolic links kept where there is none.
///
/// # Errors
/// The errors of the file system.
pub(crate) fn absolute(path: &Path) -> io::Result<PathBuf> {
    let path = std::path::absolute(path)?;
    match (path.parent(), path.file_name()) {
        (Some(folder), Some(name))
            if path.components().any(|part| part == Component::ParentDir) =>
        {
            Ok(fs::canonicalize(folder)?.join(name))
        }
        _ => Ok(path),
    }
}

// The permission rules of `plantune install --guard`: what an agent may not do in its user's name.
//
// Inside a session plantune refuses to change preferences by itself; the rules hold where an agent writes
// the files with other tools, or takes away the variables that show it.

/// Verbs of plantune's that change what is answered or what that rests on, or undo the guard itself. A `*` stands
/// for anything, spaces included: a path or `env -u CLAUDECODE` before the program, a version behind it
/// (`npx plantune@latest`), flags wherever they are taken.
const VERBS: [&str; 6] = [
    "* prefs* set *",
    "* prefs* clear *",
    "* suggest* --apply*",
    "* fleet* adopt *",
    "-fleet* adopt *",
    "* import *",
];

/// Verbs that are ordinary words and appear in many commands: right after the program, or after flags.
const WORDS: [&str; 4] = ["undo*", "away*", "install* --*", "uninstall*"];

/// The text between the program and such a word.
const BEFORE_WORDS: [&str; 3] = [" ", " -* ", "@* "];

/// The hook itself: its standard input passes for the person's actions.
const HOOK_PROGRAMS: [&str; 2] = ["*plantune-hook", "*plantune-hook *"];

/// The commands that are denied, as rules of the shell tool name them.
pub(crate) fn commands() -> impl Iterator<Item = String> {
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
/// Usage when a folder's name cannot stand in a rule.
pub(crate) fn rules(session: &Session, scope: SettingsScope) -> Result<Vec<String>, Failure> {
    let folders = match scope {
        SettingsScope::Project => vec![
            "~/.config/plantune".to_owned(),
            "~/.local/share/plantune".to_owned(),
        ],
        SettingsScope::User | SettingsScope::Local => {
            let mut folders = vec![named(session.paths.config())?];
            let data = named(session.paths.data())?;
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
    let home = env::var_os("HOME").map(PathBuf::from);
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
            Failure::usage(format!("{text}: permission rules can't name this folder"))
                .hint("leave out --guard, or keep plantune's files in a folder with plain letters in its path"),
        );
    }
    Ok(text)
}

// Which events the client knows.

/// How the hook is registered in the `settings` of that scope, as the installed client knows its events. Shared settings
/// have only what every client knows.
pub(crate) fn registration(scope: SettingsScope, settings: &str) -> &'static Registration {
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
    let ended = probe::run(Command::new(claude).arg("--version"), b"", LIMIT).ok()?;
    version(&String::from_utf8_lossy(&ended.stdout)).map(numbers)
}

/// The first word of the form `2.1.197`, without what follows the last number.
pub(crate) fn version(printed: &str) -> Option<&str> {
    printed.split_whitespace().find_map(|word| {
        let word = word.strip_prefix('v').unwrap_or(word);
        let end = word.find(|c: char| c != '.' && !c.is_ascii_digit());
        let numbers = word.get(..end.unwrap_or(word.len()))?;
        let is_version = numbers.split('.').count() == 3 && !numbers.split('.').any(str::is_empty);
        is_version.then_some(numbers)
    })
}

/// The numbers of a version, by which versions are compared.
pub(crate) fn numbers(version: &str) -> Vec<u64> {
    let parts = version.split('.');
    parts.map(|part| part.parse().unwrap_or(0)).collect()
}
