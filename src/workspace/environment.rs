//! What the environment says, read once: folders, clock, terminal.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use plantune_agents::claude_code;
use plantune_agents::session::{self, Sign};
use plantune_domain::paths::Paths;
use plantune_domain::roots::{Refusal, Session};
use plantune_domain::{clock, platform, sanitize};

use crate::failure::Failure;
use crate::terminal;
use crate::workspace::global_arguments::{GlobalArguments, has_colour};

/// The variable by which a person's own script says that `--yes` is theirs, where there is no terminal.
pub(crate) const UNATTENDED: &str = "PLANTUNE_ALLOW_UNATTENDED";

/// The environment of one run.
#[derive(Clone)]
pub(crate) struct Environment {
    /// Where data and configuration lie.
    pub(crate) paths: Paths,
    /// When the run started.
    pub(crate) now: DateTime<Utc>,
    /// What shows a coding agent's session, in which no change of preferences may happen.
    pub(crate) agent_session: Option<Sign>,
    /// True where a script of the person's says that it runs for them, without a terminal ([`UNATTENDED`]).
    pub(crate) is_unattended: bool,
    /// The folder of Claude Code whose new transcripts are read before something is shown; `None` where there is
    /// none, and in an agent's session: what proposals rest on is not for an agent to add to.
    pub(crate) transcripts: Option<PathBuf>,
    /// True when colour may be used on standard output.
    pub(crate) colour: bool,
    /// The time zone of `--time-zone`.
    pub(crate) time_zone: Option<Tz>,
    /// Columns to fill: `COLUMNS`, else the terminal's, else 80.
    pub(crate) width: usize,
}

impl Environment {
    /// The environment of this process, called with `arguments`.
    ///
    /// # Errors
    /// When neither `PLANTUNE_HOME` nor a home directory is known, or `PLANTUNE_HOME` is relative.
    pub(crate) fn from_process(arguments: &GlobalArguments) -> Result<Self, Failure> {
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
        let is_terminal = std::io::stdout().is_terminal();
        let agent_session = session::sign();
        let variable = |name: &str| std::env::var(name).ok();
        Ok(Self {
            paths,
            now: clock::now(),
            agent_session,
            is_unattended: variable(UNATTENDED).is_some_and(|value| value == "1"),
            transcripts: transcripts_root().filter(|_| agent_session.is_none()),
            colour: has_colour(arguments.color, is_terminal, variable),
            time_zone: arguments.time_zone,
            width: terminal::fit::columns(),
        })
    }

    /// Why the hook obeys none of these files in a session in this folder, if so: what a repository
    /// brings is not the person's.
    pub(crate) fn refusal(&self) -> Option<Refusal> {
        self.refusal_at(None)
    }

    fn refusal_at(&self, home: Option<&Path>) -> Option<Refusal> {
        let cwd = std::env::current_dir().unwrap_or_default();
        let project_root = std::env::var_os(claude_code::PROJECT_DIR).map(PathBuf::from);
        self.paths.refusal(&Session {
            cwd: &cwd,
            project_root: project_root.as_deref(),
            home,
        })
    }

    /// Makes sure that the files are the person's. A command answers nothing and starts no program, so
    /// whose home is a repository may have them there.
    ///
    /// # Errors
    /// Refused (exit code 4) when they may be a repository's, everybody's, or another user's.
    pub(crate) fn check_roots(&self) -> Result<(), Failure> {
        let home = std::env::var_os(platform::HOME).map(PathBuf::from);
        self.refusal_at(home.as_deref()).map_or(Ok(()), |refusal| {
            let fact = sanitize::line(&refusal.to_string());
            Err(Failure::refused(fact).hint(sanitize::line(&refusal.remedy())))
        })
    }
}

/// Where Claude Code keeps its transcripts: `CLAUDE_CONFIG_DIR`, else `~/.claude`; `None` where neither is known.
pub(crate) fn transcripts_root() -> Option<PathBuf> {
    plantune_ingest::claude_code::default_root(|name| std::env::var_os(name))
}
