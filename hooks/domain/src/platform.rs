//! What the crates need of the operating system.

use std::fs::{File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{FileExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

pub use crate::atomic_file::sync_folder;

/// What tells a file, and each of its states, from all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The file: the number of its file system, and its own there.
    pub file: (u64, u64),
    /// When its content was last changed: seconds since 1970, and nanoseconds.
    pub modified: (i64, i64),
    /// When anything of it was last changed, as the system alone can set it.
    pub changed: (i64, i64),
}

/// The variable that names the person's home folder.
pub const HOME: &str = "HOME";

/// What `options` create has these Unix permission bits, where there are such.
pub fn with_mode(options: &mut OpenOptions, mode: u32) -> &mut OpenOptions {
    options.mode(mode)
}

/// Gives the file or folder in `path` these Unix permission bits, where there are such.
///
/// # Errors
/// Those of the file system.
pub fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    std::fs::set_permissions(path, Permissions::from_mode(mode))
}

/// Opens what stands for `folder` in locks: the folder itself, so that nothing is left behind.
///
/// # Errors
/// Those of the file system.
pub fn open_lock(folder: &Path) -> io::Result<File> {
    File::open(folder)
}

/// Fills `buffer` with what stands from `offset` on.
///
/// # Errors
/// `UnexpectedEof` when the file ends before, and those of the file system.
pub fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    file.read_exact_at(buffer, offset)
}

/// Which file it is, in which state; `None` where the system does not say.
pub fn identity(file: &Metadata) -> Option<Identity> {
    Some(Identity {
        file: (file.dev(), file.ino()),
        modified: (file.mtime(), file.mtime_nsec()),
        changed: (file.ctime(), file.ctime_nsec()),
    })
}

/// When the file was last modified, in nanoseconds since 1970.
pub fn modified_ns(file: &Metadata) -> i64 {
    let seconds = file.mtime().saturating_mul(1_000_000_000);
    seconds.saturating_add(file.mtime_nsec())
}

/// Unix permission bits; 0 where there are none.
pub fn mode(file: &Metadata) -> u32 {
    file.mode() & 0o7777
}

/// True where the file has these Unix permission bits, and where there are none.
pub fn has_mode(file: &Metadata, bits: u32) -> bool {
    mode(file) & 0o777 == bits
}

/// True when somebody may run the file.
pub fn is_executable(file: &Metadata) -> bool {
    file.is_file() && file.mode() & 0o111 != 0
}

/// What `options` create is readable by the person alone.
pub fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    with_mode(options, 0o600)
}
