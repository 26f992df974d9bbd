//! What every format of the report shows.

use plantune_query::page::Details;
use plantune_query::permissions::prompts::Detail;
use plantune_query::report::{By, Groups, QuestionCounts, Report};
use serde::Serialize;

use super::heading::Heading;
use super::proposal::{NotProposed, Proposal};
use super::sentence::{self, Rules, Sentence};
use crate::standing::StandingPreference;

/// The report. Serialised, it is the document of `report --json` (docs/json.md): its fields
/// stay.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Document {
    /// What was asked for.
    #[serde(rename = "period")]
    pub heading: Heading,
    /// What the store says of the period.
    #[serde(flatten)]
    pub report: Report,
    /// What the period comes to.
    pub summary: Vec<Sentence>,
    /// What the person can do something about.
    pub stands_out: Vec<Sentence>,
    /// The same questions in groups, where that was asked for.
    #[serde(flatten)]
    pub groups: Option<Groups>,
    /// What pictures show.
    #[serde(flatten)]
    pub details: Details,
    /// How many suggestions wait; `None` when that is not known.
    pub suggestions_waiting: Option<u32>,
    /// The preferences that answer for the person, and how they stand.
    pub standing_preferences: Vec<StandingPreference>,
    /// What could be answered by itself, all levels; `None` when that is not known.
    pub proposals: Option<Vec<Proposal>>,
    /// What comes up again and again and is not proposed, and why.
    pub not_proposed: Vec<NotProposed>,
    /// Until when the person is away (RFC 3339, UTC); `None` when they are not.
    pub away_until: Option<String>,
    /// The same for a person to read.
    #[serde(skip)]
    pub away: Option<String>,
    /// The permission rules that are proposed.
    #[serde(skip)]
    pub rules: Rules,
    /// True where Claude Code could be told to notify the person, and is not.
    #[serde(skip)]
    pub can_notify: bool,
    /// True to list also what came up once.
    #[serde(skip)]
    pub lists_all: bool,
}

impl Document {
    /// True where some of the askings of `question` could be answered.
    pub(crate) fn is_proposed(&self, question: &QuestionCounts) -> bool {
        let mut proposals = self.proposals.iter().flatten();
        proposals.any(|one| {
            let project = one.project.as_ref();
            one.answers()
                && one.question_key == question.question_key
                && project.is_none_or(|project| *project == question.project)
        })
    }

    /// The document of a report; `suggestions_waiting` is `None` when it is not known.
    pub fn new(heading: Heading, report: Report, suggestions_waiting: Option<u32>) -> Self {
        Self {
            heading,
            report,
            suggestions_waiting,
            ..Self::default()
        }
    }

    /// The same document with what its pictures show.
    pub fn with_details(mut self, mut details: Details) -> Self {
        for question in &mut self.report.questions {
            let name = (question.question_key.clone(), question.project.clone());
            let found = details.questions.remove(&name).unwrap_or_default();
            question.over_time = found.over_time;
            question.answers = found.answers;
        }
        self.details = details;
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
        self.report.totals.questions > 0 || self.report.permissions.asked > 0
    }

    /// True when nothing was ever logged.
    pub fn is_empty(&self) -> bool {
        !(self.has_something() || self.report.last_day.is_some() || self.report.has_permissions)
    }

    /// The names of projects in it, which a person may be shown in short.
    pub fn project_names(&mut self) -> Vec<&mut String> {
        let report = &mut self.report;
        let questions = report.questions.iter_mut();
        let mut names: Vec<&mut String> = questions.map(|one| &mut one.project).collect();
        let prompts = report.permissions.detail.iter_mut();
        names.extend(prompts.flat_map(Detail::projects));
        let asked_for = self.groups.iter_mut().filter(|one| one.by == By::Project);
        let groups = asked_for.flat_map(|one| &mut one.groups);
        let groups = groups.chain(&mut self.details.projects);
        names.extend(groups.filter_map(|one| one.name.as_mut()));
        let asks_most = report.asks_most.iter_mut();
        names.extend(asks_most.filter_map(|one| one.project.as_mut()));
        let proposals = self.proposals.iter_mut().flatten();
        names.extend(proposals.filter_map(|one| one.project.as_mut()));
        names.extend(self.not_proposed.iter_mut().map(|one| &mut one.project));
        let preferences = self.standing_preferences.iter_mut();
        names.extend(preferences.filter_map(|one| one.project.as_mut()));
        names
    }
}
