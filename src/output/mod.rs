//! Files that verbs write where the person wants them: private, whole or not at all, and never over something
//! of theirs or through a link unless they say so.

pub(crate) mod opener;

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use plantune_reports::text::clean;
use tempfile::NamedTempFile;

use crate::failure::write_failure::WriteFailure;
use crate::failure::{Failure, Kind};

/// What is there already at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Existing {
    Nothing,
    Replaceable,
}

/// A file on its way to its place: a temporary one beside it, mode 0600, removed unless it is put in place.
#[derive(Debug)]
pub(crate) struct Output {
    target: PathBuf,
    existing: Existing,
    file: NamedTempFile,
}

impl Output {
    /// A file to be put at `path`. What is there is replaced where `is_ours` knows it as such a file, or with
    /// `force`; a link itself then, not what it names.
    ///
    /// # Errors
    /// Refused (exit code 4) for a file that is not ours and for a link, without `force`; usage for a folder
    /// or device; failed when the folder cannot be written.
    pub(crate) fn open(
        path: &Path,
        force: bool,
        is_ours: impl Fn(&Path) -> bool,
    ) -> Result<Self, Failure> {
        let existing = existing(path, force, is_ours)?;
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let file = NamedTempFile::new_in(folder).map_err(|error| failed(path, &error))?;
        Ok(Self {
            target: path.to_owned(),
            existing,
            file,
        })
    }

    /// The file, to be written.
    pub(crate) fn file(&mut self) -> &mut File {
        self.file.as_file_mut()
    }

    /// Its path, for who opens files by themselves.
    pub(crate) fn temporary(&self) -> &Path {
        self.file.path()
    }

    /// Puts the file in its place and returns where that is, absolute where that can be known.
    ///
    /// # Errors
    /// Failed when that cannot be, or something came to lie there meanwhile.
    pub(crate) fn put_in_place(self) -> Result<PathBuf, Failure> {
        let Self {
            target,
            existing,
            file,
        } = self;
        let synced = file.as_file().sync_all();
        synced.map_err(|error| failed(&target, &error))?;
        let placed = match existing {
            Existing::Nothing => file.persist_noclobber(&target),
            Existing::Replaceable => file.persist(&target),
        };
        placed.map_err(|error| failed(&target, &error.error))?;
        Ok(std::path::absolute(&target).unwrap_or(target))
    }
}

fn existing(
    path: &Path,
    force: bool,
    is_ours: impl Fn(&Path) -> bool,
) -> Result<Existing, Failure> {
    let shown = clean(&path.to_string_lossy());
    let kind = match fs::symlink_metadata(path) {
        Ok(found) => found.file_type(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Existing::Nothing),
        Err(error) => return Err(failed(path, &error)),
    };
    let refused = |fact: &str| {
        Err(Failure::new(Kind::Refused, format!("{shown} {fact}"))
            .hint("name another file, or replace it with --force"))
    };
    if !kind.is_file() && !kind.is_symlink() {
        let fact = format!("{shown} is no file that could be replaced");
        return Err(Failure::new(Kind::Usage, fact).hint("name a file"));
    }
    match force {
        true => Ok(Existing::Replaceable),
        false if kind.is_symlink() => refused("is a link, which is not followed"),
        false if is_ours(path) => Ok(Existing::Replaceable),
        false => refused("is there already, and was not written by this command"),
    }
}

/// Why `path` could not be written.
pub(crate) fn failed(path: &Path, error: &io::Error) -> Failure {
    match WriteFailure::of(error) {
        Some(why) => why.failure(path, "nothing was changed"),
        None => Failure::failed(format!("{}: {error}", clean(&path.to_string_lossy())))
            .hint("name a file in a folder that is there"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    fn write(path: &Path, force: bool, text: &str) -> Result<PathBuf, Failure> {
        let ours = |path: &Path| fs::read(path).is_ok_and(|found| found.starts_with(b"ours"));
        let mut output = Output::open(path, force, ours)?;
        output.file().write_all(text.as_bytes()).unwrap();
        output.put_in_place()
    }

    #[test]
    fn what_is_not_ours_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("page.html");
        assert_eq!(write(&path, false, "ours 1").unwrap(), path);
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        write(&path, false, "ours 2").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"ours 2");

        let theirs = folder.path().join("theirs.html");
        write(&theirs, false, "theirs").unwrap();
        assert_eq!(write(&theirs, false, "ours").unwrap_err().exit_code(), 4);
        assert_eq!(fs::read(&theirs).unwrap(), b"theirs");
        write(&theirs, true, "ours 3").unwrap();
        assert_eq!(fs::read(&theirs).unwrap(), b"ours 3");
        assert_eq!(write(folder.path(), true, "x").unwrap_err().exit_code(), 2);
        let nowhere = folder.path().join("no/folder");
        assert_eq!(write(&nowhere, true, "x").unwrap_err().exit_code(), 1);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn links_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        write(&real, false, "ours, real").unwrap();
        symlink(&real, &link).unwrap();
        assert_eq!(write(&link, false, "ours").unwrap_err().exit_code(), 4);
        write(&link, true, "ours, new").unwrap();
        assert_eq!(fs::read(&real).unwrap(), b"ours, real");
        assert!(fs::symlink_metadata(&link).unwrap().is_file());
    }
}
