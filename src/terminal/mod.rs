//! Reading from and writing to the terminal.

pub(crate) mod consent;
pub(crate) mod diff;
pub(crate) mod fit;
pub(crate) mod held;
pub(crate) mod pager;
pub(crate) mod progress;

use std::io::{BufRead as _, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

pub(crate) use held::print_exactly;
pub(crate) use plantune_domain::sanitize::block as sanitized;

use plantune_reports::terminal::Show;
use plantune_reports::text;
use serde::Serialize;

use crate::failure::Failure;
use crate::started_by::typed;
use crate::workspace::Workspace;

/// `path` for a terminal.
pub(crate) fn path(path: &Path) -> String {
    sanitized(&path.display().to_string())
}

/// Writes `text` for a person to standard output, as the terminal can show it.
///
/// # Errors
/// Those of [`print_exactly`].
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    print_exactly(&fit::fitted(&typed(text)))
}

/// Writes `document` to standard output: as JSON for scripts, else as text for a person.
///
/// # Errors
/// Those of [`print_exactly`].
pub(crate) fn print_document(
    document: &(impl Serialize + Show),
    json: bool,
    workspace: &Workspace,
) -> Result<(), Failure> {
    if json {
        return print_json(document);
    }
    let mut out = workspace.terminal();
    document.show(&mut out);
    print(&out.into_text())
}

/// Writes `document` to standard output as JSON, with the version of its schema.
///
/// # Errors
/// Those of [`print_exactly`].
pub(crate) fn print_json(document: &impl Serialize) -> Result<(), Failure> {
    print_exactly(&text::document(document)?)
}

/// Whether standard error gets errors alone (`--quiet`).
static IS_QUIET: AtomicBool = AtomicBool::new(false);

/// Leaves standard error to errors from here on.
pub(crate) fn be_quiet() {
    IS_QUIET.store(true, Ordering::Relaxed);
}

/// True when standard error gets errors alone.
pub(crate) fn is_quiet() -> bool {
    IS_QUIET.load(Ordering::Relaxed)
}

/// Writes `text` for a person to standard error, as the terminal can show it; nothing under `--quiet`.
pub(crate) fn say(text: &str) {
    if !is_quiet() {
        complain(text);
    }
}

/// Writes `text`, an error, to standard error, as the terminal can show it.
pub(crate) fn complain(text: &str) {
    eprint!("{}", fit::fitted(&typed(text)));
}

/// Asks `prompt` on the terminal and returns the answer in lower case; `None` at the end of input.
///
/// # Errors
/// When the terminal cannot be read.
pub(crate) fn ask(prompt: &str) -> Result<Option<String>, Failure> {
    let answer = ask_exactly(prompt)?;
    Ok(answer.map(|answer| answer.to_ascii_lowercase()))
}

/// Asks `prompt` on the terminal and returns the answer as it was typed; `None` at the end of input.
///
/// # Errors
/// When the terminal cannot be read.
pub(crate) fn ask_exactly(prompt: &str) -> Result<Option<String>, Failure> {
    held::release()?;
    eprint!("{} ", fit::fitted(prompt));
    std::io::stderr().flush()?;
    let mut answer = String::new();
    let read = std::io::stdin().lock().read_line(&mut answer)?;
    Ok((read > 0).then(|| answer.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_outside_cannot_steer_the_terminal() {
        assert_eq!(
            sanitized("a\u{1b}]0;x\u{7}\r\n\tb\u{9b}c\u{202e}d\u{200b}e"),
            "a�]0;x�\n\tb�c�d�e"
        );
    }
}
