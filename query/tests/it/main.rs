//! All tests that ask a filled store or whole histories, in one program.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test may panic, its helpers too, and says what it skips"
)]

mod answering;
mod families;
mod histories;
mod latest;
mod permissions;
mod report;
#[path = "../../../tests/shared/mod.rs"]
mod shared;
#[path = "../../../tests/skipped/mod.rs"]
mod skipped;
mod slots;
mod store;
mod stores;
