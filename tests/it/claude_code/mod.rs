//! The real Claude Code, driven without a model: a scripted Messages API on loopback speaks for
//! the model, the test for the person, and the hook is installed with `plantune install`.
//!
//! Ignored unless asked for: `make test-claude-code` installs the client, names it in
//! `PLANTUNE_CLAUDE_CODE` and runs them. Every wait has a limit, and the client is killed when a test ends.

mod client;
mod dialogs;
mod guard;
pub(crate) mod home;
mod levels;
mod native;
mod permissions;
mod plugin;
mod rule_reading;
mod ten_rules;

use std::path::PathBuf;

/// The client to drive.
fn claude_code() -> PathBuf {
    let client = std::env::var_os("PLANTUNE_CLAUDE_CODE").filter(|path| !path.is_empty());
    let client =
        client.expect("PLANTUNE_CLAUDE_CODE names no Claude Code; `make test-claude-code` does");
    let client = PathBuf::from(client);
    assert!(client.is_file(), "there is no {}", client.display());
    client
}
