//! Asking the person before a change, showing it as a diff, and making sure that it is the person.

use std::fmt::Write as _;
use std::io::IsTerminal as _;

use plantune_reports::text::paragraph;
use similar::TextDiff;

use crate::environment::UNATTENDED;
use crate::failure::Failure;
use crate::session::Session;
use crate::terminal::{ask, print, print_exactly, sanitized};

/// How the person is asked.
pub struct Confirmation<'a> {
    /// The change, in a sentence or a few lines.
    pub sentence: &'a str,
    /// The question, without what may be typed.
    pub question: &'a str,
    /// True when `--yes` answers it.
    pub yes: bool,
    /// The command for the person to run, where nobody can be asked.
    pub command: &'a str,
}

impl Confirmation<'_> {
    /// Says what changes and asks, unless `--yes` answers; `d` shows `diff`. After a no it says that nothing was
    /// changed.
    ///
    /// # Errors
    /// The errors of [`may_change`].
    pub fn is_given(&self, session: &Session, diff: &str) -> Result<bool, Failure> {
        if !self.yes {
            self.say(session)?;
        }
        may_change(session, self.yes, self.command)?;
        if self.yes {
            return Ok(true);
        }
        let words = match diff.is_empty() {
            true => "[y/N]",
            false => "[y/N, d: show the change]",
        };
        loop {
            match ask(&format!("{} {words}", self.question))?.as_deref() {
                Some("y" | "yes") => return Ok(true),
                Some("d") if !diff.is_empty() => print_exactly(diff)?,
                _ => {
                    print("Nothing was changed.\n")?;
                    return Ok(false);
                }
            }
        }
    }

    /// Says that the change was made. Where nobody was asked, it says what changed, as the person has not read it yet.
    ///
    /// # Errors
    /// When standard output cannot be written.
    pub(crate) fn say_done(&self, session: &Session) -> Result<(), Failure> {
        match self.yes {
            true => self.say(session),
            false => print("Done.\n"),
        }
    }

    fn say(&self, session: &Session) -> Result<(), Failure> {
        print(&paragraph(self.sentence, session.width))
    }
}

/// True if a person can be asked: at a terminal, outside an agent's session.
pub(crate) fn can_be_asked(session: &Session) -> bool {
    let person = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    person && may_change(session, false, "").is_ok()
}

/// Makes sure that it is the person who adds to the evidence, or changes the log: what plantune proposes rests on it.
/// `maintenance_by_agents = true` in config.toml allows it to agents, too.
///
/// # Errors
/// Refused (exit code 4) inside an agent's session; conflict for a config.toml that is not understood.
pub(crate) fn may_change_log(session: &Session, command: &str) -> Result<(), Failure> {
    let Some(sign) = session.agent_session else {
        return Ok(());
    };
    if session.config()?.maintenance_by_agents {
        return Ok(());
    }
    Err(Failure::refused(format!(
        "only you can change the log, and this is an agent's session ({sign})"
    ))
    .hint(format!(
        "run `{command}` yourself in another terminal, or allow it to agents with `plantune config set \
         maintenance_by_agents true`"
    )))
}

/// Makes sure that it is the person who changes something, and that they can be asked. With `yes` they need not be; that
/// holds on a terminal, and in a script of theirs that says so by [`UNATTENDED`].
///
/// # Errors
/// Refused (exit code 4) as by [`is_person`], and without a terminal; `command` names what the person can run instead.
pub fn may_change(session: &Session, yes: bool, command: &str) -> Result<(), Failure> {
    is_person(session, command)?;
    if std::io::stdin().is_terminal() || (yes && session.is_unattended) {
        return Ok(());
    }
    Err(
        Failure::refused("there is no terminal to ask on").hint(format!(
            "run `{command}` in a terminal; in your own script, set {UNATTENDED}=1 and add --yes"
        )),
    )
}

/// Makes sure that it is the person who changes a setting. Nothing is asked: typing the command on a terminal is
/// enough, and so is a script of theirs that sets [`UNATTENDED`].
///
/// # Errors
/// Refused (exit code 4) as by [`is_person`], and without a terminal.
pub(crate) fn may_set(session: &Session, command: &str) -> Result<(), Failure> {
    is_person(session, command)?;
    if std::io::stdin().is_terminal() || session.is_unattended {
        return Ok(());
    }
    Err(
        Failure::refused("this was not typed on a terminal").hint(format!(
            "run `{command}` in a terminal; in your own script, set {UNATTENDED}=1"
        )),
    )
}

/// Makes sure that it is the person who runs this. Only they may change what plantune does on their behalf, so inside
/// an agent's session nothing is asked and nothing is taken for an answer.
///
/// # Errors
/// Refused (exit code 4) inside an agent's session; `command` names what the person can run instead.
pub(crate) fn is_person(session: &Session, command: &str) -> Result<(), Failure> {
    let Some(sign) = session.agent_session else {
        return Ok(());
    };
    Err(Failure::refused(format!(
        "only you can change this, and this is an agent's session ({sign})"
    ))
    .hint(format!("run `{command}` yourself in another terminal")))
}

// What a change would do, as a unified diff.

/// Lines around a change.
const CONTEXT_LINES: usize = 3;

/// The unified diff of the file `name`, sanitized for a terminal; of one that is new where there is nothing `before`.
pub(crate) fn diff(name: &str, before: Option<&str>, after: &str, colour: bool) -> String {
    let old = before.map_or("/dev/null", |_| name);
    let before = before.unwrap_or_default();
    // Line ends are not what is being changed; shown, each would be a stray character.
    let (before, after) = (sanitized(before), sanitized(after));
    let diff = TextDiff::from_lines(&before, &after);
    let diff = diff
        .unified_diff()
        .context_radius(CONTEXT_LINES)
        .header(old, name)
        .to_string();
    if !colour {
        return diff;
    }
    diff.lines().fold(String::new(), |mut out, line| {
        let code = match line.as_bytes().first() {
            Some(b'+') => "32",
            Some(b'-') => "31",
            Some(b'@') => "36",
            _ => "0",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(out, "\u{1b}[{code}m{line}\u{1b}[0m");
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_the_change_and_nothing_else() {
        let before = "{\r\n  \"x\": \"\u{9b}31m\",\r\n  \"a\": 1\r\n}\r\n";
        let after = before.replace("1\r", "2\r");
        let wanted = "--- s\n+++ s\n@@ -1,4 +1,4 @@\n {\n   \"x\": \"\u{fffd}31m\",\n-  \"a\": 1\n+  \"a\": 2\n }\n";
        assert_eq!(diff("s", Some(before), &after, false), wanted);
        assert!(diff("s", Some(before), &after, true).contains("\u{1b}[32m+  \"a\": 2\u{1b}[0m\n"));
    }
}
