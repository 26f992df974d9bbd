//! Rules about files: patterns like those of `.gitignore`.

use super::wildcard::{Reading, wildcard};
use crate::permissions::tools::resolve;

/// True when `pattern` covers `path`: `/x` lies in the project, `//x` is absolute, `~/x` in the home folder,
/// anything else below the working folder; a name alone is found at any depth.
pub(super) fn covers(pattern: &str, path: &str, cwd: &str, reading: Reading) -> bool {
    let path = resolve(path, cwd);
    let root = cwd.trim_end_matches('/');
    let whole = if let Some(absolute) = pattern.strip_prefix("//") {
        format!("/{absolute}")
    } else if let Some(below_home) = pattern.strip_prefix("~/") {
        match (home(cwd), reading) {
            (Some(home), _) => format!("{home}/{below_home}"),
            (None, Reading::Certain) => return false,
            (None, Reading::Possible) => format!("/**/{below_home}"),
        }
    } else if let Some(in_project) = pattern.strip_prefix('/') {
        format!("{root}/{in_project}")
    } else {
        let plain = pattern.strip_prefix("./").unwrap_or(pattern);
        if plain.contains('/') {
            format!("{root}/{plain}")
        } else {
            format!("{root}/**/{plain}")
        }
    };
    let segments = |text: &str| -> Vec<String> {
        text.split('/')
            .filter(|part| !part.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let (pattern, mut path) = (segments(&whole), segments(&path));
    if fits(&pattern, &path) {
        return true;
    }
    // A pattern that names a folder covers what is in it.
    while reading == Reading::Possible && path.pop().is_some() {
        if fits(&pattern, &path) {
            return true;
        }
    }
    false
}

fn home(cwd: &str) -> Option<String> {
    let mut parts = cwd.split('/').filter(|part| !part.is_empty());
    match (parts.next()?, parts.next()) {
        (root @ ("home" | "Users"), Some(user)) => Some(format!("/{root}/{user}")),
        ("root", _) => Some("/root".to_owned()),
        _ => None,
    }
}

fn fits(pattern: &[String], path: &[String]) -> bool {
    let Some((first, rest)) = pattern.split_first() else {
        return path.is_empty();
    };
    if first == "**" {
        if rest.is_empty() {
            return !path.is_empty();
        }
        return (0..=path.len())
            .any(|skipped| path.get(skipped..).is_some_and(|path| fits(rest, path)));
    }
    match path.split_first() {
        Some((name, path)) => wildcard(first, name) && fits(rest, path),
        None => false,
    }
}
