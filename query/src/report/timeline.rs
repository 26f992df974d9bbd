//! The period in parts: how much came on each day, in each week, month or year of it.

use chrono::{Datelike as _, Days as Span, Months, NaiveDate};
use serde::Serialize;

use crate::period::{Days, monday};

/// Up to how many days a period is shown day by day, and up to how many week by week, month by month.
const MOST_DAYS: i64 = 31;
const MOST_DAYS_OF_WEEKS: i64 = 26 * 7;
const MOST_DAYS_OF_MONTHS: i64 = 4 * 366;

plantune_domain::named_enum! {
    /// How long a part is.
    #[derive(Default, Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Unit {
        /// A day.
        #[default]
        Day = "day",
        /// A week from Monday on.
        Week = "week",
        /// A month.
        Month = "month",
        /// A year.
        Year = "year",
    }
}

/// A period in parts of equal length; the first and the last may be cut by its ends.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Timeline {
    /// How long a part is.
    pub unit: Unit,
    /// The parts in order, those without anything included.
    pub parts: Vec<Part>,
}

/// One part of a period; counts as in [`super::Totals`].
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Part {
    /// Its first day within the period.
    pub start: NaiveDate,
    /// All questions.
    pub questions: u64,
    /// Asked of the person.
    pub asked: u64,
    /// Answered by the person.
    pub answered: u64,
    /// Decided without the person.
    pub auto_decided: u64,
    /// Could not be asked, or the answer was lost.
    pub failed: u64,
    /// Asked, and left without an answer.
    pub dismissed: u64,
    /// Asked so lately that an answer may still come.
    pub open: u64,
    /// The time that the person spent answering, in seconds.
    pub human_seconds: f64,
    /// Prompts for permission.
    pub prompts: u64,
}

impl Timeline {
    /// The empty parts of `days`. A period of more than half a year begins with the first of the days `active` on
    /// which anything came, and ends with the last.
    pub(super) fn of(days: Days, active: Option<Days>) -> Self {
        let length = |days: Days| (days.end - days.start).num_days() + 1;
        let days = match active {
            Some(active) if length(days) > MOST_DAYS_OF_WEEKS => active,
            _ => days,
        };
        let unit = match length(days) {
            days if days <= MOST_DAYS => Unit::Day,
            days if days <= MOST_DAYS_OF_WEEKS => Unit::Week,
            days if days <= MOST_DAYS_OF_MONTHS => Unit::Month,
            _ => Unit::Year,
        };
        let starts = std::iter::successors(Some(days.start), |day| unit.next(*day));
        let parts = starts.take_while(|day| *day <= days.end).map(|start| Part {
            start,
            ..Part::default()
        });
        Self {
            unit,
            parts: parts.collect(),
        }
    }

    /// The number of the part that `day` lies in, for a day of the period.
    pub(crate) fn place(&self, day: NaiveDate) -> Option<usize> {
        let later = self.parts.partition_point(|part| part.start <= day);
        later.checked_sub(1)
    }

    /// The part that `day` lies in.
    pub(super) fn part(&mut self, day: NaiveDate) -> Option<&mut Part> {
        let place = self.place(day)?;
        self.parts.get_mut(place)
    }
}

impl Unit {
    /// The first day of the part after that of `day`; `None` at the end of chrono's calendar.
    fn next(self, day: NaiveDate) -> Option<NaiveDate> {
        match self {
            Self::Day => day.checked_add_days(Span::new(1)),
            Self::Week => monday(day).checked_add_days(Span::new(7)),
            Self::Month => day.with_day(1)?.checked_add_months(Months::new(1)),
            Self::Year => NaiveDate::from_ymd_opt(day.year() + 1, 1, 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn days(start: &str, end: &str) -> Days {
        Days {
            start: start.parse().unwrap(),
            end: end.parse().unwrap(),
        }
    }

    fn starts(timeline: &Timeline) -> Vec<String> {
        let starts = timeline.parts.iter().map(|part| part.start.to_string());
        starts.collect()
    }

    #[test]
    fn a_part_is_as_long_as_the_period_asks_for() {
        let week = Timeline::of(days("2026-11-18", "2026-11-24"), None);
        assert_eq!((week.unit, week.parts.len()), (Unit::Day, 7));
        let weeks = Timeline::of(days("2026-10-01", "2026-11-08"), None);
        assert_eq!(weeks.unit, Unit::Week);
        assert_eq!(
            starts(&weeks),
            [
                "2026-10-01",
                "2026-10-05",
                "2026-10-12",
                "2026-10-19",
                "2026-10-26",
                "2026-11-02"
            ]
        );
        assert_eq!(weeks.place("2026-10-04".parse().unwrap()), Some(0));
        assert_eq!(weeks.place("2026-11-08".parse().unwrap()), Some(5));
        assert_eq!(weeks.place("2026-09-30".parse().unwrap()), None);
        let months = Timeline::of(days("2026-01-31", "2026-11-08"), None);
        assert_eq!((months.unit, months.parts.len()), (Unit::Month, 11));
        assert_eq!(months.parts[1].start.to_string(), "2026-02-01");
    }

    #[test]
    fn a_long_period_begins_with_what_came_first() {
        let all = days("1000-01-01", "9999-12-31");
        let some = Timeline::of(all, Some(days("2026-10-05", "2026-10-07")));
        assert_eq!((some.unit, some.parts.len()), (Unit::Day, 3));
        assert_eq!(Timeline::of(all, None).unit, Unit::Year);
    }
}
