//! Functions of the operating system that the crates need.

use std::fs::{File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{FileExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

pub use crate::atomic_file::sync_folder;

/// Identifies a file, and one state of it, among all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The file: the number of its file system, and its own there.
    pub file: (u64, u64),
    /// When its content was last changed: seconds since 1970, and nanoseconds.
    pub modified: (i64, i64),
    /// When anything about it was last changed. Only the system can set this time.
    pub changed: (i64, i64),
}

/// The variable that names the person's home folder.
pub const HOME: &str = "HOME";

/// Makes files created with `options` have these Unix permission bits, on systems that have them.
pub fn with_mode(options: &mut OpenOptions, mode: u32) -> &mut OpenOptions {
    options.mode(mode)
}

/// Sets the Unix permission bits of the file or folder at `path`, on systems that have them.
///
/// # Errors
/// File system errors.
pub fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    std::fs::set_permissions(path, Permissions::from_mode(mode))
}

/// Opens the file to lock for `folder`: the folder itself, so that no lock file is left behind.
///
/// # Errors
/// File system errors.
pub fn open_lock(folder: &Path) -> io::Result<File> {
    File::open(folder)
}

/// Fills `buffer` with the bytes from `offset` on.
///
/// # Errors
/// `UnexpectedEof` when the file ends before, and file system errors.
pub fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    file.read_exact_at(buffer, offset)
}

/// The identity of the file and its state; `None` on systems that do not report it.
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

/// The Unix permission bits; 0 on systems without them.
pub fn mode(file: &Metadata) -> u32 {
    file.mode() & 0o7777
}

/// True when the file has these Unix permission bits, and always on systems without them.
pub fn has_mode(file: &Metadata, bits: u32) -> bool {
    mode(file) & 0o777 == bits
}

/// True when somebody may run the file.
pub fn is_executable(file: &Metadata) -> bool {
    file.is_file() && file.mode() & 0o111 != 0
}

/// Makes files created with `options` readable only by the person.
pub fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    with_mode(options, 0o600)
}
