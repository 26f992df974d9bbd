//! The seeds of the fuzz targets, each through its target's check once. Here and not among the
//! crate's tests, because what is checked is private.

#[path = "../../fuzz/src/checks/decoder.rs"]
mod decoder;
#[path = "../../fuzz/src/checks/segments.rs"]
mod segments;
#[path = "../../fuzz/src/checks/transcript.rs"]
mod transcript;

use std::fs;
use std::path::Path;

/// Runs the seeds of `target`; a failed one is the file named last.
fn seeds(target: &str, check: impl Fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../fuzz/corpus")
        .join(target);
    let mut seeds = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        println!("{}", path.display());
        check(&fs::read(path).unwrap());
        seeds += 1;
    }
    assert!(seeds > 0, "{target} has no seeds");
}

#[test]
fn lines_of_the_log() {
    seeds("decoder", decoder::check);
}

#[test]
fn segments_of_the_log() {
    let folder = tempfile::tempdir().unwrap();
    seeds("segments", |data| segments::check(data, folder.path()));
}

#[test]
fn transcripts() {
    let folder = tempfile::tempdir().unwrap();
    seeds("transcript", |data| transcript::check(data, folder.path()));
}
