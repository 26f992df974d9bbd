//! What the operating systems do each in their own way, behind one interface: how files are opened, whose they are,
//! which file it is, where the person's folders lie. A file a system, with the same functions in each; whoever
//! calls them needs no `cfg`. The programs' own part is in the hook's `platform` and in that of the command line.
//!
//! Windows is prepared and has never run (docs/development/windows.md): where its side cannot know, it says what has the hook
//! obey nothing and ask.

use std::fs::{File, Metadata, OpenOptions};
use std::path::Path;

mod identity;
pub use identity::Identity;

#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub use unix::*;

#[cfg(windows)]
mod windows;
#[cfg(windows)]
pub use windows::*;

#[cfg(not(any(unix, windows)))]
compile_error!("plantune knows Unix and Windows (docs/development/windows.md)");

/// Has renames in `folder` survive a power cut. Not every file system can sync a folder, and nothing is left to do
/// where it cannot.
pub fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

/// What `options` create is readable by the person alone.
pub fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    with_mode(options, 0o600)
}

/// When the file was last modified, in seconds since 1970.
pub fn modified_seconds(file: &Metadata) -> i64 {
    modified_ns(file).div_euclid(1_000_000_000)
}
