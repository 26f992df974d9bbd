//! The operating system for the command line: other programs, the terminal and its signals, the person.

use std::fs::{Metadata, Permissions};
use std::io::{IsTerminal as _, stdin};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use std::{env, fs, io, thread};

use rustix::fs::{Access, Mode, access};
use rustix::process::{getuid, umask};
use rustix::termios::{QueueSelector, tcflush, ttyname};
use tempfile::TempDir;

/// Room for a terminal's name, in bytes.
const NAME: usize = 64;

/// Becomes the program. Returns only when that fails, and why.
pub(crate) fn become_program(command: &mut Command) -> io::Error {
    command.exec()
}

/// Makes every file that this process creates from now on private to the person.
pub(crate) fn create_privately() {
    umask(Mode::RWXG | Mode::RWXO);
}

/// A new folder among the temporary ones, the person's alone, gone when it is dropped.
///
/// # Errors
/// The errors of the file system.
pub(crate) fn private_temporary(prefix: &str) -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.permissions(Permissions::from_mode(0o700));
    builder.prefix(prefix).tempdir()
}

/// Whether this process may write to the file in `path`, or make files in the folder there.
///
/// # Errors
/// Why not, or that nothing is there.
pub(crate) fn may_write(path: &Path) -> io::Result<()> {
    let wanted = match path.is_dir() {
        true => Access::WRITE_OK | Access::EXEC_OK,
        false => Access::WRITE_OK,
    };
    Ok(access(path, wanted)?)
}

/// How often another command is waited for, and for how long each time.
const TRIES: u32 = 50;
const PAUSE: Duration = Duration::from_millis(100);

/// The result of `try_hold`, which is tried again for five seconds while it gets nothing.
///
/// # Errors
/// The errors of `try_hold`.
pub(crate) fn wait_for<T, E>(try_hold: impl Fn() -> Result<Option<T>, E>) -> Result<Option<T>, E> {
    for _ in 0..TRIES {
        if let Some(held) = try_hold()? {
            return Ok(Some(held));
        }
        thread::sleep(PAUSE);
    }
    Ok(None)
}

/// The room on the file system of `folder`, in bytes; `None` if the system does not say.
pub(crate) fn free_space(folder: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(folder).ok()?;
    Some(found.f_bavail.saturating_mul(found.f_frsize))
}

/// The number of the user; `None` if users have none.
pub(crate) fn user() -> Option<u32> {
    Some(getuid().as_raw())
}

/// True for what belongs to this very user.
pub(crate) fn is_own(file: &Metadata) -> bool {
    file.uid() == getuid().as_raw()
}

/// The name of the terminal that standard input is, if it is one.
pub(crate) fn terminal_name() -> Option<String> {
    let name = ttyname(stdin(), Vec::with_capacity(NAME)).ok()?;
    Some(name.to_string_lossy().into_owned())
}

/// Discards what was typed on standard input and not read yet; nothing where that is no terminal.
///
/// # Errors
/// The errors of the terminal.
pub(crate) fn discard_typed() -> io::Result<()> {
    if stdin().is_terminal() {
        tcflush(stdin(), QueueSelector::IFlush)?;
    }
    Ok(())
}

/// The first program called `name` in `PATH`; relative folders there are passed over.
pub(crate) fn in_path(name: impl AsRef<Path>) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let mut programs = env::split_paths(&path).map(|folder| folder.join(name.as_ref()));
    programs.find(|program| program.is_absolute() && is_executable(program))
}

/// True when `path` is a file that somebody may run.
pub(crate) fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|file| file.is_file() && file.mode() & 0o111 != 0)
}
