//! What the command line needs of the operating system beyond files (`plantune_domain::platform`): other programs,
//! the terminal and its signals, the person. A file a system, with the same functions in each.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{env, fs};

use plantune_domain::platform as files;
#[cfg(unix)]
pub(crate) use unix::*;
#[cfg(windows)]
pub(crate) use windows::*;

// Programs by their name in `PATH`.

/// The first program called `name` in `PATH`; relative folders there are passed over.
pub(crate) fn in_path(name: impl AsRef<Path>) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let mut programs = env::split_paths(&path).map(|folder| folder.join(name.as_ref()));
    programs.find(|program| program.is_absolute() && is_executable(program))
}

/// The file name of the program `name` on this system.
pub(crate) fn binary(name: &str) -> OsString {
    format!("{name}{}", env::consts::EXE_SUFFIX).into()
}

/// True when `path` is a file that somebody may run.
pub(crate) fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|file| files::is_executable(&file))
}
