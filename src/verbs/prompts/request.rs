//! What every verb of `plantune prompts` that reads the store is given.

use chrono::{Days, NaiveDate};
use plantune_reports::Format;
use plantune_reports::prompts::Terminal;
use serde::Serialize;

use crate::failure::Failure;
use crate::terminal;
use crate::workspace::Workspace;

/// Whose prompts are meant, and how they are shown.
pub(super) struct Request {
    pub(super) project: Option<String>,
    pub(super) json: bool,
}

impl Request {
    /// Prints `document`: as JSON where that is wanted, else for a terminal.
    pub(super) fn print<D: Serialize>(
        &self,
        document: &D,
        workspace: &Workspace,
    ) -> Result<(), Failure>
    where
        for<'a> Terminal<'a>: Format<D>,
    {
        let clock = workspace.clock()?;
        let format = Terminal {
            width: usize::from(workspace.width),
            clock: &clock,
        };
        terminal::print_document(document, self.json, &format)
    }
}

/// Yesterday: a prompt without a decision from before that was left by everybody.
pub(super) fn open_from(workspace: &Workspace) -> Result<Option<NaiveDate>, Failure> {
    Ok(workspace.today()?.checked_sub_days(Days::new(1)))
}

/// How many rows are shown: so many as asked for, else as many as is usual.
pub(super) fn most(limit: Option<u32>, usual: u32) -> usize {
    usize::try_from(limit.unwrap_or(usual)).unwrap_or(usize::MAX)
}
