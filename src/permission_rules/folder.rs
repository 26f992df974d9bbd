//! What a folder of a project holds, which a rule for it would take in.

use std::path::{Path, PathBuf};

use plantune_domain::permissions::{Reach, describe};
use plantune_query::permissions::propose::Holds;
use serde_json::json;

use super::known::is_project;

/// Of a folder with more files no more is looked at.
const MOST: usize = 20_000;

/// How many files are named.
const EXAMPLES: usize = 3;

/// Words in the names of files that a deployment goes by.
const DEPLOYING: [&str; 9] = [
    "deploy",
    "deployment",
    "dockerfile",
    "helm",
    "jenkinsfile",
    "k8s",
    "publish",
    "terraform",
    "tf",
];

/// What lies below `folder` of the project at `root`; `None` where that is not on this machine or not the person's.
pub(super) fn holds(root: &str, folder: &str) -> Option<Holds> {
    let top = Path::new(root).join(folder);
    if !is_project(root) || !top.is_dir() {
        return None;
    }
    let mut holds = Holds::default();
    let mut folders = vec![top.clone()];
    while let Some(next) = folders.pop() {
        for path in entries(&next) {
            // Where a link leads is not looked at: Claude Code asks about what lies outside.
            if path.is_dir() && !path.is_symlink() {
                folders.push(path);
                continue;
            }
            if holds.files >= MOST {
                return Some(holds);
            }
            let name = path.strip_prefix(&top).unwrap_or(&path).to_string_lossy();
            holds.files += 1;
            if holds.examples.len() < EXAMPLES {
                holds.examples.push(name.clone().into_owned());
            }
            if is_sensitive(&name, &path, root) {
                holds.sensitive = Some(name.into_owned());
                return Some(holds);
            }
        }
    }
    Some(holds)
}

/// What lies in `folder`, in the order of the names; nothing where it cannot be read.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let read = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = read.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// True for a file that may be secret, and for one that says what is deployed.
fn is_sensitive(name: &str, path: &Path, root: &str) -> bool {
    let input = json!({"file_path": path.to_string_lossy()});
    let deploys = |word: &str| DEPLOYING.contains(&word.to_ascii_lowercase().as_str());
    describe("Edit", &input, root).reach == Reach::Beyond
        || name
            .split(|c: char| !c.is_ascii_alphanumeric())
            .any(deploys)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_and_deployments_are_found() {
        let root = tempfile::tempdir().unwrap();
        let put = |name: &str| {
            let path = root.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            plantune_domain::atomic_file::replace(&path, b"", 0o600).unwrap();
        };
        let of = |folder: &str| holds(root.path().to_str().unwrap(), folder);
        for name in [
            "src/a.rs",
            "src/b/c.rs",
            "web/.env",
            "web/a.js",
            "ops/x/deploy.sh",
            "lib/redeployed.rs",
        ] {
            put(name);
        }
        let found = of("src").unwrap();
        assert_eq!((found.files, found.sensitive), (2, None));
        assert_eq!(found.examples, ["a.rs", "b/c.rs"]);
        assert_eq!(of("web").unwrap().sensitive.as_deref(), Some(".env"));
        assert_eq!(of("ops").unwrap().sensitive.as_deref(), Some("x/deploy.sh"));
        assert_eq!(of("lib").unwrap().sensitive, None);
        assert_eq!(of("none"), None);
    }
}
