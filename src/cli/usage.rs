//! What was wrong with the words of a call, in the form that every failure has: the fact, then what to do next.

use std::fmt::Write as _;

use clap::Command;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use plantune_reports::inert::one_line;
use plantune_reports::text::hanging;

use crate::failure::{Failure, similar};
use crate::terminal::columns;

/// How much of a word is shown, in characters.
const SHOWN: usize = 100;

/// What a verb of an earlier version is called now.
const RENAMED: [(&str, &str); 13] = [
    ("explain", "log KEY"),
    ("back", "away off"),
    ("questions unmarked", "config questions"),
    ("questions known", "config questions --known"),
    ("questions show", "report KEY"),
    ("questions", "report --all"),
    ("prefs check", "doctor"),
    ("prompts classify", "classify"),
    ("prompts show", "report SUBJECT"),
    ("prompts", "report --prompts"),
    ("quarantine retry", "doctor --fix"),
    ("quarantine", "doctor --quarantine"),
    ("registry", "config questions --init"),
];

/// The failure behind `error`, which `words` (the whole call) led to.
pub(super) fn failure(error: &clap::Error, words: &[String]) -> Failure {
    let of = |kind| error.get(kind).and_then(first);
    let invalid = of(ContextKind::InvalidArg).unwrap_or_default();
    let verb = verb(words);
    if error.kind() == ErrorKind::InvalidSubcommand
        && let Some(now) = renamed(words)
    {
        let fact = format!(
            "there is no {} any more",
            shown(&verb_words(words).join(" "))
        );
        return Failure::usage(fact).hint(format!("it is now `plantune {now}`"));
    }
    // A label in place of the policy, or behind it.
    let is_label = verb == "plantune prefs set"
        && match error.kind() {
            ErrorKind::InvalidValue => invalid == "[PREFERENCE]",
            ErrorKind::UnknownArgument => !invalid.starts_with('-'),
            _ => false,
        };
    let (fact, similar) = match error.kind() {
        ErrorKind::InvalidSubcommand => (
            format!(
                "unknown command {}",
                shown(&of(ContextKind::InvalidSubcommand).unwrap_or_default())
            ),
            of(ContextKind::InvalidSubcommand).and_then(|word| similar_verb(&verb, &word)),
        ),
        ErrorKind::UnknownArgument => (
            format!("unknown option or word {}", shown(&invalid)),
            of(ContextKind::SuggestedArg)
                .or_else(|| option_that_takes(&verb, &invalid).filter(|_| !is_label)),
        ),
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => (
            invalid_value(error, &invalid),
            of(ContextKind::SuggestedValue),
        ),
        ErrorKind::MissingRequiredArgument => (format!("{} is missing", plain(&invalid)), None),
        ErrorKind::ArgumentConflict => (
            format!(
                "{} does not go with {}",
                plain(&invalid),
                of(ContextKind::PriorArg)
                    .map_or_else(|| "the rest".to_owned(), |other| plain(&other))
            ),
            None,
        ),
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            (format!("`{verb}` needs another word"), None)
        }
        _ => (first_line(error), None),
    };
    let mut failure = Failure::usage(fact);
    if let Some(similar) = similar {
        failure = failure.hint(format!("did you mean `{}`?", plain(&similar)));
    }
    if is_label {
        failure = failure.hint("a label to answer with goes behind `--answer`");
    }
    failure.hint(format!("`{verb} --help` says what there is"))
}

/// The command that the words of `verb` call, of `command`.
fn called<'a>(command: &'a Command, verb: &str) -> Option<&'a Command> {
    let mut words = verb.split(' ').skip(1);
    words.try_fold(command, |at, word| at.find_subcommand(word))
}

/// The option of `verb` that takes `word`, before it: `--agent codex`.
fn option_that_takes(verb: &str, word: &str) -> Option<String> {
    let command = super::command();
    let takes = |argument: &&clap::Arg| {
        let mut values = argument.get_possible_values().into_iter();
        argument.get_long().is_some() && values.any(|value| value.matches(word, false))
    };
    let option = called(&command, verb)?.get_arguments().find(takes)?;
    Some(format!("--{} {word}", option.get_long()?))
}

/// The call with the verb below `verb` that is like `word`, if one is.
fn similar_verb(verb: &str, word: &str) -> Option<String> {
    let command = super::command();
    let at = called(&command, verb)?;
    let found = similar(word, at.get_subcommands().map(Command::get_name))?;
    Some(format!("{verb} {found}"))
}

fn invalid_value(error: &clap::Error, argument: &str) -> String {
    let value = error
        .get(ContextKind::InvalidValue)
        .and_then(first)
        .unwrap_or_default();
    let argument = plain(argument).replace(['[', ']'], "");
    let reason = std::error::Error::source(error).map(|reason| format!(": {reason}"));
    let reason = reason.or_else(|| match error.get(ContextKind::ValidValue) {
        Some(ContextValue::Strings(values)) if !values.is_empty() => {
            Some(format!("; it takes {}", values.join(", ")))
        }
        _ => None,
    });
    let reason = plain(&reason.unwrap_or_default());
    match value.is_empty() {
        true => format!("{argument} needs a value{reason}"),
        false => format!("{} is no value for {argument}{reason}", shown(&value)),
    }
}

/// What the words up to the first option call: `plantune prefs set`.
fn verb(words: &[String]) -> String {
    let command = super::command();
    let mut at = &command;
    let mut verb = String::from("plantune");
    for word in words.iter().skip(1) {
        match at.find_subcommand(word) {
            Some(found) => at = found,
            None => break,
        }
        verb = format!("{verb} {word}");
    }
    verb
}

/// The words before the first option, at most two.
fn verb_words(words: &[String]) -> Vec<&str> {
    let words = words.iter().skip(1).map(String::as_str);
    words
        .take_while(|word| !word.starts_with('-'))
        .take(2)
        .collect()
}

fn renamed(words: &[String]) -> Option<&'static str> {
    let words = verb_words(words);
    let is_meant = |(old, _): &&(&str, &str)| words.join(" ") == *old || words.first() == Some(old);
    RENAMED.iter().find(is_meant).map(|(_, now)| *now)
}

fn first(value: &ContextValue) -> Option<String> {
    match value {
        ContextValue::String(text) => Some(text.clone()),
        ContextValue::Strings(texts) => texts.first().cloned(),
        ContextValue::StyledStr(text) => Some(text.to_string()),
        ContextValue::StyledStrs(texts) => texts.first().map(ToString::to_string),
        _ => None,
    }
}

/// The first line of clap's own words.
fn first_line(error: &clap::Error) -> String {
    let text = error.to_string();
    let line = text.lines().next().unwrap_or_default();
    plain(line.strip_prefix("error: ").unwrap_or(line))
}

fn shown(word: &str) -> String {
    format!("{:?}", one_line(word, SHOWN))
}

fn plain(text: &str) -> String {
    one_line(text, SHOWN * 4)
}

// `plantune --help`: the verbs in groups, on one screen.

/// The verbs that a person types, by what they are for.
const GROUPS: [(&str, &[&str]); 4] = [
    ("See", &["report", "log", "sql"]),
    ("Decide", &["suggest", "prefs", "undo", "away"]),
    ("Set up", &["install", "uninstall", "doctor", "config"]),
    ("More", &["export", "fleet", "help"]),
];

/// How wide the column of the verbs is.
const COLUMN: usize = 11;

/// `command` whose help lists its verbs in groups. `fleet` is listed where it is built in.
pub(super) fn add_groups(command: Command) -> Command {
    let command = command.mut_subcommand("fleet", |fleet| fleet.hide(!cfg!(feature = "fleet")));
    let template = template(&command);
    command.help_template(template)
}

fn template(command: &Command) -> StyledStr {
    let (header, literal) = (
        command.get_styles().get_header(),
        command.get_styles().get_literal(),
    );
    let (columns, gap) = (columns(), " ".repeat(COLUMN + 2));
    let mut text = String::from("{about}\n{usage-heading} plantune [COMMAND] [OPTIONS]\n\n");
    for (group, verbs) in GROUPS {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{header}{group}{header:#}");
        if group == "See" {
            text += &hanging(
                &gap,
                &gap,
                "your last eight weeks, and what to do next",
                columns,
            );
        }
        for verb in verbs {
            let about = match command.find_subcommand(verb) {
                Some(verb) if verb.is_hide_set() => continue,
                Some(verb) => verb
                    .get_about()
                    .map(ToString::to_string)
                    .unwrap_or_default(),
                None if *verb == "help" => {
                    "Say more about a command: plantune help report".to_owned()
                }
                None => continue,
            };
            let line = hanging(&format!("  {verb:COLUMN$}"), &gap, &about, columns);
            text += &line.replacen(verb, &format!("{literal}{verb}{literal:#}"), 1);
        }
    }
    let options = "Every command takes --help, --color, --time-zone, --no-pager and --quiet.";
    text += &hanging("\n", "", options, columns);
    text.into()
}

// The examples that each verb's help ends with: at least two of each, which a test parses.

/// The examples: the verb, what to type, and what that does.
#[rustfmt::skip]
const EXAMPLES: &[(&str, &[(&str, &str)])] = &[
    ("report", &[
        ("plantune report --html --open", "a page for your browser"),
        ("plantune report --week 2026-W46", "a calendar week"),
        ("plantune report --since '2 weeks ago' --here", "this project since a day"),
        ("plantune report test-scope", "every time one question was asked"),
        ("plantune report npm test", "every prompt for permission about it"),
        ("plantune report --all", "with what was asked once"),
        ("plantune report --by asker --since 3w", "which commands and skills stop you, and for how long"),
        ("plantune report --json", "for scripts"),
    ]),
    ("suggest", &[
        ("plantune suggest --apply", "choose from a list, see the whole change, confirm it"),
        ("plantune suggest 2", "the evidence of the second, in sentences"),
        ("plantune suggest --backtest --since 2026-11-01", "what would have been right and wrong"),
    ]),
    ("sql", &[
        ("plantune sql", "the views, and what their columns hold"),
        ("plantune sql 'SELECT question, count(*) FROM questions GROUP BY 1'", "a table"),
        ("plantune sql --csv - <question.sql", "for spreadsheets"),
    ]),
    ("prefs", &[
        ("plantune prefs list --standing", "what is answered for you, and how it goes"),
        ("plantune prefs clear test-scope", "be asked again"),
    ]),
    ("prefs list", &[
        ("plantune prefs list --here", "what holds in this project"),
        ("plantune prefs list --standing", "with how each goes"),
    ]),
    ("prefs show", &[
        ("plantune prefs show test-scope", "which questions it answers"),
        ("plantune prefs show next-area --global --json", "for scripts"),
    ]),
    ("prefs set", &[
        ("plantune prefs set test-scope --trial --answer 'Full suite'", "answer it on trial"),
        ("plantune prefs set deploy always-ask", "never propose it again"),
        ("plantune prefs set test-scope --scope texts --answer 'Full suite'", "for the texts you saw, and no other"),
    ]),
    ("prefs clear", &[
        ("plantune prefs clear test-scope", "be asked again in this project"),
        ("plantune prefs clear next-area --global", "and everywhere"),
    ]),
    ("log", &[
        ("plantune log --auto", "what was answered for you"),
        ("plantune log test-scope", "why it was asked or answered"),
        ("plantune log --limit 100 --project shop", "a hundred questions of one project"),
    ]),
    ("export", &[
        ("plantune export --parquet events.parquet", "the whole log, for other tools"),
        ("plantune export --jsonl - --since 2026-11-01", "events of this month, one a line"),
    ]),
    ("fleet", &[
        ("plantune fleet init /mnt/share/lake", "see what would leave this machine, and decide"),
        ("plantune fleet report --week 2026-W46", "the organisation's figures"),
        ("plantune fleet adopt ship-todos", "answer as nearly everybody does, after a look at the evidence"),
    ]),
    ("undo", &[
        ("plantune undo", "take back what was answered last"),
        ("plantune undo --answer 'Only affected tests'", "and say what you want instead"),
    ]),
    ("away", &[
        ("plantune away 3h", "answer what can be taken back as recommended"),
        ("plantune away 45m --project .", "in this project alone"),
        ("plantune away off", "see what was answered meanwhile"),
    ]),
    ("import", &[
        ("plantune import claude-code", "from Claude Code's transcripts"),
        ("plantune import gstack", "from gstack's log"),
    ]),
    ("install", &[
        ("plantune install --dry-run", "only show the change"),
        ("plantune install --agent codex", "for one agent alone"),
        ("plantune install --guard", "and keep agents from deciding for you"),
        ("plantune install --statusline", "and show today's questions in the status line"),
        ("plantune install --rollback", "undo the last change"),
    ]),
    ("uninstall", &[
        ("plantune uninstall --dry-run", "only show the change"),
        ("plantune uninstall --scope project", "out of the project's settings"),
    ]),
    ("doctor", &[
        ("plantune doctor --fix", "repair what can be repaired"),
        ("plantune doctor --quarantine", "lines of the log that are no events"),
        ("plantune doctor", "what is wrong, and how to repair it"),
        ("plantune doctor --deep --json", "with the whole log read, for scripts"),
    ]),
    ("demo", &[
        ("plantune demo", "watch it at work on made-up questions"),
        ("plantune demo --color always | less -R", "page by page"),
    ]),
    ("ingest", &[
        ("plantune ingest", "load what was logged"),
        ("plantune ingest --rebuild", "compute the store again"),
    ]),
    ("gc", &[
        ("plantune gc --dry-run", "what would be sealed and dropped"),
        ("plantune gc", "seal past months"),
    ]),
    ("session-kind", &[
        ("plantune session-kind", "interactive, headless or spawned"),
        ("plantune session-kind --json", "with what tells"),
    ]),
    ("statusline", &[
        ("plantune install --statusline", "have Claude Code call it"),
        ("plantune statusline", "see it"),
        ("plantune statusline </dev/null", "prints nothing: nobody asks"),
    ]),
    ("config", &[
        ("plantune config show", "what is configured, and where"),
        ("plantune config schema >config.schema.json", "for an editor"),
    ]),
    ("config show", &[
        ("plantune config show", "with where each value comes from"),
        ("plantune config show --json", "for scripts"),
    ]),
    ("config schema", &[
        ("plantune config schema", "of config.toml"),
        ("plantune config schema registry >registry.schema.json", "of registry.toml"),
    ]),
    ("config questions", &[
        ("plantune config questions", "rules that would name your questions"),
        ("plantune config questions --register more-questions", "write one of them"),
        ("plantune config questions --known", "rules for widely used skills"),
    ]),
    ("completions", &[
        ("plantune completions bash >~/.local/share/bash-completion/completions/plantune", ""),
        ("plantune completions zsh >~/.zfunc/_plantune", "a folder of your fpath"),
        ("plantune completions fish >~/.config/fish/completions/plantune.fish", ""),
    ]),
    ("version", &[
        ("plantune version", "which plantune, formats and hook"),
        ("plantune version --json", "for scripts"),
    ]),
    ("classify", &[
        ("plantune classify 'git push --force'", "how far a command reaches"),
        ("plantune classify --tool WebFetch https://example.org", "another tool"),
        ("plantune classify --stdin <commands.jsonl", "many, one a line"),
        ("plantune classify --question 'Delete the branch?'", "why a question is always asked"),
    ]),
    ("man", &[
        ("plantune man | man -l -", "read plantune's own page"),
        ("plantune man ~/.local/share/man/man1", "write all pages"),
    ]),
];

/// `command` with the examples of each verb below its help.
pub(super) fn add_examples(command: Command) -> Command {
    with(command, "")
}

fn with(command: Command, path: &str) -> Command {
    let examples = EXAMPLES.iter().find(|(of, _)| *of == path);
    let command = match examples {
        Some((_, examples)) => command.after_help(text(examples)),
        None => command,
    };
    command.mut_subcommands(|verb| {
        let path = format!("{path} {}", verb.get_name());
        with(verb, path.trim_start())
    })
}

/// The examples in two columns; what does not fit beside goes below.
fn text(examples: &[(&str, &str)]) -> String {
    const COLUMN: usize = 48;
    const BESIDE: usize = 30;
    let mut text = String::from("Examples:");
    for (line, what) in examples {
        let gap = match line.len() {
            _ if what.is_empty() => String::new(),
            length if length < COLUMN && what.len() <= BESIDE => " ".repeat(COLUMN - length),
            _ => "\n      ".to_owned(),
        };
        // Writing to a string cannot fail.
        let _ = write!(text, "\n  {line}{gap}{what}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli;

    #[test]
    fn the_help_fits_on_one_screen() {
        let help = cli::command().render_help().to_string();
        assert!(help.lines().count() <= 24, "{help}");
        for line in help.lines() {
            assert!(line.len() <= 80, "{line}");
        }
        for verb in cli::command().get_subcommands() {
            let is_listed = help
                .lines()
                .any(|line| line.trim_start().starts_with(verb.get_name()));
            assert!(
                is_listed != verb.is_hide_set(),
                "{}: {help}",
                verb.get_name()
            );
        }
    }

    /// Every verb and what it is called, groups of verbs included.
    fn verbs(command: &Command, path: &str) -> Vec<(String, Command)> {
        let mut found = vec![(path.to_owned(), command.clone())];
        for verb in command.get_subcommands() {
            let path = format!("{path} {}", verb.get_name());
            found.extend(verbs(verb, path.trim_start()));
        }
        found
    }

    #[test]
    fn every_verb_has_two_examples_in_its_help() {
        for (path, mut verb) in verbs(&cli::command(), "").into_iter().skip(1) {
            let help = verb.render_long_help().to_string();
            let mut lines = help.lines().skip_while(|line| *line != "Examples:");
            assert!(lines.next().is_some(), "{path}: no examples");
            let start = format!("  plantune {path}");
            let own = lines.filter(|line| line.starts_with(start.trim_end()));
            assert!(own.count() >= 2, "{path}: {help}");
        }
    }

    #[test]
    fn every_example_is_understood() {
        let known = verbs(&cli::command(), "");
        for (path, examples) in EXAMPLES {
            assert!(
                known.iter().any(|(known, _)| known == path),
                "{path:?} is no verb"
            );
            for (line, _) in *examples {
                let line = line.split([';', '|', '>', '<']).next().unwrap_or_default();
                // Words in quotes are one.
                let quoted = line.split('\'').enumerate();
                let words = quoted.flat_map(|(number, part)| match number % 2 {
                    0 => part.split_whitespace().collect(),
                    _ => vec![part],
                });
                let parsed = cli::command().try_get_matches_from(words);
                assert!(parsed.is_ok(), "{line}: {}", parsed.unwrap_err());
            }
        }
    }
}
