//! Talking to the person: asking before a change, and keeping untrusted text harmless on screen.

use std::io::{BufRead as _, IsTerminal as _, Write as _};

use crate::context::Context;
use crate::failure::{Failure, Kind};

/// Asks `question` on the terminal and returns the answer; `yes` stands in for it.
///
/// Only the person may change what plantune does on their behalf, so inside an agent's session
/// nothing is asked and nothing is taken for an answer, `--yes` included.
///
/// # Errors
/// Refused (exit code 4) inside an agent session, or without a terminal and without `--yes`;
/// `command` names what the person can run instead.
pub(crate) fn confirm(
    context: &Context,
    question: &str,
    yes: bool,
    command: &str,
) -> Result<bool, Failure> {
    if context.agent_session {
        return Err(Failure::new(
            Kind::Refused,
            "only the person may change this, and this is an agent's session (CLAUDECODE is set)",
        )
        .hint(format!(
            "run `{command}` yourself, in a terminal outside the session"
        )));
    }
    if yes {
        return Ok(true);
    }
    if !std::io::stdin().is_terminal() {
        return Err(
            Failure::new(Kind::Refused, "there is no terminal to ask on")
                .hint(format!("run `{command}` in a terminal, or add --yes")),
        );
    }
    eprint!("{question} [y/N] ");
    std::io::stderr().flush()?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(
        answer.trim().to_ascii_lowercase().as_str(),
        "y" | "yes"
    ))
}
