//! Rules about files: patterns like those of `.gitignore`.

use super::Reading;
use crate::permissions::tools::resolve;
use crate::text::wildcard;

/// True when `pattern` covers `path`: `/x` lies in the project, `//x` is absolute, `~/x` in the home folder,
/// anything else below the working folder; a name alone is found at any depth.
pub(super) fn covers_path(pattern: &str, path: &str, cwd: &str, reading: Reading) -> bool {
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
    let (pattern, path) = (segments(&whole), segments(&path));
    // A pattern that names a folder covers what is in it.
    let least = match reading {
        Reading::Certain => path.len(),
        Reading::Possible => 0,
    };
    let mut ends = least..=path.len();
    ends.any(|end| path.get(..end).is_some_and(|path| fits(&pattern, path)))
}

fn segments(path: &str) -> Vec<&str> {
    path.split('/').filter(|part| !part.is_empty()).collect()
}

fn home(cwd: &str) -> Option<String> {
    match segments(cwd).as_slice() {
        [root @ ("home" | "Users"), user, ..] => Some(format!("/{root}/{user}")),
        ["root", ..] => Some("/root".to_owned()),
        _ => None,
    }
}

fn fits(pattern: &[&str], path: &[&str]) -> bool {
    let Some((first, rest)) = pattern.split_first() else {
        return path.is_empty();
    };
    if *first == "**" {
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
