//! What the environment says, read once: folders, clock, terminal.

use std::io::IsTerminal as _;

use chrono::{DateTime, Utc};
use plantune_domain::{clock, paths::Paths};

use crate::failure::Failure;

/// The environment of one run.
#[derive(Clone)]
pub(crate) struct Environment {
    /// Where data and configuration lie.
    pub(crate) paths: Paths,
    /// The moment the run started (`PLANTUNE_NOW` fixes it).
    pub(crate) now: DateTime<Utc>,
    /// True inside a coding agent's session, where no change of preferences may happen.
    pub(crate) agent_session: bool,
    /// True when colour may be used on standard output.
    pub(crate) colour: bool,
    /// Columns to fill: `COLUMNS`, else the terminal's, else 80.
    pub(crate) width: u16,
}

impl Environment {
    /// The environment of this process.
    ///
    /// # Errors
    /// When neither `PLANTUNE_HOME` nor a home directory is known, or `PLANTUNE_HOME` is relative.
    pub(crate) fn from_process() -> Result<Self, Failure> {
        let paths = Paths::from_environment().ok_or_else(|| {
            let fact = match std::env::var_os("PLANTUNE_HOME").filter(|home| !home.is_empty()) {
                Some(home) => format!(
                    "PLANTUNE_HOME is {home:?}, which names another folder in every other one"
                ),
                None => {
                    "no place for plantune's data: neither HOME nor PLANTUNE_HOME is set".into()
                }
            };
            Failure::failed(fact)
                .hint("set PLANTUNE_HOME to the absolute path of a folder of yours")
        })?;
        let stdout_is_terminal = std::io::stdout().is_terminal();
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let number = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
        let columns = number("COLUMNS").and_then(|columns| u16::try_from(columns).ok());
        let colour = stdout_is_terminal
            && !set("NO_COLOR")
            && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        let width = columns
            .or_else(|| terminal_size::terminal_size().map(|(width, _)| width.0))
            .unwrap_or(80)
            .clamp(40, 200);
        Ok(Self {
            paths,
            now: clock::now(),
            agent_session: set("CLAUDECODE"),
            colour,
            width,
        })
    }
}
