//! Where and when something in a transcript was said.

use chrono::DateTime;
use plantune_domain::clock;
use serde::{Deserialize, Serialize};

/// Where something was said, and when.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Place {
    /// RFC 3339, UTC, milliseconds.
    pub(crate) at: Option<String>,
    pub(crate) session_id: String,
    pub(crate) cwd: String,
    pub(crate) permission_mode: Option<String>,
    pub(crate) entrypoint: Option<String>,
    pub(crate) agent_id: Option<String>,
}

/// A time as events have it; `None` for what is none.
pub(crate) fn in_utc(timestamp: &str) -> Option<String> {
    let time = DateTime::parse_from_rfc3339(timestamp).ok()?;
    Some(clock::timestamp(time.to_utc()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_in_utc() {
        let found = in_utc("2026-01-02T03:04:05.678+02:00");
        assert_eq!(found.as_deref(), Some("2026-01-02T01:04:05.678Z"));
        assert_eq!(in_utc("yesterday"), None);
    }
}
