//! What every format of the report shows.

use chrono::NaiveDate;
use plantune_query::page::{AnsweredForYou, AnsweringTimes, Details, Hour};
use plantune_query::permissions::prompts::Permissions;
use plantune_query::report::stands_out::Finding;
use plantune_query::report::{
    Days, ErrorKind, Groups, QuestionCounts, Report, SessionKindCounts, Totals, Week, week_name,
};
use serde::Serialize;

use super::proposal::Proposal;
use super::stands_out::Line;
use crate::json::displayed;
use crate::standing::StandingPreference;
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

/// The report. Serialised, it is the document of `report --json` (docs/report.md): its fields
/// stay.
#[derive(Clone, Debug, Serialize)]
pub struct Document {
    schema_version: u32,
    period: Period,
    /// After how many seconds without an answer the person is held to be away.
    pub away_after_seconds: f64,
    /// The period's sums.
    pub totals: Totals,
    /// Those of the period before.
    pub previous: Totals,
    /// Eight ISO weeks up to the period's last day.
    pub trend: Vec<Week>,
    /// What stands out, what is worth most first.
    pub stands_out: Vec<Line>,
    /// The questions, the most frequent first.
    pub questions: Vec<QuestionCounts>,
    /// The same questions in groups, where that was asked for.
    #[serde(flatten)]
    pub groups: Option<Groups>,
    /// How many questions came up once in the period, those not listed included.
    pub asked_once: u64,
    /// By session kind.
    pub session_kinds: Vec<SessionKindCounts>,
    /// Failures by kind.
    pub errors: Vec<ErrorKind>,
    /// Lines found in the period that could not become events.
    pub quarantined: u64,
    /// How many suggestions wait; `None` when that is not known.
    pub suggestions_waiting: Option<u32>,
    /// The preferences that answer for the person, and how they stand.
    pub standing_preferences: Vec<StandingPreference>,
    /// When the person was asked in the period.
    pub hours: Vec<Hour>,
    /// How long they took for their answers.
    pub answering_times: AnsweringTimes,
    /// What was decided without them.
    pub answered_for_you: Vec<AnsweredForYou>,
    /// What could be answered by itself, all levels; `None` when that is not known.
    pub proposals: Option<Vec<Proposal>>,
    /// Until when the person is away (RFC 3339, UTC); `None` when they are not.
    pub away_until: Option<String>,
    /// The same for a person to read.
    #[serde(skip)]
    pub away: Option<String>,
    /// Prompts for permission; zeros when none was ever logged.
    pub permissions: Permissions,
    /// True when anything about permissions was ever logged.
    #[serde(skip)]
    pub has_permissions: bool,
    /// What was asked for.
    #[serde(skip)]
    pub heading: Heading,
    /// How many questions there are, those not listed included.
    #[serde(skip)]
    pub question_keys: u64,
    /// True to list also what came up once.
    #[serde(skip)]
    pub lists_all: bool,
    /// The last day with a question, when the period has none.
    #[serde(skip)]
    pub last_day: Option<NaiveDate>,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct Period {
    #[serde(serialize_with = "displayed")]
    start: NaiveDate,
    #[serde(serialize_with = "displayed")]
    end: NaiveDate,
    time_zone: String,
}

impl From<&Heading> for Period {
    fn from(heading: &Heading) -> Self {
        Self {
            start: heading.period.start,
            end: heading.period.end,
            time_zone: heading.time_zone.clone(),
        }
    }
}

impl Document {
    /// The document of a report; `suggestions_waiting` is `None` when it is not known.
    pub fn new(heading: Heading, report: Report, suggestions_waiting: Option<u32>) -> Self {
        Self {
            schema_version: 1,
            period: (&heading).into(),
            away_after_seconds: report.away_after_seconds,
            totals: report.totals,
            previous: report.previous,
            trend: report.trend,
            stands_out: Vec::new(),
            questions: report.questions,
            groups: None,
            asked_once: report.asked_once,
            session_kinds: report.session_kinds,
            errors: report.errors,
            quarantined: report.quarantined,
            suggestions_waiting,
            standing_preferences: Vec::new(),
            hours: Vec::new(),
            answering_times: AnsweringTimes::default(),
            answered_for_you: Vec::new(),
            proposals: None,
            away_until: None,
            away: None,
            permissions: report.permissions,
            has_permissions: report.has_permissions,
            heading,
            question_keys: report.question_keys,
            lists_all: false,
            last_day: report.last_day,
        }
    }

    /// The same document with the preferences that answer for the person.
    pub fn with_preferences(mut self, preferences: Vec<StandingPreference>) -> Self {
        self.standing_preferences = preferences;
        self
    }

    /// The same document with its questions in groups, in place of the list of them where one is shown.
    pub fn with_groups(mut self, groups: Option<Groups>) -> Self {
        self.groups = groups;
        self
    }

    /// The same document with a list of also what came up once.
    pub fn with_all(mut self, all: bool) -> Self {
        self.lists_all = all;
        self
    }

    /// The same document with what its pictures show.
    pub fn with_details(mut self, mut details: Details) -> Self {
        for question in &mut self.questions {
            let name = (question.question_key.clone(), question.project.clone());
            let found = details.questions.remove(&name).unwrap_or_default();
            question.weeks = found.weeks.into();
            question.answers = found.answers;
        }
        self.hours = details.hours;
        self.answering_times = details.answering_times;
        self.answered_for_you = details.answered_for_you;
        self
    }

    /// The same document with what stands out. What could be answered by itself is asked of the document's
    /// own proposals.
    pub fn with_findings(mut self, findings: &[Finding]) -> Self {
        let proposals = self.proposals.as_deref().unwrap_or_default();
        let is_proposed = |key: &str, project: &str| {
            let mut proposals = proposals.iter().filter(|one| one.question_key == key);
            proposals.any(|one| one.project.as_deref().is_none_or(|mine| mine == project))
        };
        let lines = findings.iter();
        self.stands_out = lines
            .map(|finding| Line::new(finding, &self.heading, &is_proposed))
            .collect();
        self
    }

    /// The same document with what could be answered by itself.
    pub fn with_proposals(mut self, proposals: Option<Vec<Proposal>>) -> Self {
        self.proposals = proposals;
        self
    }
}

impl Document {
    /// The same document with until when the person is away, for scripts and in words.
    pub fn with_away(mut self, until: Option<String>, in_words: Option<String>) -> Self {
        (self.away_until, self.away) = (until, in_words);
        self
    }
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

    /// The period in a word or two.
    pub(super) fn name(&self) -> String {
        let name = if self.week {
            week_name(self.period.start)
        } else {
            "period".to_owned()
        };
        if self.running { name + " so far" } else { name }
    }

    /// The period before in a word or two.
    pub(crate) fn previous_name(&self) -> String {
        if self.week {
            week_name(self.previous.start)
        } else {
            "before".to_owned()
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
