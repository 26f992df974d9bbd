//! `plantune debug statusline`: a line for Claude Code's status line.

use std::io::{IsTerminal as _, stdin};
use std::process::{Command, Stdio};

use crate::document::Document;
use crate::failure::Failure;
use crate::platform;
use plantune_settings::installed_hook;

/// Lets the hook's binary print the line, in this process's place.
///
/// # Errors
/// Failed when there is no hook binary beside this one, or it cannot be started.
pub(crate) fn run() -> Result<Document, Failure> {
    let mut command = Command::new(installed_hook::our_hook()?);
    command.arg("--statusline");
    if stdin().is_terminal() {
        // Somebody who wants to see it; nobody sends anything.
        let mut sent = tempfile::tempfile()?;
        std::io::Write::write_all(&mut sent, b"{}")?;
        std::io::Seek::rewind(&mut sent)?;
        command.stdin(Stdio::from(sent));
    }
    Err(Failure::from(platform::become_program(&mut command)))
}
