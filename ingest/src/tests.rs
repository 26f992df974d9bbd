//! The seeds of the fuzz targets, each through its target's check once. They are here, not among the crate's tests,
//! because the checked functions are private.

#[path = "../../fuzz/src/checks/decoder.rs"]
mod decoder;
#[path = "../../tests/shared/seeds.rs"]
mod seeds;
#[path = "../../fuzz/src/checks/segments.rs"]
mod segments;
#[path = "../../fuzz/src/checks/transcript.rs"]
mod transcript;

use self::seeds::seeds;

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
