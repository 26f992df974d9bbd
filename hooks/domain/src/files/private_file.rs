//! Files that are the person's alone: whose they are, and how they are opened.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;

/// Opens `path` for appending, and creates it readable by the person alone. A symbolic link in its
/// place is an error: what is appended would go into a file of somebody else's choice.
///
/// # Errors
/// Those of the file system.
pub fn append(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .read(true)
        .append(true)
        .create(true)
        .mode(0o600)
        .custom_flags(libc::O_NOFOLLOW)
        .open(path)
}

/// Opens `path` empty for writing, like [`append`].
///
/// # Errors
/// Those of the file system.
pub fn overwrite(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .custom_flags(libc::O_NOFOLLOW)
        .open(path)
}

/// The first `most` bytes of the ordinary file in `path`; `None` when there is none, or something
/// else stands there: a pipe would be waited on, and a link leads anywhere.
pub fn read(path: &Path, most: u64) -> Option<Vec<u8>> {
    if !path.symlink_metadata().ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NOFOLLOW)
        .open(path);
    file.ok()?.take(most).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Whether somebody else may write the file: by its mode, or because it is theirs. To root, and
/// of root's, every file is as good as its own (a container's root has its user's folders mounted).
pub fn others_may_write(file: &Metadata) -> bool {
    let us = effective_user();
    let is_theirs = us != 0 && file.uid() != us && file.uid() != 0;
    is_theirs || file.mode() & 0o022 != 0
}

#[allow(
    unsafe_code,
    reason = "the standard library has no call for the effective user"
)]
fn effective_user() -> u32 {
    // SAFETY: the call takes nothing and cannot fail.
    unsafe { libc::geteuid() }
}
