//! The program that does the work of `plantune fleet`.

use std::io::{self, ErrorKind};
use std::path::Path;
use std::process::Command;

use crate::failure::Failure;

/// The program.
pub(super) const PROGRAM: &str = "plantune-fleet";

/// Why the program could not be run.
pub(super) fn not_run(program: &Command, error: &io::Error) -> Failure {
    match error.kind() {
        ErrorKind::NotFound => Failure::failed(format!("{PROGRAM} is not installed"))
            .hint("in plantune's source: `make fleet-install`; docs/fleet.md says what it does"),
        _ => Failure::failed(format!(
            "{}: {error}",
            Path::new(program.get_program()).display()
        )),
    }
}
