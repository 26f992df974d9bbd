//! Private files of the person: checking their owner, and opening them.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use std::{fs, io};

use crate::atomic_file::{self, Staged};

/// The age from which files are swept.
const LIFETIME: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// The most entries that one sweep looks at, to limit a hook's time.
const SWEPT_AT_ONCE: usize = 64;

/// Opens `path` for appending, and creates it readable by the person alone. A symbolic link at `path` is an error: the
/// text would go into a file of somebody else's choice.
///
/// # Errors
/// File system errors.
pub fn append(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true).mode(0o600);
    options.custom_flags(libc::O_NOFOLLOW).open(path)
}

/// Opens `path` empty for writing, like [`append`].
///
/// # Errors
/// File system errors.
pub fn overwrite(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600);
    options.custom_flags(libc::O_NOFOLLOW).open(path)
}

/// Replaces the file at `path`, which only plantune writes, by one with `content` that only the person can read: it is
/// always either the old or the new one. A symbolic link at `path` is replaced, and the file that it names stays as it is.
///
/// # Errors
/// File system errors. Then the old file is unchanged.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    stage(path, content)?.put_in_place()
}

/// The first half of [`replace`]: everything that needs disk space.
///
/// # Errors
/// The errors of [`replace`].
pub fn stage(path: &Path, content: &[u8]) -> io::Result<Staged> {
    atomic_file::stage_at(path.to_owned(), content, 0o600, None)
}

/// Creates a new file at `path`, readable only by the person.
///
/// # Errors
/// `AlreadyExists` if there is something at `path`, and file system errors.
pub fn create_new(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(0o600).open(path)
}

/// Removes files and folders in `folder` that have not changed for seven days, among the first [`SWEPT_AT_ONCE`]. They
/// belong to sessions that ended without a call to the hook.
pub fn sweep(folder: &Path, now: SystemTime) {
    let found = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in found.take(SWEPT_AT_ONCE) {
        let at = entry.metadata().and_then(|kind| kind.modified()).ok();
        let age = at.and_then(|at| now.duration_since(at).ok());
        if age.is_some_and(|age| age > LIFETIME) {
            let path = entry.path();
            let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path));
        }
    }
}

/// The first `most` bytes of the regular file at `path`; `None` if there is none, or if it is anything else: a pipe
/// would block, and a link may lead anywhere.
pub fn read(path: &Path, most: u64) -> Option<Vec<u8>> {
    let file = open_ordinary(path).ok()?;
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Calls `each` with at most the first `head` bytes of every complete line in the last `most` bytes of the file at
/// `path`. Returns true if that is the whole file, and `None` in the same cases as [`read`].
pub(crate) fn last_lines(
    path: &Path,
    (head, most): (usize, u64),
    each: &mut dyn FnMut(&[u8]),
) -> Option<bool> {
    let mut file = open_without_waiting(path).ok()?;
    let kind = file.metadata().ok()?;
    if !kind.is_file() {
        return None;
    }
    let start = kind.len().saturating_sub(most);
    file.seek(SeekFrom::Start(start)).ok()?;
    // Small, so that few pages are touched: this runs several times a second.
    let mut buffer = [0; 16 * 1024];
    let mut line = Vec::with_capacity(head);
    let mut is_whole = start == 0;
    loop {
        let read = file.read(&mut buffer).ok()?;
        let mut rest = buffer.get(..read)?;
        if rest.is_empty() {
            return Some(start == 0);
        }
        while let Some(end) = memchr::memchr(b'\n', rest) {
            let (before, after) = rest.split_at(end);
            line.extend(before.iter().take(head - line.len()));
            if is_whole {
                each(&line);
            }
            is_whole = true;
            line.clear();
            rest = after.get(1..)?;
        }
        line.extend(rest.iter().take(head - line.len()));
    }
}

/// Opens the regular file at `path` for reading.
///
/// # Errors
/// If `path` is not a regular file, and file system errors.
pub fn open_ordinary(path: &Path) -> io::Result<File> {
    let file = open_without_waiting(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("no ordinary file"));
    }
    Ok(file)
}

/// Opens the person's own file at `path`, of at most `most` bytes, whose contents plantune follows; `None` if there is
/// none.
///
/// # Errors
/// Why the file is ignored, in words without the path: it is not a regular file, too long, a link out of its folder, or
/// others may write to it or to its folder. Also those of the file system.
pub(crate) fn open_own(path: &Path, most: u64) -> Result<Option<File>, String> {
    let file = match open_without_waiting(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) if is_link_error(&error) => open_link(path)?,
        opened => opened.map_err(|error| error.to_string())?,
    };
    let kind = file.metadata().map_err(|error| error.to_string())?;
    if !kind.is_file() {
        return Err("ignored, because it is no ordinary file".to_owned());
    }
    // Whoever may write to the folder may put another file there.
    let folder = path.parent().map(fs::metadata).transpose();
    let folder = folder.map_err(|error| error.to_string())?;
    for (what, mode, kind) in [("it", 600, Some(kind.clone())), ("its folder", 700, folder)] {
        if let Some(kind) = kind.filter(others_may_write) {
            let (now, owner) = (kind.mode() & 0o777, kind.uid());
            return Err(format!(
                "ignored, because others may write {what} (mode {now:o}, owner {owner}); chmod {mode} it, and \
                 have it be yours"
            ));
        }
    }
    if kind.len() > most {
        let length = kind.len();
        return Err(format!(
            "ignored, because it is too long ({length} bytes; at most {most})"
        ));
    }
    Ok(Some(file))
}

/// The text of the person's own file at `path`; `None` if there is none.
///
/// # Errors
/// The errors of [`open_own`], and if the text is not UTF-8.
pub fn read_own(path: &Path, most: u64) -> Result<Option<String>, String> {
    let Some(file) = open_own(path, most)? else {
        return Ok(None);
    };
    let mut text = String::new();
    file.take(most)
        .read_to_string(&mut text)
        .map_err(|error| error.to_string())?;
    Ok(Some(text))
}

/// Opens the target of a link at the path of the person's file, if the target is in the link's folder.
fn open_link(path: &Path) -> Result<File, String> {
    let words = |error: io::Error| format!("ignored, because it is a link: {error}");
    let target = fs::canonicalize(path).map_err(words)?;
    let folder = path.parent().map_or(Ok(PathBuf::new()), fs::canonicalize);
    if !target.starts_with(folder.map_err(words)?) {
        return Err(format!(
            "ignored, because it is a link out of its folder, to {}; put the file itself there",
            target.display()
        ));
    }
    open_without_waiting(&target).map_err(words)
}

/// Opens `path` for reading, unless it is a link. Does not block on a pipe.
///
/// # Errors
/// File system errors.
pub(crate) fn open_without_waiting(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK)
        .open(path)
}

/// True if a file was not opened because it is a link.
fn is_link_error(error: &io::Error) -> bool {
    error.raw_os_error() == Some(libc::ELOOP)
}

/// True if the file or folder belongs neither to this user nor to root, who may write everything.
pub(crate) fn is_of_another_owner(file: &Metadata) -> bool {
    file.uid() != effective_user() && file.uid() != 0
}

/// True if somebody else may write to the file, because of its mode or because they own it.
fn others_may_write(file: &Metadata) -> bool {
    is_of_another_owner(file) || file.mode() & 0o022 != 0
}

/// The effective user of this process.
#[allow(
    unsafe_code,
    reason = "the standard library has no call for the effective user"
)]
pub(crate) fn effective_user() -> u32 {
    // SAFETY: the call takes nothing and cannot fail.
    unsafe { libc::geteuid() }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    const MOST: u64 = 100;

    fn own(path: &Path) -> Result<Option<String>, String> {
        read_own(path, MOST)
    }

    fn file(path: &Path, text: &str, mode: u32) {
        atomic_file::replace(path, text.as_bytes(), 0o600).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn own_file_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f");
        assert_eq!(own(&path), Ok(None));
        for mode in [0o600, 0o644, 0o400] {
            file(&path, "text", mode);
            assert_eq!(own(&path), Ok(Some("text".to_owned())));
        }
        symlink(&path, folder.path().join("link")).unwrap();
        assert_eq!(
            own(&folder.path().join("link")),
            Ok(Some("text".to_owned()))
        );
    }

    #[test]
    fn what_only_plantune_writes_is_not_written_through_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        file(&at("theirs"), "theirs", 0o644);
        for leads_to in ["theirs", "nowhere"] {
            symlink(at(leads_to), at("ours")).unwrap();
            replace(&at("ours"), b"ours").unwrap();
            let kind = fs::symlink_metadata(at("ours")).unwrap();
            assert!(kind.is_file() && kind.mode() & 0o777 == 0o600);
            assert_eq!(own(&at("ours")), Ok(Some("ours".to_owned())));
            assert!(append(&at("ours")).is_ok() && overwrite(&at("ours")).is_ok());
            fs::remove_file(at("ours")).unwrap();
            symlink(at(leads_to), at("ours")).unwrap();
            assert!(append(&at("ours")).is_err() && overwrite(&at("ours")).is_err());
            assert!(create_new(&at("ours")).is_err());
            fs::remove_file(at("ours")).unwrap();
        }
        assert_eq!(own(&at("theirs")), Ok(Some("theirs".to_owned())));
        assert!(!at("nowhere").exists());
    }

    #[test]
    fn what_is_old_is_swept() {
        let folder = tempfile::tempdir().unwrap();
        file(&folder.path().join("file"), "text", 0o600);
        fs::create_dir(folder.path().join("session")).unwrap();
        file(&folder.path().join("session/mark"), "text", 0o600);
        let count = || fs::read_dir(folder.path()).unwrap().count();
        sweep(folder.path(), SystemTime::now());
        assert_eq!(count(), 2);
        let later = SystemTime::now() + LIFETIME + Duration::from_secs(60);
        sweep(folder.path(), later);
        assert_eq!(count(), 0);
        sweep(&folder.path().join("none"), later);
    }

    #[test]
    fn anything_else_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        file(&at("wide"), "text", 0o620);
        file(&at("long"), &"x".repeat(101), 0o600);
        file(&elsewhere.path().join("f"), "text", 0o600);
        fs::create_dir(at("folder")).unwrap();
        symlink(elsewhere.path().join("f"), at("link")).unwrap();
        symlink(at("absent"), at("dangling")).unwrap();
        let made = std::process::Command::new("mkfifo")
            .arg(at("pipe"))
            .status();
        assert!(made.unwrap().success());
        for (name, why) in [
            ("wide", "others may write it (mode 620"),
            ("long", "too long (101 bytes; at most 100)"),
            ("folder", "no ordinary file"),
            ("pipe", "no ordinary file"),
            ("link", "link out of its folder"),
            ("dangling", "it is a link"),
        ] {
            let error = own(&at(name)).unwrap_err();
            assert!(error.contains(why), "{name}: {error}");
        }
        for name in ["pipe", "link", "folder"] {
            assert_eq!(read(&at(name), MOST), None, "{name}");
        }
        file(&at("own"), "text", 0o600);
        assert!(own(&at("own")).is_ok());
        for mode in [0o770, 0o707] {
            fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode)).unwrap();
            let error = own(&at("own")).unwrap_err();
            let why = format!("others may write its folder (mode {mode:o}");
            assert!(error.contains(&why), "{error}");
        }
    }
}
