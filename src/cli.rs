//! The command line: parsing it, and calling the verb.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::failure::{Failure, Kind};
use crate::verbs::{
    away, back, demo, doctor, explain, gc, import, ingest, install, log, prefs, prompts,
    quarantine, questions, registry, report, session_kind, suggest, undo, uninstall,
};
use crate::workspace::Workspace;
use crate::workspace::environment::Environment;
use crate::workspace::refresh;

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
    Away(away::Arguments),
    Back(back::Arguments),
    Registry(registry::Arguments),
    Questions(questions::Arguments),
    Prompts(prompts::Arguments),
    Import(import::Arguments),
    Install(install::Arguments),
    Uninstall(uninstall::Arguments),
    Doctor(doctor::Arguments),
    Demo(demo::Arguments),
    Ingest(ingest::Arguments),
    Gc(gc::Arguments),
    Quarantine(quarantine::Arguments),
    SessionKind(session_kind::Arguments),
}

impl Verb {
    /// True for a verb that reads or writes plantune's files. `doctor` says what is wrong with them.
    fn uses_files(&self) -> bool {
        !matches!(self, Self::Doctor(_) | Self::Demo(_) | Self::SessionKind(_))
    }

    /// True for a verb before which the person is shown what was answered while they were away.
    fn may_remind(&self) -> bool {
        self.uses_files() && !matches!(self, Self::Away(_) | Self::Back(_) | Self::Uninstall(_))
    }
}

/// Parses the arguments; help, version and usage errors are printed here and end the run.
pub(crate) fn parse() -> Result<Arguments, ExitCode> {
    Arguments::try_parse().map_err(|error| {
        let code = if error.use_stderr() { 2 } else { 0 };
        // Nothing is left to do when even the help text cannot be written.
        let _ = error.print();
        ExitCode::from(code)
    })
}

/// Does what the call asks. When the store turns out to be damaged, it is computed again, and the verb run
/// once more.
///
/// # Errors
/// Refused where plantune's files may be a repository's, and whatever the verb reports.
pub(crate) fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    if arguments.verb.uses_files() {
        environment.check_roots()?;
    }
    let workspace = Workspace::new(environment.clone());
    if arguments.verb.may_remind() {
        crate::away::remind(&workspace);
    }
    match run_verb(&arguments.verb, &workspace) {
        Err(failure) if failure.kind() == Kind::DamagedStore => {
            workspace.close_store();
            refresh::compute_again(&workspace, workspace.zone()?)?;
            run_verb(&arguments.verb, &Workspace::new(environment.clone()))
        }
        done => done,
    }
}

fn run_verb(verb: &Verb, workspace: &Workspace) -> Result<(), Failure> {
    match verb {
        Verb::Install(arguments) => install::run(arguments, workspace),
        Verb::Uninstall(arguments) => uninstall::run(arguments, workspace),
        Verb::Demo(arguments) => demo::run(arguments, workspace),
        Verb::Import(arguments) => import::run(arguments, workspace),
        Verb::Ingest(arguments) => ingest::run(arguments, workspace),
        Verb::Gc(arguments) => gc::run(arguments, workspace),
        Verb::SessionKind(arguments) => session_kind::run(arguments, workspace),
        Verb::Report(arguments) => report::run(arguments, workspace),
        Verb::Doctor(arguments) => doctor::run(arguments, workspace),
        Verb::Suggest(arguments) => suggest::run(arguments, workspace),
        Verb::Log(arguments) => log::run(arguments, workspace),
        Verb::Explain(arguments) => explain::run(arguments, workspace),
        Verb::Away(arguments) => away::run(arguments, workspace),
        Verb::Back(arguments) => back::run(arguments, workspace),
        Verb::Undo(arguments) => undo::run(arguments, workspace),
        Verb::Prefs(arguments) => prefs::run(arguments, workspace),
        Verb::Registry(arguments) => registry::run(arguments, workspace),
        Verb::Questions(arguments) => questions::run(arguments, workspace),
        Verb::Prompts(arguments) => prompts::run(arguments, workspace),
        Verb::Quarantine(arguments) => quarantine::run(arguments, workspace),
    }
}
