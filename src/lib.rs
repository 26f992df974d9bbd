//! `plantune`: reports, suggestions and preferences for the questions a coding agent asks.
//!
//! A verb is the file or folder of its name in `verbs/`. The program `plantune` calls [`main`] and nothing else; what is
//! public besides is for `plantune-fleet`, which shares the session, the terminal and the writer of preferences.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command owns its terminal"
)]

mod after_refresh;
mod away;
mod change_record;
pub mod cli;
pub mod debug;
mod default_registry;
pub mod document;
pub mod environment;
pub mod failure;
pub mod period;
mod platform;
mod preference_changes;
pub mod preferences;
pub mod program;
mod projects;
mod proposals;
mod refresh;
pub mod request;
mod rule_proposals;
pub mod session;
pub mod settings_change;
mod standing;
mod started_by;
mod store;
pub mod terminal;
pub mod verbs;

use std::process::ExitCode;

use cli::Arguments;
use environment::Environment;
use program::Program;

/// Runs `plantune`, and returns its exit code.
pub fn main() -> ExitCode {
    start::<Arguments>()
}

/// Runs the program that `P` is the command line of, and returns its exit code.
pub fn start<P: Program>() -> ExitCode {
    let call: P = match cli::parse() {
        Ok(call) => call,
        Err(code) => return code,
    };
    let global = call.global();
    if global.quiet {
        terminal::be_quiet();
    }
    let environment = Environment::from_process(global.time_zone, global.colour());
    match environment.and_then(|environment| program::run(&call, &environment)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            terminal::complain(&failure.to_string());
            ExitCode::from(failure.exit_code())
        }
    }
}
