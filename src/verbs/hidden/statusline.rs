//! `plantune statusline`: a line for Claude Code's status line.

use std::io::{IsTerminal as _, stdin};
use std::process::{Command, Stdio};

use clap::Args;
use plantune_settings::installed_hook;

use crate::failure::Failure;
use crate::platform;

/// Print a line for Claude Code's status line: what was asked and answered for you today
///
/// It reads what Claude Code sends on standard input. plantune-hook prints it, which Claude Code calls
/// itself after `plantune install --statusline`, several times a second. So it reads only the end of today's
/// log. It prints nothing if there is nothing to say.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune install --statusline                   have Claude Code call it
  plantune statusline                             see it
  plantune statusline </dev/null                  prints nothing: nobody asks")]
pub(crate) struct Arguments {}

/// Lets the hook's binary print the line, in this process's place.
///
/// # Errors
/// Failed when there is no hook binary beside this one, or it cannot be started.
pub(crate) fn run(_: &Arguments) -> Result<(), Failure> {
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
