//! All tests of whole documents in every format, in one program.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test may panic, its helpers too"
)]

mod fleet;
mod report;

use plantune_reports::Format;

/// All of `document` in `format`.
fn written<D>(format: &dyn Format<D>, document: &D) -> String {
    let mut out = Vec::new();
    format.write(document, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}
