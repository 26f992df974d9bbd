//! With `--deep`: whether the store is what the log says.

use plantune_ingest::{Difference, Error, compare};

use super::check::{Check, Status};
use crate::platform;
use crate::workspace::Workspace;
use crate::workspace::refresh;

const NAME: &str = "tables";

/// Computes the store again, beside the one in use, and compares the two; the store stays as it is.
pub(super) fn check(workspace: &Workspace) -> Vec<Check> {
    // What is computed lies in files beside the store, as private as that.
    platform::create_privately();
    match compare(&workspace.paths) {
        Ok(Some(differences)) => judge(&differences),
        Ok(None) => vec![Check::note(
            NAME,
            "nothing to compare yet; `plantune ingest` computes the store from the log",
        )],
        // The next run computes it again; the check of the store says so.
        Err(Error::Broken(_)) => vec![Check::note(NAME, "not compared: the store is damaged")],
        Err(error) => vec![not_checked(workspace, &error)],
    }
}

fn judge(differences: &[Difference]) -> Vec<Check> {
    if differences.is_empty() {
        return vec![Check::ok(NAME, "the store is what the log says")];
    }
    let judge = |difference: &Difference| {
        let check = Check::failed(NAME, difference.to_string());
        let check = difference.rows.iter().fold(check, Check::remedy);
        check.remedy("run `plantune ingest --rebuild`: it computes the store again from the log")
    };
    differences.iter().map(judge).collect()
}

/// Why the check could not be made, as [`refresh::failure`] explains it. A store that is held is not
/// wrong.
fn not_checked(workspace: &Workspace, error: &Error) -> Check {
    let mut check = Check::from_failure(NAME, &refresh::failure(workspace, error));
    if matches!(error, Error::Held { .. }) {
        check.status = Status::Warning;
    }
    check
}
