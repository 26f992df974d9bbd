//! The operating system for the command line: other programs, the terminal and its signals, the person.

use std::io::{self, IsTerminal as _, stdin};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

use rustix::fs::{Access, Mode, access};
use rustix::process::{getuid, umask};
use rustix::termios::{QueueSelector, tcflush, ttyname};

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

/// The number of the user; `None` if users have none.
pub(crate) fn user() -> Option<u32> {
    Some(getuid().as_raw())
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
