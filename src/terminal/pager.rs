//! What a verb shows is held back until it is done, and shown through a pager when it is longer than the
//! terminal: by then the store is closed and no lock is held, however long the person reads.

use std::ffi::OsStr;
use std::io::{IsTerminal as _, Seek as _, SeekFrom, Write as _, stdout};
use std::process::{Command, Stdio};

use crate::failure::Failure;
use crate::platform;
use crate::programs::in_path;
use crate::terminal::{self, held};

/// The pager where the person named none: it ends by itself on a short text, shows colours, and leaves
/// the text on the terminal.
const DEFAULT: &str = "less -FRX";

/// Holds output back from here on, where a pager may show it: on a terminal, and not in an agent's session.
pub(crate) fn hold(agent_session: bool) {
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    if !agent_session && !is_dumb && stdout().is_terminal() && rows().is_some() {
        held::hold();
    }
}

/// Shows what was held back: through the pager when it is longer than the terminal. To be called last:
/// the pager takes this process's place, so that it alone gets what the person types.
///
/// # Errors
/// When standard output cannot be written.
pub(crate) fn show() -> Result<(), Failure> {
    let Some(text) = held::take() else {
        return Ok(());
    };
    let fits = rows().is_none_or(|rows| text.lines().count() < rows);
    let named = ["PLANTUNE_PAGER", "PAGER"].map(|name| std::env::var(name).ok());
    if let (false, Some(pager)) = (fits, chosen(named)) {
        match replace_by(&pager, &text) {
            Ok(()) => {}
            Err(why) => terminal::say(&format!("plantune: no pager: {why}\n")),
        }
    }
    terminal::print_exactly(&text)
}

/// The command line of the pager: the first variable that is set; `None` for an empty one and `cat`.
fn chosen(variables: [Option<String>; 2]) -> Option<String> {
    let named = variables.into_iter().flatten().next();
    let pager = named.unwrap_or_else(|| DEFAULT.to_owned());
    let pager = pager.trim();
    (!pager.is_empty() && pager != "cat").then(|| pager.to_owned())
}

/// Replaces this process by the pager, with `text` as its input. Returns only when that fails.
fn replace_by(pager: &str, text: &str) -> Result<(), String> {
    let program = pager.split_whitespace().next().unwrap_or_default();
    // The shell would say so after the text is gone.
    let is_name = |c: char| c.is_ascii_alphanumeric() || "._+-".contains(c);
    if program.chars().all(is_name) && in_path(program).is_none() {
        return match pager {
            DEFAULT => Ok(()),
            _ => Err(format!("{} is not in PATH", terminal::sanitized(program))),
        };
    }
    // A file without a name, not a pipe: nobody is left to fill one.
    let mut input = tempfile::tempfile().map_err(|error| error.to_string())?;
    input
        .write_all(text.as_bytes())
        .and_then(|()| input.seek(SeekFrom::Start(0)))
        .map_err(|error| error.to_string())?;
    let mut command = Command::new("/bin/sh");
    command.args([OsStr::new("-c"), OsStr::new(pager)]);
    command.stdin(Stdio::from(input));
    Err(platform::become_program(&mut command).to_string())
}

/// How many lines the terminal has, if it says so.
fn rows() -> Option<usize> {
    let (_, height) = terminal_size::terminal_size()?;
    Some(usize::from(height.0)).filter(|rows| *rows > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_variable_counts() {
        let set = |name: &str| Some(name.to_owned());
        assert_eq!(chosen([None, None]).as_deref(), Some(DEFAULT));
        assert_eq!(chosen([None, set("more")]).as_deref(), Some("more"));
        assert_eq!(
            chosen([set(" most -s "), set("more")]).as_deref(),
            Some("most -s")
        );
        assert_eq!(chosen([set(""), set("more")]), None);
        assert_eq!(chosen([None, set("cat")]), None);
    }
}
