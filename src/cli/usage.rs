//! What was wrong with the words of a call, in the form that every failure has: the fact, then what to do next.

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use plantune_reports::text::one_line;

use crate::failure::{Failure, similar};

/// How much of a word is shown, in characters.
const SHOWN: usize = 100;

/// What people type who do not know the command's name, and the command. Lines of one command stand together.
#[rustfmt::skip]
const ALSO_TYPED: &[(&str, &str)] = &[
    ("stats", "report"), ("summary", "report"), ("show", "report"), ("questions", "report --all"),
    ("prompts", "report --prompts"), ("permissions", "report --prompts"),
    ("explain", "log KEY"), ("why", "log KEY"), ("history", "log"),
    ("query", "sql"), ("apply", "suggest --apply"), ("allow", "suggest --apply"),
    ("list", "prefs list"), ("ls", "prefs list"), ("rules", "prefs list"), ("preferences", "prefs list"),
    ("set", "prefs set KEY"), ("never", "prefs set KEY"), ("always", "prefs set KEY always-ask"),
    ("clear", "prefs clear KEY"), ("forget", "prefs clear KEY"), ("revert", "undo"), ("back", "away off"),
    ("init", "install"), ("setup", "install"), ("on", "install"), ("enable", "install"), ("start", "install"),
    ("off", "uninstall"), ("disable", "uninstall"), ("stop", "uninstall"), ("remove", "uninstall"),
    ("status", "doctor"), ("check", "doctor"), ("health", "doctor"), ("quarantine", "doctor --quarantine"),
    ("fix", "doctor --fix"), ("repair", "doctor --fix"), ("update", "doctor --fix"), ("upgrade", "doctor --fix"),
    ("settings", "config"), ("dump", "export"),
];

/// The failure behind `error`, which `words` (the whole call) led to.
pub(super) fn failure(error: &clap::Error, words: &[String]) -> Failure {
    let of = |kind| error.get(kind).and_then(first);
    let invalid = of(ContextKind::InvalidArg).unwrap_or_default();
    let verb = verb(words);
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

/// The call below `verb` that is meant by `word`: what many people type for it, or what is spelled like it.
fn similar_verb(verb: &str, word: &str) -> Option<String> {
    let command = super::command();
    let at = called(&command, verb)?;
    let also_typed = ALSO_TYPED
        .iter()
        .find(|(typed, _)| *typed == word && verb == "plantune");
    let found = also_typed.map(|(_, meant)| *meant);
    let found = found.or_else(|| similar(word, at.get_subcommands().map(Command::get_name)))?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_type_leads_to_a_command_and_is_none() {
        let command = super::super::command();
        for (typed, meant) in ALSO_TYPED {
            assert!(
                command.find_subcommand(typed).is_none(),
                "{typed} is a command"
            );
            let verb = meant.split(' ').next().unwrap();
            assert!(command.find_subcommand(verb).is_some(), "{meant}");
        }
    }
}
