//! The current time, which tests can fix; and times of the machine and of files.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;
use std::time::SystemTime;

use chrono::{DateTime, SecondsFormat, Utc};

/// Now, in UTC. In development builds only, `PLANTUNE_NOW` (RFC 3339) sets it, so that tests are repeatable. In a
/// release, somebody who could set the clock could end a trial or be away forever.
pub fn now() -> DateTime<Utc> {
    // Not `Utc::now`, which panics when the clock is before 1970.
    fixed().unwrap_or_else(|| SystemTime::now().into())
}

#[cfg(debug_assertions)]
fn fixed() -> Option<DateTime<Utc>> {
    let fixed = std::env::var("PLANTUNE_NOW").ok()?;
    Some(DateTime::parse_from_rfc3339(&fixed).ok()?.to_utc())
}

#[cfg(not(debug_assertions))]
fn fixed() -> Option<DateTime<Utc>> {
    None
}

/// A time in the format of events: RFC 3339, UTC, milliseconds, `Z`.
pub fn timestamp(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// Seconds since the machine started, including sleep; `None` if the system does not report it. It cannot be set back.
#[allow(
    unsafe_code,
    reason = "the standard library's clock stands still while the machine sleeps"
)]
pub fn uptime_seconds() -> Option<u64> {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    const CLOCK: libc::clockid_t = libc::CLOCK_BOOTTIME;
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    const CLOCK: libc::clockid_t = libc::CLOCK_MONOTONIC;
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the call writes to `time`, which outlives it.
    let done = unsafe { libc::clock_gettime(CLOCK, &raw mut time) };
    u64::try_from(time.tv_sec).ok().filter(|_| done == 0)
}

/// When the file was last modified, in nanoseconds since 1970.
pub fn modified_ns(file: &Metadata) -> i64 {
    let seconds = file.mtime().saturating_mul(1_000_000_000);
    seconds.saturating_add(file.mtime_nsec())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn clock_before_1970() {
        let early = SystemTime::UNIX_EPOCH - Duration::from_millis(1_500);
        assert_eq!(timestamp(early.into()), "1969-12-31T23:59:58.500Z");
    }

    #[test]
    fn uptime_goes_on() {
        let before = uptime_seconds().unwrap();
        assert!(uptime_seconds().unwrap() >= before);
    }
}
