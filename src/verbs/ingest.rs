//! `plantune ingest`: brings the store up to date with the log.

use plantune_ingest::{Error, Summary};
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
    // Also of a store that is about to be computed without them.
    refresh::name_lost(session, &writer)?;
    if rebuild {
        refresh::announce(session, writer.reason());
        writer.discard();
    }
    let summary = refresh::load(session, &mut writer)?;
    session.note_loaded();
    refresh::name_damaged(session, &writer)?;
    Ok(Document::text(format!("{}\n", describe(&summary))))
}

/// Computes the whole store again from the log, unless it is the only copy of something, and says what was done.
///
/// # Errors
/// The errors of [`run`]; failed when the store is the only copy of a sealed month.
pub(crate) fn rebuild(session: &Session) -> Result<(), Failure> {
    let writer = refresh::open(session, session.zone()?)?;
    let lost = writer.lost_months();
    let lost = lost.map_err(|error| refresh::failure(session, &error))?;
    if !lost.is_empty() {
        let months = lost.into_iter().map(|lost| lost.segment).collect();
        let reason = "lines in quarantine are read again".to_owned();
        return Err(refresh::failure(
            session,
            &Error::OnlyCopy { months, reason },
        ));
    }
    drop(writer);
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
