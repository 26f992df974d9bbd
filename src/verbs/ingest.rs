//! `plantune ingest`: brings the store up to date with the log.

use clap::Args;
use plantune_ingest::Summary;

use crate::failure::Failure;
use crate::terminal::print;
use crate::workspace::Workspace;
use crate::workspace::refresh;

/// Load what the hooks have logged into the store
///
/// Reports do so by themselves; this is for scripts, and for computing the store again.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Compute the whole store again from the log
    #[arg(long)]
    rebuild: bool,
}

/// Loads, and says what was done.
///
/// # Errors
/// When the store cannot be written or the log not be read.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let mut writer = refresh::open(workspace, workspace.zone()?)?;
    if arguments.rebuild {
        writer.discard();
    }
    let was_computed = writer.reason().is_some();
    let summary = refresh::load(workspace, &mut writer)?;
    print(&format!("{}\n", describe(&summary, was_computed)))?;
    refresh::name_damaged(workspace, &writer)
}

/// What was read, in a sentence.
fn describe(done: &Summary, was_computed: bool) -> String {
    let events = if was_computed { "events" } else { "new events" };
    let mut text = format!("{} {events}", done.events);
    if done.quarantined > 0 {
        text += &format!(
            ", {} lines that are no events (kept; see `plantune quarantine list`)",
            done.quarantined
        );
    }
    text
}
