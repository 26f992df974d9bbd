//! The command line: parsing it, calling the verb, and what a shell is offered for a value.

mod help;
mod usage;

use std::collections::BTreeSet;
use std::iter;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use clap_complete::CompleteEnv;
use clap_complete::engine::{ArgValueCandidates, CompletionCandidate};

use plantune_domain::keys::is_made_up;

use crate::failure::{Failure, Kind};
use crate::session::environment::{Environment, GlobalArguments, choice_of_words};
use crate::session::project::Names;
use crate::session::{Session, project, refresh};
use crate::verbs::hidden::{
    classify, completions, demo, gc, ingest, man, session_kind, statusline, version,
};
use crate::verbs::{
    away, config, doctor, export, fleet, import, install, log, overview, prefs, report, sql,
    suggest, undo, uninstall,
};
use crate::{after_refresh, settings_change, terminal};

/// Learns which questions a coding agent need not ask you
#[derive(Parser, Debug)]
#[command(version)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Option<Verb>,
    /// Without a command: write the overview as JSON, for scripts
    #[arg(long)]
    json: bool,
    /// The arguments that every verb takes.
    #[command(flatten)]
    pub(crate) global: GlobalArguments,
}

/// The verbs; those that only scripts call are hidden.
#[derive(Subcommand, Debug)]
enum Verb {
    #[command(aliases = ["stats", "summary", "show"])]
    Report(report::Arguments),
    #[command(aliases = ["why", "explain", "history"])]
    Log(log::Arguments),
    Suggest(suggest::Arguments),
    #[command(aliases = ["list", "ls", "preferences"])]
    Prefs(prefs::Arguments),
    #[command(alias = "revert")]
    Undo(undo::Arguments),
    Away(away::Arguments),
    #[command(aliases = ["disable", "pause", "stop"])]
    Off(config::set::OffArguments),
    #[command(aliases = ["enable", "resume"])]
    On(config::set::OnArguments),
    #[command(aliases = ["init", "setup", "start"])]
    Install(install::Arguments),
    Uninstall(uninstall::Arguments),
    #[command(aliases = ["status", "check"])]
    Doctor(doctor::Arguments),
    #[command(alias = "settings")]
    Config(config::Arguments),
    #[command(alias = "query")]
    Sql(sql::Arguments),
    Export(export::Arguments),
    #[cfg_attr(not(feature = "fleet"), command(hide = true))]
    Fleet(fleet::Arguments),
    Import(import::Arguments),
    #[command(hide = true)]
    Ingest(ingest::Arguments),
    #[command(hide = true)]
    Gc(gc::Arguments),
    #[command(hide = true)]
    SessionKind(session_kind::Arguments),
    #[command(hide = true)]
    Statusline(statusline::Arguments),
    #[command(hide = true)]
    Completions(completions::Arguments),
    #[command(hide = true)]
    Man(man::Arguments),
    #[command(hide = true)]
    Classify(classify::Arguments),
    #[command(hide = true)]
    Demo(demo::Arguments),
    #[command(hide = true)]
    Version(version::Arguments),
}

impl Arguments {
    /// Whether `of` holds of the verb; without one, what is shown reads and writes plantune's files.
    fn is(&self, of: impl FnOnce(&Verb) -> bool) -> bool {
        self.verb.as_ref().is_none_or(of)
    }
}

impl Verb {
    /// True for a verb that reads or writes plantune's files. `doctor` says what is wrong with them.
    fn uses_files(&self) -> bool {
        match self {
            Self::Config(arguments) => arguments.uses_files(),
            Self::Doctor(_)
            | Self::Demo(_)
            | Self::SessionKind(_)
            | Self::Statusline(_)
            | Self::Completions(_)
            | Self::Man(_)
            | Self::Version(_) => false,
            _ => true,
        }
    }

    /// True for a verb before which the hook is brought up to date, and the person is shown what was answered while they
    /// were away. The others do so themselves.
    fn may_remind(&self) -> bool {
        self.uses_files() && !matches!(self, Self::Away(_) | Self::Install(_) | Self::Uninstall(_))
    }

    /// True for a verb that shows something, which may be long.
    fn shows(&self) -> bool {
        matches!(
            self,
            Self::Report(_)
                | Self::Suggest(_)
                | Self::Prefs(_)
                | Self::Log(_)
                | Self::Doctor(_)
                | Self::Config(_)
                | Self::Sql(_)
        )
    }
}

/// The command line, with what shells are offered for the values.
pub(crate) fn command() -> clap::Command {
    help::add_groups(add_candidates(Arguments::command()))
}

/// Parses the arguments; help, version and usage errors are printed here and end the run, as does a shell
/// that asks how a line goes on.
pub(crate) fn parse() -> Result<Arguments, ExitCode> {
    let folder = std::env::current_dir().ok();
    let completion = CompleteEnv::with_factory(command).var(completions::VARIABLE);
    match completion.try_complete(std::env::args_os(), folder.as_deref()) {
        Ok(false) => {}
        Ok(true) => return Err(ExitCode::SUCCESS),
        Err(error) => return Err(exit_code(&error, &[])),
    }
    let words: Vec<String> = std::env::args_os()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let colour = choice_of_words(words.iter().map(String::as_str));
    let matches = command().color(colour).try_get_matches_from(&words);
    matches
        .and_then(|matches| Arguments::from_arg_matches(&matches))
        .map_err(|error| exit_code(&error, &words))
}

/// Prints the help that was asked for, or what was wrong with the words, and returns the exit code.
fn exit_code(error: &clap::Error, words: &[String]) -> ExitCode {
    if !error.use_stderr() {
        // Nothing is left to do when even the help text cannot be written.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let failure = usage::failure(error, words);
    terminal::complain(&failure.to_string());
    ExitCode::from(failure.exit_code())
}

/// Sets up the terminal as the global options say.
pub(crate) fn prepare(arguments: &Arguments, environment: &Environment) {
    if arguments.global.quiet {
        terminal::be_quiet();
    }
    if arguments.is(Verb::shows) && !arguments.global.no_pager {
        terminal::hold_for_pager(environment.agent_session.is_some());
    }
}

/// Does what the call asks. When the store turns out to be damaged, it is computed again, and the verb run
/// once more.
///
/// # Errors
/// Refused where plantune's files may be a repository's, and whatever the verb reports.
pub(crate) fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    if arguments.is(Verb::uses_files) {
        environment.check_roots()?;
    }
    let session = Session::new(environment.clone());
    if arguments.is(Verb::may_remind) {
        settings_change::keep_up_to_date(&session);
        crate::away::remind(&session);
    }
    match run_verb(arguments, &session) {
        Err(failure) if failure.kind() == Kind::DamagedStore => {
            session.close_store();
            refresh::compute_again(&session, session.zone()?)?;
            let session = Session::new(environment.clone());
            run_verb(arguments, &session)?;
            after_refresh::leave(&session);
        }
        done => {
            done?;
            after_refresh::leave(&session);
        }
    }
    Ok(())
}

/// Runs a line of words as if it had been typed.
fn run_words(words: &[&str], environment: &Environment) -> Result<(), Failure> {
    let words = iter::once("plantune").chain(words.iter().copied());
    run(&Arguments::try_parse_from(words)?, environment)
}

fn run_verb(arguments: &Arguments, session: &Session) -> Result<(), Failure> {
    let Some(verb) = &arguments.verb else {
        return overview::run(session, arguments.json);
    };
    if arguments.json {
        let failure = Failure::usage("--json stands before the command");
        return Err(failure.hint("write it behind the command: plantune report --json"));
    }
    match verb {
        Verb::Install(arguments) => install::run(arguments, session),
        Verb::Uninstall(arguments) => uninstall::run(arguments, session),
        Verb::Demo(arguments) => demo::run(arguments, session, run_words),
        Verb::Sql(arguments) => sql::run(arguments, session),
        Verb::Export(arguments) => export::run(arguments, session),
        Verb::Fleet(arguments) => fleet::run(arguments, session),
        Verb::Import(arguments) => import::run(arguments, session),
        Verb::Ingest(arguments) => ingest::run(arguments, session),
        Verb::Gc(arguments) => gc::run(arguments, session),
        Verb::SessionKind(arguments) => session_kind::run(arguments, session),
        Verb::Report(arguments) => report::run(arguments, session),
        Verb::Doctor(arguments) => doctor::run(arguments, session),
        Verb::Suggest(arguments) => suggest::run(arguments, session),
        Verb::Log(arguments) => log::run(arguments, session),
        Verb::Away(arguments) => away::run(arguments, session),
        Verb::Off(_) => config::set::switch(false, session),
        Verb::On(_) => config::set::switch(true, session),
        Verb::Undo(arguments) => undo::run(arguments, session),
        Verb::Prefs(arguments) => prefs::run(arguments, session),
        Verb::Statusline(arguments) => statusline::run(arguments),
        Verb::Config(arguments) => config::run(arguments, session),
        Verb::Completions(arguments) => completions::run(arguments),
        Verb::Man(arguments) => man::run(arguments, command()),
        Verb::Classify(arguments) => classify::run(arguments, session),
        Verb::Version(arguments) => version::run(arguments, session),
    }
}

// What a shell is offered for a value: projects and question keys. Read from the preferences, the registry
// and a small list that other commands leave; no store is opened while a person waits for a line to go on.

/// The arguments that take a question key.
const KEYS: [&str; 5] = ["key", "keys", "only", "except", "what"];

/// `command` with candidates for every argument, of whatever verb, that takes a project or a question key.
fn add_candidates(command: clap::Command) -> clap::Command {
    let command = command.mut_args(|argument| {
        let id = argument.get_id().as_str();
        if id == "project" {
            argument.add(ArgValueCandidates::new(projects))
        } else if KEYS.contains(&id) {
            argument.add(ArgValueCandidates::new(keys))
        } else {
            argument
        }
    });
    command.mut_subcommands(add_candidates)
}

fn projects() -> Vec<CompletionCandidate> {
    let known = known_names().unwrap_or_default().projects;
    let shown = project::short_names(&known);
    let shown: BTreeSet<String> = known
        .iter()
        .filter_map(|key| shown.get(key).cloned())
        .collect();
    let here = CompletionCandidate::new(".").help(Some("the current directory's".into()));
    iter::once(here).chain(candidates(shown)).collect()
}

fn keys() -> Vec<CompletionCandidate> {
    let mut keys = known_names().unwrap_or_default().keys;
    keys.retain(|key| !is_made_up(key));
    candidates(keys).collect()
}

fn known_names() -> Option<Names> {
    let environment = Environment::from_process(&GlobalArguments::default()).ok()?;
    environment.check_roots().ok()?;
    Some(project::names_without_store(&environment.paths))
}

/// Those of `values` that a shell takes as they stand: they come from repositories.
fn candidates(values: BTreeSet<String>) -> impl Iterator<Item = CompletionCandidate> {
    let is_plain = |c: char| c.is_alphanumeric() || "._-+@/~".contains(c);
    let plain = values
        .into_iter()
        .filter(move |value| !value.is_empty() && value.chars().all(is_plain));
    plain.map(CompletionCandidate::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_shell_would_run_is_offered() {
        let values = [
            "acme/shop",
            "a b",
            "$(rm x)",
            "x;y",
            "`id`",
            "-é",
            "",
            "\u{1b}[31m",
        ];
        let offered = candidates(values.map(str::to_owned).into());
        let offered: Vec<_> = offered.map(|one| one.get_value().to_owned()).collect();
        assert_eq!(offered, ["-é", "acme/shop"]);
    }
}
