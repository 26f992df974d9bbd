//! The command line: parsing it, its help, and what a shell is offered for a value.

pub mod arguments;
pub mod maintenance;
mod usage;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::iter;
use std::process::ExitCode;

use clap::builder::StyledStr;
use clap::{ColorChoice, CommandFactory as _, Parser, Subcommand};
use clap_complete::CompleteEnv;
use clap_complete::engine::{ArgValueCandidates, CompletionCandidate};

use plantune_domain::keys::is_made_up;

use crate::Program;
use crate::cli::arguments::{
    AwayArguments, FleetWords, GlobalArguments, LogArguments, OffArguments, OnArguments,
    PrefsArguments, ReportArguments, SuggestArguments, UndoArguments,
};
use crate::cli::maintenance::{
    ClassifyArguments, ConfigArguments, DebugArguments, DoctorArguments, ExportArguments,
    GcArguments, ImportArguments, IngestArguments, InstallArguments, RestoreMonthArguments,
    SqlArguments, UninstallArguments,
};
use crate::debug::packaging;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::projects;
use crate::projects::Names;
use crate::terminal;

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
    RestoreMonth(RestoreMonthArguments),
    #[command(hide = true)]
    Classify(ClassifyArguments),
    #[command(hide = true)]
    Debug(DebugArguments),
}

/// The command line, with what shells are offered for the values.
pub(crate) fn command() -> clap::Command {
    add_groups(add_candidates(Arguments::command()))
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
pub(crate) fn parse_words(words: &[&str]) -> Result<Arguments, Failure> {
    let words = iter::once("plantune").chain(words.iter().copied());
    Ok(Arguments::try_parse_from(words)?)
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

// `plantune --help`: the verbs in groups, on one screen; clap would list them under one heading. The help of each verb
// ends with the examples that stand beside its arguments.

/// The verbs that a person types, by what they are for.
const GROUPS: [(&str, &[&str]); 3] = [
    ("See", &["report", "log", "sql"]),
    ("Decide", &["suggest", "prefs", "undo", "away", "off", "on"]),
    (
        "Set up",
        &[
            "install",
            "import",
            "uninstall",
            "doctor",
            "config",
            "export",
        ],
    ),
];

/// `command` with its verbs in groups.
fn add_groups(command: clap::Command) -> clap::Command {
    let template = template(&command);
    command.help_template(template)
}

fn template(command: &clap::Command) -> StyledStr {
    let (header, literal) = (
        command.get_styles().get_header(),
        command.get_styles().get_literal(),
    );
    let mut groups = String::new();
    for (group, verbs) in GROUPS {
        // Writing to a string cannot fail.
        let _ = writeln!(groups, "{header}{group}{header:#}");
        let verbs = verbs
            .iter()
            .filter_map(|verb| command.find_subcommand(verb));
        for verb in verbs.filter(|verb| !verb.is_hide_set()) {
            let (name, about) = (verb.get_name(), verb.get_about());
            let about = about.map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(groups, "  {literal}{name:9}{literal:#}  {about}");
        }
    }
    format!(
        "{{about}}
{{usage-heading}} plantune [COMMAND] [OPTIONS]  (no command: your last eight weeks)

{groups}
Every command takes --help, --color, --time-zone, --no-pager and --quiet.
"
    )
    .into()
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

    #[test]
    fn the_help_fits_on_one_screen() {
        let help = command().render_help().to_string();
        assert!(help.lines().count() <= 24, "{help}");
        for line in help.lines() {
            assert!(line.len() <= 80, "{line}");
        }
        for verb in command().get_subcommands() {
            let name = verb.get_name();
            let is_listed = help.contains(&format!("\n  {name:9}  "));
            assert!(is_listed != verb.is_hide_set(), "{name}: {help}");
        }
    }

    /// Every verb and what it is called, groups of verbs included.
    fn verbs(command: &clap::Command, path: &str) -> Vec<(String, clap::Command)> {
        let mut found = vec![(path.to_owned(), command.clone())];
        for verb in command.get_subcommands() {
            let path = format!("{path} {}", verb.get_name());
            found.extend(verbs(verb, path.trim_start()));
        }
        found
    }

    /// The lines of a verb's help below "Examples:" that can be typed.
    fn examples(verb: &mut clap::Command) -> Vec<String> {
        let help = verb.render_long_help().to_string();
        let lines = help.lines().skip_while(|line| *line != "Examples:");
        let typed = lines.filter(|line| line.starts_with("  plantune "));
        typed.map(|line| line.trim().to_owned()).collect()
    }

    #[test]
    fn every_verb_has_two_examples_of_its_own_that_are_understood() {
        for (path, mut verb) in verbs(&command(), "").into_iter().skip(1) {
            // The words behind it are another program's.
            if path.starts_with("fleet") {
                continue;
            }
            let examples = examples(&mut verb);
            let start = format!("plantune {path}");
            let own = examples.iter().filter(|line| line.starts_with(&start));
            assert!(own.count() >= 2, "{path}: {examples:?}");
            for line in examples {
                // What it does stands behind two spaces.
                let line = line.split("  ").next().unwrap_or_default();
                let line = line.split([';', '|', '>', '<']).next().unwrap_or_default();
                // Words in quotes are one.
                let quoted = line.split('\'').enumerate();
                let words = quoted.flat_map(|(number, part)| match number % 2 {
                    0 => part.split_whitespace().collect(),
                    _ => vec![part],
                });
                let parsed = command().try_get_matches_from(words);
                assert!(parsed.is_ok(), "{line}: {}", parsed.unwrap_err());
            }
        }
    }
}
