//! The current time, which tests can fix.

use chrono::{DateTime, SecondsFormat, Utc};

/// Now, in UTC. `PLANTUNE_NOW` (RFC 3339) fixes it, so that tests and demonstrations repeat.
#[allow(
    clippy::disallowed_methods,
    reason = "the one place that reads the clock"
)]
pub fn now() -> DateTime<Utc> {
    std::env::var("PLANTUNE_NOW")
        .ok()
        .and_then(|fixed| DateTime::parse_from_rfc3339(&fixed).ok())
        .map_or_else(Utc::now, |fixed| fixed.to_utc())
}

/// `moment` as events carry it: RFC 3339, UTC, milliseconds, `Z`.
pub fn timestamp(moment: DateTime<Utc>) -> String {
    moment.to_rfc3339_opts(SecondsFormat::Millis, true)
}
