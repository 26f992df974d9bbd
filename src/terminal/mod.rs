//! Talking to the person: asking before a change.

pub(crate) mod progress;

use std::io::{BufRead as _, ErrorKind, IsTerminal as _, Write as _};

pub(crate) use plantune_domain::sanitize::block as harmless;

use crate::failure::{Failure, Kind};
use crate::workspace::context::Context;

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

/// Asks `question` on the terminal and returns the answer; `yes` stands in for it.
///
/// # Errors
/// Those of [`may_change`].
pub(crate) fn confirm(
    context: &Context,
    question: &str,
    yes: bool,
    command: &str,
) -> Result<bool, Failure> {
    may_change(context, yes, command)?;
    if yes {
        return Ok(true);
    }
    let answer = ask(&format!("{question} [y/N]"))?;
    Ok(answer.is_some_and(|answer| matches!(answer.as_str(), "y" | "yes")))
}

/// Makes sure that it is the person who changes something. Only they may change what plantune does
/// on their behalf, so inside an agent's session nothing is asked and nothing is taken for an
/// answer, `yes` included.
///
/// # Errors
/// Refused (exit code 4) inside an agent session, or without a terminal and without `yes`;
/// `command` names what the person can run instead.
pub(crate) fn may_change(context: &Context, yes: bool, command: &str) -> Result<(), Failure> {
    if context.agent_session {
        return Err(Failure::new(
            Kind::Refused,
            "only the person may change this, and this is an agent's session (CLAUDECODE is set)",
        )
        .hint(format!(
            "run `{command}` yourself, in a terminal outside the session"
        )));
    }
    if !yes && !std::io::stdin().is_terminal() {
        return Err(
            Failure::new(Kind::Refused, "there is no terminal to ask on")
                .hint(format!("run `{command}` in a terminal, or add --yes")),
        );
    }
    Ok(())
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
