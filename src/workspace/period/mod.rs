//! Which days a report is about: the arguments, the clock and the time zone in, days out.

use chrono::{DateTime, Datelike as _, Days as Span, NaiveDate, Utc, Weekday};
use chrono_tz::Tz;
use clap::Args;
use plantune_query::report::Days;

use crate::failure::{Failure, Kind};

/// The arguments that choose the period.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct PeriodArguments {
    /// The ISO week to report on, such as 2026-W46 [default: the current one]
    #[arg(long, value_name = "WEEK", conflicts_with_all = ["last_week", "since"])]
    week: Option<String>,
    /// Report on the week before the current one
    #[arg(long, conflicts_with = "since")]
    last_week: bool,
    /// The first day to report on, such as 2026-11-02
    #[arg(long, value_name = "DATE")]
    since: Option<String>,
    /// The last day to report on, itself included [default: today]
    #[arg(long, value_name = "DATE", requires = "since")]
    until: Option<String>,
}

/// The days of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Period {
    /// The period, both ends included.
    pub(crate) days: Days,
    /// As many days directly before it.
    pub(crate) previous: Days,
    /// True for an ISO week.
    pub(crate) week: bool,
    /// True when the period is not over yet.
    pub(crate) running: bool,
    /// The person's date.
    pub(crate) today: NaiveDate,
}

/// How many weeks [`Period::last_weeks`] and [`Period::weeks_until`] have.
const WEEKS: u64 = 8;

impl Period {
    /// The current week, up to today, and the seven before it.
    pub(crate) fn last_weeks(now: DateTime<Utc>, zone: Tz) -> Self {
        let today = now.with_timezone(&zone).date_naive();
        Self::weeks(today, today)
    }

    /// The week of `day`, or as much of it as is over, and the seven before it.
    pub(crate) fn weeks_until(&self, day: NaiveDate) -> Self {
        Self::weeks(week_of(monday(day)).end.min(self.today), self.today)
    }

    fn weeks(end: NaiveDate, today: NaiveDate) -> Self {
        let start = before(monday(end), 7 * (WEEKS - 1));
        Self::of(Days { start, end }, false, today)
    }

    fn of(days: Days, week: bool, today: NaiveDate) -> Self {
        let length = u64::try_from((days.end - days.start).num_days()).unwrap_or(0) + 1;
        Self {
            days,
            previous: Days {
                start: before(days.start, length),
                end: before(days.start, 1),
            },
            week,
            running: (days.start..=days.end).contains(&today),
            today,
        }
    }
}

impl PeriodArguments {
    /// The days that the arguments mean at the time `now` in the time zone `zone`.
    ///
    /// # Errors
    /// Usage (exit code 2) for a week or a date that does not exist, and for a first day after the
    /// last; the value is named.
    pub(crate) fn resolve(&self, now: DateTime<Utc>, zone: Tz) -> Result<Period, Failure> {
        let today = now.with_timezone(&zone).date_naive();
        let (days, week) = match (&self.week, &self.since) {
            (Some(week), _) => (iso_week(week)?, true),
            (None, Some(since)) => (self.range(since, today)?, false),
            (None, None) => {
                let weeks_ago = u64::from(self.last_week);
                (week_of(before(monday(today), 7 * weeks_ago)), true)
            }
        };
        Ok(Period::of(days, week, today))
    }

    fn range(&self, since: &str, today: NaiveDate) -> Result<Days, Failure> {
        let start = date("--since", since)?;
        let end = match &self.until {
            Some(until) => date("--until", until)?,
            None => today,
        };
        if start <= end {
            return Ok(Days { start, end });
        }
        Err(Failure::new(
            Kind::Usage,
            format!("--since {start} comes after the last day, {end}"),
        )
        .hint("give the earlier day to --since and the later one to --until"))
    }
}

/// The days of the week `text` names: `YYYY-Www`.
fn iso_week(text: &str) -> Result<Days, Failure> {
    let monday = text.split_once("-W").and_then(|(year, week)| {
        NaiveDate::from_isoywd_opt(year_of(year)?, digits(week, 2)?, Weekday::Mon)
    });
    monday.map(week_of).ok_or_else(|| {
        let message = format!("--week {text:?} is no ISO week");
        Failure::new(Kind::Usage, message).hint(
            "weeks are written 2026-W46 and run from W01 to W52, in some years to W53 (2026 has one)",
        )
    })
}

/// The day `text` names, the value of `option`: `YYYY-MM-DD`.
///
/// # Errors
/// Usage (exit code 2) for a date that does not exist.
pub(crate) fn date(option: &str, text: &str) -> Result<NaiveDate, Failure> {
    let mut parts = text.splitn(3, '-');
    let mut part = || parts.next();
    let day = (|| {
        let year = year_of(part()?)?;
        NaiveDate::from_ymd_opt(year, digits(part()?, 2)?, digits(part()?, 2)?)
    })();
    day.ok_or_else(|| {
        let message = format!("{option} {text:?} is no date");
        Failure::new(Kind::Usage, message).hint("dates are written 2026-11-20")
    })
}

/// A year of four digits, the first one not zero.
fn year_of(text: &str) -> Option<i32> {
    i32::try_from(digits(text, 4)?)
        .ok()
        .filter(|year| *year >= 1000)
}

fn digits(text: &str, count: usize) -> Option<u32> {
    let fits = text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    fits.then(|| text.parse().ok())?
}

fn monday(day: NaiveDate) -> NaiveDate {
    before(day, u64::from(day.weekday().num_days_from_monday()))
}

fn week_of(monday: NaiveDate) -> Days {
    Days {
        start: monday,
        end: after(monday, 6),
    }
}

// No year of four digits is near the ends of chrono's calendar.
fn before(day: NaiveDate, days: u64) -> NaiveDate {
    day.checked_sub_days(Span::new(days)).unwrap_or(day)
}

fn after(day: NaiveDate, days: u64) -> NaiveDate {
    day.checked_add_days(Span::new(days)).unwrap_or(day)
}

#[cfg(test)]
mod tests;
