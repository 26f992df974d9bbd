//! The seeds of the editor's fuzz target, each through its check once.

#[path = "../../../../fuzz/src/checks/settings.rs"]
mod check;

use std::fs;
use std::path::Path;

#[test]
fn seeds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/settings");
    let mut seeds = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        // Named last, a seed is the one that failed.
        println!("{}", path.display());
        check::check(&fs::read(path).unwrap());
        seeds += 1;
    }
    assert!(seeds > 0);
}
