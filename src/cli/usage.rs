//! Mistakes on the command line: clap's own words for what is wrong, in the form that every failure has, and the
//! command that was meant.

use std::iter;

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use plantune_reports::text::{one_line, shell_word};

use crate::failure::Failure;

/// How much of clap's words is shown, in characters.
const SHOWN: usize = 400;

/// Words that people type and that are not one command, with the commands they may mean. A word for a command as it
/// is, such as `stop` or `setup`, is an alias of it.
const ALSO_TYPED: [(&str, &[&str]); 23] = [
    ("apply", &["suggest --apply"]),
    ("accept", &["suggest --apply"]),
    ("allow", &["suggest --apply"]),
    ("get", &["config show KEY", "prefs show KEY"]),
    ("add", &["prefs set KEY"]),
    ("set", &["prefs set KEY", "config set KEY VALUE"]),
    ("clear", &["prefs clear KEY"]),
    ("delete", &["prefs clear KEY", "uninstall"]),
    ("remove", &["prefs clear KEY", "uninstall"]),
    ("rm", &["prefs clear KEY", "uninstall"]),
    ("prompts", &["report --prompts"]),
    ("permissions", &["report --prompts"]),
    ("questions", &["report --all"]),
    ("back", &["away off"]),
    ("fix", &["doctor --fix"]),
    ("update", &["doctor --fix"]),
    ("upgrade", &["doctor --fix"]),
    ("today", &["report --today"]),
    ("html", &["report --html"]),
    ("version", &["debug version"]),
    ("completions", &["debug completions"]),
    ("man", &["debug man"]),
    ("demo", &["debug demo"]),
];

/// Options that act at once or skip a safeguard. No hint suggests one of them for a mistyped word.
const UNHINTED: [&str; 3] = ["off", "on", "--force"];

/// The options by which other programs choose a format; the word after them names it.
const FORMAT_OPTIONS: [&str; 4] = ["--format", "--output", "-o", "-f"];

/// The failure behind `error`, which `words` (the whole call of `command`) led to.
pub(super) fn failure(error: &clap::Error, command: &Command, words: &[String]) -> Failure {
    let program = command.get_bin_name().unwrap_or(command.get_name());
    let (at, verb) = called(command, program, words);
    let text = error.to_string();
    // The paragraphs behind the first one are clap's tips, and its usage line.
    let fact = text.split("\n\n").next().unwrap_or_default();
    let fact = fact.strip_prefix("error: ").unwrap_or(fact);
    let fact = fact.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut failure = Failure::usage(one_line(&fact, SHOWN));
    for meant in meant(error, at, [program, &verb], words) {
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
fn called<'a>(command: &'a Command, program: &str, words: &[String]) -> (&'a Command, String) {
    let start = (command, program.to_owned());
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
fn meant(
    error: &clap::Error,
    at: &Command,
    [program, verb]: [&str; 2],
    words: &[String],
) -> Vec<String> {
    if error.kind() == ErrorKind::MissingRequiredArgument {
        return with_what_is_missing(error, program, words)
            .into_iter()
            .collect();
    }
    let behind = |word: &str| words.iter().skip_while(move |one| *one != word).nth(1);
    if let Some(word) = of(error, ContextKind::InvalidSubcommand) {
        let also_typed = ALSO_TYPED.iter().filter(|(typed, _)| *typed == word);
        let meant = also_typed.flat_map(|(_, meant)| meant.iter().copied());
        let mut meant: Vec<_> = meant.filter(|_| verb == "plantune").collect();
        if meant.is_empty() {
            meant.extend(similar(error, at));
        }
        let with_verb = |meant: &&str| format!("{verb} {meant}");
        let meant: Vec<String> = meant.iter().map(with_verb).collect();
        // `config KEY` and `config KEY VALUE`, as git has it.
        return match (meant.is_empty(), behind(&word)) {
            _ if verb == "plantune" => meant,
            (true, None) if at.find_subcommand("show").is_some() => {
                vec![format!("{verb} show {word}")]
            }
            (true, Some(value)) if at.find_subcommand("set").is_some() => {
                vec![format!("{verb} set {word} {value}")]
            }
            _ => meant,
        };
    }
    let Some(invalid) = of(error, ContextKind::InvalidArg) else {
        return Vec::new();
    };
    let value = words
        .iter()
        .find_map(|word| word.strip_prefix(&invalid)?.strip_prefix('='));
    let value = value.or_else(|| behind(&invalid).map(String::as_str));
    let is_format = FORMAT_OPTIONS.contains(&invalid.as_str());
    let known = value
        .filter(|_| is_format)
        .and_then(|value| option_called(at, verb, value))
        .or_else(|| command_or_option(at, verb, &invalid))
        .or_else(|| of(error, ContextKind::SuggestedArg).filter(|_| !is_format))
        .or_else(|| of(error, ContextKind::SuggestedValue));
    let is_hinted = |known: &String| !UNHINTED.contains(&known.as_str());
    known.filter(is_hinted).into_iter().collect()
}

/// The call of `words` with the options that it needs, where those take no value.
fn with_what_is_missing(error: &clap::Error, program: &str, words: &[String]) -> Option<String> {
    let Some(ContextValue::Strings(missing)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    // The value of `--html [<FILE>]` may be left out.
    let option = |one: &String| {
        let name = one.split(" [").next()?;
        (name.starts_with("--") && !name.contains(' ')).then(|| name.to_owned())
    };
    let missing: Vec<String> = missing.iter().map(option).collect::<Option<_>>()?;
    let typed = words
        .iter()
        .skip(1)
        .map(|word| match word.starts_with('-') {
            true => word.clone(),
            false => shell_word(word),
        });
    let call = iter::once(program.to_owned()).chain(typed);
    let call: Vec<String> = call.chain(missing).collect();
    Some(call.join(" "))
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
        .filter(|name| !UNHINTED.contains(name))
}

/// What `word` is to `at` with or without hyphens: a command (`prefs --list`), an option (`doctor fix`), a number of
/// rows (`log -5`), or a value with its option (`install codex`, `install --user`).
fn command_or_option(at: &Command, verb: &str, word: &str) -> Option<String> {
    let name = word.trim_start_matches('-');
    if let Some(command) = at.find_subcommand(name) {
        return Some(format!("{verb} {}", command.get_name()));
    }
    if name == word
        && let Some(option) = option_called(at, verb, name)
    {
        return Some(option);
    }
    let is_number = name != word && name.parse::<u32>().is_ok();
    if is_number && at.get_opts().any(|option| option.get_short() == Some('n')) {
        return Some(format!("{verb} -n {name}"));
    }
    let takes = |argument: &&clap::Arg| {
        let mut values = argument.get_possible_values().into_iter();
        values.any(|value| value.matches(name, false))
    };
    let option = at.get_opts().find(takes)?;
    Some(format!("--{} {name}", option.get_long()?))
}

/// The call of `at` with its option `name`: `plantune report --json`.
fn option_called(at: &Command, verb: &str, name: &str) -> Option<String> {
    let option = at
        .get_arguments()
        .find(|option| option.get_long() == Some(name))?;
    let option = format!("--{}", option.get_long()?);
    (!UNHINTED.contains(&option.as_str())).then(|| format!("{verb} {option}"))
}

impl Failure {
    /// The same failure with a hint at the option of the command `verb` that is called `word`: a person wrote it without
    /// hyphens, where any word may stand.
    pub(crate) fn did_you_mean_option(self, verb: &str, word: &str) -> Self {
        let command = super::command();
        let at = command.find_subcommand(verb);
        match at.and_then(|at| option_called(at, &format!("plantune {verb}"), word)) {
            Some(meant) => self.hint(format!("did you mean `{meant}`?")),
            None => self,
        }
    }
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
                let is_shown = !found.is_hide_set() || verb == "debug";
                assert!(is_shown && found.get_name() == verb, "{meant}");
            }
        }
    }
}
