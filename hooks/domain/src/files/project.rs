//! The project key: one function for the hook, the importer and the preference writer.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::secrets::masked_path;

/// The longest path that any system accepts, in bytes.
pub(crate) const LONGEST_PATH: usize = 4096;

/// The size limit of git's own small files, in bytes.
const LONGEST_FILE: u64 = 1024 * 1024;

/// The key of the project that contains `cwd`.
///
/// The `origin` remote as `host/owner/repo` (the same for ssh and https, without `.git`), otherwise the main worktree's
/// directory, or, outside git, `cwd` itself. Linked worktrees and subdirectories of one repository have the same key,
/// and so have worktrees that are gone; a submodule is a separate repository. Reads a few small files, and starts no
/// process. A token in the name of a folder is masked.
pub fn project_key(cwd: &Path) -> String {
    match masked_path(&unmasked_key(cwd)) {
        Cow::Borrowed(key) => key.to_owned(),
        Cow::Owned(key) => key,
    }
}

fn unmasked_key(cwd: &Path) -> String {
    if !cwd.is_absolute() || cwd.as_os_str().len() > LONGEST_PATH {
        // A relative path is not relative to this process. And a path that is too long for the system is not a folder;
        // searching each of its parents would take quadratic time.
        let cwd = cwd.to_string_lossy();
        return main_folder(&cwd).unwrap_or(&cwd).to_owned();
    }
    // A folder of another machine, or one deleted since, cannot be resolved. What its path says is left.
    let cwd = fs::canonicalize(cwd).unwrap_or_else(|_| {
        let text = cwd.to_str().unwrap_or_default();
        PathBuf::from(main_folder(text).map_or(cwd.as_os_str(), OsStr::new))
    });
    let Some((worktree, git_dir)) = find_git_dir(&cwd) else {
        return cwd.to_string_lossy().into_owned();
    };
    let common_dir = common_dir(&git_dir);
    origin_url(&common_dir)
        .and_then(|url| repository_of(&url))
        .unwrap_or_else(|| {
            main_worktree_of(&worktree, &git_dir, &common_dir)
                .to_string_lossy()
                .into_owned()
        })
}

/// What the name of a folder of worktrees adds to that of the repository beside it.
const BESIDE: [&str; 4] = ["-worktrees", ".worktrees", "_worktrees", "-wt"];

/// The folder of the repository whose worktree was the folder `cwd`, or contained it, by the places that agents and
/// people use: in the repository `.claude/worktrees/NAME`, `.worktrees/NAME` and `.conductor/NAME`, beside it
/// `REPOSITORY-worktrees/NAME` and the like. `None` for any other folder.
fn main_folder(cwd: &str) -> Option<&str> {
    let is_separator = separators(cwd);
    cwd.match_indices(is_separator).find_map(|(end, _)| {
        let (above, below) = (cwd.get(..end)?, cwd.get(end + 1..)?);
        let mut names = below.split(is_separator).filter(|name| !name.is_empty());
        let is_inside = match names.next()? {
            ".claude" => names.next() == Some("worktrees") && names.next().is_some(),
            ".worktrees" | ".conductor" => names.next().is_some(),
            _ => false,
        };
        if is_inside && !above.is_empty() {
            return Some(above);
        }
        let main = BESIDE.iter().find_map(|added| above.strip_suffix(added))?;
        (!main.ends_with(is_separator)).then_some(main)
    })
}

/// For a folder `cwd` below one that is called `worktrees`: the folder above that, and the names of the two folders
/// below it. One of these may be the repository's, as in `~/.cursor/worktrees/REPOSITORY/NAME` and
/// `~/.codex/worktrees/ID/REPOSITORY`. The path alone does not tell.
pub fn around_worktrees(cwd: &str) -> Option<(&str, [Option<&str>; 2])> {
    const FOLDER: &str = "worktrees";
    let is_separator = separators(cwd);
    let mut places = cwd.match_indices(FOLDER);
    places.find_map(|(at, _)| {
        let above = cwd.get(..at)?.strip_suffix(is_separator)?;
        let below = cwd.get(at + FOLDER.len()..)?.strip_prefix(is_separator)?;
        let mut names = below.split(is_separator).filter(|name| !name.is_empty());
        Some((above, [names.next(), names.next()]))
    })
}

/// What separates the folders of `path`: on Windows, both slashes do.
fn separators(path: &str) -> impl Fn(char) -> bool + Copy {
    let mut start = path.chars().skip(1);
    let is_windows = start.next() == Some(':') || path.starts_with("\\\\");
    move |c| c == '/' || (is_windows && c == '\\')
}

/// The root of the worktree that contains `cwd`; `None` outside git.
pub fn worktree_root(cwd: &Path) -> Option<PathBuf> {
    find_git_dir(&fs::canonicalize(cwd).ok()?).map(|(worktree, _)| worktree)
}

/// The root of the worktree that contains `path`, and that of the main worktree of its repository; `None` outside git.
pub(crate) fn worktrees(path: &Path) -> Option<(PathBuf, PathBuf)> {
    let (worktree, git_dir) = find_git_dir(path)?;
    let main = main_worktree_of(&worktree, &git_dir, &common_dir(&git_dir));
    Some((worktree, main))
}

/// The nearest ancestor folder with a `.git`, and the git directory that it names.
fn find_git_dir(cwd: &Path) -> Option<(PathBuf, PathBuf)> {
    cwd.ancestors().find_map(|folder| {
        let dot_git = folder.join(".git");
        let kind = fs::metadata(&dot_git).ok()?;
        if kind.is_dir() {
            // A folder named `.git` without these files is not a repository.
            return dot_git
                .join("HEAD")
                .exists()
                .then(|| (folder.to_owned(), dot_git));
        }
        let link = read(&dot_git)?;
        let git_dir = folder.join(link.strip_prefix("gitdir:")?.trim());
        Some((
            folder.to_owned(),
            fs::canonicalize(&git_dir).unwrap_or(git_dir),
        ))
    })
}

/// The text of a small file; `None` for anything else. A repository may have a pipe instead of a file, which would
/// block forever, or an endless device.
fn read(path: &Path) -> Option<String> {
    let kind = fs::metadata(path).ok()?;
    (kind.is_file() && kind.len() <= LONGEST_FILE)
        .then(|| fs::read_to_string(path).ok())
        .flatten()
}

/// The directory with the configuration. A linked worktree's git directory names it in `commondir`.
fn common_dir(git_dir: &Path) -> PathBuf {
    read(&git_dir.join("commondir")).map_or_else(
        || git_dir.to_owned(),
        |link| {
            let common = git_dir.join(link.trim());
            fs::canonicalize(&common).unwrap_or(common)
        },
    )
}

fn main_worktree_of(worktree: &Path, git_dir: &Path, common_dir: &Path) -> PathBuf {
    if git_dir == common_dir {
        return worktree.to_owned();
    }
    match common_dir.parent() {
        Some(parent) if common_dir.file_name().is_some_and(|name| name == ".git") => {
            parent.to_owned()
        }
        // Worktrees of a bare repository.
        _ => common_dir.to_owned(),
    }
}

/// The first `url` of `[remote "origin"]`.
fn origin_url(common_dir: &Path) -> Option<String> {
    let config = read(&common_dir.join("config"))?;
    let mut in_origin = false;
    for line in config.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix('[') {
            let section = section.split(']').next().unwrap_or_default().trim();
            in_origin =
                section
                    .split_once(char::is_whitespace)
                    .is_some_and(|(name, subsection)| {
                        name.eq_ignore_ascii_case("remote") && subsection.trim() == "\"origin\""
                    });
        } else if in_origin
            && let Some((name, value)) = line.split_once('=')
            && name.trim().eq_ignore_ascii_case("url")
        {
            return Some(value.trim().trim_matches('"').to_owned());
        }
    }
    None
}

/// `host/owner/repo` from a remote's URL; `None` for a local path, which has no host.
///
/// The host is in lower case, without user, password and port.
fn repository_of(url: &str) -> Option<String> {
    let (authority, path) = match url.split_once("://") {
        Some((scheme, _)) if scheme.eq_ignore_ascii_case("file") => return None,
        Some((_, rest)) => rest.split_once('/')?,
        // The scp-like form, host:path, unless a slash comes first or it is a drive letter.
        None => {
            let (host, path) = url.split_once(':')?;
            if host.contains('/') || host.len() < 2 {
                return None;
            }
            (host, path)
        }
    };
    let host = authority.rsplit('@').next().unwrap_or_default();
    let host = host.split(':').next().unwrap_or_default().to_lowercase();
    let path = path
        .split(['?', '#'])
        .next()
        .unwrap_or_default()
        .trim_matches('/');
    let path = path
        .strip_suffix(".git")
        .unwrap_or(path)
        .trim_end_matches('/');
    (!host.is_empty() && !path.is_empty()).then(|| format!("{host}/{path}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pipe_is_no_repository() {
        let folder = tempfile::tempdir().unwrap();
        let made = std::process::Command::new("mkfifo")
            .arg(folder.path().join(".git"))
            .status();
        assert!(made.unwrap().success());
        // The test is that this returns at all.
        assert_eq!(worktree_root(folder.path()), None);
    }

    #[test]
    fn worktrees_that_are_gone() {
        for (cwd, main) in [
            ("/gone/shop/.claude/worktrees/fix-login", "/gone/shop"),
            ("/gone/shop/.claude/worktrees/fix/src/cart", "/gone/shop"),
            ("/gone/shop/.worktrees/fix", "/gone/shop"),
            ("/gone/shop/.conductor/paris", "/gone/shop"),
            ("/gone/shop-worktrees/fix", "/gone/shop"),
            ("/gone/shop.worktrees/fix/src", "/gone/shop"),
            (
                "C:\\Users\\dev\\shop\\.claude\\worktrees\\fix",
                "C:\\Users\\dev\\shop",
            ),
            ("/gone/shop", "/gone/shop"),
            (
                "/gone/shop/.claude/worktrees",
                "/gone/shop/.claude/worktrees",
            ),
            ("/gone/.claude/skills/fix", "/gone/.claude/skills/fix"),
            ("/gone/shop-worktrees", "/gone/shop-worktrees"),
            ("/gone/-worktrees/x", "/gone/-worktrees/x"),
        ] {
            assert_eq!(project_key(Path::new(cwd)), main, "{cwd}");
        }
        for (cwd, around) in [
            (
                "/h/.cursor/worktrees/shop/ab",
                Some(("/h/.cursor", [Some("shop"), Some("ab")])),
            ),
            (
                "/h/.codex/worktrees/1f/shop",
                Some(("/h/.codex", [Some("1f"), Some("shop")])),
            ),
            ("/h/worktrees", None),
            ("/h/my-worktrees/shop", None),
        ] {
            assert_eq!(around_worktrees(cwd), around);
        }
    }

    #[test]
    fn urls_agree() {
        for url in [
            "git@github.com:owner/repo.git",
            "https://github.com/owner/repo.git",
            "https://github.com/owner/repo/",
            "https://user:token@GitHub.com/owner/repo",
            "ssh://git@github.com:22/owner/repo.git",
            "git://github.com/owner/repo.git",
        ] {
            assert_eq!(
                repository_of(url).as_deref(),
                Some("github.com/owner/repo"),
                "{url}"
            );
        }
        assert_eq!(
            repository_of("git@gitlab.com:group/sub/repo.git").as_deref(),
            Some("gitlab.com/group/sub/repo")
        );
        for url in [
            "/srv/git/repo.git",
            "../repo",
            "file:///srv/repo.git",
            "C:\\repo",
            "",
        ] {
            assert_eq!(repository_of(url), None, "{url}");
        }
    }
}
