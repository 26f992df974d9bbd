//! All tests of whole documents in every format, in one program.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test may panic, its helpers too"
)]

mod permissions;
mod report;
mod sample;

use plantune_reports::text;
use serde::Serialize;

/// All of `document` for scripts.
fn in_json(document: &impl Serialize) -> String {
    text::json_document(document).unwrap()
}
