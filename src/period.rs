//! Which days a verb is about: a period, and a day as a person names it.

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::arguments::PeriodArguments;
    use crate::request::period_on;

    /// A Friday.
    fn at(text: &str) -> Option<String> {
        let today = "2026-11-20".parse().unwrap();
        let day = date("--since", text, today).ok();
        day.map(|day| day.to_string())
    }

    #[test]
    fn days_as_people_name_them() {
        for (text, day) in [
            ("2026-11-01", "2026-11-01"),
            ("today", "2026-11-20"),
            ("Yesterday", "2026-11-19"),
            ("monday", "2026-11-16"),
            ("last thu", "2026-11-19"),
            ("friday", "2026-11-13"),
            ("1d", "2026-11-20"),
            ("7d", "2026-11-14"),
            ("3w", "2026-10-31"),
            ("3 days ago", "2026-11-17"),
            ("2 weeks ago", "2026-11-06"),
            ("2.weeks.ago", "2026-11-06"),
            ("1 month ago", "2026-10-20"),
            ("1 year ago", "2025-11-20"),
        ] {
            assert_eq!(at(text).as_deref(), Some(day), "{text}");
        }
    }

    #[test]
    fn what_is_no_day() {
        for text in [
            "",
            "0d",
            "d",
            "7",
            "7x",
            "7d ago ago",
            "2 weeks",
            "99999999999d",
            "9999 years ago",
            "2026-02-30",
            "2026-2-3",
            "20261101",
            "someday",
            "monday morning",
            "7 \u{1b}[31m",
        ] {
            let failure = date("--since", text, "2026-11-20".parse().unwrap()).unwrap_err();
            assert_eq!(failure.exit_code(), 2, "{text}");
            assert!(!failure.to_string().contains('\u{1b}'));
        }
    }

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn time(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    fn week(week: &str) -> PeriodArguments {
        PeriodArguments {
            week: Some(week.into()),
            ..PeriodArguments::default()
        }
    }

    fn range(since: &str, until: Option<&str>) -> PeriodArguments {
        PeriodArguments {
            since: Some(since.into()),
            until: until.map(Into::into),
            ..PeriodArguments::default()
        }
    }

    #[test]
    fn periods_as_people_name_them() {
        let month = |month: &str| PeriodArguments {
            month: Some(month.into()),
            ..PeriodArguments::default()
        };
        let days = |days| PeriodArguments {
            days: Some(days),
            ..PeriodArguments::default()
        };
        let today = PeriodArguments {
            today: true,
            ..PeriodArguments::default()
        };
        for (arguments, start, end) in [
            (today, "2026-11-20", "2026-11-20"),
            (days(1), "2026-11-20", "2026-11-20"),
            (days(30), "2026-10-22", "2026-11-20"),
            (week("this"), "2026-11-16", "2026-11-22"),
            (week("last"), "2026-11-09", "2026-11-15"),
            (month("this"), "2026-11-01", "2026-11-30"),
            (month("last"), "2026-10-01", "2026-10-31"),
            (month("2024-02"), "2024-02-01", "2024-02-29"),
            (month("2026-12"), "2026-12-01", "2026-12-31"),
        ] {
            let found = resolved(&arguments, NOON, Tz::UTC);
            assert_eq!(found[..2], [start, end], "{arguments:?}");
        }
        for name in [
            "",
            "2026-13",
            "2026-1",
            "11",
            "november",
            "0000-01",
            "2026-11-20",
        ] {
            let failure = resolve(&month(name), NOON, Tz::UTC).unwrap_err();
            assert_eq!(failure.exit_code(), 2, "{name}");
        }
    }

    fn resolve(arguments: &PeriodArguments, now: &str, zone: Tz) -> Result<Period, Failure> {
        period_on(arguments, time(now).with_timezone(&zone).date_naive())
    }

    /// Friday noon.
    const NOON: &str = "2026-11-20T12:00:00Z";

    /// [first day, last day, first day before, last day before]
    fn resolved(arguments: &PeriodArguments, now: &str, zone: Tz) -> [String; 4] {
        let period = resolve(arguments, now, zone).unwrap();
        let Period { days, previous, .. } = period;
        [days.start, days.end, previous.start, previous.end].map(|day| day.to_string())
    }

    #[test]
    fn weeks() {
        let now = PeriodArguments::default();
        for (arguments, time, zone, days) in [
            (
                &now,
                NOON,
                Tz::Europe__Berlin,
                ["2026-11-14", "2026-11-20", "2026-11-07", "2026-11-13"],
            ),
            (
                &week("2026-W46"),
                NOON,
                Tz::UTC,
                ["2026-11-09", "2026-11-15", "2026-11-02", "2026-11-08"],
            ),
            // A week that begins in the old year, and the long year before it.
            (
                &week("2027-W01"),
                NOON,
                Tz::UTC,
                ["2027-01-04", "2027-01-10", "2026-12-28", "2027-01-03"],
            ),
            (
                &week("2026-W53"),
                NOON,
                Tz::UTC,
                ["2026-12-28", "2027-01-03", "2026-12-21", "2026-12-27"],
            ),
            (
                &week("2026-W01"),
                NOON,
                Tz::UTC,
                ["2025-12-29", "2026-01-04", "2025-12-22", "2025-12-28"],
            ),
            (
                &now,
                "2027-01-01T12:00:00Z",
                Tz::UTC,
                ["2026-12-26", "2027-01-01", "2026-12-19", "2026-12-25"],
            ),
            // The week in which the clocks change is as long as any.
            (
                &week("2026-W43"),
                NOON,
                Tz::Europe__Berlin,
                ["2026-10-19", "2026-10-25", "2026-10-12", "2026-10-18"],
            ),
        ] {
            assert_eq!(
                resolved(arguments, time, zone),
                days,
                "{arguments:?} {time}"
            );
        }
    }

    #[test]
    fn midnight_is_the_persons() {
        let now = PeriodArguments::default();
        for (time, zone, today) in [
            ("2026-11-22T23:59:59Z", Tz::UTC, "2026-11-22"),
            ("2026-11-23T00:00:00Z", Tz::UTC, "2026-11-23"),
            ("2026-11-22T22:59:59Z", Tz::Europe__Berlin, "2026-11-22"),
            ("2026-11-22T23:00:00Z", Tz::Europe__Berlin, "2026-11-23"),
            (
                "2026-11-23T07:59:59Z",
                Tz::America__Los_Angeles,
                "2026-11-22",
            ),
            (
                "2026-11-22T10:00:00Z",
                Tz::Pacific__Kiritimati,
                "2026-11-23",
            ),
            // Summer time: an hour earlier in UTC.
            ("2026-10-18T21:59:59Z", Tz::Europe__Berlin, "2026-10-18"),
            ("2026-10-18T22:00:00Z", Tz::Europe__Berlin, "2026-10-19"),
        ] {
            assert_eq!(resolved(&now, time, zone)[1], today, "{time} {zone}");
        }
    }

    #[test]
    fn ranges() {
        for (since, until, days) in [
            (
                "2026-11-18",
                None,
                ["2026-11-18", "2026-11-20", "2026-11-15", "2026-11-17"],
            ),
            (
                "2026-11-20",
                Some("2026-11-20"),
                ["2026-11-20", "2026-11-20", "2026-11-19", "2026-11-19"],
            ),
            (
                "2026-02-01",
                Some("2026-02-28"),
                ["2026-02-01", "2026-02-28", "2026-01-04", "2026-01-31"],
            ),
            (
                "2024-02-29",
                Some("2024-03-01"),
                ["2024-02-29", "2024-03-01", "2024-02-27", "2024-02-28"],
            ),
        ] {
            assert_eq!(
                resolved(&range(since, until), NOON, Tz::UTC),
                days,
                "{since}"
            );
        }
        assert_eq!(
            resolved(&range("2 weeks ago", Some("yesterday")), NOON, Tz::UTC)[..2],
            ["2026-11-06", "2026-11-19"]
        );
        // In short it is as many days, and three weeks are 21.
        let lately = PeriodArguments::default();
        assert_eq!(
            resolved(&range("7d", None), NOON, Tz::UTC),
            resolved(&lately, NOON, Tz::UTC)
        );
        // Today is the person's: already Saturday in Kiritimati.
        let ahead = resolved(&range("2026-11-20", None), NOON, Tz::Pacific__Kiritimati);
        assert_eq!(ahead[1], "2026-11-21");
    }

    #[test]
    fn a_period_is_compared_with_as_many_days_as_are_over() {
        let month = |month: &str| PeriodArguments {
            month: Some(month.into()),
            ..PeriodArguments::default()
        };
        for (arguments, now, previous) in [
            (month("this"), NOON, ["2026-10-01", "2026-10-20"]),
            (month("2026-10"), NOON, ["2026-09-01", "2026-09-30"]),
            (month("2026-02"), NOON, ["2026-01-01", "2026-01-28"]),
            (
                month("this"),
                "2026-03-30T12:00:00Z",
                ["2026-02-01", "2026-02-28"],
            ),
            (
                month("this"),
                "2026-01-01T12:00:00Z",
                ["2025-12-01", "2025-12-01"],
            ),
            (month("2026-12"), NOON, ["2026-11-01", "2026-11-30"]),
            (week("this"), NOON, ["2026-11-09", "2026-11-13"]),
            (week("2026-W48"), NOON, ["2026-11-16", "2026-11-22"]),
        ] {
            let found = resolved(&arguments, now, Tz::UTC);
            assert_eq!(found[2..], previous, "{arguments:?} {now}");
        }
    }

    #[test]
    fn a_period_runs_until_its_last_day_is_over() {
        for (arguments, running) in [
            (PeriodArguments::default(), true),
            (week("2026-W46"), false),
            (week("2026-W47"), true),
            (week("2026-W48"), false),
            (range("2026-11-01", None), true),
            (range("2026-11-01", Some("2026-11-19")), false),
        ] {
            let period = resolve(&arguments, NOON, Tz::UTC).unwrap();
            assert_eq!(period.running, running, "{arguments:?}");
            assert_eq!(period.today, day("2026-11-20"));
        }
    }

    #[test]
    fn what_is_no_period_is_named() {
        for (arguments, value) in [
            (week("2026-W54"), "2026-W54"),
            (week("2027-W53"), "2027-W53"),
            (week("2026-W00"), "2026-W00"),
            (week("2026-46"), "2026-46"),
            (week("2026W46"), "2026W46"),
            (week("26-W46"), "26-W46"),
            (week("2026-W4"), "2026-W4"),
            (week("2026-W+4"), "2026-W+4"),
            (week("0000-W01"), "0000-W01"),
            (week(""), "\"\""),
            (range("2026-02-30", None), "2026-02-30"),
            (range("2026-2-3", None), "2026-2-3"),
            (range("someday", None), "someday"),
            (range("2026-11-01", Some("2026-11-31")), "2026-11-31"),
            (range("2026-11-01-01", None), "2026-11-01-01"),
            (range("2026-11-21", None), "2026-11-21"),
            (range("2026-11-02", Some("2026-11-01")), "2026-11-02"),
        ] {
            let failure = resolve(&arguments, NOON, Tz::UTC).unwrap_err();
            assert_eq!(failure.exit_code(), 2, "{arguments:?}");
            assert!(failure.to_string().contains(value), "{failure}");
        }
    }

    #[test]
    fn days_begin_where_the_person_is() {
        for (zone, day, start) in [
            ("Europe/Berlin", "2026-11-20", "2026-11-19T23:00:00"),
            ("Asia/Kathmandu", "2026-11-20", "2026-11-19T18:15:00"),
            // Midnight is skipped: clocks go from 23:59 to 01:00.
            ("America/Santiago", "2026-09-06", "2026-09-06T04:00:00"),
        ] {
            let found = start_of(day.parse().unwrap(), zone.parse().unwrap());
            assert_eq!(found, start.parse().unwrap(), "{zone} {day}");
        }
    }
}
