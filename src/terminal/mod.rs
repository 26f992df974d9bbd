//! Reading from and writing to the terminal.

pub(crate) mod consent;
pub(crate) mod progress;

use std::io::{BufRead as _, ErrorKind, Write as _};

pub(crate) use plantune_domain::sanitize::block as harmless;

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
