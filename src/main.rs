//! `plantune`: reports, suggestions and preferences for the questions a coding agent asks.
//!
//! `main` turns a result into an exit code and nothing else; a verb is the file or folder of its
//! name in `verbs/`.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command owns its terminal"
)]

mod after_refresh;
mod away;
mod cli;
mod failure;
mod platform;
mod preferences;
mod rule_proposals;
mod session;
mod settings_change;
mod started_by;
mod terminal;
mod verbs;

use std::process::ExitCode;

use session::environment::Environment;

fn main() -> ExitCode {
    let arguments = match cli::parse() {
        Ok(arguments) => arguments,
        Err(code) => return code,
    };
    let done = Environment::from_process(&arguments.global).and_then(|environment| {
        cli::prepare(&arguments, &environment);
        cli::run(&arguments, &environment)
    });
    match done.and_then(|()| terminal::show_held()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // The failure at hand is the one to report.
            let _ = terminal::release();
            terminal::complain(&failure.to_string());
            ExitCode::from(failure.exit_code())
        }
    }
}
