//! Reads the seeds of a fuzz target.

use std::fs;
use std::path::Path;

/// Runs the seeds of `target`; a failed one is the file named last.
pub(crate) fn seeds(target: &str, check: impl Fn(&[u8])) {
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
