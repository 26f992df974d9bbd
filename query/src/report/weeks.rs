//! Days and ISO weeks.

use chrono::{Datelike, Days as Span, NaiveDate};

use super::{Days, TREND_WEEKS, Week};

/// One entry for each week of `days`, those without a row in `found` with zeros.
pub(super) fn fill(days: Days, found: &[Week]) -> Vec<Week> {
    let weeks = (0..TREND_WEEKS).map(|number| week_name(after(days.start, 7 * number)));
    weeks
        .map(|week| {
            let known = found.iter().find(|row| row.week == week).cloned();
            known.unwrap_or(Week {
                week,
                ..Week::default()
            })
        })
        .collect()
}

/// The ISO week of `day`, such as `2026-W47`.
pub fn week_name(day: NaiveDate) -> String {
    day.format("%G-W%V").to_string()
}

/// The Monday of the week `day` lies in.
pub(super) fn monday(day: NaiveDate) -> NaiveDate {
    before(day, u64::from(day.weekday().num_days_from_monday()))
}

/// `days` before `day`; at the end of chrono's calendar a date stands for itself.
pub(super) fn before(day: NaiveDate, days: u64) -> NaiveDate {
    day.checked_sub_days(Span::new(days)).unwrap_or(day)
}

/// `days` after `day`, likewise.
pub(super) fn after(day: NaiveDate, days: u64) -> NaiveDate {
    day.checked_add_days(Span::new(days)).unwrap_or(day)
}
