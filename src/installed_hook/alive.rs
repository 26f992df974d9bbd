//! Whether a hook starts at all.

use std::io;
use std::path::Path;
use std::time::Duration;

use super::probe::Home;
use super::process;

/// How long the hook may take; Claude Code waits as long.
pub(crate) const LIMIT: Duration = Duration::from_secs(5);

/// A call that it has no opinion on: `hook` must say nothing and exit with 0, whatever it is sent.
///
/// # Errors
/// What it does instead, in words that follow its name.
pub(crate) fn alive(hook: &Path, home: &Home) -> Result<(), String> {
    let call = br#"{"hook_event_name":"Stop"}"#;
    match process::run(&mut home.command(hook), call, LIMIT) {
        Ok(ended) if !ended.status.success() => Err(format!("ends with {}", ended.status)),
        Ok(ended) if !ended.stdout.is_empty() => {
            Err("prints something where it has nothing to say".to_owned())
        }
        Ok(_) => Ok(()),
        Err(error) => Err(words(&error)),
    }
}

/// Why a hook gave no result, in words that follow its name.
pub(crate) fn words(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::TimedOut => format!("does not end within {} s", LIMIT.as_secs()),
        _ => format!("cannot be started: {error}"),
    }
}
