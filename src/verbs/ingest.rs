//! `plantune ingest`: loads what the hooks have logged into the store.

use std::path::Path;

use clap::Args;
use plantune_ingest::{Summary, move_aside};

use crate::failure::Failure;
use crate::terminal::print;
use crate::workspace::Workspace;
use crate::workspace::refresh;
use crate::workspace::store;

/// Load what the hooks have logged into the store
///
/// Reports do so by themselves; this is for scripts, and for computing the tables anew.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Compute everything derived from the log anew
    #[arg(long)]
    rebuild: bool,
    /// Move the store aside, and fill a new one from the log: for a store that is damaged
    #[arg(long, conflicts_with = "rebuild")]
    start_over: bool,
}

/// Loads, and says what was done.
///
/// # Errors
/// When the store cannot be written or the log not be read.
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    // What could stop the new store should do so before the old one is moved.
    workspace.zone()?;
    if arguments.start_over {
        let aside = move_aside(&workspace.paths, workspace.now)
            .map_err(|error| refresh::failure(workspace, &error))?;
        print(&moved(aside.as_deref()))?;
    }
    let is_new = !workspace.paths.store().exists();
    let mut writer = refresh::open(workspace, workspace.zone()?)?;
    let mut text = told(&refresh::load(workspace, &mut writer)?);
    if arguments.rebuild {
        let changed = writer
            .rebuild()
            .map_err(|error| refresh::failure(workspace, &error))?;
        text += &rebuilt(&changed);
    }
    print(&format!("{text}\n"))?;
    refresh::name_damaged(workspace, &writer)?;
    match store::lost(&workspace.paths).filter(|_| is_new) {
        Some(lost) => print(&format!("the new store lacks {lost}\n")),
        None => Ok(()),
    }
}

fn moved(aside: Option<&Path>) -> String {
    match aside {
        Some(aside) => format!("the old store lies in {} now\n", aside.display()),
        None => "there was no store\n".to_owned(),
    }
}

/// What computing the tables `changed` and the others anew came to.
fn rebuilt(changed: &[&str]) -> String {
    let changed = match changed {
        [] => "nothing differed".to_owned(),
        changed => format!("this differed: {}", changed.join(", ")),
    };
    format!("; everything derived from the log was computed anew; {changed}")
}

fn told(done: &Summary) -> String {
    let mut text = format!("{} new events", done.events);
    if done.duplicates > 0 {
        text += &format!(", {} known already", done.duplicates);
    }
    if done.quarantined > 0 {
        text += &format!(
            ", {} lines that are no events (kept; see `plantune quarantine list`)",
            done.quarantined
        );
    }
    text
}
