//! `plantune debug compare`: whether the store holds what the log says.

use plantune_ingest::Error;
use plantune_reports::text::clean;

use std::fmt::Write as _;

use crate::document::Document;
use crate::failure::Failure;
use crate::platform;
use crate::refresh;
use crate::session::Session;

/// Compares, and says what differs.
///
/// # Errors
/// Failed when something differs; when the store is held, of a newer plantune, or nothing can be written beside it.
pub(super) fn run(session: &Session) -> Result<Document, Failure> {
    session.check_roots()?;
    // What is computed lies in files beside the store, as private as that.
    platform::create_privately();
    let differences = match plantune_ingest::compare(&session.paths) {
        Ok(Some(differences)) => differences,
        Ok(None) => {
            return Ok(Document::text(
                "nothing to compare yet; `plantune report` computes the store from the log\n",
            ));
        }
        // The next run computes it again.
        Err(Error::Broken(_)) => {
            return Ok(Document::text("not compared: the store is damaged\n"));
        }
        Err(error) => return Err(refresh::failure(session, &error)),
    };
    if differences.is_empty() {
        return Ok(Document::text("the store matches the log\n"));
    }
    let mut text = String::new();
    for difference in &differences {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", clean(&difference.to_string()));
        for row in &difference.rows {
            let _ = writeln!(text, "  {}", clean(row));
        }
    }
    let failure = Failure::failed("the store differs from the log");
    Ok(Document::text(text).but(failure.hint("run `plantune ingest --rebuild`")))
}
