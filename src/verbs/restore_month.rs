//! `plantune restore-month`: a month's sealed file, written again from the store.

use plantune_ingest::{Progress, Restored};
use plantune_reports::humanize::counted;
use plantune_reports::text::clean;

use crate::document::Document;
use crate::failure::Failure;
use crate::refresh;
use crate::session::Session;
use crate::terminal::{Bar, consent};

/// Writes the lost months again, or only `month`, and says what they have.
///
/// # Errors
/// Refused in an agent's session; usage for a month that is not lost; failed when the store or the log cannot be read, or
/// the file not be written.
pub(crate) fn run(month: Option<&str>, session: &Session) -> Result<Document, Failure> {
    consent::may_change_log(session, "plantune restore-month")?;
    let mut writer = refresh::open(session, session.zone()?)?;
    let failed = |error| refresh::failure(session, &error);
    let mut lost = writer.lost_months().map_err(failed)?;
    if let Some(month) = month {
        let is_asked = |name: &str| name.strip_suffix(".parquet").unwrap_or(name) == month;
        lost.retain(|lost| is_asked(&lost.segment));
        if lost.is_empty() {
            let fact = format!("{} is not lost", clean(month));
            let hint = "run `plantune restore-month` alone for every month that is";
            return Err(Failure::usage(fact).hint(hint));
        }
    }
    if lost.is_empty() {
        return Ok(Document::text("no month is lost\n"));
    }
    let mut text = String::new();
    for month in &lost {
        let progress = Progress::of("looking at the log");
        let bar = Bar::watch(&progress);
        let restored = writer.restore_month(month, &progress).map_err(failed)?;
        drop(bar);
        text += &describe(&restored);
    }
    Ok(Document::text(text))
}

fn describe(restored: &Restored) -> String {
    let mut text = format!(
        "{} is there again, with {}\n",
        restored.segment,
        counted(restored.events, "event", "events")
    );
    if let Some(damaged) = &restored.damaged {
        let damaged = clean(&damaged.to_string_lossy());
        text += &format!("the damaged file is now {damaged}\n");
    }
    text
}
