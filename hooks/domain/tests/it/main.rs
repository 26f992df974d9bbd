//! All tests of the vocabulary that read lists or captured material, in one program.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test may panic, and says what it skips"
)]

mod agreement;
mod doors;
mod permissions;
mod result_shapes;
mod secrets;
#[path = "../../../../tests/shared/mod.rs"]
mod shared;
