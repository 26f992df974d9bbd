//! All tests of what the ingester makes of a log, in one program.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test may panic, and says what it skips; nothing that it writes has to last"
)]

#[path = "../../../tests/shared/chance.rs"]
mod chance;
mod claude_code_as_the_hook;
mod claude_code_calls;
mod claude_code_files;
mod claude_code_generations;
mod claude_code_permissions;
mod foreign;
mod home;
mod order;
mod restore;
mod retention;
#[path = "../segments/mod.rs"]
mod segments;
#[path = "../../../tests/shared/mod.rs"]
mod shared;
mod store;
