//! What a run leaves in plantune's folder, and how long one takes.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::time::{Duration, Instant};

use crate::world::World;

/// Runs plantune undisturbed; it must succeed. Returns how long it took.
pub(crate) fn timed(world: &World, words: &[&str]) -> Duration {
    let start = Instant::now();
    world.done(words);
    start.elapsed()
}

/// Every file and folder below the data, with its mode: for the person alone, and nothing that
/// a killed run left behind, but for a summary that was not in its place yet (who writes it an hour later removes
/// that) and a key of digests that never was one.
pub(crate) fn assert_tidy(world: &World) {
    let mut folders = vec![world.data()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let entry = entry.unwrap();
            let kind = entry.metadata().unwrap();
            let mode = kind.permissions().mode() & 0o777;
            let path = entry.path();
            let expected = if kind.is_dir() { 0o700 } else { 0o600 };
            assert_eq!(mode, expected, "{mode:o} {}", path.display());
            let name = entry.file_name().into_string().unwrap();
            let is_known = name.ends_with(".jsonl")
                || name.starts_with("digest.key")
                || ["events", "plantune.duckdb", "summaries"].contains(&name.as_str())
                || folder.ends_with("summaries")
                    && (name.ends_with(".json") || name.contains(".json.plantune-"));
            assert!(is_known, "left behind: {}", path.display());
            if kind.is_dir() {
                folders.push(path);
            }
        }
    }
}
