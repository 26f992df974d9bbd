//! Linux, macOS and their kin.

use std::fs::{Metadata, Permissions};
use std::io::{self, stdin};
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Access, Mode, access};
use rustix::process::{getuid, umask};
use rustix::termios::{tcgetattr, ttyname};
use tempfile::TempDir;

pub(crate) use signals::{ENDING, HANG_UP, INTERRUPT, end_by, notice, on_each};

/// Room for a terminal's name, in bytes.
const NAME: usize = 64;

/// Becomes the program. Returns only when that fails, and why.
pub(crate) fn become_program(command: &mut Command) -> io::Error {
    command.exec()
}

/// Makes a link in `path` that leads to the file `target`.
///
/// # Errors
/// Those of the file system.
pub(crate) fn link(target: &Path, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}

/// What other code of this process creates from now on is the person's alone.
pub(crate) fn create_privately() {
    umask(Mode::RWXG | Mode::RWXO);
}

/// A new folder among the temporary ones, the person's alone, gone when it is dropped.
///
/// # Errors
/// Those of the file system.
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

/// The room on the file system of `folder`, in bytes; `None` where the system does not say.
pub(crate) fn free_space(folder: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(folder).ok()?;
    Some(found.f_bavail.saturating_mul(found.f_frsize))
}

/// True for a pipe with a name.
pub(crate) fn is_pipe(file: &Metadata) -> bool {
    file.file_type().is_fifo()
}

/// The number of the user; `None` where users have none.
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

/// False when the terminal that standard input was is gone.
pub(crate) fn has_terminal() -> bool {
    tcgetattr(stdin()).is_ok()
}

/// True when something may be read from standard input within `time`.
pub(crate) fn has_input(time: Duration) -> bool {
    let time = Timespec::try_from(time).ok();
    let stdin = stdin();
    let mut looked = [PollFd::new(&stdin, PollFlags::IN)];
    matches!(poll(&mut looked, time.as_ref()), Ok(1..))
}

/// The signals that end a program.
mod signals {
    use std::io;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicUsize};
    use std::thread;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    use signal_hook::{flag, low_level};

    /// All of them.
    pub(crate) const ENDING: [i32; 4] = [SIGTERM, SIGHUP, SIGINT, SIGQUIT];

    /// The terminal is gone.
    pub(crate) const HANG_UP: i32 = SIGHUP;

    /// What Ctrl-C sends.
    pub(crate) const INTERRUPT: i32 = SIGINT;

    /// From now on `signal` is put into `came`, or does what it does by default while `is_default`.
    ///
    /// # Errors
    /// Those of the system.
    pub(crate) fn notice(
        signal: i32,
        is_default: &Arc<AtomicBool>,
        came: &Arc<AtomicUsize>,
    ) -> io::Result<()> {
        let number = usize::try_from(signal).unwrap_or_default();
        flag::register_conditional_default(signal, Arc::clone(is_default))?;
        flag::register_usize(signal, Arc::clone(came), number)?;
        Ok(())
    }

    /// Calls `act` with each of [`ENDING`] that comes, in a thread of its own.
    ///
    /// # Errors
    /// Those of the system.
    pub(crate) fn on_each(act: impl Fn(i32) + Send + 'static) -> io::Result<()> {
        let mut coming = signal_hook::iterator::Signals::new(ENDING)?;
        thread::spawn(move || {
            for signal in &mut coming {
                act(signal);
            }
        });
        Ok(())
    }

    /// Ends the program as `signal` does by default.
    pub(crate) fn end_by(signal: i32) {
        // What cannot be done so is done by the exit code that shells know.
        if low_level::emulate_default_handler(signal).is_err() {
            low_level::exit(128 + signal);
        }
    }
}
