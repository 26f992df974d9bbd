//! Whether Claude Code can do what the hook asks of it.

use std::cmp::Ordering;
use std::process::Command;

use super::Seen;
use super::check::{Findings, word};
use crate::installed_hook::alive::{LIMIT, words};
use crate::installed_hook::process;
use crate::installed_hook::release::compare;
use crate::programs::{binary, in_path};

const NAME: &str = "claude_code";

/// The oldest Claude Code that knows every event that is registered. One that does not know an event skips the
/// whole settings file, until 2.1.101.
const OLDEST: &str = "2.1.89";

/// Asks the `claude` in `PATH` for its version.
pub(super) fn check(_: &Seen<'_>, found: &mut Findings) {
    let Some(claude) = in_path(binary("claude")) else {
        found.note(
            NAME,
            "there is no `claude` in your PATH to ask for its version",
        );
        return;
    };
    let command = format!("{} --version", word(&claude));
    match process::run(Command::new(&claude).arg("--version"), b"", LIMIT) {
        Ok(ended) => judge(&String::from_utf8_lossy(&ended.stdout), &command, found),
        Err(trouble) => {
            found
                .warning(NAME, format!("`{command}` {}", words(&trouble)))
                .remedy("run it to see why");
        }
    }
}

fn judge(printed: &str, command: &str, found: &mut Findings) {
    match version(printed) {
        None => {
            found
                .warning(NAME, format!("`{command}` prints no version"))
                .remedy("run it to see what it says");
        }
        Some(version) if compare(version, OLDEST) == Ordering::Less => {
            let message = format!(
                "version {version} is too old: it skips settings that name an event of {OLDEST}"
            );
            found.failed(NAME, message).remedy("run `claude update`");
        }
        Some(version) => found.ok(
            NAME,
            format!("version {version} ({OLDEST} or newer is needed)"),
        ),
    }
}

/// The first word of the form `2.1.197`, without what follows the last number.
fn version(printed: &str) -> Option<&str> {
    printed.split_whitespace().find_map(|word| {
        let word = word.strip_prefix('v').unwrap_or(word);
        let end = word.find(|c: char| c != '.' && !c.is_ascii_digit());
        let numbers = word.get(..end.unwrap_or(word.len()))?;
        let is_version = numbers.split('.').count() == 3 && !numbers.split('.').any(str::is_empty);
        is_version.then_some(numbers)
    })
}

#[cfg(test)]
mod tests {
    use super::super::check::Status;
    use super::*;

    #[test]
    fn versions() {
        for (printed, status) in [
            ("2.1.197 (Claude Code)\n", Status::Ok),
            ("2.1.89 (Claude Code)", Status::Ok),
            ("notice: update\nClaude Code v3.0.0-beta.1", Status::Ok),
            ("2.1.88 (Claude Code)", Status::Failed),
            ("1.9.200 (Claude Code)", Status::Failed),
            ("", Status::Warning),
            ("2.1 (Claude Code)", Status::Warning),
            ("\u{1b}[31mnot.a.version", Status::Warning),
        ] {
            let mut found = Findings::default();
            judge(printed, "claude --version", &mut found);
            assert_eq!(found.checks[0].status, status, "{printed}");
        }
    }
}
