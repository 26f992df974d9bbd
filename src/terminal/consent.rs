//! Asking the person before a change, and making sure that it is the person.

use std::io::IsTerminal as _;

use crate::failure::{Failure, Kind};
use crate::terminal::ask;
use crate::workspace::Workspace;

/// Asks `question` on the terminal and returns the answer; `yes` stands in for it.
///
/// # Errors
/// Those of [`may_change`].
pub(crate) fn confirm(
    workspace: &Workspace,
    question: &str,
    yes: bool,
    command: &str,
) -> Result<bool, Failure> {
    may_change(workspace, yes, command)?;
    if yes {
        return Ok(true);
    }
    let answer = ask(&format!("{question} [y/N]"))?;
    Ok(answer.is_some_and(|answer| matches!(answer.as_str(), "y" | "yes")))
}

/// Makes sure that it is the person who adds to the evidence, or changes the log: what plantune proposes
/// rests on it. `maintenance_by_agents = true` in config.toml is their leave.
///
/// # Errors
/// Refused (exit code 4) inside an agent's session; conflict for a config.toml that is not understood.
pub(crate) fn may_change_log(workspace: &Workspace, command: &str) -> Result<(), Failure> {
    let Some(variable) = workspace.agent_session else {
        return Ok(());
    };
    if workspace.config()?.maintenance_by_agents {
        return Ok(());
    }
    Err(Failure::new(
        Kind::Refused,
        format!(
            "this changes what proposals rest on, and this is an agent's session ({variable} is set)"
        ),
    )
    .hint(format!(
        "run `{command}` yourself, in a terminal outside the session, or allow it to agents: \
         `maintenance_by_agents = true` in config.toml"
    )))
}

/// Makes sure that it is the person who changes something. Only they may change what plantune does
/// on their behalf, so inside an agent's session nothing is asked and nothing is taken for an
/// answer, `yes` included.
///
/// # Errors
/// Refused (exit code 4) inside an agent session, or without a terminal and without `yes`;
/// `command` names what the person can run instead.
pub(crate) fn may_change(workspace: &Workspace, yes: bool, command: &str) -> Result<(), Failure> {
    if let Some(variable) = workspace.agent_session {
        return Err(Failure::new(
            Kind::Refused,
            format!(
                "only the person may change this, and this is an agent's session ({variable} is set)"
            ),
        )
        .hint(format!(
            "run `{command}` yourself, in a terminal outside the session"
        )));
    }
    if !yes && !std::io::stdin().is_terminal() {
        return Err(
            Failure::new(Kind::Refused, "there is no terminal to ask on")
                .hint(format!("run `{command}` in a terminal, or add --yes")),
        );
    }
    Ok(())
}
