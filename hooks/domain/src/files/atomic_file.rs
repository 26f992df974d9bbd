//! Replaces a file atomically: it is always either the old or the new one.

use std::fs::{File, OpenOptions, Permissions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

/// The age from which a temporary file is abandoned: writing never takes this long, so its writer was killed.
const ABANDONED: Duration = Duration::from_secs(3600);

/// Replaces the person's file at `path` with `content`: writes a temporary file next to it, syncs and renames it. What
/// only plantune writes is replaced by [`private_file::replace`](crate::private_file::replace).
///
/// A symbolic link is followed: its target is replaced, not the link. An
/// existing file keeps its mode; a new one gets `new_mode`.
///
/// # Errors
/// File system errors. Then the old file is unchanged, and the temporary one is removed.
pub fn replace(path: &Path, content: &[u8], new_mode: u32) -> io::Result<()> {
    stage(path, content, new_mode)?.put_in_place()
}

/// A file's new content, synced to disk next to the old one. Removed on drop unless it was put in place.
#[derive(Debug)]
pub struct Staged {
    temporary: PathBuf,
    target: PathBuf,
    is_in_place: bool,
}

/// The first half of [`replace`]: everything that needs disk space.
///
/// # Errors
/// The errors of [`replace`].
pub fn stage(path: &Path, content: &[u8], new_mode: u32) -> io::Result<Staged> {
    let target = match fs::canonicalize(path) {
        Ok(target) => target,
        Err(error) if error.kind() == io::ErrorKind::NotFound => path.to_owned(),
        Err(error) => return Err(error),
    };
    let old = fs::metadata(&target).ok();
    let old = old.map(|old| old.permissions());
    stage_at(target, content, new_mode, old)
}

/// [`stage`] for what stands at `target` itself, also a link. The file gets the permissions `old`, or `new_mode`.
///
/// # Errors
/// The errors of [`replace`].
pub(crate) fn stage_at(
    target: PathBuf,
    content: &[u8],
    new_mode: u32,
    old: Option<Permissions>,
) -> io::Result<Staged> {
    remove_unfinished(&target, ABANDONED);
    let staged = Staged {
        temporary: beside(&target)?,
        target,
        is_in_place: false,
    };
    write_new(&staged.temporary, content, new_mode, old)?;
    Ok(staged)
}

impl Staged {
    /// The second half of [`replace`].
    ///
    /// # Errors
    /// The errors of [`replace`].
    pub fn put_in_place(mut self) -> io::Result<()> {
        self.rename(&self.target.clone())
    }

    /// The same, at `path` in the same folder instead.
    ///
    /// # Errors
    /// The errors of [`replace`].
    pub fn put_at(mut self, path: &Path) -> io::Result<()> {
        self.rename(path)
    }

    fn rename(&mut self, path: &Path) -> io::Result<()> {
        fs::rename(&self.temporary, path)?;
        self.is_in_place = true;
        path.parent().map(sync_folder);
        Ok(())
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        if !self.is_in_place {
            // The earlier error is the one to report.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// Removes the temporary files next to `target` that are older than `age`. Files that cannot be removed stay.
pub fn remove_unfinished(target: &Path, age: Duration) {
    let (Some(folder), Some(name)) = (target.parent(), target.file_name()) else {
        return;
    };
    let is_ours = |other: &[u8]| {
        let process = other.strip_prefix(name.as_encoded_bytes());
        let process = process.and_then(|rest| rest.strip_prefix(b".plantune-"));
        process.is_some_and(|digits| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit))
    };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if !is_ours(entry.file_name().as_encoded_bytes()) {
            continue;
        }
        let written = entry.metadata().and_then(|file| file.modified());
        let since = written.ok().and_then(|written| written.elapsed().ok());
        if since.is_some_and(|since| since > age) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn beside(target: &Path) -> io::Result<PathBuf> {
    let name = target.file_name().ok_or_else(|| {
        io::Error::new(io::ErrorKind::InvalidInput, "the path does not name a file")
    })?;
    let mut temporary = name.to_owned();
    temporary.push(format!(".plantune-{}", std::process::id()));
    Ok(target.with_file_name(temporary))
}

fn write_new(
    temporary: &Path,
    content: &[u8],
    new_mode: u32,
    old: Option<Permissions>,
) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(new_mode);
    let mut file = options.open(temporary)?;
    if let Some(old) = old {
        file.set_permissions(old)?;
    }
    file.write_all(content)?;
    file.sync_all()
}

/// Makes renames in `folder` survive a power cut. Not every file system can sync a folder; errors are ignored.
pub fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_mode_and_follows_links() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = tempfile::tempdir().unwrap();
        let real = folder.path().join("real.json");
        let link = folder.path().join("link.json");
        replace(&real, b"one", 0o600).unwrap();
        assert_eq!(
            fs::metadata(&real).unwrap().permissions().mode() & 0o777,
            0o600
        );
        fs::set_permissions(&real, Permissions::from_mode(0o640)).unwrap();
        symlink(&real, &link).unwrap();
        replace(&link, b"two", 0o600).unwrap();
        assert_eq!(fs::read(&real).unwrap(), b"two");
        assert_eq!(
            fs::metadata(&real).unwrap().permissions().mode() & 0o777,
            0o640
        );
        assert!(
            fs::symlink_metadata(&link)
                .unwrap()
                .file_type()
                .is_symlink()
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn what_a_killed_writer_left_is_removed_after_an_hour() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f");
        let age = |name: &str, seconds: u64| {
            let file = File::create(folder.path().join(name)).unwrap();
            let written = file.metadata().unwrap().modified().unwrap();
            file.set_modified(written - Duration::from_secs(seconds))
                .unwrap();
        };
        age("f.plantune-1", 3700);
        let others = [
            "f.plantune-2",
            "f.plantune-",
            "f.plantune-x",
            "g.plantune-3",
        ];
        age(others[0], 3500);
        others[1..].iter().for_each(|other| age(other, 9000));
        replace(&path, b"one", 0o600).unwrap();
        let mut found: Vec<_> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        found.sort();
        let mut expected = [&others[..], &["f"]].concat();
        expected.sort_unstable();
        assert_eq!(found, expected);
    }

    #[test]
    fn dropped_staged_file_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f");
        replace(&path, b"one", 0o600).unwrap();
        let staged = stage(&path, b"two", 0o600).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        drop(staged);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert_eq!(fs::read(&path).unwrap(), b"one");
    }
}
