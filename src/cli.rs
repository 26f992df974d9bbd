//! The words of a call: parsing them, and handing each verb to its file.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::failure::Failure;
use crate::verbs::{
    demo, doctor, explain, gc, import, ingest, install, log, prefs, quarantine, questions,
    registry, report, session_kind, suggest, undo, uninstall,
};
use crate::workspace::context::Context;

/// Learns which questions a coding agent need not ask.
#[derive(Parser, Debug)]
#[command(version, disable_help_subcommand = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand, Debug)]
enum Verb {
    Report(report::Arguments),
    Suggest(suggest::Arguments),
    Prefs(prefs::Arguments),
    Log(log::Arguments),
    Explain(explain::Arguments),
    Undo(undo::Arguments),
    Registry(registry::Arguments),
    Questions(questions::Arguments),
    Import(import::Arguments),
    Install(install::Arguments),
    Uninstall(uninstall::Arguments),
    Doctor(doctor::Arguments),
    Demo(demo::Arguments),
    Ingest(ingest::Arguments),
    Quarantine(quarantine::Arguments),
    Gc(gc::Arguments),
    SessionKind(session_kind::Arguments),
}

/// Reads the call's words; help, version and usage errors are printed here and end the run.
pub(crate) fn parse() -> Result<Arguments, ExitCode> {
    Arguments::try_parse().map_err(|error| {
        let code = if error.use_stderr() { 2 } else { 0 };
        // Nothing is left to do when even the help text cannot be written.
        let _ = error.print();
        ExitCode::from(code)
    })
}

/// Does what the call asks.
///
/// # Errors
/// Whatever the verb reports.
pub(crate) fn run(arguments: Arguments, context: &Context) -> Result<(), Failure> {
    match arguments.verb {
        Verb::Install(arguments) => install::run(&arguments, context),
        Verb::Uninstall(arguments) => uninstall::run(&arguments, context),
        Verb::Demo(arguments) => demo::run(&arguments, context),
        Verb::Import(arguments) => import::run(&arguments, context),
        Verb::Ingest(arguments) => ingest::run(&arguments, context),
        Verb::Gc(arguments) => gc::run(&arguments, context),
        Verb::SessionKind(arguments) => session_kind::run(&arguments, context),
        Verb::Report(arguments) => report::run(&arguments, context),
        Verb::Doctor(arguments) => doctor::run(&arguments, context),
        Verb::Suggest(arguments) => suggest::run(&arguments, context),
        Verb::Log(arguments) => log::run(&arguments, context),
        Verb::Explain(arguments) => explain::run(&arguments, context),
        Verb::Undo(arguments) => undo::run(&arguments, context),
        Verb::Prefs(arguments) => prefs::run(&arguments, context),
        Verb::Registry(arguments) => registry::run(&arguments, context),
        Verb::Questions(arguments) => questions::run(&arguments, context),
        Verb::Quarantine(arguments) => quarantine::run(&arguments, context),
    }
}
