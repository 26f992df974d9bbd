//! Files that verbs write where the person wants them: private, whole or not at all. A file of the person's is not
//! overwritten and a link is not followed, unless they say so.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{fmt, fs, io, thread};

use tempfile::NamedTempFile;

use crate::text::clean;

/// Why a file was not written, and what it was.
#[derive(Debug)]
pub enum OutputError {
    /// Something else than a file or a link is there.
    NoFile(PathBuf),
    /// A link is there, and `force` was not given.
    Link(PathBuf),
    /// A file is there that is not ours, and `force` was not given.
    NotOurs(PathBuf),
    /// The file system refused.
    Io(PathBuf, io::Error),
}

impl fmt::Display for OutputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |path: &Path| clean(&path.to_string_lossy());
        match self {
            Self::NoFile(path) => write!(f, "{} is no file that could be replaced", name(path)),
            Self::Link(path) => write!(f, "{} is a link, which is not followed", name(path)),
            Self::NotOurs(path) => write!(
                f,
                "{} is there already, and was not written by this command",
                name(path)
            ),
            Self::Io(path, error) => write!(f, "{}: {error}", name(path)),
        }
    }
}

impl OutputError {
    /// The hint for the person.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::NoFile(_) => "name a file",
            Self::Link(_) | Self::NotOurs(_) => "name another file, or replace it with --force",
            Self::Io(..) => "name a file in a folder that is there",
        }
    }
}

impl std::error::Error for OutputError {}

/// A file on its way to its place, mode 0600. It has no name until it is whole, so that a run that is killed leaves
/// nothing; where the system has no such files, it is a temporary one beside its place.
#[derive(Debug)]
pub struct Output {
    target: PathBuf,
    is_there: bool,
    file: Unfinished,
}

/// The file until it is whole.
#[derive(Debug)]
enum Unfinished {
    /// Without a name, and the path by which this process opens it.
    Nameless(File, PathBuf),
    /// Removed on drop.
    Named(NamedTempFile),
}

/// How files without a name are made; see [`nameless`].
type MakeNameless = fn(&Path) -> Option<(File, PathBuf)>;

impl Output {
    /// A file to be put at `path`. What is there is replaced where `is_ours` knows it as such a file, or with
    /// `force`; a link itself then, not what it names.
    ///
    /// # Errors
    /// The errors of [`OutputError`].
    pub fn open(
        path: &Path,
        force: bool,
        is_ours: impl Fn(&Path) -> bool,
    ) -> Result<Self, OutputError> {
        Self::open_as(nameless, path, force, is_ours)
    }

    /// The same, where `nameless` makes files without a name.
    fn open_as(
        nameless: MakeNameless,
        path: &Path,
        force: bool,
        is_ours: impl Fn(&Path) -> bool,
    ) -> Result<Self, OutputError> {
        let is_there = is_replaced(path, force, is_ours)?;
        let folder = folder_of(path);
        fs::metadata(folder).map_err(|error| failed(folder, error))?;
        let file = match nameless(folder) {
            Some((file, path)) => Unfinished::Nameless(file, path),
            None => Unfinished::Named(beside().tempfile_in(folder).map_err(|error| {
                // The rest of the message names the temporary file.
                let text = error.to_string();
                let text = text.split(" at path ").next().unwrap_or_default();
                failed(path, io::Error::new(error.kind(), text))
            })?),
        };
        Ok(Self {
            target: path.to_owned(),
            is_there,
            file,
        })
    }

    /// The file, to be written.
    pub fn file(&mut self) -> &mut File {
        match &mut self.file {
            Unfinished::Nameless(file, _) => file,
            Unfinished::Named(file) => file.as_file_mut(),
        }
    }

    /// Its path, for who opens files by themselves.
    pub fn temporary(&self) -> &Path {
        match &self.file {
            Unfinished::Nameless(_, path) => path,
            Unfinished::Named(file) => file.path(),
        }
    }

    /// Puts the file in its place and returns where that is, absolute where that can be known.
    ///
    /// # Errors
    /// Errors of the file system, also when something came to lie there meanwhile.
    pub fn put_in_place(mut self) -> Result<PathBuf, OutputError> {
        let synced = self.file().sync_all();
        synced.map_err(|error| failed(&self.target, error))?;
        let Self {
            target,
            is_there,
            file,
        } = self;
        let placed = match (file, is_there) {
            (Unfinished::Nameless(_file, path), false) => link(&path, &target),
            (Unfinished::Nameless(_file, path), true) => {
                // A link replaces nothing, so the file gets another name first.
                let linked = beside().make_in(folder_of(&target), |name| link(&path, name));
                linked.and_then(|named| Ok(named.into_temp_path().persist(&target)?))
            }
            (Unfinished::Named(file), false) => file
                .persist_noclobber(&target)
                .map(drop)
                .map_err(Into::into),
            (Unfinished::Named(file), true) => file.persist(&target).map(drop).map_err(Into::into),
        };
        placed.map_err(|error| failed(&target, error))?;
        Ok(std::path::absolute(&target).unwrap_or(target))
    }
}

/// The folder of the file at `path`.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// How temporary files are called that get a name.
fn beside() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".plantune-");
    builder
}

/// A new file in `folder` that has no name, and the path by which this process opens it; `None` where the system, or the
/// file system, has no such files.
#[cfg(target_os = "linux")]
fn nameless(folder: &Path) -> Option<(File, PathBuf)> {
    use std::os::fd::AsRawFd as _;

    use rustix::fs::{Mode, OFlags, open};

    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    let file = File::from(open(folder, flags, Mode::RUSR | Mode::WUSR).ok()?);
    let path = PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()));
    // Where /proc is missing the file would never get a name.
    path.exists().then_some((file, path))
}

#[cfg(not(target_os = "linux"))]
fn nameless(_: &Path) -> Option<(File, PathBuf)> {
    None
}

/// Gives the open file at `path` the `name`, unless something has it.
fn link(path: &Path, name: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};

    Ok(linkat(CWD, path, CWD, name, AtFlags::SYMLINK_FOLLOW)?)
}

fn is_replaced(
    path: &Path,
    force: bool,
    is_ours: impl Fn(&Path) -> bool,
) -> Result<bool, OutputError> {
    let kind = match fs::symlink_metadata(path) {
        Ok(found) => found.file_type(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(failed(path, error)),
    };
    if !kind.is_file() && !kind.is_symlink() {
        return Err(OutputError::NoFile(path.to_owned()));
    }
    match force {
        true => Ok(true),
        false if kind.is_symlink() => Err(OutputError::Link(path.to_owned())),
        false if is_ours(path) => Ok(true),
        false => Err(OutputError::NotOurs(path.to_owned())),
    }
}

fn failed(path: &Path, error: io::Error) -> OutputError {
    OutputError::Io(path.to_owned(), error)
}

/// The program that opens a file as the person's desktop would.
const OPENER: &str = if cfg!(target_os = "macos") {
    "open"
} else {
    "xdg-open"
};

/// How long to wait for the opener to fail. One that runs longer is, or became, the browser.
const PATIENCE: Duration = Duration::from_secs(2);

/// Opens the file at the absolute `path`; else why it is not open, in words.
///
/// # Errors
/// When there is no opener, or it says that it failed.
pub fn open(path: &Path) -> Result<(), String> {
    let mut opener = Command::new(OPENER)
        .arg(path)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("{OPENER}: {error}"))?;
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        match opener.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => return Err(format!("{OPENER}: {status}")),
            Ok(None) => thread::sleep(Duration::from_millis(20)),
            Err(error) => return Err(format!("{OPENER}: {error}")),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    /// Both ways to make a file, which differ only while it is written.
    const WAYS: [MakeNameless; 2] = [nameless, |_| None];

    struct Way(MakeNameless);

    impl Way {
        fn open(&self, path: &Path, force: bool) -> Result<Output, OutputError> {
            let ours = |path: &Path| fs::read(path).is_ok_and(|found| found.starts_with(b"ours"));
            Output::open_as(self.0, path, force, ours)
        }

        fn write(&self, path: &Path, force: bool, text: &str) -> Result<PathBuf, OutputError> {
            let mut output = self.open(path, force)?;
            output.file().write_all(text.as_bytes()).unwrap();
            output.put_in_place()
        }
    }

    fn count(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn what_is_not_ours_is_left_alone() {
        for way in WAYS.map(Way) {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("page.html");
            assert_eq!(way.write(&path, false, "ours 1").unwrap(), path);
            let mode = fs::metadata(&path).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
            way.write(&path, false, "ours 2").unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"ours 2");

            let theirs = folder.path().join("theirs.html");
            way.write(&theirs, false, "theirs").unwrap();
            let found = way.write(&theirs, false, "ours");
            assert!(matches!(found, Err(OutputError::NotOurs(_))), "{found:?}");
            assert_eq!(fs::read(&theirs).unwrap(), b"theirs");
            way.write(&theirs, true, "ours 3").unwrap();
            assert_eq!(fs::read(&theirs).unwrap(), b"ours 3");
            let found = way.write(folder.path(), true, "x");
            assert!(matches!(found, Err(OutputError::NoFile(_))), "{found:?}");
            let nowhere = folder.path().join("no/folder");
            let found = way.write(&nowhere, true, "x");
            assert!(matches!(found, Err(OutputError::Io(..))), "{found:?}");
            assert_eq!(count(folder.path()), 2);
        }
    }

    #[test]
    fn what_comes_to_lie_there_meanwhile_is_left_alone() {
        for way in WAYS.map(Way) {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("all.jsonl");
            let output = way.open(&path, false).unwrap();
            File::create(&path).unwrap();
            let found = output.put_in_place();
            let is_there = |error: &OutputError| matches!(error, OutputError::Io(_, error) if error.kind() == io::ErrorKind::AlreadyExists);
            assert!(found.as_ref().is_err_and(is_there), "{found:?}");
            assert_eq!(fs::read(&path).unwrap(), b"");
            assert_eq!(count(folder.path()), 1);
        }
    }

    #[test]
    fn links_are_not_followed() {
        for way in WAYS.map(Way) {
            let folder = tempfile::tempdir().unwrap();
            let (real, link) = (folder.path().join("real"), folder.path().join("link"));
            way.write(&real, false, "ours, real").unwrap();
            symlink(&real, &link).unwrap();
            let found = way.write(&link, false, "ours");
            assert!(matches!(found, Err(OutputError::Link(_))), "{found:?}");
            way.write(&link, true, "ours, new").unwrap();
            assert_eq!(fs::read(&real).unwrap(), b"ours, real");
            assert!(fs::symlink_metadata(&link).unwrap().is_file());
        }
    }

    #[test]
    fn a_file_that_is_not_put_in_place_is_gone() {
        for way in WAYS.map(Way) {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("all.jsonl");
            let mut output = way.open(&path, false).unwrap();
            output.file().write_all(b"half").unwrap();
            // Who opens it by its path writes into it.
            assert_eq!(fs::read(output.temporary()).unwrap(), b"half");
            if matches!(output.file, Unfinished::Nameless(..)) {
                assert_eq!(count(folder.path()), 0);
            }
            drop(output);
            assert_eq!(count(folder.path()), 0);
        }
    }
}
