//! Whether plantune's folders are the person's, private, writable, and have room.

use std::fs;
use std::io::{Error, ErrorKind};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use plantune_reports::humanize::counted;

use super::{Findings, Seen, word};
use crate::failure::Failure;
use crate::platform::may_write;
use crate::session::Session;
use crate::{platform, terminal};

/// How many entries are looked at below a folder.
const MOST_ENTRIES: usize = 10_000;

/// How many paths a finding names.
const NAMED: usize = 3;

const MEBIBYTE: u64 = 1024 * 1024;

/// Looks at the data and the configuration; nothing is made or changed.
pub(super) fn check_folders(seen: &Seen<'_>, found: &mut Findings) {
    folders(seen.session).for_each(|folder| check_folder(folder, found));
}

/// Whether the file system of the data, or of what is above it, has room.
pub(super) fn check_space(seen: &Seen<'_>, found: &mut Findings) {
    let mut above = seen.session.paths.data().ancestors();
    let there = above.find(|folder| folder.is_dir());
    if let Some((there, free)) = there.and_then(|there| Some((there, platform::free_space(there)?)))
    {
        judge_space(free, there, found);
    }
}

/// Closes to others what in plantune's folders is open to them, and says so.
///
/// # Errors
/// The errors of the file system.
pub(super) fn close(_: bool, session: &Session) -> Result<(), Failure> {
    for root in folders(session) {
        let mut paths = vec![root.to_owned()];
        walk(root, &mut paths, &mut Vec::new());
        let open = open_to_others(root, &paths);
        for (path, mode) in &open {
            fs::set_permissions(path, fs::Permissions::from_mode(mode & 0o700))?;
        }
        if !open.is_empty() {
            let count = counted(open.len(), "path", "paths");
            let root = terminal::path(root);
            terminal::print(&format!("closed to others: {count} in {root}\n"))?;
        }
    }
    Ok(())
}

/// The folders of the data and of the configuration, which may be one.
fn folders(session: &Session) -> impl Iterator<Item = &Path> {
    let (data, config) = (session.paths.data(), session.paths.config());
    [Some(data), Some(config).filter(|config| *config != data)]
        .into_iter()
        .flatten()
}

fn check_folder(root: &Path, found: &mut Findings) {
    let shown = root.display();
    match fs::metadata(root) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            found.ok(format!(
                "{shown} doesn't exist yet; plantune makes it when needed"
            ));
            return;
        }
        Err(error) => {
            let remedy = format!("look at it with `ls -ld {}`", word(root));
            found.failed(format!("{shown}: {error}")).remedy(remedy);
            return;
        }
        Ok(metadata) if !metadata.is_dir() => {
            found
                .failed(format!("{shown} is not a folder"))
                .remedy("move it away, or set PLANTUNE_HOME to a folder");
            return;
        }
        Ok(_) => {}
    }
    let before = found.checks.len();
    let (mut paths, mut unreadable) = (vec![root.to_owned()], Vec::new());
    walk(root, &mut paths, &mut unreadable);
    for (path, error) in unreadable.iter().take(NAMED) {
        found
            .failed(format!("{} cannot be read: {error}", path.display()))
            .remedy(format!("run `chmod 700 {}`", word(path)));
    }
    judge_modes(root, &open_to_others(root, &paths), found);
    let links = paths.iter().filter(|path| is_link(root, path));
    for link in links.take(NAMED) {
        found
            .warning(format!("{} is a symbolic link", link.display()))
            .remedy("plantune doesn't follow it; keep it only if you made it");
    }
    // The folder itself is among them.
    if paths.len() > MOST_ENTRIES + 1 {
        let message = format!("{shown} holds more than {MOST_ENTRIES} entries");
        found.note(message + "; the rest wasn't checked");
    }
    let fact = format!("nothing can be made or changed in {shown}");
    folder_is_closed(root, &fact, found);
    if found.checks.len() == before {
        found.ok(format!("{shown}, private to you"));
    }
}

/// Those of `paths` below `root` whose modes let others in, with their modes. What has gone meanwhile (a mark of a
/// session, a temporary file) is none.
fn open_to_others<'p>(root: &Path, paths: &'p [PathBuf]) -> Vec<(&'p PathBuf, u32)> {
    let modes = paths.iter().filter(|path| !is_link(root, path));
    let modes = modes.filter_map(|path| Some((path, fs::metadata(path).ok()?.mode() & 0o7777)));
    modes.filter(|(_, mode)| mode & 0o077 != 0).collect()
}

fn is_link(root: &Path, path: &Path) -> bool {
    path != root && path.is_symlink()
}

/// Adds what lies below `folder` to `paths`, in the order of their names. Links are not followed.
fn walk(folder: &Path, paths: &mut Vec<PathBuf>, unreadable: &mut Vec<(PathBuf, Error)>) {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => return unreadable.push((folder.to_owned(), error)),
    };
    let mut inside: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    inside.sort();
    for path in inside {
        if paths.len() > MOST_ENTRIES + 1 {
            return;
        }
        paths.push(path.clone());
        if path.is_dir() && !path.is_symlink() {
            walk(&path, paths, unreadable);
        }
    }
}

/// Reports the `open` paths below `root`, whose modes let others in, with the command that shuts these out.
fn judge_modes(root: &Path, open: &[(&PathBuf, u32)], found: &mut Findings) {
    let Some((first, mode)) = open.first() else {
        return;
    };
    let (more, place) = match open.len() - 1 {
        0 => (String::new(), first.as_path()),
        1 => (", and so has one more".to_owned(), root),
        more => (format!(", and so have {more} more"), root),
    };
    let message = format!("{} has mode {mode:04o}{more}", first.display());
    found
        .warning(message + ": others on this machine can read it")
        .remedy(format!(
            "run `plantune doctor --fix`, or `chmod -R go= {}`",
            word(place)
        ));
}

fn judge_space(free: u64, folder: &Path, found: &mut Findings) {
    let amount = match free / MEBIBYTE {
        mebibytes if mebibytes >= 10 * 1024 => format!("{} GiB", mebibytes / 1024),
        mebibytes => format!("{mebibytes} MiB"),
    };
    let message = format!("{amount} for {}", folder.display());
    let little = match free / MEBIBYTE {
        0..10 => found.failed(format!("only {message}, too little to log anything")),
        10..500 => found.warning(format!("only {message}")),
        _ => return found.ok(message),
    };
    little.remedy(format!(
        "make room: `du -xh -d 2 {} | sort -h`",
        word(folder)
    ));
}

/// Reports that new files cannot be made in `folder`, if so; `fact` says what that means. A folder that is
/// not there yet is made when it is needed. True when it was reported.
pub(super) fn folder_is_closed(folder: &Path, fact: &str, found: &mut Findings) -> bool {
    may_write(folder).is_err_and(|error| judge_closed(folder, (fact, &error), "700", found))
}

/// Reports that the file in `path` cannot be written, if it is there. True when it was reported.
pub(super) fn file_is_closed(path: &Path, fact: &str, found: &mut Findings) -> bool {
    may_write(path).is_err_and(|error| judge_closed(path, (fact, &error), "600", found))
}

fn judge_closed(
    path: &Path,
    (fact, error): (&str, &Error),
    mode: &str,
    found: &mut Findings,
) -> bool {
    if error.kind() == ErrorKind::NotFound {
        return false;
    }
    let failed = found.failed(format!("{fact}: {error}"));
    let path = word(path);
    match error.kind() {
        ErrorKind::ReadOnlyFilesystem => failed.remedy(format!(
            "mount it for writing (`findmnt -T {path}` shows it), or set PLANTUNE_HOME to a folder elsewhere"
        )),
        _ => failed
            .remedy(format!("run `chmod {mode} {path}`"))
            .remedy(format!("or, if it is somebody else's, `chown \"$USER\" {path}`")),
    };
    true
}

// Whether plantune's folders are the person's, and not brought by a repository.
/// Reports that settings of the project name other folders: in sessions here the hook uses other ones than
/// a command does. And that the hook refuses the folders here, if it does.
pub(super) fn check_roots(seen: &Seen<'_>, found: &mut Findings) {
    for (file, variable) in seen.settings.project_roots() {
        found
            .warning(format!("{file} sets {variable} for sessions here"))
            .remedy("remove it unless you put it there; plantune refuses a folder in a repository");
    }
    if let Some(refusal) = seen.session.refusal() {
        found
            .failed(refusal.to_string())
            .remedy(refusal.remedy())
            .remedy("until then you are asked every question; nothing there was read");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verbs::doctor::Status;
    use rustix::io::Errno;

    #[test]
    fn room() {
        let judged = |mebibytes: u64| {
            let mut found = Findings::of("folders");
            judge_space(mebibytes * MEBIBYTE, Path::new("/data"), &mut found);
            let one = found.checks.remove(0);
            (one.status, one.message)
        };
        for (mebibytes, status) in [
            (0, Status::Failed),
            (9, Status::Failed),
            (10, Status::Warning),
            (499, Status::Warning),
            (500, Status::Ok),
            (u64::MAX / MEBIBYTE, Status::Ok),
        ] {
            assert_eq!(judged(mebibytes).0, status);
        }
        assert_eq!(judged(20 * 1024).1, "20 GiB for /data");
    }

    #[test]
    fn what_others_may_read() {
        let paths: Vec<_> = (0..5).map(|n| PathBuf::from(format!("/d/f{n}"))).collect();
        let mut found = Findings::of("folders");
        for count in [0, 1, 2, 5] {
            let open: Vec<_> = paths.iter().take(count).map(|path| (path, 0o644)).collect();
            judge_modes(Path::new("/d"), &open, &mut found);
        }
        insta::assert_snapshot!(super::super::text(&found), @r"
        warning  folders: /d/f0 has mode 0644: others on this machine can read it
                 run `plantune doctor --fix`, or `chmod -R go= /d/f0`
        warning  folders: /d/f0 has mode 0644, and so has one more: others on this machine can read it
                 run `plantune doctor --fix`, or `chmod -R go= /d`
        warning  folders: /d/f0 has mode 0644, and so have 4 more: others on this machine can read it
                 run `plantune doctor --fix`, or `chmod -R go= /d`
        ");
    }

    #[test]
    fn links_are_named_and_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).unwrap();
        std::os::unix::fs::symlink("/", folder.path().join("events")).unwrap();
        let mut found = Findings::of("folders");
        check_folder(folder.path(), &mut found);
        assert_eq!(found.checks.len(), 1, "{found:?}");
        assert!(
            found.checks[0]
                .message
                .ends_with("events is a symbolic link")
        );
        check_folder(&folder.path().join("absent"), &mut found);
        assert_eq!(found.checks[1].status, Status::Ok);
    }

    #[test]
    fn remedy_for_each_error() {
        let path = Path::new("/d/a b");
        let mut found = Findings::of("folders");
        for error in [Errno::NOENT, Errno::ROFS, Errno::ACCESS] {
            let fact = ("nothing can be logged", &error.into());
            judge_closed(path, fact, "700", &mut found);
        }
        insta::assert_snapshot!(super::super::text(&found), @r#"
        FAILED   folders: nothing can be logged: Read-only file system (os error 30)
                 mount it for writing (`findmnt -T '/d/a b'` shows it), or set PLANTUNE_HOME to a folder elsewhere
        FAILED   folders: nothing can be logged: Permission denied (os error 13)
                 run `chmod 700 '/d/a b'`
                 or, if it is somebody else's, `chown "$USER" '/d/a b'`
        "#);
        let here = tempfile::tempdir().unwrap();
        assert!(!folder_is_closed(here.path(), "no", &mut found));
        assert!(!file_is_closed(
            &here.path().join("absent"),
            "no",
            &mut found
        ));
    }
}
