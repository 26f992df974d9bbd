//! Whether Claude Code can do what the hook asks of it.

use std::process::Command;
use std::time::Duration;

use super::check::{Check, word};
use crate::installed_hook::process::{self, Trouble};
use crate::programs::{binary, in_path};

const NAME: &str = "claude_code";

/// The oldest Claude Code that knows every event that is registered. One that does not know an event skips the
/// whole settings file, until 2.1.101.
const OLDEST: Version = Version([2, 1, 89]);

/// How long Claude Code may take to print its version.
const LIMIT: Duration = Duration::from_secs(5);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Version([u32; 3]);

/// Asks the `claude` in `PATH` for its version.
pub(super) fn check() -> Check {
    let Some(claude) = in_path(binary("claude")) else {
        return Check::note(
            NAME,
            "there is no `claude` in your PATH to ask for its version",
        );
    };
    let command = format!("{} --version", word(&claude));
    match process::run(Command::new(&claude).arg("--version"), b"", LIMIT) {
        Ok(ended) => judge(&String::from_utf8_lossy(&ended.stdout), &command),
        Err(Trouble::TooSlow) => {
            let message = format!("`{command}` does not end within {} s", LIMIT.as_secs());
            Check::warning(NAME, message).remedy("run it to see why")
        }
        Err(Trouble::Io(error)) => {
            Check::warning(NAME, format!("`{command}` cannot be run: {error}"))
                .remedy("install Claude Code again, or take it out of your PATH")
        }
    }
}

fn judge(printed: &str, command: &str) -> Check {
    match version(printed) {
        None => Check::warning(NAME, format!("`{command}` prints no version"))
            .remedy("run it to see what it says"),
        Some(found) if found < OLDEST => Check::failed(
            NAME,
            format!("version {found} is too old: it skips settings that name an event of {OLDEST}"),
        )
        .remedy("run `claude update`"),
        Some(found) => Check::ok(
            NAME,
            format!("version {found} ({OLDEST} or newer is needed)"),
        ),
    }
}

/// The first word of the form `2.1.197`, whatever follows the last number.
fn version(printed: &str) -> Option<Version> {
    printed.split_whitespace().find_map(|word| {
        let mut parts = word.strip_prefix('v').unwrap_or(word).splitn(3, '.');
        let (major, minor) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        let patch = parts.next()?;
        let digits = patch
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(patch.len());
        Some(Version([major, minor, patch.get(..digits)?.parse().ok()?]))
    })
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [major, minor, patch] = self.0;
        write!(f, "{major}.{minor}.{patch}")
    }
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
            assert_eq!(
                judge(printed, "claude --version").status,
                status,
                "{printed}"
            );
        }
    }
}
