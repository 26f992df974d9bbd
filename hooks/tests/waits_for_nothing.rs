//! The hook runs while a person waits, so it waits for nothing itself: on a full disk, too, it tries
//! once and goes on. The one exception is a reviewer, which the person switched on: it is started and
//! waited for in one file, with a limit (`tests/reviewer.rs`).
#![allow(clippy::unwrap_used, missing_docs)]

use std::fs;
use std::path::Path;

/// What a program waits or tries again with.
const WAITING: [&str; 8] = [
    "sleep(",
    "park_timeout",
    "recv_timeout",
    "wait_timeout",
    ".wait(",
    ".join()",
    "Command::new",
    ".lock_exclusive(",
];

/// Where the reviewer is run.
const REVIEWER: &str = "src/reviewer/process.rs";

#[test]
fn nothing_in_the_hook_waits_or_starts_a_program() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join("src"), root.join("domain/src")];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            files += 1;
            if path.ends_with(REVIEWER) {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            // Tests stand at the end of their file, and are no part of the hook.
            let hook = text.split("#[cfg(test)]").next().unwrap_or_default();
            for line in hook.lines() {
                let code = line.split("//").next().unwrap_or_default();
                let waits = WAITING.iter().find(|word| code.contains(**word));
                assert_eq!(waits, None, "{}: {line}", path.display());
            }
        }
    }
    assert!(files > 20, "{files}");
}
