//! `plantune quarantine retry`: the log read again, with what this version can read.

use clap::Args;

use crate::failure::Failure;
use crate::terminal::{self, consent};
use crate::workspace::Workspace;
use crate::workspace::refresh;

/// Read the whole log again, and load what can be read now
///
/// A newer plantune does so by itself when it knows more events than an older one did; this is for when
/// you have repaired a segment of the log by hand.
#[derive(Args, Debug)]
pub(crate) struct Arguments {}

/// Reads the log again, and says how many lines became events, and how many stay.
///
/// # Errors
/// When the store cannot be written or the log not be read.
pub(crate) fn run(_: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    consent::may_change_log(workspace, "plantune quarantine retry")?;
    if !workspace.paths.events().exists() && !workspace.paths.store().exists() {
        return terminal::print("nothing was ever logged, so nothing is in quarantine\n");
    }
    let mut writer = refresh::open(workspace, workspace.zone()?)?;
    let before = writer
        .quarantined_lines()
        .map_err(|error| refresh::failure(workspace, &error))?;
    refresh::announce(workspace, writer.reason());
    writer.discard();
    let after = refresh::load(workspace, &mut writer)?.quarantined;
    terminal::print(&describe(before, after))
}

/// What became of the lines. `before` is `None` when there was no store that knew of them.
fn describe(before: Option<u64>, after: u64) -> String {
    let read = before.map_or(0, |before| before.saturating_sub(after));
    if after == 0 && read == 0 {
        return "the quarantine is empty: every line that was read is an event\n".to_owned();
    }
    let left = if after == 0 {
        "none is left\n".to_owned()
    } else {
        format!(
            "{after} {}; `plantune quarantine list` shows them, `plantune doctor` says what they mean\n",
            if after == 1 { "stays" } else { "stay" }
        )
    };
    format!("lines taken out of quarantine: {read}\n{left}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_read_and_left() {
        assert!(describe(Some(0), 0).starts_with("the quarantine is empty"));
        assert!(describe(None, 0).starts_with("the quarantine is empty"));
        assert_eq!(
            describe(Some(2), 0),
            "lines taken out of quarantine: 2\nnone is left\n"
        );
        assert!(describe(Some(13), 12).contains("\n12 stay; "));
        assert!(describe(None, 1).contains("\n1 stays; "));
    }
}
