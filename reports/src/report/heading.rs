//! What a report is about, as it is titled.

use chrono::NaiveDate;
use plantune_query::report::{Days, week_name};
use serde::Serialize;

use crate::text::{clean, shell_word};

/// How a period was chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Span {
    /// The last seven days.
    #[default]
    LastDays,
    /// The latest seven days in which something came up, because in the last seven nothing did.
    Latest,
    /// A calendar week.
    Week,
    /// Days that the person named.
    Range,
}

/// What is reported on; serialised, its period and the zone of its days.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Heading {
    /// The period.
    #[serde(flatten)]
    pub period: Days,
    /// The period it is compared with.
    #[serde(skip)]
    pub previous: Days,
    /// How the period was chosen.
    #[serde(skip)]
    pub span: Span,
    /// True when the period is not over.
    #[serde(skip)]
    pub running: bool,
    /// The IANA name of the person's time zone.
    pub time_zone: String,
    /// The one project reported on; `None` for all.
    #[serde(skip)]
    pub project: Option<String>,
}

impl Heading {
    /// The period as a heading: `Last 7 days, Wed 18 – Tue 24 Nov 2026, Europe/Berlin`.
    pub fn title(&self) -> String {
        let days = days(self.period);
        let title = match self.span {
            Span::LastDays => format!("Last 7 days, {days}"),
            Span::Latest => format!("Nothing in the last 7 days; the latest were {days}"),
            Span::Week => format!("{}, {days}", week_name(self.period.start)),
            Span::Range => days,
        };
        format!("{title}{}, {}", self.so_far(), self.time_zone)
    }

    /// What is said of a period that is not over; the last seven days always end today.
    fn so_far(&self) -> &'static str {
        match self.running && self.span != Span::LastDays {
            true => " so far",
            false => "",
        }
    }

    /// The command that shows this report.
    pub fn command(&self) -> String {
        let mut command = "plantune report".to_owned();
        let Days { start, end } = self.period;
        match self.span {
            Span::LastDays => {}
            Span::Week => command += &format!(" --week {}", week_name(start)),
            Span::Latest | Span::Range => command += &format!(" --since {start} --until {end}"),
        }
        if let Some(project) = &self.project {
            command += &format!(" --project {}", shell_word(&clean(project)));
        }
        command
    }

    /// The command that lists the questions of the period that were asked and of which `condition` holds.
    pub(super) fn asked(&self, condition: &str) -> String {
        let Days { start, end } = self.period;
        let mut statement = format!(
            "SELECT asked_at, question, answer FROM questions WHERE outcome <> 'auto_decided' AND {condition} \
             AND day BETWEEN '{start}' AND '{end}'"
        );
        if let Some(project) = &self.project {
            statement += &format!(" AND project = {}", literal(project));
        }
        format!("plantune sql {}", shell_text(&statement))
    }

    /// The period as a sentence begins with it. Of a long one, what was before the day on which anything first came, when
    /// its part of the period `begins`, is none of it.
    pub(super) fn in_words(&self, begins: Option<NaiveDate>) -> String {
        let start = begins.map_or(self.period.start, |day| day.max(self.period.start));
        let length = (self.period.end - start).num_days() + 1;
        match (self.span, length) {
            (Span::LastDays, _) => "In the last seven days".to_owned(),
            (Span::Latest, _) => "In these seven days".to_owned(),
            (Span::Week, _) if self.running => "This week".to_owned(),
            (Span::Week, _) => format!("In {}", week_name(self.period.start)),
            (Span::Range, 1) => format!("On {}", day(self.period.end)),
            // The week that is not over is one of them.
            (Span::Range, 50..=56) => "In eight weeks".to_owned(),
            (Span::Range, days) => format!("In {days} days"),
        }
    }
}

/// `text` as a literal of SQL.
fn literal(text: &str) -> String {
    format!("'{}'", clean(text).replace('\'', "''"))
}

/// `text` as one word of a shell: in double quotes, which leave a statement readable, where nothing in it means
/// anything there.
fn shell_text(text: &str) -> String {
    match text.contains(['"', '$', '`', '\\', '!']) {
        true => shell_word(text),
        false => format!("\"{text}\""),
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

    #[test]
    fn a_period_is_as_long_as_what_came_in_it() {
        let day = |text: &str| text.parse::<NaiveDate>().unwrap();
        let heading = |start: &str| Heading {
            period: Days {
                start: day(start),
                end: day("2026-11-27"),
            },
            span: Span::Range,
            ..Heading::default()
        };
        let words = |start, begins: &str| heading(start).in_words(Some(day(begins)));
        assert_eq!(words("2020-01-01", "2026-03-01"), "In 272 days");
        assert_eq!(words("2026-11-01", "2026-11-01"), "In 27 days");
        assert_eq!(words("2020-01-01", "2026-11-27"), "On Fri 27 Nov 2026");
        assert_eq!(words("2026-10-05", "2026-10-05"), "In eight weeks");
        assert_eq!(heading("2026-11-01").in_words(None), "In 27 days");
    }
}
