//! Tests that need what is not shipped: the material in `shared`, which lies beside the project or where
//! `PLANTUNE_SHARED` says, and programs that not every machine has. They say so when they are skipped.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The path `below` that folder, or nothing: then `test` is skipped.
pub(crate) fn shared(test: &str, below: &str) -> Option<PathBuf> {
    let root = std::env::var_os("PLANTUNE_SHARED").map_or_else(beside, PathBuf::from);
    let path = root.join(below);
    if path.exists() {
        return Some(path);
    }
    skipped(test, &format!("{} is not there", path.display()));
    None
}

fn beside() -> PathBuf {
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let root = folders.find(|folder| folder.join("Cargo.lock").exists());
    root.unwrap().join("../shared")
}

/// Reports a skipped test. `test` is its name as Cargo lists it, without its crate; `why` says what is missing.
///
/// Cargo shows nothing that a passing test prints, so the line is also appended to the file that `PLANTUNE_SKIPPED`
/// names, if that is set.
pub(crate) fn skipped(test: &str, why: &str) {
    let line = format!("skipped: {}::{test}: {why}\n", env!("CARGO_PKG_NAME"));
    eprint!("{line}");
    let Some(path) = std::env::var_os("PLANTUNE_SKIPPED") else {
        return;
    };
    let mut options = File::options();
    let file = options.create(true).append(true).open(path);
    file.unwrap().write_all(line.as_bytes()).unwrap();
}
