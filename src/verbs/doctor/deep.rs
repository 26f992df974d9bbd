//! With `--deep`: whether the log is whole, and whether the tables that are derived from it are what
//! it says.

use plantune_ingest::{Difference, Error, Inspector, is_unsettled};
use rustix::fs::Mode;
use rustix::process::umask;

use super::check::{Check, Status};
use crate::workspace::Workspace;
use crate::workspace::refresh;
use crate::workspace::store;

const LOG: &str = "log";

const TABLES: &str = "derived_tables";

/// Reads the whole store, and computes anew, beside it, what is derived; the store stays as it is.
pub(super) fn check(workspace: &Workspace) -> Vec<Check> {
    // What does not fit into memory goes to a temporary folder beside the store, like its log.
    umask(Mode::RWXG | Mode::RWXO);
    let inspector = match Inspector::open(&workspace.paths) {
        Ok(Some(inspector)) => inspector,
        Ok(None) => {
            return vec![Check::note(
                TABLES,
                "nothing to compare yet; `plantune ingest` computes them from the log",
            )];
        }
        Err(error) => return vec![not_checked(TABLES, workspace, &error)],
    };
    if is_unsettled(&workspace.paths) {
        return vec![
            super::store::unsettled(LOG).remedy("then run `plantune doctor --deep` once more"),
        ];
    }
    let log = match inspector.log_faults() {
        Ok(faults) => judge_log(workspace, &faults),
        Err(error) => not_checked(LOG, workspace, &error),
    };
    if log.status != Status::Ok {
        let later = "not compared with the log, which has to be mended first";
        return vec![log, Check::note(TABLES, later)];
    }
    let tables = match inspector.compare() {
        Ok(differences) => judge_tables(&differences),
        Err(error) => vec![not_checked(TABLES, workspace, &error)],
    };
    [vec![log], tables].concat()
}

fn judge_log(workspace: &Workspace, faults: &[String]) -> Check {
    if faults.is_empty() {
        return Check::ok(
            LOG,
            "every event is in the store once, with all it refers to",
        );
    }
    let check = Check::failed(LOG, "the store's copy of the log is not whole");
    let check = faults.iter().fold(check, Check::remedy).remedy(
        "run `plantune ingest --start-over`: it moves the store aside and fills a new one from the spool",
    );
    match store::lost(&workspace.paths) {
        Some(lost) => check.remedy(format!("a new store would lack {lost}")),
        None => check,
    }
}

fn judge_tables(differences: &[Difference]) -> Vec<Check> {
    if differences.is_empty() {
        return vec![Check::ok(TABLES, "what is derived agrees with the log")];
    }
    let judge = |difference: &Difference| {
        let check = Check::failed(TABLES, difference.to_string());
        let check = difference.rows.iter().fold(check, Check::remedy);
        check.remedy(
            "run `plantune ingest --rebuild`: it computes what is derived from the log anew",
        )
    };
    differences.iter().map(judge).collect()
}

/// Why the check `name` could not be made, as [`refresh::failure`] explains it. A store that is held
/// is not wrong.
fn not_checked(name: &'static str, workspace: &Workspace, error: &Error) -> Check {
    let mut check = Check::from_failure(name, &refresh::failure(workspace, error));
    if matches!(error, Error::Held { .. }) {
        check.status = Status::Warning;
    }
    check
}
