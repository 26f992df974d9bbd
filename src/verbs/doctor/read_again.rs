//! `plantune doctor --fix`: the log read again where lines of it could not become events, or the store is damaged.

use plantune_query::Error;
use plantune_query::health::health;

use crate::failure::Failure;
use crate::terminal::{self, consent};
use crate::workspace::Workspace;
use crate::workspace::refresh;

/// Reads the log again where that may help, and says how many lines became events, and how many stay. A newer
/// plantune does so by itself when it knows more events than an older one did; this is for a segment of the log
/// that was repaired by hand.
///
/// # Errors
/// When the store cannot be written or the log not be read.
pub(super) fn run(workspace: &Workspace) -> Result<(), Failure> {
    let helps = match health(&workspace.paths.store(), 0) {
        Ok(health) => health
            .contents
            .is_some_and(|contents| !contents.quarantine.is_empty()),
        Err(Error::Missing(_)) => false,
        Err(_) => true,
    };
    if !helps {
        return Ok(());
    }
    consent::may_change_log(workspace, "plantune doctor --fix")?;
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
            "{after} {}; `plantune doctor --quarantine` shows them\n",
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
