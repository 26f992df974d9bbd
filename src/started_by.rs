//! By what the person started plantune, and so what they can type to start it again.

use std::fs;

use plantune_domain::paths::Paths;
use plantune_domain::sanitize::shell_word;
use plantune_domain::{paths, private_file, sanitize};

/// The variable that a launcher sets: `npx`, `pnpm`, `yarn` or `bun` if it fetched plantune for one run; anything else,
/// such as `npm`, where `plantune` is in `PATH`.
pub(crate) const VARIABLE: &str = "PLANTUNE_STARTED_BY";

/// The command line of `words`, a verb with its options, as the person can type it.
pub(crate) fn command(words: &str) -> String {
    format!(
        "{} {words}",
        program(std::env::var(VARIABLE).ok().as_deref())
    )
}

/// This call as it was typed, without `--yes`, which answers for the person, and `--dry-run`; for a terminal.
pub(crate) fn call() -> String {
    let words = std::env::args_os().skip(1);
    let words = words.map(|word| word.to_string_lossy().into_owned());
    let words = words.filter(|word| !["--yes", "-y", "--dry-run"].contains(&word.as_str()));
    // What begins with a hyphen is quoted otherwise, as a value would have to be.
    let as_typed = |word: String| match word.strip_prefix("--") {
        Some(option) if shell_word(option) == option => word,
        _ => shell_word(&word),
    };
    let words: Vec<String> = words.map(as_typed).collect();
    sanitize::block(&command(&words.join(" ")))
}

/// `text` for a person, with each command in it as they can type it: `plantune` with a verb behind it, at the beginning
/// of a line or a column, after a backquote or a colon. The one place for it: what makes texts knows no launcher.
pub(crate) fn typed(text: &str) -> String {
    as_started_by(std::env::var(VARIABLE).ok().as_deref(), text)
}

fn as_started_by(started_by: Option<&str>, text: &str) -> String {
    let program = program(started_by);
    if program == NAME {
        return text.to_owned();
    }
    let mut typed = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(NAME) {
        let (before, from) = rest.split_at(at);
        let after = from.strip_prefix(NAME).unwrap_or_default();
        typed += before;
        let is_begun = typed.is_empty() || BEFORE.iter().any(|mark| typed.ends_with(mark));
        // In backquotes, a wrapped line may end behind it.
        let ends = if typed.ends_with('`') {
            &[' ', '\n'][..]
        } else {
            &[' ']
        };
        let has_verb = after
            .strip_prefix(ends)
            .is_some_and(|verb| verb.starts_with(|first: char| first.is_ascii_lowercase()));
        typed += if is_begun && has_verb { program } else { NAME };
        rest = after;
    }
    typed + rest
}

/// The marks that stand before a command.
const BEFORE: [&str; 4] = ["`", ": ", "\n", "  "];

/// The program, where it is in `PATH`.
const NAME: &str = "plantune";

/// The words before the verb. The variable's own text is never shown.
fn program(started_by: Option<&str>) -> &'static str {
    started_by.and_then(paths::program).unwrap_or(NAME)
}

/// Leaves for the hook by what plantune was started, or that it is in `PATH`. What goes wrong costs a prefix in what the
/// hook says.
pub(crate) fn leave(paths: &Paths) {
    let path = paths.launcher();
    let word = std::env::var(VARIABLE).unwrap_or_default();
    let _ = match paths::program(&word) {
        Some(_) => private_file::replace(&path, word.as_bytes()),
        None => fs::remove_file(path),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_in_a_text_can_be_typed() {
        let texts = [
            (
                "run `plantune report --all`, or `plantune gc`",
                "run `npx plantune report --all`, or `npx plantune gc`",
            ),
            (
                "name the folder: plantune import codex PATH",
                "name the folder: npx plantune import codex PATH",
            ),
            (
                "and `plantune\nimport codex`; plantune\nlogs it",
                "and `npx plantune\nimport codex`; plantune\nlogs it",
            ),
            ("plantune undo toolu_1", "npx plantune undo toolu_1"),
            (
                "next:\n  plantune gc    plantune log\nplantune doctor",
                "next:\n  npx plantune gc    npx plantune log\nnpx plantune doctor",
            ),
            (
                "another plantune install is at work",
                "another plantune install is at work",
            ),
            (
                "plantune: no pager; `npx plantune gc`",
                "plantune: no pager; `npx plantune gc`",
            ),
            (
                "the plugin plantune@plantune; `claude plugin disable plantune`",
                "the plugin plantune@plantune; `claude plugin disable plantune`",
            ),
            (
                "`plantune-hook` lies in /plantune data",
                "`plantune-hook` lies in /plantune data",
            ),
        ];
        for (text, wanted) in texts {
            assert_eq!(as_started_by(Some("npx"), text), wanted);
            assert_eq!(as_started_by(None, text), text);
        }
    }

    #[test]
    fn only_what_runs_once_is_named() {
        assert_eq!(program(Some("npx")), "npx plantune");
        for other in [None, Some("npm"), Some(""), Some("NPX"), Some("\u{1b}[31m")] {
            assert_eq!(program(other), "plantune", "{other:?}");
        }
    }
}
