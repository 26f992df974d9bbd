//! `plantune debug compare`: whether the store holds what the log says.

use clap::Args;
use plantune_ingest::Error;
use plantune_reports::text::clean;

use crate::failure::Failure;
use crate::platform;
use crate::session::{Session, refresh};
use crate::terminal::print;

/// Compare the store with one that is computed again from the log, and show the rows that differ
///
/// The store stays as it is. This takes as long as computing it again.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  plantune debug compare
      the rows that differ; exits with 1 if there are any
  plantune debug compare | head                   the first of them")]
pub(super) struct Arguments {}

/// Compares, and says what differs.
///
/// # Errors
/// Failed when something differs; when the store is held, of a newer plantune, or nothing can be written beside it.
pub(super) fn run(session: &Session) -> Result<(), Failure> {
    session.check_roots()?;
    // What is computed lies in files beside the store, as private as that.
    platform::create_privately();
    let differences = match plantune_ingest::compare(&session.paths) {
        Ok(Some(differences)) => differences,
        Ok(None) => {
            return print(
                "nothing to compare yet; `plantune report` computes the store from the log\n",
            );
        }
        // The next run computes it again.
        Err(Error::Broken(_)) => return print("not compared: the store is damaged\n"),
        Err(error) => return Err(refresh::failure(session, &error)),
    };
    for difference in &differences {
        print(&format!("{}\n", clean(&difference.to_string())))?;
        for row in &difference.rows {
            print(&format!("  {}\n", clean(row)))?;
        }
    }
    match differences.is_empty() {
        true => print("the store matches the log\n"),
        false => Err(Failure::failed("the store differs from the log")
            .hint("run `plantune ingest --rebuild`")),
    }
}
