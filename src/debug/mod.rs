//! `plantune debug`: what packaging, scripts and people who work on plantune call. A verb is a file.

mod compare;
pub(crate) mod demo;
pub mod packaging;
mod session_kind;
mod statusline;
mod version;

use clap::Command;

use crate::debug::demo::RunWords;
use crate::document::Document;
use crate::failure::Failure;
use crate::request::DebugCall;
use crate::session::Session;

/// Does what the call asks. `command` is all that can be called, and `play` runs a line of words.
///
/// # Errors
/// Whatever the verb reports.
pub(crate) fn run(
    call: &DebugCall,
    session: &Session,
    command: Command,
    play: RunWords,
) -> Result<Document, Failure> {
    match call {
        DebugCall::Compare => compare::run(session),
        DebugCall::Completions(shell) => packaging::completions(shell),
        DebugCall::Demo => demo::run(session, play).map(|()| Document::default()),
        DebugCall::Man { folder, list } => packaging::man(folder.as_deref(), *list, command),
        DebugCall::SessionKind { json } => session_kind::run(*json),
        DebugCall::StatusLine => statusline::run(),
        DebugCall::Version { json } => version::run(*json, session),
    }
}
