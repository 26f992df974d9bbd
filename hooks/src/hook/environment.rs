//! Where and when a call happens.

use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use plantune_agents::Agent;
use plantune_domain::paths::Paths;
use plantune_domain::roots::Session;
use plantune_domain::session_kind::SessionKind;

/// Where and when a call happens.
#[derive(Clone, Debug)]
pub struct Environment {
    /// Which agent calls.
    pub agent: &'static dyn Agent,
    /// Where data and configuration lie.
    pub paths: Paths,
    /// The time of the call.
    pub now: DateTime<Utc>,
    /// Whether a human can answer.
    pub session_kind: SessionKind,
    /// How the agent was started.
    pub entrypoint: Option<String>,
    /// The folder that the session was started in, where the agent says so.
    pub project_root: Option<PathBuf>,
    /// True when `PLANTUNE_DISABLE` switches deciding off.
    pub disabled: bool,
    /// True when a plugin's entry started the hook, and not one of the settings.
    pub by_plugin: bool,
}

impl Environment {
    /// The session of a call whose working directory is `cwd`.
    pub(super) fn session<'a>(&'a self, cwd: &'a Path) -> Session<'a> {
        Session {
            cwd,
            project_root: self.project_root.as_deref(),
            home: None,
        }
    }
}
