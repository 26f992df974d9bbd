//! What the fuzz targets run: the checks, and the code they check.
//!
//! The hook's crate is a library, and is used as one. The event decoder and the transcript reader
//! are private parts of a crate that links DuckDB, and the settings editor is one of a binary: they
//! are compiled in from where they lie, under the names they have there. [`Error`] stands for that
//! crate's, without what is about the store.

#![allow(
    dead_code,
    unused_imports,
    reason = "of what is compiled in, a part is used"
)]

#[path = "../../ingest/src/claude_code/mod.rs"]
mod claude_code;
#[path = "../../ingest/src/lines.rs"]
mod lines;
#[path = "../../ingest/src/segment.rs"]
mod segment;
#[path = "../../src/claude_settings"]
mod claude_settings {
    pub(crate) mod editor;
}

mod checks;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Why an import stops.
#[derive(Debug)]
pub enum Error {
    /// There is nothing at the path to import from.
    Missing(PathBuf),
    /// The path to import from cannot be read.
    Root(PathBuf, io::Error),
}

/// The check of each target, by the target's name; those that need files have a folder of their own.
macro_rules! targets {
    ($($name:ident: $check:expr;)*) => {
        $(
            #[doc = concat!("See `checks/", stringify!($name), ".rs`.")]
            pub fn $name(data: &[u8]) {
                let check: fn(&[u8]) = $check;
                check(data);
            }
        )*
    };
}

targets! {
    hook: |data| checks::hook::check(data, scratch());
    parts: checks::parts::check;
    results: checks::results::check;
    permissions: checks::permissions::check;
    preferences: |data| checks::preferences::check(data, scratch());
    project: |data| checks::project::check(data, scratch());
    registry: |data| checks::registry::check(data, scratch());
    stretched: |data| checks::stretched::check(data, 256 * 1024);
    decoder: checks::decoder::check;
    segments: |data| checks::segments::check(data, scratch());
    transcript: |data| checks::transcript::check(data, scratch());
    settings_editor: checks::settings::check;
}

/// A folder of this process, in `PLANTUNE_FUZZ_SCRATCH`; who set that removes it.
fn scratch() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let root = std::env::var_os("PLANTUNE_FUZZ_SCRATCH")
            .expect("PLANTUNE_FUZZ_SCRATCH names a folder for scratch files");
        let folder = Path::new(&root).join(std::process::id().to_string());
        std::fs::create_dir_all(&folder).expect("a folder for scratch files");
        folder
    })
}
