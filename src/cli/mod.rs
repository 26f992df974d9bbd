//! The command line: parsing it, and what a shell is offered for a value.

pub mod arguments;
pub mod debug;
mod help;
mod usage;

use std::collections::BTreeSet;
use std::iter;
use std::process::ExitCode;

use clap::{ColorChoice, CommandFactory as _, Parser, Subcommand};
use clap_complete::CompleteEnv;
use clap_complete::engine::{ArgValueCandidates, CompletionCandidate};

use plantune_domain::keys::is_made_up;

use crate::cli::arguments::{
    AwayArguments, ConfigArguments, ConfigVerb, DoctorArguments, ExportArguments, FleetWords,
    GlobalArguments, ImportArguments, InstallArguments, LogArguments, OffArguments, OnArguments,
    PrefsArguments, ReportArguments, SqlArguments, SuggestArguments, UndoArguments,
    UninstallArguments,
};
use crate::cli::debug::{ClassifyArguments, DebugArguments, GcArguments, IngestArguments};
use crate::debug::packaging;
use crate::document::Document;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::program;
use crate::program::Program;
use crate::projects;
use crate::projects::Names;
use crate::session::Session;
use crate::terminal;
use crate::verbs;

/// Learns which questions a coding agent need not ask you
#[derive(Parser, Debug)]
#[command(version)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) verb: Option<Verb>,
    /// Without a command: write the overview as JSON, for scripts
    #[arg(long)]
    pub(crate) json: bool,
    /// The arguments that every verb takes.
    #[command(flatten)]
    pub(crate) global: GlobalArguments,
}

/// The verbs; `gc` and `ingest`, which run by themselves, and those for scripts are hidden.
#[derive(Subcommand, Debug)]
pub(crate) enum Verb {
    #[command(aliases = ["stats", "summary", "show"])]
    Report(ReportArguments),
    #[command(aliases = ["why", "explain", "history"])]
    Log(LogArguments),
    Suggest(SuggestArguments),
    #[command(aliases = ["list", "ls", "preferences"])]
    Prefs(PrefsArguments),
    #[command(alias = "revert")]
    Undo(UndoArguments),
    Away(AwayArguments),
    #[command(aliases = ["disable", "pause", "stop"])]
    Off(OffArguments),
    #[command(aliases = ["enable", "resume"])]
    On(OnArguments),
    #[command(aliases = ["init", "setup", "start"])]
    Install(InstallArguments),
    Uninstall(UninstallArguments),
    #[command(aliases = ["status", "check"])]
    Doctor(DoctorArguments),
    #[command(alias = "settings")]
    Config(ConfigArguments),
    #[command(alias = "query")]
    Sql(SqlArguments),
    Export(ExportArguments),
    #[command(hide = true)]
    Fleet(FleetWords),
    Import(ImportArguments),
    #[command(hide = true)]
    Ingest(IngestArguments),
    #[command(hide = true)]
    Gc(GcArguments),
    #[command(hide = true)]
    Classify(ClassifyArguments),
    #[command(hide = true)]
    Debug(DebugArguments),
}

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

    fn run(&self, session: &Session) -> Result<Document, Failure> {
        verbs::run(self, session, run_words)
    }
}

/// The command line, with what shells are offered for the values.
pub(crate) fn command() -> clap::Command {
    help::add_groups(add_candidates(Arguments::command()))
}

/// Parses the program's arguments; help, version and usage errors are printed here and end the run, as does a shell
/// that asks how a line goes on.
pub(crate) fn parse<P: Program>() -> Result<P, ExitCode> {
    let folder = std::env::current_dir().ok();
    let completion = CompleteEnv::with_factory(P::command_line).var(packaging::VARIABLE);
    match completion.try_complete(std::env::args_os(), folder.as_deref()) {
        Ok(false) => {}
        Ok(true) => return Err(ExitCode::SUCCESS),
        Err(error) => return Err(exit_code::<P>(&error, &[])),
    }
    let words: Vec<String> = std::env::args_os()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let colour = choice_of_words(words.iter().map(String::as_str));
    let matches = P::command_line().color(colour).try_get_matches_from(&words);
    matches
        .and_then(|matches| P::from_arg_matches(&matches))
        .map_err(|error| exit_code::<P>(&error, &words))
}

/// Prints the help that was asked for, or what was wrong with the words, and returns the exit code.
fn exit_code<P: Program>(error: &clap::Error, words: &[String]) -> ExitCode {
    if !error.use_stderr() {
        // Nothing is left to do when even the help text cannot be written.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let failure = usage::failure(error, &P::command_line(), words);
    terminal::complain(&failure.to_string());
    ExitCode::from(failure.exit_code())
}

/// The arguments of a line of words, as if it had been typed.
///
/// # Errors
/// Usage for words that are no command.
fn parse_words(words: &[&str]) -> Result<Arguments, Failure> {
    let words = iter::once("plantune").chain(words.iter().copied());
    Ok(Arguments::try_parse_from(words)?)
}

/// Runs a line of words as if it had been typed.
fn run_words(words: &[&str], environment: &Environment) -> Result<(), Failure> {
    program::run(&parse_words(words)?, environment)
}

/// The colour of clap's own messages, which come before the arguments are parsed: the last `--color` of `words`.
pub(crate) fn choice_of_words<'a>(words: impl Iterator<Item = &'a str>) -> ColorChoice {
    let mut found = ColorChoice::Auto;
    let mut words = words.take_while(|word| *word != "--").peekable();
    while let Some(word) = words.next() {
        let value = match word {
            "--color" => words.peek().copied(),
            _ => word.strip_prefix("--color="),
        };
        found = value.and_then(|value| value.parse().ok()).unwrap_or(found);
    }
    found
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
    let shown = projects::short_names(&known);
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
    let environment = Environment::from_process(None, None).ok()?;
    environment.check_roots().ok()?;
    Some(projects::names_without_store(&environment.paths))
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
    fn help_is_coloured_as_the_words_say() {
        let of = |line: &str| choice_of_words(line.split(' '));
        assert_eq!(of("report --color never --help"), ColorChoice::Never);
        assert_eq!(of("--color=always report -h"), ColorChoice::Always);
        assert_eq!(of("report -- --color=never"), ColorChoice::Auto);
    }

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
