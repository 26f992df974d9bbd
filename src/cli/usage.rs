//! What was wrong with the words of a call, in the form that every failure has: the fact, then what to do next.

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use plantune_reports::text::one_line;

use crate::failure::{Failure, similar};

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
