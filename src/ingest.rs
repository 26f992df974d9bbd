//! `plantune ingest`: loads what the hooks have logged into the store.

use clap::Args;
use plantune_hooks::config::Config;

use crate::context::Context;
use crate::failure::Failure;
use crate::refresh;
use crate::terminal::print;
use crate::user_files;

/// Load what the hooks have logged into the store
///
/// Reports do so by themselves; this is for scripts, and for computing the tables anew.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Compute everything derived from the log anew
    #[arg(long)]
    rebuild: bool,
}

/// Loads, and says what was done.
///
/// # Errors
/// When the store cannot be written or the log not be read.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> Result<(), Failure> {
    let config: Config = user_files::config(context)?;
    let done = refresh::ingest(context, &config)?;
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
    if arguments.rebuild {
        refresh::open(context, &config)?
            .rebuild()
            .map_err(|error| refresh::failure(context, &error))?;
        text += "; everything derived from the log was computed anew";
    }
    print(&format!("{text}\n"))
}
