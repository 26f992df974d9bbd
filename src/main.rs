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
mod change_record;
mod cli;
mod debug;
mod default_registry;
mod document;
mod environment;
mod failure;
mod period;
mod platform;
mod preference_changes;
mod preferences;
mod projects;
mod proposals;
mod refresh;
mod request;
mod rule_proposals;
mod session;
mod settings_change;
mod standing;
mod started_by;
mod store;
mod terminal;
mod verbs;

use std::process::ExitCode;

use cli::Arguments;
use document::Document;
use environment::Environment;
use failure::{Failure, Kind};
use session::Session;

fn main() -> ExitCode {
    let arguments = match cli::parse() {
        Ok(arguments) => arguments,
        Err(code) => return code,
    };
    if arguments.global.quiet {
        terminal::be_quiet();
    }
    let environment = Environment::from_process(arguments.global.time_zone, arguments.colour());
    match environment.and_then(|environment| run(&arguments, &environment)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            terminal::complain(&failure.to_string());
            ExitCode::from(failure.exit_code())
        }
    }
}

/// Does what the call asks, and prints the document that comes back.
///
/// # Errors
/// Refused where plantune's files may be a repository's, and whatever the verb reports.
fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    if arguments.uses_files() {
        environment.check_roots()?;
    }
    let session = Session::new(environment.clone());
    if arguments.may_remind() {
        settings_change::keep_up_to_date(&session);
        away::remind(&session);
    }
    let (document, session) = match verbs::run(arguments, &session, run_words) {
        Err(failure) if failure.kind() == Kind::DamagedStore => {
            session.close_store();
            refresh::compute_again(&session, session.zone()?)?;
            let session = Session::new(environment.clone());
            (verbs::run(arguments, &session, run_words)?, session)
        }
        done => (done?, session),
    };
    let Document {
        text,
        findings,
        failure,
    } = document;
    after_refresh::leave(&session, findings);
    let may_page = arguments.may_page() && environment.agent_session.is_none();
    drop(session);
    match failure {
        None => terminal::show(text, may_page),
        Some(failure) => terminal::show(text, false).and(Err(failure)),
    }
}

/// Runs a line of words as if it had been typed.
fn run_words(words: &[&str], environment: &Environment) -> Result<(), Failure> {
    run(&cli::parse_words(words)?, environment)
}
