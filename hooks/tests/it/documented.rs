//! The tests that `docs/development/hooks.md` and CONTRIBUTING.md name are there.

use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn every_test_named_in_the_documents_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let pages = ["docs/development/hooks.md", "CONTRIBUTING.md"]
        .map(|page| fs::read_to_string(root.join(page)).unwrap());
    let page = pages.join("\n");
    let mut named = 0;
    for name in page.split('`').skip(1).step_by(2) {
        let Some((file, test)) = name.split_once("::") else {
            continue;
        };
        if file == "file" || test.contains(|c: char| c != '_' && !c.is_alphanumeric()) {
            continue;
        }
        let path = match file.contains('/') || file == "tests" {
            true => root.join(file),
            false => root.join("hooks/tests/it").join(file),
        };
        let text = text_of(&path);
        assert!(text.contains(&format!("fn {test}()")), "{name}");
        named += 1;
    }
    assert!(named > 40, "{named}");
}

/// The test file `path` (without its ending), or all files of the folder of that name.
fn text_of(path: &Path) -> String {
    let files = match fs::read_dir(path) {
        Ok(entries) => entries.map(|entry| entry.unwrap().path()).collect(),
        Err(_) => vec![path.with_extension("rs")],
    };
    let read = |file: &PathBuf| {
        fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
    };
    files.iter().map(read).collect()
}
