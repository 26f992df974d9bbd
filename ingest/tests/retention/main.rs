//! Segments that are sealed and dropped: nothing is lost that was not to be dropped.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test may panic, its helpers too"
)]

mod collected;
mod home;
mod sealed;
#[path = "../segments/mod.rs"]
mod segments;
