//! Which days a verb is about: a period, and a day as a person names it.

#[cfg(test)]
mod tests;

use chrono::{
    DateTime, Datelike as _, Months, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, TimeZone as _,
    Utc, Weekday,
};
use chrono_tz::Tz;
use plantune_query::report::DayRange;
use plantune_reports::report::PeriodKind;
use plantune_reports::text::clean;

use crate::failure::Failure;

/// The words for the week or month that today is in, and for the one before it.
pub(crate) const THIS: &str = "this";
const LAST: &str = "last";

/// The days of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Period {
    /// The period, both ends included.
    pub days: DayRange,
    /// As many days before it: those directly before, or the first ones of the week or month before.
    pub(crate) previous: DayRange,
    /// How it was chosen.
    pub(crate) span: PeriodKind,
    /// True when the period is not over yet.
    pub(crate) running: bool,
    /// The person's date.
    pub(crate) today: NaiveDate,
}

/// How many weeks [`Period::last_weeks`] has.
pub(crate) const WEEKS: u32 = 8;

impl Period {
    /// The current week, up to today, and the seven before it.
    pub fn last_weeks(now: DateTime<Utc>, zone: Tz) -> Self {
        let end = now.with_timezone(&zone).date_naive();
        let start = before(monday(end), u64::from(7 * (WEEKS - 1)));
        Self::of(DayRange { start, end }, PeriodKind::Range, end)
    }

    /// The weeks of `days`, those in which anything came up last.
    pub(crate) fn latest_weeks(&self, days: DayRange) -> Self {
        let days = DayRange {
            start: monday(days.start),
            end: week_of(monday(days.end)).end.min(self.today),
        };
        Self::of(days, PeriodKind::LatestWeeks, self.today)
    }

    /// The seven days up to today.
    pub(crate) fn last_seven_days(today: NaiveDate) -> Self {
        Self::of(seven_days(today), PeriodKind::LastDays, today)
    }

    /// The week that `text` names today: `this`, `last` or `YYYY-Www`.
    ///
    /// # Errors
    /// Usage (exit code 2) for a week that does not exist.
    pub(crate) fn week(text: &str, today: NaiveDate) -> Result<Self, Failure> {
        Ok(Self::of(week(text, today)?, PeriodKind::Week, today))
    }

    /// The month that `text` names today: `this`, `last` or `YYYY-MM`.
    ///
    /// # Errors
    /// Usage (exit code 2) for a month that does not exist.
    pub(crate) fn month(text: &str, today: NaiveDate) -> Result<Self, Failure> {
        Ok(Self::of(month(text, today)?, PeriodKind::Month, today))
    }

    /// The days from `since` to `until`, else to today, each as [`date`] takes it.
    ///
    /// # Errors
    /// Usage (exit code 2) for a day that does not exist, and for a first day after the last.
    pub(crate) fn range(
        since: &str,
        until: Option<&str>,
        today: NaiveDate,
    ) -> Result<Self, Failure> {
        let start = date("--since", since, today)?;
        let end = until.map_or(Ok(today), |until| date("--until", until, today))?;
        if start <= end {
            return Ok(Self::of(DayRange { start, end }, PeriodKind::Range, today));
        }
        let fact = format!("--since {start} comes after the last day, {end}");
        Err(Failure::usage(fact).hint("--since takes the earlier day, --until the later one"))
    }

    /// The seven days up to `day`, the last one on which anything came up.
    pub(crate) fn latest(&self, day: NaiveDate) -> Self {
        Self::of(seven_days(day), PeriodKind::Latest, self.today)
    }

    fn of(days: DayRange, span: PeriodKind, today: NaiveDate) -> Self {
        let running = (days.start..=days.end).contains(&today);
        // What is still to come has nothing to be compared with.
        let last = if running { today } else { days.end };
        let length = u64::try_from((last - days.start).num_days()).unwrap_or(0) + 1;
        let start = match span {
            PeriodKind::Week => before(days.start, 7),
            PeriodKind::Month => {
                (days.start.checked_sub_months(Months::new(1))).unwrap_or(days.start)
            }
            _ => before(days.start, length),
        };
        // A month may be longer than the one before it.
        let end = after(start, length - 1).min(before(days.start, 1));
        Self {
            days,
            previous: DayRange { start, end },
            span,
            running,
            today,
        }
    }
}

/// The days of the week `text` names today: `this`, `last` or `YYYY-Www`.
fn week(text: &str, today: NaiveDate) -> Result<DayRange, Failure> {
    match text {
        THIS => return Ok(week_of(monday(today))),
        LAST => return Ok(week_of(before(monday(today), 7))),
        _ => {}
    }
    let monday = NaiveDate::parse_from_str(&format!("{text}-1"), "%G-W%V-%u").ok();
    let is_as_written = |monday: &NaiveDate| monday.format("%G-W%V").to_string() == text;
    let monday = monday.filter(|day| has_four_digits(day.iso_week().year()) && is_as_written(day));
    monday.map(week_of).ok_or_else(|| {
        let message = format!("--week {text:?} is not a week");
        Failure::usage(message).hint("write this, last, or an ISO week such as 2026-W46")
    })
}

/// The days of the month `text` names today: `this`, `last` or `YYYY-MM`.
fn month(text: &str, today: NaiveDate) -> Result<DayRange, Failure> {
    let name = |day: NaiveDate| day.format("%Y-%m").to_string();
    let name = match text {
        THIS => name(today),
        LAST => name(today.checked_sub_months(Months::new(1)).unwrap_or(today)),
        _ => text.to_owned(),
    };
    let start = iso(&format!("{name}-01")).filter(|day| has_four_digits(day.year()));
    let next = start.and_then(|start| start.checked_add_months(Months::new(1)));
    let days = start.zip(next).map(|(start, next)| DayRange {
        start,
        end: before(next, 1),
    });
    days.ok_or_else(|| {
        let message = format!("--month {text:?} is not a month");
        Failure::usage(message).hint("write this, last, or a month such as 2026-11")
    })
}

/// True for a year of four digits, the first one not zero.
fn has_four_digits(year: i32) -> bool {
    (1000..=9999).contains(&year)
}

/// The first day of the week of `day`.
pub(crate) fn monday(day: NaiveDate) -> NaiveDate {
    before(day, u64::from(day.weekday().num_days_from_monday()))
}

fn seven_days(end: NaiveDate) -> DayRange {
    let start = before(end, 6);
    DayRange { start, end }
}

fn week_of(monday: NaiveDate) -> DayRange {
    DayRange {
        start: monday,
        end: after(monday, 6),
    }
}

// No year of four digits is near the ends of chrono's calendar.
fn before(day: NaiveDate, days: u64) -> NaiveDate {
    day.checked_sub_days(chrono::Days::new(days)).unwrap_or(day)
}

pub(crate) fn after(day: NaiveDate, days: u64) -> NaiveDate {
    day.checked_add_days(chrono::Days::new(days)).unwrap_or(day)
}

/// The first moment of `day` in `zone`, in UTC: midnight, or what comes first where clocks skip it.
pub(crate) fn start_of(day: NaiveDate, zone: Tz) -> NaiveDateTime {
    let midnight = day.and_time(NaiveTime::MIN);
    let quarters = (0..=12).map(|quarter| midnight + TimeDelta::minutes(15 * quarter));
    let first = quarters
        .filter_map(|local| zone.from_local_datetime(&local).earliest())
        .next();
    first.map_or(midnight, |first| first.naive_utc())
}

// A day as a person names it: `2026-11-20`, `yesterday`, `monday`, `2 weeks ago`, `7d`.

/// The day that `text`, the value of `option`, means today: a date, `today`, `yesterday`, a day of the week (the last
/// one before today), or a time ago (`3 days ago`, `2.weeks.ago`). In short (`7d`, `3w`) it is the first of that many
/// days up to today.
///
/// # Errors
/// Usage (exit code 2) for anything else, and for a date that does not exist.
pub(crate) fn date(option: &str, text: &str, today: NaiveDate) -> Result<NaiveDate, Failure> {
    let word = text.trim().to_ascii_lowercase();
    let day = match word.as_str() {
        "today" | "now" => Some(today),
        "yesterday" => Some(before(today, 1)),
        _ => iso(&word)
            .or_else(|| weekday(&word, today))
            .or_else(|| ago(&word, today)),
    };
    let day = day.filter(|day| has_four_digits(day.year()));
    day.ok_or_else(|| {
        let message = format!("{option} \"{}\" is not a day", clean(text));
        Failure::usage(message)
            .hint("write a day as 2026-11-20, yesterday, monday, 7d, 3w, \"2 weeks ago\" or \"3 months ago\"")
    })
}

fn iso(word: &str) -> Option<NaiveDate> {
    let day: NaiveDate = word.parse().ok()?;
    (day.to_string() == word).then_some(day)
}

/// The last day of that name before today, as git has it.
fn weekday(word: &str, today: NaiveDate) -> Option<NaiveDate> {
    let name = word.strip_prefix("last ").unwrap_or(word);
    let weekday: Weekday = name.parse().ok()?;
    (1..=7)
        .map(|days| before(today, days))
        .find(|day| day.weekday() == weekday)
}

fn ago(word: &str, today: NaiveDate) -> Option<NaiveDate> {
    let end = word.find(|c: char| !c.is_ascii_digit())?;
    let (number, rest) = word.split_at_checked(end)?;
    let count: u32 = number.parse().ok()?;
    let mut words = rest.split([' ', '.']).filter(|part| !part.is_empty());
    let unit = words.next()?;
    let days = |days: u32| today.checked_sub_days(chrono::Days::new(u64::from(days)));
    let months = |months: u32| today.checked_sub_months(Months::new(months));
    match (unit, words.next(), words.next()) {
        ("d", None, None) => days(count.checked_sub(1)?),
        ("w", None, None) => days(count.checked_mul(7)?.checked_sub(1)?),
        (unit, Some("ago"), None) => match unit.strip_suffix('s').unwrap_or(unit) {
            "day" => days(count),
            "week" => days(count.checked_mul(7)?),
            "month" => months(count),
            "year" => months(count.checked_mul(12)?),
            _ => None,
        },
        _ => None,
    }
}
