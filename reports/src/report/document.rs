//! What every format of the report shows.

use chrono::NaiveDate;
use plantune_query::page::{AnsweredForYou, AnsweringTimes, Details, Hour};
use plantune_query::permissions::prompts::Permissions;
use plantune_query::report::stands_out::Finding;
use plantune_query::report::{
    ErrorKind, Groups, QuestionCounts, Report, SessionKindCounts, Totals, Week,
};
use serde::{Serialize, Serializer};

use super::heading::Heading;
use super::proposal::Proposal;
use super::stands_out::Line;
use crate::json::displayed;
use crate::standing::StandingPreference;

/// The report. Serialised, it is the document of `report --json` (docs/json.md): its fields
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
    /// The day of the first question, where that lies in the middle of the period before.
    #[serde(serialize_with = "day_if_any")]
    pub history_begins: Option<NaiveDate>,
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

fn day_if_any<S: Serializer>(day: &Option<NaiveDate>, to: S) -> Result<S::Ok, S::Error> {
    day.map(|day| day.to_string()).serialize(to)
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
            history_begins: report.history_begins,
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
