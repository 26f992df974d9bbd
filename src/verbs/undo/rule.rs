//! `plantune undo RULE`: takes out a permission rule that `suggest` added.

use plantune_reports::text::one_line;

use crate::claude_settings::file::lock;
use crate::failure::Failure;
use crate::permission_rules::writer::{holding, remove};
use crate::started_by::call;
use crate::workspace::Workspace;

/// How much of a rule is shown, in characters.
const SHOWN: usize = 220;

/// Takes `text` out of the settings that plantune added it to; `None` when it is no such rule, and does not
/// look like one.
///
/// # Errors
/// Failed for what looks like a rule and was not added by plantune; conflict for a file that is not
/// understood; refused where the person cannot be asked.
pub(super) fn run(text: &str, yes: bool, workspace: &Workspace) -> Option<Result<(), Failure>> {
    let files = holding(workspace, text);
    let shown = one_line(text, SHOWN);
    if files.is_empty() {
        let looks_so = text.contains('(') || text.starts_with("mcp__");
        return looks_so.then(|| {
            Err(
                Failure::failed(format!("plantune has added no rule {shown}"))
                    .hint("it takes out its own rules alone; yours are for you to edit"),
            )
        });
    }
    Some(take_out(text, yes, workspace))
}

fn take_out(rule: &str, yes: bool, workspace: &Workspace) -> Result<(), Failure> {
    workspace.close_store();
    let _lock = lock(workspace)?;
    for file in holding(workspace, rule) {
        remove(workspace, &file, rule, yes, &call())?;
    }
    Ok(())
}
