//! `plantune ingest`: brings the store up to date with the log.

use clap::Args;
use plantune_ingest::Summary;
use plantune_reports::humanize::counted;

use crate::failure::Failure;
use crate::session::{Session, refresh};
use crate::started_by;
use crate::terminal::{consent, print};

/// Load what the hooks have logged into the store
///
/// Reports do this by themselves. This is for scripts, and to compute the store again.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune ingest                                 load what was logged
  plantune ingest --rebuild                       compute the store again")]
pub(crate) struct Arguments {
    /// Compute the whole store again from the log
    #[arg(long)]
    rebuild: bool,
}

/// Loads, and says what was done.
///
/// # Errors
/// When the store cannot be written or the log not be read.
pub(crate) fn run(arguments: &Arguments, session: &Session) -> Result<(), Failure> {
    if arguments.rebuild {
        consent::may_change_log(session, &started_by::call())?;
    }
    let mut writer = refresh::open(session, session.zone()?)?;
    if arguments.rebuild {
        refresh::announce(session, writer.reason());
        writer.discard();
    }
    let summary = refresh::load(session, &mut writer)?;
    print(&format!("{}\n", describe(&summary)))?;
    session.note_loaded();
    refresh::name_damaged(session, &writer)
}

/// Computes the whole store again from the log, and says what was done.
///
/// # Errors
/// The errors of [`run`].
pub(crate) fn rebuild(session: &Session) -> Result<(), Failure> {
    run(&Arguments { rebuild: true }, session)
}

/// The outcome of a run, in a sentence.
fn describe(done: &Summary) -> String {
    let mut text = counted(done.events, "event read", "events read");
    if done.quarantined > 0 {
        text += &format!(
            ", {} (kept; see `plantune doctor --quarantine`)",
            counted(
                done.quarantined,
                "line that is no event",
                "lines that are no events"
            )
        );
    }
    text
}
