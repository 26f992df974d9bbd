//! The days that a query is about.

use chrono::{Datelike as _, Days as Span, NaiveDate};
use serde::Serialize;

/// Days of the person's calendar, both ends included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Days {
    /// The first day.
    pub start: NaiveDate,
    /// The last day.
    pub end: NaiveDate,
}

/// What to report on.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The period.
    pub period: Days,
    /// The period it is compared with, which ends on the day before.
    pub previous: Days,
    /// Today in the person's time zone.
    pub today: NaiveDate,
    /// One project's key; `None` for all.
    pub project: Option<&'a str>,
    /// How many questions to list; `None` for all.
    pub limit: Option<u32>,
    /// True to list the prompts for permission that need a look.
    pub prompts: bool,
}

impl Request<'_> {
    /// The first day whose open questions count as open. What was asked more than one full day
    /// before today counts as dismissed: no answer comes after that.
    pub(crate) fn open_from(&self) -> NaiveDate {
        before(self.today, 1)
    }

    /// The days of both periods.
    pub(crate) fn both_periods(&self) -> Days {
        Days {
            start: self.previous.start,
            end: self.period.end,
        }
    }
}

/// The ISO week of `day`, such as `2026-W47`.
pub fn week_name(day: NaiveDate) -> String {
    day.format("%G-W%V").to_string()
}

/// The Monday of the week `day` lies in.
pub(crate) fn monday(day: NaiveDate) -> NaiveDate {
    before(day, u64::from(day.weekday().num_days_from_monday()))
}

/// `days` before `day`; at the end of chrono's calendar a date stands for itself.
pub(crate) fn before(day: NaiveDate, days: u64) -> NaiveDate {
    day.checked_sub_days(Span::new(days)).unwrap_or(day)
}
