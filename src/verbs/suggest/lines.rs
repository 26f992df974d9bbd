//! Proposals for questions one after the other, in lines.

use crate::failure::Failure;
use crate::preferences::writer::{Confirmation, apply, propose};
use crate::terminal;
use crate::verbs::suggest::proposal::{Proposal, report};
use crate::verbs::suggest::reply::Reply;
use crate::workspace::Workspace;

/// Sets what is proposed for questions without asking.
///
/// # Errors
/// Those of the writer of preferences.
pub(super) fn apply_all(
    workspace: &Workspace,
    wanted: Vec<&Proposal<'_>>,
    command: &str,
) -> Result<(), Failure> {
    let mut changes = Vec::new();
    for proposal in wanted {
        changes.extend(proposal.changes(workspace)?);
    }
    let confirmation = Confirmation {
        question: "Set these preferences?",
        yes: true,
        command,
    };
    apply(workspace, &changes, &confirmation)?;
    changes.iter().try_for_each(report)
}

/// Shows one proposal after the other, each with its exact change, and does what the person replies;
/// what was set stays set, whatever comes after. False when they want to stop.
///
/// # Errors
/// Those of the writer of preferences; when the terminal cannot be read.
pub(super) fn one_by_one(workspace: &Workspace, wanted: &[&Proposal<'_>]) -> Result<bool, Failure> {
    for (number, proposal) in (1..).zip(wanted) {
        let mut out = Vec::new();
        proposal.show(number, usize::from(workspace.width), &mut out)?;
        terminal::print(&format!("{}\n", String::from_utf8_lossy(&out)))?;
        let changes = Reply::Yes.changes(proposal, workspace)?;
        let proposed = propose(workspace, &changes)?;
        let prompt = format!("{number} of {}: set it? [y/N/later/never]", wanted.len());
        match answer(&prompt)? {
            Reply::Yes => {
                proposed.make()?;
                changes.iter().try_for_each(report)?;
            }
            Reply::No => terminal::print("not set; it will be proposed again\n")?,
            Reply::Later => {
                terminal::print("the rest is left for later\n")?;
                return Ok(false);
            }
            Reply::Never => {
                let changes = Reply::Never.changes(proposal, workspace)?;
                propose(workspace, &changes)?.make()?;
                changes.iter().try_for_each(report)?;
            }
        }
    }
    Ok(true)
}

/// Asks until the answer is one that is understood; the end of the input is one for later.
fn answer(prompt: &str) -> Result<Reply, Failure> {
    loop {
        let Some(word) = terminal::ask(prompt)? else {
            return Ok(Reply::Later);
        };
        if let Some(reply) = Reply::from_word(&word) {
            return Ok(reply);
        }
        terminal::print("y sets it, n does not, later stops here, never always asks you\n")?;
    }
}
