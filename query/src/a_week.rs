//! How often something comes in a week.

use chrono::{NaiveDate, TimeDelta};

/// Four weeks: so many of the latest days are counted.
pub(crate) const ACTIVITY_DAYS: u32 = 28;

/// The first of the [`ACTIVITY_DAYS`] that end with the day `last`.
pub(crate) fn first_day(last: NaiveDate) -> NaiveDate {
    let before = TimeDelta::days(i64::from(ACTIVITY_DAYS) - 1);
    last.checked_sub_signed(before).unwrap_or(NaiveDate::MIN)
}

/// How often a week something comes that came so many `times` in the four weeks up to `last`, or in those of
/// their days that something is known of: from `known_since` on, but a week at least.
pub(crate) fn a_week(times: f64, known_since: Option<NaiveDate>, last: NaiveDate) -> f64 {
    let first = first_day(last);
    let first = known_since.map_or(first, |since| since.max(first));
    let days = (last - first).num_days() + 1;
    #[allow(clippy::cast_precision_loss, reason = "at most four weeks")]
    let weeks = days.max(7) as f64 / 7.0;
    times / weeks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weeks_are_those_that_something_is_known_of() {
        let day = |text: &str| text.parse::<NaiveDate>().unwrap();
        let last = day("2026-11-28");
        assert_eq!(first_day(last), day("2026-11-01"));
        for (times, known_since, expected) in [
            (8.0, None, 2.0),
            (8.0, Some("2025-11-01"), 2.0),
            (8.0, Some("2026-11-15"), 4.0),
            // Eleven days, and less than a week.
            (22.0, Some("2026-11-18"), 14.0),
            (8.0, Some("2026-11-28"), 8.0),
            (8.0, Some("2026-12-24"), 8.0),
        ] {
            let found = a_week(times, known_since.map(day), last);
            assert!((found - expected).abs() < 1e-9, "{times} {known_since:?}");
        }
    }
}
