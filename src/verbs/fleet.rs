//! `plantune fleet`: another program, which this one calls. It brings the object store's client and its
//! runtime, so that nobody who has no fleet pays for them.

mod adopt;
mod program;

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use clap::Args;

use program::{PROGRAM, not_run};

use crate::failure::Failure;
use crate::platform;
use crate::workspace::Workspace;

/// Publish to an organisation's lake, and report over it
///
/// Calls plantune-fleet, which is installed by itself (`make fleet-install`). Nothing leaves this machine before
/// `plantune fleet init` has shown what would and you have said yes.
#[derive(Args, Debug)]
#[command(disable_help_flag = true)]
pub(crate) struct Arguments {
    /// init, preview, push, status, forget, compact, prepare, report or adopt, and what they take; --help lists it
    #[arg(value_name = "WORD", num_args = 0.., trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

/// Becomes the program: the one beside this one, else that of `PATH`. What it proposes as a preference is taken
/// over here.
///
/// # Errors
/// When there is none, or it cannot be run; those of [`adopt::run`].
pub(crate) fn run(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let mut program = Command::new(beside().unwrap_or_else(|| PathBuf::from(PROGRAM)));
    if let Some(adopt) = adopt::Arguments::of(&arguments.words) {
        return adopt::run(&adopt, &mut program, workspace);
    }
    let error = platform::become_program(program.args(&arguments.words));
    Err(not_run(&program, &error))
}

/// True where the program can be called.
pub(crate) fn is_installed() -> bool {
    let folders = env::var_os("PATH").unwrap_or_default();
    beside().is_some() || env::split_paths(&folders).any(|folder| folder.join(PROGRAM).is_file())
}

/// The program that lies beside this one.
fn beside() -> Option<PathBuf> {
    let program = env::current_exe().ok()?.parent()?.join(PROGRAM);
    program.is_file().then_some(program)
}
