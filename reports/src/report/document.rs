//! What every format of the report shows.

use chrono::NaiveDate;
use plantune_query::page::{AnsweredForYou, AnsweringTimes, Details, Hour};
use plantune_query::permissions::prompts::{Detail, Permissions};
use plantune_query::report::{
    AsksMost, By, ErrorKind, Group, Groups, QuestionCounts, RejectedCalls, Report,
    SessionKindCounts, Timeline, Totals,
};
use serde::{Serialize, Serializer};

use super::heading::Heading;
use super::proposal::{NotProposed, Proposal};
use super::sentence::{self, Rules, Sentence};
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
    /// What the period comes to.
    pub summary: Vec<Sentence>,
    /// What the person can do something about.
    pub stands_out: Vec<Sentence>,
    /// The period in parts.
    pub timeline: Timeline,
    /// The questions, the most frequent first.
    pub questions: Vec<QuestionCounts>,
    /// The same questions in groups, where that was asked for.
    #[serde(flatten)]
    pub groups: Option<Groups>,
    /// How many questions came up once in the period, those not listed included.
    pub asked_once: u64,
    /// The period's questions by project.
    pub projects: Vec<Group>,
    /// The period's questions by who asked.
    pub askers: Vec<Group>,
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
    /// What comes up again and again and is not proposed, and why.
    pub not_proposed: Vec<NotProposed>,
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
    /// Who asks most.
    #[serde(skip)]
    pub asks_most: Option<AsksMost>,
    /// Whose calls Claude Code rejected.
    #[serde(skip)]
    pub rejected_calls: Option<RejectedCalls>,
    /// The permission rules that are proposed.
    #[serde(skip)]
    pub rules: Rules,
    /// True where Claude Code could be told to notify the person, and is not.
    #[serde(skip)]
    pub can_notify: bool,
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
            summary: Vec::new(),
            stands_out: Vec::new(),
            timeline: report.timeline,
            questions: report.questions,
            groups: None,
            asked_once: report.asked_once,
            projects: Vec::new(),
            askers: Vec::new(),
            session_kinds: report.session_kinds,
            errors: report.errors,
            quarantined: report.quarantined,
            suggestions_waiting,
            standing_preferences: Vec::new(),
            hours: Vec::new(),
            answering_times: AnsweringTimes::default(),
            answered_for_you: Vec::new(),
            proposals: None,
            not_proposed: Vec::new(),
            away_until: None,
            away: None,
            permissions: report.permissions,
            has_permissions: report.has_permissions,
            asks_most: report.asks_most,
            rejected_calls: report.rejected_calls,
            rules: Rules::default(),
            can_notify: false,
            heading,
            question_keys: report.question_keys,
            lists_all: false,
            last_day: report.last_day,
        }
    }

    /// The same document with what its pictures show.
    pub fn with_details(mut self, mut details: Details) -> Self {
        for question in &mut self.questions {
            let name = (question.question_key.clone(), question.project.clone());
            let found = details.questions.remove(&name).unwrap_or_default();
            question.over_time = found.over_time;
            question.answers = found.answers;
        }
        self.hours = details.hours;
        self.answering_times = details.answering_times;
        self.answered_for_you = details.answered_for_you;
        self.projects = details.projects;
        self.askers = details.askers;
        self
    }

    /// The same document with what it says in sentences: they are made of everything else that is in it.
    pub fn with_sentences(mut self) -> Self {
        self.summary = sentence::summary(&self);
        self.stands_out = sentence::stands_out(&self);
        self
    }

    /// True when the period has a question or a prompt for permission.
    pub fn has_something(&self) -> bool {
        self.totals.questions > 0 || self.permissions.asked > 0
    }

    /// The last day with a question, where the period has nothing.
    pub fn latest(&self) -> Option<NaiveDate> {
        self.last_day.filter(|_| !self.has_something())
    }

    /// True when nothing was ever logged.
    pub fn is_empty(&self) -> bool {
        !(self.has_something() || self.last_day.is_some() || self.has_permissions)
    }

    /// The names of projects in it, which a person may be shown in short.
    pub fn project_names(&mut self) -> Vec<&mut String> {
        let asked_for = self.groups.iter_mut().filter(|one| one.by == By::Project);
        let groups = asked_for
            .flat_map(|one| &mut one.groups)
            .chain(&mut self.projects);
        (self.questions.iter_mut().map(|one| &mut one.project))
            .chain(
                self.permissions
                    .detail
                    .iter_mut()
                    .flat_map(Detail::projects),
            )
            .chain(groups.filter_map(|one| one.name.as_mut()))
            .chain(
                self.asks_most
                    .iter_mut()
                    .filter_map(|one| one.project.as_mut()),
            )
            .chain(
                self.proposals
                    .iter_mut()
                    .flatten()
                    .filter_map(|one| one.project.as_mut()),
            )
            .chain(self.not_proposed.iter_mut().map(|one| &mut one.project))
            .chain(
                self.standing_preferences
                    .iter_mut()
                    .filter_map(|one| one.project.as_mut()),
            )
            .collect()
    }
}
