//! What the tests of the importer share.
#![allow(
    dead_code,
    clippy::print_stderr,
    reason = "each test binary uses some of it, and a skipped test says so"
)]

pub(crate) mod by_hand;

use std::path::{Path, PathBuf};

use plantune_domain::registry::Registry;
use plantune_ingest::claude_code::{Summary, read};
use serde_json::Value;

/// The folder of shared material (`PLANTUNE_SHARED`, else beside the project), if it is there.
pub(crate) fn shared(below: &str) -> Option<PathBuf> {
    let root = std::env::var_os("PLANTUNE_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"),
        PathBuf::from,
    );
    let path = root.join(below);
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: {} is not there", path.display());
    None
}

/// The events of everything at `root`, as the log would hold them.
pub(crate) fn import(root: &Path) -> (Vec<Value>, Summary) {
    let mut events = Vec::new();
    let summary = read(root, &Registry::default(), &mut |event| {
        events.push(serde_json::from_slice(&event.to_line()?)?);
        Ok::<(), serde_json::Error>(())
    })
    .unwrap();
    (events, summary)
}

/// The JSON values of a file of lines.
pub(crate) fn json_lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Writes a file and the folders above it. Nothing has to last, so nothing is synced.
pub(crate) fn store(path: &Path, content: &[u8]) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut file = std::fs::File::create(path).unwrap();
    std::io::Write::write_all(&mut file, content).unwrap();
}
