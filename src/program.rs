//! How a program does what its words ask: `plantune`, and `plantune-fleet`, which it starts.

use clap::{Command, Parser};

use crate::cli::arguments::GlobalArguments;
use crate::document::Document;
use crate::environment::Environment;
use crate::failure::{Failure, Kind};
use crate::session::Session;
use crate::{after_refresh, away, refresh, settings_change, terminal};

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

    /// True for a call before which the hook is brought up to date, and the person is shown what was answered while they
    /// were away.
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
        away::remind(&session);
    }
    let (document, session) = match call.run(&session) {
        Err(failure) if failure.kind() == Kind::DamagedStore => {
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
