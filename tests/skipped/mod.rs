//! Says which test was passed over, and for lack of what. Cargo shows nothing that a passing test prints, so the line
//! is also appended to the file that `PLANTUNE_SKIPPED` names, where that is set.

use std::fs::File;
use std::io::Write as _;

/// `test` is named as Cargo lists it, without its crate; `why` is what is missing.
pub(crate) fn skipped(test: &str, why: &str) {
    let line = format!("skipped: {}::{test}: {why}\n", env!("CARGO_PKG_NAME"));
    eprint!("{line}");
    let Some(path) = std::env::var_os("PLANTUNE_SKIPPED") else {
        return;
    };
    let mut options = File::options();
    let file = options.create(true).append(true).open(path);
    file.unwrap().write_all(line.as_bytes()).unwrap();
}
