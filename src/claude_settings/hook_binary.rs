//! Where the hook binary lies: beside this program, or in `PATH`.

use std::env;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::failure::Failure;
use crate::programs::{binary, in_path, is_executable};
use crate::terminal;

/// The hook binary's name, without what some systems put behind it.
pub(crate) const HOOK: &str = "plantune-hook";

/// Where the hook beside the running program is looked for, the preferred place first; there is
/// at least one, and the last is the folder the program really lies in. Nothing need be there.
///
/// The folder the program was called by goes before the one it really lies in: a package manager
/// replaces the folder of a version, and keeps the link to it.
///
/// # Errors
/// When the system does not say where the program lies.
pub(crate) fn beside_us() -> io::Result<Vec<PathBuf>> {
    let real = env::current_exe()?;
    let same = |path: &PathBuf| fs::canonicalize(path).ok() == fs::canonicalize(&real).ok();
    let called = called_as().filter(same);
    let mut places: Vec<_> = [called.as_ref(), Some(&real)]
        .into_iter()
        .flatten()
        .map(|path| path.with_file_name(binary(HOOK)))
        .collect();
    places.dedup();
    Ok(places)
}

/// The hook beside the running program.
///
/// # Errors
/// When there is none.
pub(crate) fn ours() -> Result<PathBuf, Failure> {
    let places = beside_us()?;
    let folder = places.last().and_then(|path| path.parent());
    let folder = folder.map(terminal::path);
    let missing = || {
        let folder = folder.unwrap_or_default();
        Failure::failed(format!("there is no {HOOK} beside plantune, in {folder}"))
            .hint("install plantune again (from its source: `make install`), or give --hook-path")
    };
    let mut places = places.into_iter();
    places.find(|hook| is_executable(hook)).ok_or_else(missing)
}

/// `hook` as settings name it.
///
/// # Errors
/// Usage for a path that JSON cannot hold.
pub(crate) fn path_text(hook: PathBuf) -> Result<String, Failure> {
    hook.into_os_string().into_string().map_err(|path| {
        let path = terminal::sanitized(&path.to_string_lossy());
        Failure::usage(format!("{path}: this path is not UTF-8, and JSON must be"))
            .hint("install to another folder")
    })
}

/// The path this program was called by: as typed, or found through `PATH`.
fn called_as() -> Option<PathBuf> {
    let called = PathBuf::from(env::args_os().next()?);
    if called.components().count() > 1 {
        absolute(&called).ok()
    } else {
        in_path(called.as_os_str())
    }
}

/// `path` from the root on, without `..`, its symbolic links kept where there is none.
///
/// # Errors
/// Those of the file system.
pub(crate) fn absolute(path: &Path) -> io::Result<PathBuf> {
    let path = std::path::absolute(path)?;
    match (path.parent(), path.file_name()) {
        (Some(folder), Some(name))
            if path.components().any(|part| part == Component::ParentDir) =>
        {
            Ok(fs::canonicalize(folder)?.join(name))
        }
        _ => Ok(path),
    }
}
