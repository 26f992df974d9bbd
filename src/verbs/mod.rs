//! The verbs, one file or folder each: the tree reads like `plantune --help`, with `classify`, `gc` and
//! `ingest`, which it does not list. What several of them need lies in the folders beside this one, never in a verb.

mod apply;
pub(crate) mod away;
pub(crate) mod classify;
pub(crate) mod config;
pub(crate) mod doctor;
pub(crate) mod export;
pub(crate) mod gc;
pub(crate) mod import;
pub(crate) mod ingest;
pub(crate) mod install;
pub(crate) mod log;
pub(crate) mod overview;
pub(crate) mod prefs;
pub mod prefs_set;
pub(crate) mod report;
mod restore_month;
pub(crate) mod sql;
pub(crate) mod suggest;
mod tidy;
pub(crate) mod undo;
pub(crate) mod uninstall;

use std::env;
use std::ffi::OsString;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::Command;

use plantune_settings::programs::{in_path, is_executable};

use crate::Program;
use crate::cli::arguments::GlobalArguments;
use crate::cli::maintenance::ConfigVerb;
use crate::cli::{Arguments, Verb, command, parse_words};
use crate::document::Document;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::request::maintenance;
use crate::session::Session;
use crate::{debug, request, settings_change};

impl Program for Arguments {
    fn command_line() -> clap::Command {
        command()
    }

    fn global(&self) -> &GlobalArguments {
        &self.global
    }

    /// As the overview does, too. `doctor` says what is wrong with the files.
    fn uses_files(&self) -> bool {
        match &self.verb {
            Some(Verb::Config(arguments)) => !matches!(arguments.verb, Some(ConfigVerb::Schema(_))),
            Some(Verb::Doctor(_) | Verb::Debug(_)) => false,
            _ => true,
        }
    }

    /// The other verbs do so themselves.
    fn may_remind(&self) -> bool {
        let by_themselves = matches!(
            self.verb,
            Some(Verb::Away(_) | Verb::Install(_) | Verb::Uninstall(_))
        );
        self.uses_files() && !by_themselves
    }

    fn may_page(&self) -> bool {
        let shows = matches!(
            self.verb,
            None | Some(
                Verb::Report(_)
                    | Verb::Suggest(_)
                    | Verb::Prefs(_)
                    | Verb::Log(_)
                    | Verb::Doctor(_)
                    | Verb::Config(_)
                    | Verb::Sql(_)
            )
        );
        shows && !self.global.no_pager
    }

    /// Resolves the arguments, and does what they ask.
    fn run(&self, session: &Session) -> Result<Document, Failure> {
        let Some(verb) = &self.verb else {
            return overview::run(self.json, session);
        };
        if self.json {
            let failure = Failure::usage("--json stands before the command");
            return Err(failure.hint("write it behind the command: plantune report --json"));
        }
        let done = |()| Document::default();
        if reads_changes(verb) {
            settings_change::finish(session);
        }
        match verb {
            Verb::Report(arguments) => report::run(&request::report(arguments, session)?, session),
            Verb::Log(arguments) => log::run(&request::log(arguments, session)?, session),
            Verb::Suggest(arguments) => {
                suggest::run(&request::suggest(arguments, session)?, session)
            }
            Verb::Prefs(arguments) => prefs::run(&request::prefs(arguments, session)?, session),
            Verb::Undo(arguments) => undo::run(&request::undo(arguments, session)?, session),
            Verb::Away(arguments) => away::run(&request::away(arguments, session)?, session),
            Verb::Off(_) => config::set::switch(false, session),
            Verb::On(_) => config::set::switch(true, session),
            Verb::Install(arguments) => {
                install::run(&maintenance::install(arguments), session).map(done)
            }
            Verb::Uninstall(arguments) => {
                uninstall::run(&maintenance::uninstall(arguments), session).map(done)
            }
            Verb::Config(arguments) => config::run(&maintenance::config(arguments), session),
            Verb::Sql(arguments) => sql::run(&maintenance::sql(arguments), session),
            Verb::Export(arguments) => {
                export::run(&maintenance::export(arguments, session)?, session)
            }
            Verb::Import(arguments) => import::run(&maintenance::import(arguments), session),
            Verb::Doctor(arguments) => doctor::run(&maintenance::doctor(arguments), session),
            Verb::Fleet(arguments) => become_fleet(&arguments.words, session).map(done),
            Verb::Ingest(arguments) => ingest::run(arguments.rebuild, session),
            Verb::Gc(arguments) => gc::run(arguments.dry_run, session),
            Verb::RestoreMonth(arguments) => {
                restore_month::run(arguments.month.as_deref(), session)
            }
            Verb::Classify(arguments) => classify::run(&maintenance::classify(arguments), session),
            Verb::Debug(arguments) => debug::run(
                &maintenance::debug(arguments),
                session,
                command(),
                run_words,
            ),
        }
    }
}

/// True for verbs that show changes of settings, or change settings.
fn reads_changes(verb: &Verb) -> bool {
    matches!(
        verb,
        Verb::Suggest(_)
            | Verb::Prefs(_)
            | Verb::Undo(_)
            | Verb::Log(_)
            | Verb::Install(_)
            | Verb::Uninstall(_)
            | Verb::Doctor(_)
    )
}

/// Runs a line of words as if it had been typed, for the demonstration.
fn run_words(words: &[&str], environment: &Environment) -> Result<(), Failure> {
    crate::run(&parse_words(words)?, environment)
}

// `plantune fleet`: another program, `plantune-fleet`, which only organisations install.

/// The program.
const FLEET: &str = "plantune-fleet";

/// Becomes the program, with the words of this call but the verb.
///
/// # Errors
/// Failed where it is not installed, or cannot be started.
fn become_fleet(words: &[OsString], session: &Session) -> Result<(), Failure> {
    let Some(program) = installed_fleet() else {
        let verb = words.first().map(|word| word.to_string_lossy());
        let call = format!("fleet {}", verb.unwrap_or_default());
        let fact = format!(
            "`{}` needs {FLEET}, which is not installed",
            call.trim_end()
        );
        let hint = "run `make fleet-install` in plantune's source; docs/fleet.md says what it does";
        return Err(Failure::failed(fact).hint(hint));
    };
    // As they were typed, without the verb: global options may stand before it.
    let mut words: Vec<OsString> = env::args_os().skip(1).collect();
    if let Some(verb) = words.iter().position(|word| word == "fleet") {
        words.remove(verb);
    }
    session.close_store();
    let why = Command::new(&program).args(words).exec();
    Err(Failure::failed(format!("{}: {why}", program.display())))
}

/// The program beside this one, or else the first in `PATH`.
fn installed_fleet() -> Option<PathBuf> {
    let beside = env::current_exe().map(|this| this.with_file_name(FLEET));
    let beside = beside.ok().filter(|program| is_executable(program));
    beside.or_else(|| in_path(FLEET))
}
