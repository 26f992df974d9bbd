//! What a report is about, as it is titled.

use chrono::NaiveDate;
use plantune_query::report::{Days, week_name};

use crate::text::{clean, shell_word};

/// What is reported on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// The period.
    pub period: Days,
    /// The period it is compared with.
    pub previous: Days,
    /// True when the period is an ISO week.
    pub week: bool,
    /// True when the period is not over.
    pub running: bool,
    /// The IANA name of the person's time zone.
    pub time_zone: String,
    /// The one project reported on; `None` for all.
    pub project: Option<String>,
}

impl Heading {
    /// The period as a heading: `2026-W47, Mon 16 – Sun 22 Nov 2026 so far, Europe/Berlin`.
    pub fn title(&self) -> String {
        let mut title = String::new();
        if self.week {
            title += &format!("{}, ", week_name(self.period.start));
        }
        title += &days(self.period);
        if self.running {
            title += " so far";
        }
        format!("{title}, {}", self.time_zone)
    }

    /// The command that shows this report.
    pub fn command(&self) -> String {
        let mut command = "plantune report".to_owned();
        if !self.week {
            let Days { start, end } = self.period;
            command += &format!(" --since {start} --until {end}");
        } else if !self.running {
            command += &format!(" --week {}", week_name(self.period.start));
        }
        if let Some(project) = &self.project {
            command += &format!(" --project {}", shell_word(&clean(project)));
        }
        command
    }

    /// The period as a sentence begins with it.
    pub(super) fn in_words(&self) -> String {
        let length = (self.period.end - self.period.start).num_days() + 1;
        match length {
            1 => format!("On {}", day(self.period.end)),
            7 if self.week && self.running => "This week".to_owned(),
            7 if self.week => format!("In {}", week_name(self.period.start)),
            7 => "In seven days".to_owned(),
            // The week that is not over is one of them.
            50..=56 => "In eight weeks".to_owned(),
            days => format!("In {days} days"),
        }
    }
}

/// `Mon 16 – Sun 22 Nov 2026`; month and year also at the start where they differ.
pub(super) fn days(days: Days) -> String {
    let Days { start, end } = days;
    let format = if start == end {
        return day(end);
    } else if start.format("%Y-%m").to_string() == end.format("%Y-%m").to_string() {
        "%a %-d"
    } else if start.format("%Y").to_string() == end.format("%Y").to_string() {
        "%a %-d %b"
    } else {
        "%a %-d %b %Y"
    };
    format!("{} – {}", start.format(format), day(end))
}

/// `Fri 20 Nov 2026`.
pub(super) fn day(day: NaiveDate) -> String {
    day.format("%a %-d %b %Y").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_as_titles() {
        for (start, end, shown) in [
            ("2026-11-16", "2026-11-22", "Mon 16 – Sun 22 Nov 2026"),
            ("2026-09-28", "2026-10-04", "Mon 28 Sep – Sun 4 Oct 2026"),
            (
                "2026-12-28",
                "2027-01-03",
                "Mon 28 Dec 2026 – Sun 3 Jan 2027",
            ),
            ("2026-11-20", "2026-11-20", "Fri 20 Nov 2026"),
        ] {
            let period = Days {
                start: start.parse().unwrap(),
                end: end.parse().unwrap(),
            };
            assert_eq!(days(period), shown);
        }
    }
}
