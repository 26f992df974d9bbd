//! Reading from and writing to the terminal, and keeping untrusted text harmless on it.

pub(crate) mod consent;
pub(crate) mod progress;

use std::io::{BufRead as _, ErrorKind, Write as _};

use crate::failure::Failure;

/// Writes `text` to standard output. A reader that has gone away (`plantune … | head`) is no failure.
///
/// # Errors
/// When standard output cannot be written for another reason.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    match stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
    {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// `text` without what a terminal would obey: control characters (line ends and tabs stay) and
/// marks that turn the direction of writing or have no width each become `U+FFFD`. The joiners of
/// scripts and emoji stay.
pub(crate) fn harmless(text: &str) -> String {
    let obeyed = |c: char| {
        (c.is_control() && c != '\n' && c != '\t')
            || matches!(c, '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.replace("\r\n", "\n").replace(obeyed, "\u{fffd}")
}

/// Asks `prompt` on the terminal and returns the answer in lower case; `None` at the end of input.
///
/// # Errors
/// When the terminal cannot be read.
pub(crate) fn ask(prompt: &str) -> Result<Option<String>, Failure> {
    eprint!("{prompt} ");
    std::io::stderr().flush()?;
    let mut answer = String::new();
    let read = std::io::stdin().lock().read_line(&mut answer)?;
    Ok((read > 0).then(|| answer.trim().to_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_outside_cannot_steer_the_terminal() {
        assert_eq!(
            harmless("a\u{1b}]0;x\u{7}\r\n\tb\u{9b}c\u{202e}d\u{200b}e"),
            "a�]0;x�\n\tb�c�d�e"
        );
    }
}
