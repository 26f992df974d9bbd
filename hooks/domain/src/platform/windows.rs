//! Windows, as far as it is prepared: this compiles, and never ran (docs/development/windows.md). What a function is for is said
//! beside its twin for Unix.

use std::ffi::OsStr;
use std::fs::{DirBuilder, File, Metadata, OpenOptions};
use std::io;
use std::os::windows::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use super::Process;
use super::identity::Identity;

/// The variable that names the person's home folder.
pub const HOME: &str = "USERPROFILE";

/// Where programs keep their data below it, and do not take them to other machines.
pub const DATA: &str = "AppData/Local";
/// plantune's own folder there.
pub const OWN_DATA: &str = "AppData/Local/plantune";
/// Where programs keep their configuration below it.
pub const CONFIG: &str = "AppData/Roaming";

/// Opens a link itself (`FILE_FLAG_OPEN_REPARSE_POINT`).
const NOT_FOLLOWING: u32 = 0x0020_0000;

/// Others may read and write meanwhile, and not remove (`FILE_SHARE_READ | FILE_SHARE_WRITE`).
const STAYING: u32 = 1 | 2;

/// `ERROR_STOPPED_ON_SYMLINK`.
const IS_LINK: i32 = 681;

/// Not prepared: there are no digests then.
///
/// # Errors
/// Always.
pub fn random() -> io::Result<[u8; 32]> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Nothing to do: there are no such bits.
pub fn with_mode(options: &mut OpenOptions, _mode: u32) -> &mut OpenOptions {
    options
}

/// Nothing to do: what lies in the person's profile is theirs by its access list.
pub fn private_folder(_builder: &mut DirBuilder) {}

/// Nothing to do: there are no such bits.
///
/// # Errors
/// None.
pub fn set_mode(_path: &Path, _mode: u32) -> io::Result<()> {
    Ok(())
}

/// Opens `path` as `options` say; a symbolic link in its place is an error.
///
/// # Errors
/// Those of the file system.
pub fn open_itself(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let file = options.custom_flags(NOT_FOLLOWING).open(path)?;
    match file.metadata()?.is_symlink() {
        true => Err(io::Error::from_raw_os_error(IS_LINK)),
        false => Ok(file),
    }
}

/// Opens `path` to append to it; nobody can remove it until it is closed.
///
/// # Errors
/// Those of the file system.
pub fn open_to_append(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    open_itself(options.share_mode(STAYING), path)
}

/// Opens `path` to read it.
///
/// # Errors
/// Those of the file system.
pub fn open_without_waiting(path: &Path) -> io::Result<File> {
    open_itself(OpenOptions::new().read(true), path)
}

/// Whether it was a link that [`open_itself`] did not follow.
pub fn is_link_error(error: &io::Error) -> bool {
    error.raw_os_error() == Some(IS_LINK)
}

/// Opens a file in `folder` that stands for it in locks: a folder cannot be locked.
///
/// # Errors
/// Those of the file system.
pub fn open_lock(folder: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.append(true).create(true).open(folder.join(".lock"))
}

/// Reads from `offset` on into `buffer`; returns how much was read. Moves the place that is read next, which
/// nobody here goes by.
///
/// # Errors
/// Those of the file system.
pub fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    file.seek_read(buffer, offset)
}

/// Fills `buffer` with what stands from `offset` on.
///
/// # Errors
/// `UnexpectedEof` when the file ends before, and those of the file system.
pub fn read_exact_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match file.seek_read(buffer, offset)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => {
                buffer = buffer.get_mut(read..).unwrap_or_default();
                offset += read as u64;
            }
        }
    }
    Ok(())
}

/// Always: [`open_to_append`] keeps others from removing it.
///
/// # Errors
/// None.
pub fn has_name(_file: &File) -> io::Result<bool> {
    Ok(true)
}

/// Not known: the standard library does not give a file's number here. So no
/// segment is removed.
pub fn identity(_file: &Metadata) -> Option<Identity> {
    None
}

/// When the file was last modified, in nanoseconds since 1970; 0 before.
pub fn modified_ns(file: &Metadata) -> i64 {
    let since = file.modified().ok();
    let since = since.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.map_or(0, |since| {
        i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
    })
}

/// There are no such bits.
pub fn mode(_file: &Metadata) -> u32 {
    0
}

/// There are no such bits.
pub fn has_mode(_file: &Metadata, _bits: u32) -> bool {
    true
}

/// Any file: its name says whether it is a program.
pub fn is_executable(file: &Metadata) -> bool {
    file.is_file()
}

/// Users have no numbers.
pub fn owner(_file: &Metadata) -> u32 {
    0
}

/// Not known, and so yes: nothing that the file says is obeyed.
pub fn is_of_another_owner(_file: &Metadata) -> bool {
    true
}

/// Not known, and so yes.
pub fn others_may_write(_file: &Metadata) -> bool {
    true
}

/// Not known, and so yes.
pub fn everybody_may_write(_folder: &Metadata) -> bool {
    true
}

/// Not asked for.
pub fn account_home() -> Option<PathBuf> {
    None
}

/// Whether `is_it` is true of one of the folders in `path`, the value of `PATH`.
pub fn any_folder(path: &OsStr, is_it: impl Fn(&Path) -> bool) -> bool {
    std::env::split_paths(path).any(|folder| is_it(&folder))
}

/// Not prepared: whoever started plantune is known by variables alone.
pub fn process(_id: u32) -> Option<Process> {
    None
}

/// Not known.
pub fn uptime_seconds() -> Option<u64> {
    None
}
