//! `plantune doctor --quarantine`: the lines of the log that could not become events, the latest first.

use plantune_reports::quarantine::Document;

use crate::failure::Failure;
use crate::terminal;
use crate::workspace::Workspace;

/// How many lines a terminal gets.
const LISTED: u32 = 20;

/// Lists them, after reading what is new; all of them as `json`.
///
/// # Errors
/// Failed when the store cannot be written or read; conflict for a config.toml that is not
/// understood.
pub(super) fn run(json: bool, workspace: &Workspace) -> Result<(), Failure> {
    let found = workspace.ask(|store| store.quarantine((!json).then_some(LISTED)))?;
    terminal::print_document(&Document::from(&found), json, workspace)
}
