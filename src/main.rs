//! `plantune`: reports, suggestions and preferences for the questions a coding agent asks.
//!
//! `main` turns a result into an exit code and nothing else; what a verb does stands in the file
//! of its name.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command owns its terminal"
)]

mod backtest;
mod by;
mod change_lock;
mod claude_plugins;
mod cli;
mod context;
mod demo;
mod doctor;
mod explain;
mod failure;
mod gc;
mod guard;
mod hook_binary;
mod import;
mod in_force;
mod ingest;
mod install;
mod log;
mod obstacle;
mod period;
mod place;
mod preference_event;
mod preference_writer;
mod prefs;
mod progress;
mod quarantine;
mod questions;
mod refresh;
mod registry;
mod report;
mod rollback;
mod session_kind;
mod settings;
mod settings_file;
mod standing;
mod store;
mod suggest;
mod terminal;
mod time_zone;
mod undo;
mod uninstall;
mod user_files;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = match cli::parse() {
        Ok(arguments) => arguments,
        Err(code) => return code,
    };
    match context::Context::from_environment().and_then(|context| cli::run(arguments, &context)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
