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

mod ambiguity;
mod assist;
mod away;
mod binding;
mod binding_edits;
mod common;
mod deciding;
mod documented;
mod failing;
mod forms;
mod fuzz_corpus;
mod messages;
mod nudge;
mod own_files;
mod permissions;
mod protocol;
mod reask;
mod reviewer;
mod roots;
mod security;
mod servers;
mod session_kinds;
#[path = "../../../tests/shared/mod.rs"]
mod shared;
#[path = "../../../tests/skipped/mod.rs"]
mod skipped;
mod streams;
mod surroundings;
mod taught;
mod trial;
mod waits_for_nothing;
