//! `plantune fleet`: another program, which this one calls. It brings the object store's client and its
//! runtime, so that nobody who has no fleet pays for them.

use std::env;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::Command;

use clap::Args;

use crate::failure::Failure;
use crate::platform;

/// The program.
const PROGRAM: &str = "plantune-fleet";

/// Publish to an organisation's lake, and report over it
///
/// Calls plantune-fleet, which is installed by itself (`make fleet-install`). Nothing leaves this machine before
/// `plantune fleet init` has shown what would and you have said yes.
#[derive(Args, Debug)]
#[command(disable_help_flag = true)]
pub(crate) struct Arguments {
    /// init, preview, push, status, forget, compact or report, and what they take; --help lists it
    #[arg(value_name = "WORD", num_args = 0.., trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

/// Becomes the program: the one beside this one, else that of `PATH`.
///
/// # Errors
/// When there is none, or it cannot be run.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let beside = env::current_exe()
        .ok()
        .and_then(|program| Some(program.parent()?.join(PROGRAM)));
    let program = beside
        .filter(|program| program.is_file())
        .unwrap_or_else(|| PathBuf::from(PROGRAM));
    let error = platform::become_program(Command::new(&program).args(&arguments.words));
    let failure = Failure::failed(format!("{}: {error}", program.display()));
    Err(match error.kind() {
        ErrorKind::NotFound => Failure::failed(format!("{PROGRAM} is not installed"))
            .hint("in plantune's source: `make fleet-install`; docs/fleet.md says what it does"),
        _ => failure,
    })
}
