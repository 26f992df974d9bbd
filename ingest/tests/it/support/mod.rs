//! What the tests of the importer share.

pub(crate) mod by_hand;
pub(crate) mod dump;

use std::path::{Path, PathBuf};

use plantune_domain::registry::Registry;
use plantune_ingest::claude_code::{Prompts, Summary, read};
use serde_json::Value;

/// The captured hook calls of Claude Code 2.1.197, a file a scenario, in order.
pub(crate) fn scenarios() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = folder.join("../hooks/tests/fixtures/claude-code-2.1.197");
    let entries = std::fs::read_dir(folder).unwrap();
    let mut scenarios: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    scenarios.sort();
    scenarios
}

/// The one of this name.
pub(crate) fn scenario(name: &str) -> PathBuf {
    let mut all = scenarios().into_iter();
    all.find(|path| path.file_stem().unwrap() == name).unwrap()
}

/// The events of everything at `root`, as the log would hold them.
pub(crate) fn import(root: &Path) -> (Vec<Value>, Summary) {
    let mut events = Vec::new();
    let summary = read(
        root,
        &Registry::default(),
        Prompts::default(),
        &mut |event| {
            events.push(serde_json::from_slice(&event.to_line().unwrap()).unwrap());
            Ok(())
        },
    )
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
