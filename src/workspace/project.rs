//! Which project a word on the command line means.

use std::collections::BTreeSet;

use clap::Args;
use plantune_domain::project::project_key;
use plantune_query::Store;
use plantune_reports::text::clean;

use crate::failure::Failure;
use crate::workspace::Workspace;
use crate::workspace::names::project_files;

/// The arguments of a verb that say which projects it is about: all, unless the person says otherwise.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ProjectArguments {
    /// Only the project of the current directory
    #[arg(long, global = true)]
    here: bool,
    /// Only this project: its key, or the end of it such as owner/repo
    #[arg(long, value_name = "KEY", global = true, conflicts_with = "here")]
    project: Option<String>,
}

impl ProjectArguments {
    /// The key of the one project that is meant; `None` for all.
    ///
    /// # Errors
    /// Those of [`resolve`].
    pub(crate) fn resolve(&self, workspace: &Workspace) -> Result<Option<String>, Failure> {
        let word = self.word();
        word.map(|word| resolve(word, workspace)).transpose()
    }

    /// The value that `--project` has or might have; `None` for all projects.
    pub(crate) fn word(&self) -> Option<&str> {
        if self.here {
            Some(".")
        } else {
            self.project.as_deref()
        }
    }
}

/// How many projects a message names.
const NAMED: usize = 5;

/// The key of the project that `word` means: `.` the current directory's, else the known one that it is, or
/// alone is the end of (`shop`, `acme/shop`). A whole key is taken at its word.
///
/// # Errors
/// Usage (exit code 2) for a word that means no project, or several; and when the store cannot be read.
pub(crate) fn resolve(word: &str, workspace: &Workspace) -> Result<String, Failure> {
    if word == "." {
        return Ok(project_key(&std::env::current_dir()?));
    }
    if is_whole(word) {
        return Ok(word.to_owned());
    }
    find(word, &known(workspace)?)
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
pub(crate) fn known(workspace: &Workspace) -> Result<BTreeSet<String>, Failure> {
    let mut known = BTreeSet::new();
    known.extend(workspace.ask(Store::projects)?);
    for path in project_files(&workspace.paths) {
        if let Ok(Some(file)) = &*workspace.preference_file(&path) {
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
        [] => Err(usage(format!("no project {word:?} is known"))
            .did_you_mean(word, known.iter().flat_map(|key| [key.as_str(), last(key)]))
            .hint(format!("projects that are known: {}", names(known.iter())))
            .hint("a key is host/owner/repo or an absolute path; . is the current directory's")),
        _ => Err(
            usage(format!("--project {word:?} may mean several projects"))
                .hint(format!("give one of {}", names(found.into_iter()))),
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
}
