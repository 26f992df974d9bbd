//! All tests of the built hook, in one program.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test may panic, and says what it skips; nothing that it writes has to last"
)]

mod agreement;
mod away;
mod checks;
mod common;
mod deciding;
mod fallback;
mod fuzz_corpus;
mod messages;
mod permissions;
mod protocol;
mod security;
#[path = "../../../tests/shared/mod.rs"]
mod shared;
