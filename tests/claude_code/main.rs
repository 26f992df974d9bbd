//! The real Claude Code, driven without a model: a scripted Messages API on loopback speaks for
//! the model, the test for the person, and the hook is installed with `plantune install`.
//!
//! Skipped unless `PLANTUNE_CLAUDE_CODE` names the client; `make test-claude-code` installs one and
//! sets it. Every wait has a limit, and the client is killed when a test ends.
#![cfg(unix)]
#![allow(
    missing_docs,
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    clippy::panic,
    clippy::print_stderr,
    clippy::unwrap_used
)]

#[path = "../plugin/assembled.rs"]
mod assembled_plugin;
#[path = "../common/mod.rs"]
mod common;

mod away;
mod client;
mod consent;
mod guard;
mod home;
mod hook_replaced;
mod installed;
mod levels;
mod mcp;
mod native;
mod permissions;
mod plugin;
mod prompts;
mod rules;
mod server;
mod session;
mod telling;
mod terminal;
mod unasked;

use std::path::PathBuf;

/// The client to drive, or `None` with a word about why nothing is tested.
fn claude_code() -> Option<PathBuf> {
    let client = std::env::var_os("PLANTUNE_CLAUDE_CODE").filter(|path| !path.is_empty());
    if client.is_none() {
        eprintln!(
            "skipped: PLANTUNE_CLAUDE_CODE names no Claude Code; `make test-claude-code` does"
        );
    }
    let client = PathBuf::from(client?);
    assert!(client.is_file(), "there is no {}", client.display());
    Some(client)
}
