//! Whether plantune's folders are private, and have room.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use plantune_domain::paths::Paths;
use plantune_domain::platform::mode;

use super::check::{Check, word};
use super::writable;
use crate::installed_hook::InstalledHook;
use crate::platform;
use crate::workspace::Workspace;

/// How many entries are looked at below a folder.
const MOST_ENTRIES: usize = 10_000;

/// How many paths a finding names.
const NAMED: usize = 3;

const MEBIBYTE: u64 = 1024 * 1024;

/// What is not as it should be below a folder.
#[derive(Debug, Default)]
struct Findings {
    /// Folders that others may enter or read, with their modes.
    folders: Vec<(PathBuf, u32)>,
    /// Files that others may read, with their modes.
    files: Vec<(PathBuf, u32)>,
    links: Vec<PathBuf>,
    unreadable: Vec<(PathBuf, io::Error)>,
    entries: usize,
    /// Links that plantune makes.
    own_links: Vec<PathBuf>,
}

/// Looks at the data and the configuration; nothing is made or changed.
pub(super) fn check(workspace: &Workspace) -> Vec<Check> {
    let (data, config) = (workspace.paths.data(), workspace.paths.config());
    let mut checks = check_folder("data_folder", data);
    if config != data {
        checks.extend(check_folder("configuration_folder", config));
    }
    checks.extend(space(data));
    checks
}

fn check_folder(name: &'static str, root: &Path) -> Vec<Check> {
    let shown = root.display();
    match fs::metadata(root) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let message = format!("{shown} is not there yet; it is made when it is needed");
            return vec![Check::ok(name, message)];
        }
        Err(error) => {
            let check = Check::failed(name, format!("{shown}: {error}"));
            return vec![check.remedy(format!("look at it with `ls -ld {}`", word(root)))];
        }
        Ok(metadata) if !metadata.is_dir() => {
            let check = Check::failed(name, format!("{shown} is no folder"));
            return vec![check.remedy("move it away, or set PLANTUNE_HOME to a folder")];
        }
        Ok(_) => {}
    }
    let hook = InstalledHook::of(&Paths::below(root.to_owned()));
    let mut findings = Findings {
        own_links: hook.link().into_iter().collect(),
        ..Findings::default()
    };
    findings.look_at(root);
    findings.walk(root);
    let mut checks = judge(name, root, &findings);
    let fact = format!("nothing can be made or changed in {shown}");
    checks.extend(writable::folder(name, root, &fact));
    if checks.is_empty() {
        vec![Check::ok(name, format!("{shown}, private to you"))]
    } else {
        checks
    }
}

impl Findings {
    fn walk(&mut self, folder: &Path) {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => return self.unreadable.push((folder.to_owned(), error)),
        };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            self.entries += 1;
            if self.entries > MOST_ENTRIES {
                return;
            }
            if path.is_symlink() {
                if !self.own_links.contains(&path) {
                    self.links.push(path);
                }
            } else if self.look_at(&path) {
                self.walk(&path);
            }
        }
    }

    /// Judges the mode of `path`, which is no link unless it is the root; true for a folder.
    fn look_at(&mut self, path: &Path) -> bool {
        // What has gone meanwhile (a mark of a session, a temporary file) is no finding.
        let Ok(metadata) = fs::metadata(path) else {
            return false;
        };
        let mode = mode(&metadata);
        let wide = mode & 0o077 != 0;
        if wide && metadata.is_dir() {
            self.folders.push((path.to_owned(), mode));
        } else if wide {
            self.files.push((path.to_owned(), mode));
        }
        metadata.is_dir()
    }
}

fn judge(name: &'static str, root: &Path, findings: &Findings) -> Vec<Check> {
    let mut checks = Vec::new();
    for (path, error) in findings.unreadable.iter().take(NAMED) {
        let check = Check::failed(name, format!("{} cannot be read: {error}", path.display()));
        checks.push(check.remedy(format!("run `chmod 700 {}`", word(path))));
    }
    checks.extend(wide(name, root, &findings.folders, "700", "d"));
    checks.extend(wide(name, root, &findings.files, "600", "f"));
    for link in findings.links.iter().take(NAMED) {
        let message = format!("{} is a symbolic link", link.display());
        let check = Check::warning(name, message);
        checks.push(check.remedy("what it leads to is not looked at; keep it only if you made it"));
    }
    if findings.entries > MOST_ENTRIES {
        let message = format!("{} holds more than {MOST_ENTRIES} entries", root.display());
        checks.push(Check::note(name, message + "; the rest was not looked at"));
    }
    checks
}

/// Paths whose mode lets others in, with the command that shuts them out.
fn wide(
    name: &'static str,
    root: &Path,
    paths: &[(PathBuf, u32)],
    mode: &str,
    kind: &str,
) -> Option<Check> {
    let (first, first_mode) = paths.first()?;
    let more = match paths.len() - 1 {
        0 => String::new(),
        1 => ", and one more is as open".to_owned(),
        more => format!(", and {more} others are as open"),
    };
    let message = format!("{} has mode {first_mode:04o}{more}", first.display());
    let command = if paths.len() <= NAMED {
        let words: Vec<String> = paths.iter().map(|(path, _)| word(path)).collect();
        format!("chmod {mode} {}", words.join(" "))
    } else {
        format!("find {} -type {kind} -exec chmod {mode} {{}} +", word(root))
    };
    let check = Check::warning(name, message + ": others on this machine may look in");
    Some(check.remedy(format!("run `{command}`")))
}

/// The room on the file system of `data`, or of what is above it.
fn space(data: &Path) -> Option<Check> {
    let there = data.ancestors().find(|folder| folder.is_dir())?;
    Some(judge_space(platform::free_space(there)?, there))
}

fn judge_space(free: u64, folder: &Path) -> Check {
    let amount = match free / MEBIBYTE {
        mebibytes if mebibytes >= 10 * 1024 => format!("{} GiB", mebibytes / 1024),
        mebibytes => format!("{mebibytes} MiB"),
    };
    let message = format!("{amount} for {}", folder.display());
    let remedy = format!("make room: `du -xh -d 2 {} | sort -h`", word(folder));
    match free / MEBIBYTE {
        0..10 => Check::failed(
            "free_space",
            format!("only {message}: nothing can be logged"),
        )
        .remedy(remedy),
        10..500 => Check::warning("free_space", format!("only {message}")).remedy(remedy),
        _ => Check::ok("free_space", message),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::super::check::Status;
    use super::*;

    #[test]
    fn room() {
        let folder = Path::new("/data");
        for (mebibytes, status) in [
            (0, Status::Failed),
            (9, Status::Failed),
            (10, Status::Warning),
            (499, Status::Warning),
            (500, Status::Ok),
            (u64::MAX / MEBIBYTE, Status::Ok),
        ] {
            assert_eq!(judge_space(mebibytes * MEBIBYTE, folder).status, status);
        }
        assert_eq!(
            judge_space(20 * 1024 * MEBIBYTE, folder).message,
            "20 GiB for /data"
        );
    }

    #[test]
    fn what_others_may_read() {
        let paths = |count: u32| -> Vec<_> {
            let path = |n| (PathBuf::from(format!("/d/f{n}")), 0o644);
            (0..count).map(path).collect()
        };
        let found = |count| wide("data_folder", Path::new("/d"), &paths(count), "600", "f");
        assert_eq!(found(0), None);
        let shown = [1, 2, 5].map(|count| {
            let check = found(count).unwrap();
            format!("{}\n{}", check.message, check.remedy.unwrap_or_default())
        });
        insta::assert_snapshot!(shown.join("\n"), @r"
        /d/f0 has mode 0644: others on this machine may look in
        run `chmod 600 /d/f0`
        /d/f0 has mode 0644, and one more is as open: others on this machine may look in
        run `chmod 600 /d/f0 /d/f1`
        /d/f0 has mode 0644, and 4 others are as open: others on this machine may look in
        run `find /d -type f -exec chmod 600 {} +`
        ");
    }

    #[test]
    fn links_are_named_and_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).unwrap();
        std::os::unix::fs::symlink("/", folder.path().join("events")).unwrap();
        let checks = check_folder("data_folder", folder.path());
        assert_eq!(checks.len(), 1, "{checks:?}");
        assert!(checks[0].message.ends_with("events is a symbolic link"));
        let absent = check_folder("data_folder", &folder.path().join("absent"));
        assert_eq!(absent[0].status, Status::Ok);
    }
}
