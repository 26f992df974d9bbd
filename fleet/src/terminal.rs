//! Writing to the terminal.

use std::io::Write as _;

use plantune_domain::sanitize;

use crate::failure::Failure;

/// Writes `text` to standard output, with nothing in it that a terminal would obey. A reader that has gone away
/// is no failure.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    print_exactly(&sanitize::block(text))
}

/// Writes `text`, in which nothing acts already, to standard output to the character.
pub(crate) fn print_exactly(text: &str) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    match stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
    {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Writes a note for the person to standard error.
pub(crate) fn say(text: &str) {
    eprint!("{}", sanitize::block(text));
}
