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
mod changes;
pub mod cli;
pub mod debug;
pub mod document;
pub mod environment;
pub mod failure;
mod lost_events;
pub mod period;
pub mod preferences;
mod projects;
mod proposals;
mod refresh;
pub mod request;
mod rule_proposals;
pub mod session;
pub mod settings_change;
mod standing;
mod started_by;
pub mod terminal;
mod unread;
pub mod verbs;

use std::process::ExitCode;

use clap::{Command, Parser};

use cli::Arguments;
use cli::arguments::GlobalArguments;
use document::Document;
use environment::Environment;
use failure::{Failure, FailureClass};
use session::Session;

/// The command line of a program, parsed.
pub trait Program: Parser {
    /// The command line as clap reads it.
    fn command_line() -> Command {
        Self::command()
    }

    /// The arguments that every verb takes.
    fn global(&self) -> &GlobalArguments;

    /// True for a call that reads or writes plantune's files.
    fn uses_files(&self) -> bool {
        true
    }

    /// True for a call before which the hook is brought up to date, and the person is shown what it could not log, and what
    /// was answered while they were away.
    fn may_remind(&self) -> bool {
        false
    }

    /// True for a call whose document may be long.
    fn may_page(&self) -> bool {
        false
    }

    /// Does what the call asks.
    ///
    /// # Errors
    /// Whatever the verb reports.
    fn run(&self, session: &Session) -> Result<Document, Failure>;
}

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
    match environment.and_then(|environment| run(&call, &environment)) {
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
pub(crate) fn run(call: &impl Program, environment: &Environment) -> Result<(), Failure> {
    if call.uses_files() {
        environment.check_roots()?;
    }
    let session = Session::new(environment.clone());
    if call.may_remind() {
        settings_change::keep_up_to_date(&session);
        lost_events::report(&session);
        away::remind(&session);
    }
    let (document, session) = match call.run(&session) {
        Err(failure) if failure.kind() == FailureClass::DamagedStore => {
            session.close_store();
            refresh::compute_again(&session, session.zone()?)?;
            let session = Session::new(environment.clone());
            (call.run(&session)?, session)
        }
        done => (done?, session),
    };
    let Document {
        text,
        findings,
        failure,
    } = document;
    after_refresh::leave(&session, findings);
    let may_page = call.may_page() && environment.agent_session.is_none();
    drop(session);
    match failure {
        None => terminal::show(text, may_page),
        Some(failure) => terminal::show(text, false).and(Err(failure)),
    }
}
