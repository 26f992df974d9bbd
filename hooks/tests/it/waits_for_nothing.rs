//! The hook runs while a person waits, so it waits for nothing itself: on a full disk, too, it tries
//! once and goes on. The one exception is a reviewer, which the person switched on: it is waited for in one
//! file, with a limit (`tests/it/reviewer.rs`), and started by one function of each platform.

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

/// Where its program is started, which may do nothing else of this.
const START: [(&str, &str); 1] = [("src/platform/unix.rs", "Command::new")];

/// Windows' side, which was never run: it reads standard input with a time limit.
const NEVER_RUN: [(&str, &str); 1] = [("src/platform/windows.rs", "recv_timeout")];

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
                let waits = WAITING.iter().find(|word| {
                    code.contains(**word)
                        && !START
                            .iter()
                            .chain(&NEVER_RUN)
                            .any(|(file, allowed)| path.ends_with(file) && word == &allowed)
                });
                assert_eq!(waits, None, "{}: {line}", path.display());
            }
        }
    }
    assert!(files > 20, "{files}");
}
