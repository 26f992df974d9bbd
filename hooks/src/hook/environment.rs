//! Where and when a call happens.

use chrono::{DateTime, Utc};
use plantune_domain::paths::Paths;
use plantune_domain::session_kind::SessionKind;

/// Where and when a call happens.
#[derive(Clone, Debug)]
pub struct Environment {
    /// Where data and configuration lie.
    pub paths: Paths,
    /// The time of the call.
    pub now: DateTime<Utc>,
    /// Whether a human can answer.
    pub session_kind: SessionKind,
    /// How the agent was started.
    pub entrypoint: Option<String>,
    /// True when `PLANTUNE_DISABLE` switches deciding off.
    pub disabled: bool,
}
