//! Material that cannot be shipped: it lies in `shared` beside the project, or where `PLANTUNE_SHARED` says.

use std::path::{Path, PathBuf};

use crate::skipped::skipped;

/// What lies at `below`; without it `test` is skipped.
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
