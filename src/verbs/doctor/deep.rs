//! With `--deep`: whether the store is what the log says.

use plantune_ingest::{Error, compare};

use super::Seen;
use super::check::{Finding, Findings, Status};
use crate::platform;
use crate::workspace::refresh;

const NAME: &str = "tables";

/// Computes the store again, beside the one in use, and compares the two; the store stays as it is.
pub(super) fn check(seen: &Seen<'_>, found: &mut Findings) {
    if !seen.is_deep {
        return;
    }
    // What is computed lies in files beside the store, as private as that.
    platform::create_privately();
    match compare(&seen.workspace.paths) {
        Ok(None) => {
            let message =
                "nothing to compare yet; `plantune ingest` computes the store from the log";
            found.note(NAME, message);
        }
        Ok(Some(differences)) if differences.is_empty() => {
            found.ok(NAME, "the store is what the log says");
        }
        Ok(Some(differences)) => {
            for difference in differences {
                let failed = found.failed(NAME, difference.to_string());
                difference.rows.iter().fold(failed, Finding::remedy).remedy(
                    "run `plantune ingest --rebuild`: it computes the store again from the log",
                );
            }
        }
        // The next run computes it again; the check of the store says so.
        Err(Error::Broken(_)) => {
            found.note(NAME, "not compared: the store is damaged");
        }
        Err(error) => {
            let not_compared = found.failure(NAME, &refresh::failure(seen.workspace, &error));
            // A store that is held is not wrong.
            if matches!(error, Error::Held { .. }) {
                not_compared.status = Status::Warning;
            }
        }
    }
}
