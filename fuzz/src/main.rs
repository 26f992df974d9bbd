//! The fuzzer: libFuzzer feeds one check, the one that `PLANTUNE_FUZZ_TARGET` names, with any bytes.
//!
//! The hook's crates and the editor of settings are libraries, and used as such. The event decoder and the transcript
//! reader are private parts of a crate that links DuckDB: they are compiled in from where they lie, under the names they
//! have there. [`Error`] stands for that crate's, without what is about the store.
#![no_main]
#![allow(
    dead_code,
    unused_imports,
    reason = "only parts of the compiled-in files are used"
)]

#[path = "../../ingest/src/claude_code/mod.rs"]
mod claude_code;
#[path = "../../ingest/src/lines.rs"]
mod lines;
#[path = "../../ingest/src/progress.rs"]
mod progress;
#[path = "../../ingest/src/segment.rs"]
mod segment;
mod checks {
    pub(crate) mod files;
    pub(crate) mod hook;
    pub(crate) mod ingest;
    pub(crate) mod questions;
    pub(crate) mod settings;
}

use std::io;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use checks::{files, hook, ingest, questions, settings};
use progress::Progress;

/// Why an import stops.
#[derive(Debug)]
pub enum Error {
    /// There is nothing at the path to import from.
    Missing(PathBuf),
    /// The path to import from cannot be read.
    Root(PathBuf, io::Error),
}

/// The target to fuzz, from `PLANTUNE_FUZZ_TARGET`.
static TARGET: LazyLock<String> =
    LazyLock::new(|| variable("PLANTUNE_FUZZ_TARGET", "the target to fuzz"));

/// This process's folder for files, below `PLANTUNE_FUZZ_SCRATCH`. Whoever sets the variable removes the folder.
static SCRATCH: LazyLock<PathBuf> = LazyLock::new(|| {
    let root = variable("PLANTUNE_FUZZ_SCRATCH", "a folder for scratch files");
    let folder = Path::new(&root).join(std::process::id().to_string());
    std::fs::create_dir_all(&folder).expect("a folder for scratch files");
    folder
});

fn variable(name: &str, what: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("{name} names {what}"))
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| match TARGET.as_str() {
    "hook" => hook::check(data, &SCRATCH),
    "parts" => questions::check_parts(data),
    "results" => questions::check_results(data),
    "stretched" => questions::check_stretched(data, 256 * 1024),
    "permissions" => questions::check_permissions(data),
    "preferences" => files::check_preferences(data, &SCRATCH),
    "project" => files::check_project(data, &SCRATCH),
    "registry" => files::check_registry(data, &SCRATCH),
    "decoder" => ingest::check_decoder(data),
    "segments" => ingest::check_segments(data, &SCRATCH),
    "transcript" => ingest::check_transcript(data, &SCRATCH),
    "settings" => settings::check(data),
    other => panic!("there is no target {other}"),
});
