//! The seeds of the fuzz targets, each through its target's check once. They are here, not among the crate's tests,
//! because the checked functions are private.

#[path = "../../fuzz/src/checks/ingest.rs"]
mod ingest;
#[path = "../../tests/shared/seeds.rs"]
mod seeds;

use self::ingest::{check_decoder, check_segments, check_transcript};
use self::seeds::seeds;

#[test]
fn lines_of_the_log() {
    seeds("decoder", check_decoder);
}

#[test]
fn segments_of_the_log() {
    let folder = tempfile::tempdir().unwrap();
    seeds("segments", |data| check_segments(data, folder.path()));
}

#[test]
fn transcripts() {
    let folder = tempfile::tempdir().unwrap();
    seeds("transcript", |data| check_transcript(data, folder.path()));
}
