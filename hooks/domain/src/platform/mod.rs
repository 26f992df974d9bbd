//! What the operating systems do each in their own way, behind one interface: how files are opened, whose they are,
//! which file it is, where the person's folders lie. A file a system, with the same functions in each; whoever
//! calls them needs no `cfg`. The programs' own part is in the hook's `platform` and in that of the command line.
//!
//! Windows is prepared and has never run (docs/development/windows.md): where its side cannot know, it says what has the hook
//! obey nothing and ask.

use std::fs::{File, Metadata, OpenOptions};
use std::path::{Path, PathBuf};

mod identity;
pub use identity::Identity;

/// A running process.
#[derive(Debug)]
pub struct Process {
    /// The id of the one that started it.
    pub parent: u32,
    /// The file that it runs, where the system says so.
    pub program: Option<PathBuf>,
    /// Its command line: the program as it was called, and its words.
    pub words: Vec<PathBuf>,
}

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

/// More than anybody starts one in the other.
const MOST_ANCESTORS: usize = 64;

/// The processes that led to this one, the nearest first, as far as the system says. In builds for development alone
/// those from `PLANTUNE_ANCESTORS_UNTIL` on are left out, a process's id, so that tests do the same whoever runs them.
pub fn ancestors() -> Vec<Process> {
    let last = last_ancestor();
    let mut found = Vec::new();
    let mut next = process(std::process::id()).map_or(0, |one| one.parent);
    while next > 1 && Some(next) != last && found.len() < MOST_ANCESTORS {
        let Some(one) = process(next) else { break };
        next = one.parent;
        found.push(one);
    }
    found
}

#[cfg(debug_assertions)]
fn last_ancestor() -> Option<u32> {
    std::env::var("PLANTUNE_ANCESTORS_UNTIL").ok()?.parse().ok()
}

#[cfg(not(debug_assertions))]
fn last_ancestor() -> Option<u32> {
    None
}
