//! The verbs, one file or folder each: the tree reads like `plantune --help`, with `classify`, `gc` and
//! `ingest`, which it does not list. What several of them need lies in the folders beside this one, never in a verb.

mod apply;
pub(crate) mod away;
pub(crate) mod classify;
pub(crate) mod config;
pub(crate) mod doctor;
pub(crate) mod export;
pub(crate) mod fleet;
pub(crate) mod gc;
pub(crate) mod import;
pub(crate) mod ingest;
pub(crate) mod install;
pub(crate) mod log;
pub(crate) mod overview;
pub(crate) mod prefs;
pub mod prefs_set;
pub(crate) mod report;
mod report_subject;
pub(crate) mod sql;
pub(crate) mod suggest;
pub(crate) mod undo;
pub(crate) mod uninstall;

use crate::cli::{Arguments, Verb, command};
use crate::debug;
use crate::debug::demo::RunWords;
use crate::document::Document;
use crate::failure::Failure;
use crate::request;
use crate::session::Session;

/// Resolves the arguments, and does what they ask. `play` runs a line of words, for the demonstration.
///
/// # Errors
/// Whatever the verb reports.
pub(crate) fn run(
    arguments: &Arguments,
    session: &Session,
    play: RunWords,
) -> Result<Document, Failure> {
    let Some(verb) = &arguments.verb else {
        return overview::run(arguments.json, session);
    };
    if arguments.json {
        let failure = Failure::usage("--json stands before the command");
        return Err(failure.hint("write it behind the command: plantune report --json"));
    }
    let done = |()| Document::default();
    match verb {
        Verb::Report(arguments) => report::run(&request::report(arguments, session)?, session),
        Verb::Log(arguments) => log::run(&request::log(arguments, session)?, session),
        Verb::Suggest(arguments) => suggest::run(&request::suggest(arguments, session)?, session),
        Verb::Prefs(arguments) => prefs::run(&request::prefs(arguments, session)?, session),
        Verb::Undo(arguments) => undo::run(&request::undo(arguments, session)?, session),
        Verb::Away(arguments) => away::run(&request::away(arguments, session)?, session),
        Verb::Off(_) => config::set::switch(false, session),
        Verb::On(_) => config::set::switch(true, session),
        Verb::Install(arguments) => install::run(&request::install(arguments), session).map(done),
        Verb::Uninstall(arguments) => {
            uninstall::run(&request::uninstall(arguments), session).map(done)
        }
        Verb::Config(arguments) => config::run(&request::config(arguments), session),
        Verb::Sql(arguments) => sql::run(&request::sql(arguments), session),
        Verb::Export(arguments) => export::run(&request::export(arguments, session)?, session),
        Verb::Import(arguments) => import::run(&request::import(arguments), session),
        Verb::Doctor(arguments) => doctor::run(&request::doctor(arguments), session),
        Verb::Fleet(arguments) => fleet::run(&arguments.words, session).map(done),
        Verb::Ingest(arguments) => ingest::run(arguments.rebuild, session),
        Verb::Gc(arguments) => gc::run(arguments.dry_run, session),
        Verb::Classify(arguments) => classify::run(&request::classify(arguments), session),
        Verb::Debug(arguments) => debug::run(&request::debug(arguments), session, command(), play),
    }
}
