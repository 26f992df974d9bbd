//! Mistakes on the command line: clap's own words for what is wrong, in the form that every failure has, and the
//! command that was meant.

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use plantune_reports::text::one_line;

use crate::failure::Failure;

/// How much of clap's words is shown, in characters.
const SHOWN: usize = 400;

/// Words that people type and that are not one command, with the commands they may mean. A word for a command as it
/// is, such as `stop` or `setup`, is an alias of it.
const ALSO_TYPED: [(&str, &[&str]); 12] = [
    ("apply", &["suggest --apply"]),
    ("allow", &["suggest --apply"]),
    ("set", &["prefs set KEY", "config set KEY VALUE"]),
    ("clear", &["prefs clear KEY"]),
    ("delete", &["prefs clear KEY", "uninstall"]),
    ("remove", &["prefs clear KEY", "uninstall"]),
    ("prompts", &["report --prompts"]),
    ("permissions", &["report --prompts"]),
    ("questions", &["report --all"]),
    ("back", &["away off"]),
    ("fix", &["doctor --fix"]),
    ("update", &["doctor --fix"]),
];

/// The failure behind `error`, which `words` (the whole call) led to.
pub(super) fn failure(error: &clap::Error, words: &[String]) -> Failure {
    let command = super::command();
    let (at, verb) = called(&command, words);
    let text = error.to_string();
    // The paragraphs behind the first one are clap's tips, and its usage line.
    let fact = text.split("\n\n").next().unwrap_or_default();
    let fact = fact.strip_prefix("error: ").unwrap_or(fact);
    let fact = fact.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut failure = Failure::usage(one_line(&fact, SHOWN));
    for meant in meant(error, at, &verb) {
        failure = failure.hint(format!("did you mean `{}`?", one_line(&meant, SHOWN)));
    }
    let invalid = of(error, ContextKind::InvalidArg).unwrap_or_default();
    let is_word = invalid == "[PREFERENCE]" || !invalid.starts_with('-');
    if verb == "plantune prefs set" && is_word && is_not_taken(error) {
        failure = failure.hint("to answer with a label, write it behind `--answer`");
    }
    failure.hint(format!("see `{verb} --help`"))
}

/// True if a word is one too many, or not what is taken there.
fn is_not_taken(error: &clap::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::InvalidValue | ErrorKind::UnknownArgument
    )
}

/// The command that `words` call up to the first option, and how it is typed: `plantune prefs set`.
fn called<'a>(command: &'a Command, words: &[String]) -> (&'a Command, String) {
    let start = (command, String::from("plantune"));
    let found =
        words
            .iter()
            .skip(1)
            .try_fold(start, |(at, verb), word| match at.find_subcommand(word) {
                Some(found) => Ok((found, format!("{verb} {}", found.get_name()))),
                None => Err((at, verb)),
            });
    found.unwrap_or_else(|found| found)
}

/// The likely meaning, as it is typed: a command, an option or a value.
fn meant(error: &clap::Error, at: &Command, verb: &str) -> Vec<String> {
    if let Some(word) = of(error, ContextKind::InvalidSubcommand) {
        let also_typed = ALSO_TYPED.iter().filter(|(typed, _)| *typed == word);
        let meant = also_typed.flat_map(|(_, meant)| meant.iter().copied());
        let mut meant: Vec<_> = meant.filter(|_| verb == "plantune").collect();
        if meant.is_empty() {
            meant.extend(similar(error, at));
        }
        return meant
            .iter()
            .map(|meant| format!("{verb} {meant}"))
            .collect();
    }
    let known = of(error, ContextKind::SuggestedArg)
        .or_else(|| of(error, ContextKind::SuggestedValue))
        .or_else(|| option_that_takes(at, &of(error, ContextKind::InvalidArg)?));
    known.into_iter().collect()
}

/// The command of `at` that clap finds most like what was typed. It knows aliases, and commands that are not listed.
fn similar<'a>(error: &clap::Error, at: &'a Command) -> Option<&'a str> {
    let Some(ContextValue::Strings(names)) = error.get(ContextKind::SuggestedSubcommand) else {
        return None;
    };
    let mut found = names
        .iter()
        .rev()
        .filter_map(|name| at.find_subcommand(name));
    found
        .find(|found| !found.is_hide_set())
        .map(Command::get_name)
}

/// The option of `at` that takes `word`, before it: `--agent codex`.
fn option_that_takes(at: &Command, word: &str) -> Option<String> {
    let takes = |argument: &&clap::Arg| {
        let mut values = argument.get_possible_values().into_iter();
        values.any(|value| value.matches(word, false))
    };
    let option = at.get_opts().find(takes)?;
    Some(format!("--{} {word}", option.get_long()?))
}

/// The first text of `kind` that clap gives with `error`.
fn of(error: &clap::Error, kind: ContextKind) -> Option<String> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        ContextValue::Strings(texts) => texts.first().cloned(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_type_leads_to_a_command_and_is_none() {
        let command = super::super::command();
        for (typed, commands) in ALSO_TYPED {
            assert!(command.find_subcommand(typed).is_none(), "{typed}");
            for meant in commands {
                let verb = meant.split(' ').next().unwrap();
                let found = command.find_subcommand(verb).unwrap();
                assert!(!found.is_hide_set() && found.get_name() == verb, "{meant}");
            }
        }
    }
}
