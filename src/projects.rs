//! Which project a word on the command line means, and what projects are called in short.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use plantune_domain::paths::{Paths, create_private_dir};
use plantune_domain::preferences::PreferenceFile;
use plantune_domain::private_file;
use plantune_domain::project::project_key;
use plantune_domain::registry::Registry;
use plantune_query::Store;
use plantune_reports::text::clean;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::session::Session;

/// How many projects a message names.
const NAMED: usize = 5;

/// The key of the project that `word` means: `.` the current directory's, else the known one that it is, or
/// alone is the end of (`shop`, `acme/shop`). A whole key is taken at its word.
///
/// # Errors
/// Usage (exit code 2) for a word that means no project, or several; and when the store cannot be read.
pub(crate) fn resolve(word: &str, session: &Session) -> Result<String, Failure> {
    if word == "." {
        return Ok(project_key(&std::env::current_dir()?));
    }
    if is_whole(word) {
        return Ok(word.to_owned());
    }
    find(word, &known_projects(session)?)
}

/// True for what a project key looks like: a folder, or `host/owner/repo`.
fn is_whole(word: &str) -> bool {
    let host = word.split_once('/').map_or("", |(host, _)| host);
    word.starts_with('/') || host.contains(['.', ':']) || host == "localhost"
}

/// Every project with questions or preferences.
///
/// # Errors
/// When the store cannot be read.
fn known_projects(session: &Session) -> Result<BTreeSet<String>, Failure> {
    let mut known = BTreeSet::new();
    known.extend(session.ask(Store::projects)?);
    for path in project_files(&session.paths) {
        if let Ok(Some(file)) = &*session.preference_file(&path) {
            known.extend(file.project.clone());
        }
    }
    Ok(known)
}

/// The key among `known` that is `word` or alone ends in it. With nothing known it is taken at its word:
/// what is shown is empty, which is no error.
fn find(word: &str, known: &BTreeSet<String>) -> Result<String, Failure> {
    if known.is_empty() || known.contains(word) {
        return Ok(word.to_owned());
    }
    let ends_so = |key: &&String| {
        key.strip_suffix(word)
            .is_some_and(|start| !word.is_empty() && start.ends_with('/'))
    };
    let found: Vec<&String> = known.iter().filter(ends_so).collect();
    let usage = |message: String| Failure::usage(message);
    match found.as_slice() {
        [key] => Ok((*key).clone()),
        [] => Err(usage(format!("unknown project {word:?}"))
            .did_you_mean(word, known.iter().flat_map(|key| [key.as_str(), last(key)]))
            .hint(format!("known projects: {}", names(known.iter())))
            .hint("a project is host/owner/repo or an absolute path; . is the current one")),
        _ => Err(
            usage(format!("--project {word:?} matches several projects"))
                .hint(format!("use one of {}", names(found.into_iter()))),
        ),
    }
}

/// The last part of a key.
fn last(key: &str) -> &str {
    key.rsplit('/').next().unwrap_or(key)
}

fn names<'a>(keys: impl ExactSizeIterator<Item = &'a String>) -> String {
    let more = keys.len().saturating_sub(NAMED);
    let keys: Vec<_> = keys.take(NAMED).map(|key| clean(key)).collect();
    let keys = keys.join(", ");
    if more > 0 {
        format!("{keys} and {more} more")
    } else {
        keys
    }
}

// Names for people and their shells: projects in short, and what is known without opening the store.

/// More than the list is ever long, in bytes.
const LONGEST: u64 = 1024 * 1024;

/// Projects and question keys.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Names {
    /// The keys of projects.
    pub(crate) projects: BTreeSet<String>,
    /// The keys of questions, those asked most.
    pub(crate) keys: BTreeSet<String>,
}

/// The names in preferences, in the registry and in the list that [`leave`] wrote; a file that cannot be read adds none.
pub(crate) fn names_without_store(paths: &Paths) -> Names {
    let mut names = private_file::read(&paths.names(), LONGEST)
        .and_then(|bytes| serde_json::from_slice::<Names>(&bytes).ok())
        .unwrap_or_default();
    for path in project_files(paths).chain([paths.global_preferences()]) {
        if let Ok(Some(file)) = PreferenceFile::load(&path) {
            names.keys.extend(file.preferences.into_keys());
            names.projects.extend(file.project);
        }
    }
    if let Ok(registry) = Registry::load(&paths.registry_file()) {
        names.keys.extend(registry.keys().map(str::to_owned));
    }
    names
}

/// Where preferences of projects may lie; none if the folder cannot be read.
pub(crate) fn project_files(paths: &Paths) -> impl Iterator<Item = PathBuf> {
    let folders = fs::read_dir(paths.config().join("projects"));
    let folders = folders.into_iter().flatten().flatten();
    folders.map(|folder| folder.path().join("preferences.json"))
}

/// Leaves the store's projects and most asked keys for the shell's completions, where the store was read
/// and has changed since. What goes wrong costs a candidate.
pub(crate) fn leave(session: &Session) {
    let changed = |path| fs::metadata(path).and_then(|kind| kind.modified());
    let (left, store) = (session.paths.names(), session.paths.store());
    if let (Ok(left), Ok(store)) = (changed(&left), changed(&store))
        && left > store
    {
        return;
    }
    let Some(store) = session.open_store() else {
        return;
    };
    let (Ok(projects), Ok(keys)) = (store.projects(), store.most_asked_keys()) else {
        return;
    };
    // Others may write it while the list is put on disk.
    drop(store);
    session.close_store();
    let names = Names {
        projects: projects.into_iter().collect(),
        keys: keys.into_iter().collect(),
    };
    if let Ok(bytes) = serde_json::to_vec(&names) {
        let folder = left.parent().map(create_private_dir);
        if folder.is_some_and(|made| made.is_ok()) {
            let _ = private_file::replace(&left, &bytes);
        }
    }
}

/// The short names of a run's projects, for what a person reads.
pub(crate) struct ShortNames(BTreeMap<String, String>);

impl ShortNames {
    /// The short names of every known project.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(crate) fn new(session: &Session) -> Result<Self, Failure> {
        known_projects(session).map(|known| Self(short_names(&known)))
    }

    /// The same for a sentence that is said in any case: without the store, where that cannot be read.
    pub(crate) fn for_sentence(session: &Session) -> Self {
        Self::new(session).unwrap_or_else(|_| Self::without_store(session))
    }

    /// The short names without opening the store: of what the preferences and the list for completions name.
    pub(crate) fn without_store(session: &Session) -> Self {
        Self(short_names(&names_without_store(&session.paths).projects))
    }

    /// The short name of the project `key`; a key that is not known stays as it is.
    pub(crate) fn of<'a>(&'a self, key: &'a str) -> &'a str {
        self.0.get(key).map_or(key, String::as_str)
    }

    /// Puts the short name in the place of the key.
    pub(crate) fn shorten(&self, key: &mut String) {
        if let Some(name) = self.0.get(key) {
            key.clone_from(name);
        }
    }
}

/// The short names of the project keys `known`, the shortest end of it that no other has:
/// `owner/repo` for a remote's, the last folder for a path. `--project` takes these names.
pub(crate) fn short_names(known: &BTreeSet<String>) -> BTreeMap<String, String> {
    let mut ends: BTreeMap<&str, u32> = BTreeMap::new();
    for end in known.iter().flat_map(|key| ends_of(key)) {
        *ends.entry(end).or_default() += 1;
    }
    let short = |key: &String| {
        let least = if key.starts_with('/') { 1 } else { 2 };
        let end = ends_of(key)
            .skip(least - 1)
            .find(|end| ends.get(end) == Some(&1) && !end.is_empty());
        end.map_or_else(|| key.clone(), str::to_owned)
    };
    known.iter().map(|key| (key.clone(), short(key))).collect()
}

/// The ends of `key` that begin behind a `/`, the shortest first, and `key` itself.
fn ends_of(key: &str) -> impl Iterator<Item = &str> {
    let behind = key.rmatch_indices('/').map(|(at, _)| at + 1);
    behind
        .filter_map(|at| key.get(at..))
        .chain(std::iter::once(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_by_the_end_of_its_key() {
        let known = [
            "github.com/acme/shop",
            "gitlab.com/other/shop",
            "/home/ann/notes",
        ];
        let known = BTreeSet::from(known.map(str::to_owned));
        for (wanted, key) in [
            ("github.com/acme/shop", "github.com/acme/shop"),
            ("acme/shop", "github.com/acme/shop"),
            ("notes", "/home/ann/notes"),
        ] {
            assert_eq!(find(wanted, &known).unwrap(), key);
        }
        for wanted in ["shop", "hop", "", "otes", "acme", "\u{1b}[31m"] {
            let failure = find(wanted, &known).unwrap_err();
            assert_eq!(failure.exit_code(), 2, "{wanted}");
            assert!(!failure.to_string().contains('\u{1b}'));
        }
        assert_eq!(find("any", &BTreeSet::new()).unwrap(), "any");
    }

    #[test]
    fn whole_keys() {
        for word in [
            "github.com/o/r",
            "/home/ann/notes",
            "localhost/o/r",
            "git.host/r",
        ] {
            assert!(is_whole(word), "{word}");
        }
        for word in ["shop", "acme/shop", "", "site.js", "a.b"] {
            assert!(!is_whole(word), "{word}");
        }
    }

    #[test]
    fn the_shortest_end_that_no_other_project_has() {
        let known = [
            "github.com/acme/shop",
            "gitlab.com/acme/shop",
            "github.com/acme/api",
            "/home/ann/notes",
            "/home/ann/code/api",
            "/srv/code/tool",
            "/opt/code/tool",
            "/opt/acme/api",
            "",
            "/",
        ];
        let known = known.map(str::to_owned).into();
        let short = short_names(&known);
        for (key, name) in [
            ("github.com/acme/shop", "github.com/acme/shop"),
            ("/home/ann/notes", "notes"),
            ("/home/ann/code/api", "code/api"),
            ("/srv/code/tool", "srv/code/tool"),
            ("/opt/acme/api", "opt/acme/api"),
            ("github.com/acme/api", "github.com/acme/api"),
            ("", ""),
            ("/", "/"),
        ] {
            assert_eq!(short.get(key).map(String::as_str), Some(name), "{key}");
        }
        let alone = ["github.com/acme/shop".to_owned()].into();
        assert_eq!(short_names(&alone)["github.com/acme/shop"], "acme/shop");
    }
}
