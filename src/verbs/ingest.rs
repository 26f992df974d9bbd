//! `plantune ingest`: brings the store up to date with the log.

use plantune_ingest::Summary;
use plantune_reports::humanize::counted;

use crate::document::Document;
use crate::failure::Failure;
use crate::refresh;
use crate::session::Session;
use crate::started_by;
use crate::terminal;
use crate::terminal::consent;

/// Loads, and says what was done.
///
/// # Errors
/// When the store cannot be written or the log not be read.
pub(crate) fn run(rebuild: bool, session: &Session) -> Result<Document, Failure> {
    if rebuild {
        consent::may_change_log(session, &started_by::call())?;
    }
    let mut writer = refresh::open(session, session.zone()?)?;
    if rebuild {
        refresh::announce(session, writer.reason());
        writer.discard();
    }
    let summary = refresh::load(session, &mut writer)?;
    session.note_loaded();
    refresh::name_damaged(session, &writer)?;
    Ok(Document::text(format!("{}\n", describe(&summary))))
}

/// Computes the whole store again from the log, and says what was done.
///
/// # Errors
/// The errors of [`run`].
pub(crate) fn rebuild(session: &Session) -> Result<(), Failure> {
    terminal::show(run(true, session)?.text, false)
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
