//! Permission modes: under which of them calls ran, and what the classifier of auto mode denied.

use serde::{Deserialize, Serialize};

/// The calls of one permission mode, as far as they were logged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mode {
    /// The mode as Claude Code calls it; `None` where no event says.
    pub mode: Option<String>,
    /// Prompts.
    pub asked: u64,
    /// Calls that ran without anybody being asked.
    pub ran: u64,
    /// Calls that were denied without anybody being asked.
    pub denied: u64,
}

/// What the classifier of auto mode denied, by what it was about, and what became of it. `denied` = `allowed` +
/// `refused` + `unknown` + `not_asked`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Denied {
    /// The subject.
    pub subject: String,
    /// The tool.
    pub tool: String,
    /// The project.
    pub project: String,
    /// Calls that were denied.
    pub denied: u64,
    /// Of these, those after which the same came as a prompt in that session, and was allowed.
    pub allowed: u64,
    /// Those after which it was refused.
    pub refused: u64,
    /// Those after which it came as a prompt, and how that was decided is not known.
    pub unknown: u64,
    /// Those after which nobody was asked about the same.
    pub not_asked: u64,
}
