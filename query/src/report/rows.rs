//! The rows of a report, as the store gives them. Their fields are those of `report --json` (docs/json.md), so their
//! names are frozen.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Datelike as _, Days as Span, Months, NaiveDate, Utc};
use plantune_domain::doors::Door;
use serde::{Deserialize, Serialize};

use crate::evidence::bare;
use crate::permissions::prompts::Permissions;
use crate::request::{DayRange, GroupKey, RenamedQuestions, monday};
use crate::store::{json, utc};

/// The sums of a period.
///
/// `questions` = `asked` + `auto_decided`; `asked` = `answered` + `failed` + `dismissed` + `open`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Totals {
    /// All questions.
    pub questions: u64,
    /// Asked of the person.
    pub asked: u64,
    /// Answered by the person.
    pub answered: u64,
    /// Decided without the person.
    pub auto_decided: u64,
    /// By what.
    pub auto_decided_by: DecidedBy,
    /// Could not be asked, or the answer was lost.
    pub failed: u64,
    /// Asked, and left without an answer.
    pub dismissed: u64,
    /// Those of `dismissed` for which the agent stopped waiting and went on: nobody chose.
    pub timed_out: u64,
    /// Asked so lately that an answer may still come.
    pub open: u64,
    /// Tool calls, of one to four questions each.
    pub calls: u64,
    /// Distinct sessions that had a question.
    pub sessions: u64,
    /// The time that the person spent answering, in seconds: from question to answer, a call's questions
    /// together counted once; what they were away for is left out.
    pub human_seconds: f64,
    /// The answers that took longer than [`Report::away_after_seconds`]: the person was away.
    pub away_answers: u64,
    /// The time until these, in seconds.
    pub away_seconds: f64,
    /// The time that agents stood waiting for an answer, in seconds; each session's by itself.
    pub waiting_seconds: f64,
    /// Of it, in seconds, the waits that were longer than [`Report::away_after_seconds`].
    pub waiting_away_seconds: f64,
    /// The person's time that this spared, in seconds.
    pub seconds_saved: f64,
}

/// The deciders without the person; the sum is `auto_decided`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DecidedBy {
    /// Answered by a preference.
    pub preferences: u64,
    /// Answered as the person had answered earlier in the session.
    pub session: u64,
    /// Answered by the person's reviewer.
    pub reviewer: u64,
    /// Turned down by the person's reviewer: nobody answered.
    pub turned_down: u64,
    /// Answered as recommended, because the person was away.
    pub away: u64,
}

/// One question key in one project.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct QuestionCounts {
    /// The key that makes it the same question over time.
    pub question_key: String,
    /// How the key was found.
    pub key_source: String,
    /// Its name in every verb: its text with `…` for what varies.
    #[serde(skip_deserializing)]
    pub name: String,
    /// The project's key.
    pub project: String,
    /// The text, as last asked in the period.
    pub question: String,
    /// The header, as last asked.
    pub header: Option<String>,
    /// The option labels, as last asked.
    #[serde(deserialize_with = "json")]
    pub options: Option<Vec<String>>,
    /// Whether an answer can be undone.
    pub door: Door,
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
    /// The share (0–1) of the person's answers that took the recommendation; `None` when none had
    /// one to take.
    pub agreement: Option<f64>,
    /// The answers `agreement` is a share of: those to a question with a recommendation.
    pub agreement_n: u64,
    /// The median of the person's time for an answer, in seconds, what they were away for left out; `None`
    /// without answers.
    pub median_seconds: Option<f64>,
    /// The label the person chose most often; `(typed)` for free text.
    pub top_answer: Option<String>,
    /// The share (0–1) of the person's answers that held it.
    pub top_answer_share: Option<f64>,
    /// When it was last asked.
    #[serde(with = "utc")]
    pub last_at: DateTime<Utc>,
    /// How often it came up in each part of the timeline; empty if that was not asked for.
    #[serde(skip_deserializing)]
    pub over_time: Vec<u64>,
    /// The person's answers in the period, the most frequent first; empty if that was not asked for.
    #[serde(skip_deserializing)]
    pub answers: Vec<AnswerCount>,
}

/// An answer and how often the person gave it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AnswerCount {
    /// The label without marks, or `(typed)` or `(noted)`.
    pub answer: String,
    /// How often.
    pub times: u64,
}

/// One session kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SessionKindCounts {
    /// `interactive`, `headless` or `spawned`.
    pub session_kind: String,
    /// Distinct sessions that had a question.
    pub sessions: u64,
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
}

/// One kind of failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ErrorKind {
    /// The kind's name.
    pub error_kind: String,
    /// How often.
    pub times: u64,
}

/// The whole report.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// After how many seconds without an answer the person is held to be away.
    pub away_after_seconds: f64,
    /// The period's sums.
    pub totals: Totals,
    /// The day of the first question, where it lies within the period before, which then is no fair comparison.
    pub history_begins: Option<NaiveDate>,
    /// The sums of the period before; zeros when it had no question.
    pub previous: Totals,
    /// The period in parts.
    pub timeline: Timeline,
    /// Who asks most, where that is worth a sentence.
    #[serde(skip)]
    pub asks_most: Option<AsksMost>,
    /// Whose calls Claude Code rejected most, where that is worth a sentence.
    #[serde(skip)]
    pub rejected_calls: Option<RejectedCalls>,
    /// The period's questions, the most frequent first.
    pub questions: Vec<QuestionCounts>,
    /// How many questions the period has, listed or not.
    #[serde(skip)]
    pub question_keys: u64,
    /// Of these, how many came up once.
    pub asked_once: u64,
    /// True where one of `questions` came up in several projects, even if only one of them is listed.
    #[serde(skip)]
    pub in_several_projects: bool,
    /// The names of the period's questions, where they are not those that they were logged under.
    #[serde(skip)]
    pub renamed: RenamedQuestions,
    /// By session kind, the most frequent first.
    pub session_kinds: Vec<SessionKindCounts>,
    /// By kind of failure, the most frequent first.
    pub errors: Vec<ErrorKind>,
    /// Lines of the period that could not become events.
    pub quarantined: u64,
    /// The last day with a question or a permission prompt, looked up only when the period has none.
    #[serde(skip)]
    pub last_day: Option<NaiveDate>,
    /// The period's permission prompts; zeros when none was ever logged.
    pub permissions: Permissions,
    /// True when anything about permissions was ever logged.
    #[serde(skip)]
    pub has_permissions: bool,
}

/// The questions of a period in groups.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QuestionGroups {
    /// The grouping.
    pub by: GroupKey,
    /// The groups, the most frequent first; days of the week in their order.
    pub groups: Vec<QuestionGroup>,
}

/// The questions that have a name in common; counts and times as in [`Totals`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct QuestionGroup {
    /// The name; `None` for those without one.
    pub name: Option<String>,
    /// All questions.
    pub questions: u64,
    /// Asked of the person.
    pub asked: u64,
    /// Answered by the person.
    pub answered: u64,
    /// Decided without the person.
    pub auto_decided: u64,
    /// Of the answered ones, those with an answer of the person's own words.
    pub typed: u64,
    /// Asked, and left without an answer.
    pub dismissed: u64,
    /// Could not be asked, or the answer was lost.
    pub failed: u64,
    /// Asked so lately that an answer may still come.
    pub open: u64,
    /// The time that the person spent answering, in seconds.
    pub human_seconds: f64,
    /// Its median for an answer, in seconds; `None` without answers.
    pub median_seconds: Option<f64>,
    /// The answers that the person was away for.
    pub away_answers: u64,
    /// The time until these, in seconds.
    pub away_seconds: f64,
    /// The time that agents stood waiting, in seconds: each question's share of its call's.
    pub waiting_seconds: f64,
    /// Of it, in seconds, the waits while the person was away.
    pub waiting_away_seconds: f64,
}

/// From how many questions, or rejected calls, on one asker is worth a sentence.
const LEAST: u64 = 5;
const LEAST_REJECTED: u64 = 2;

/// The questions of one command, skill, plugin or sub-agent in one project.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub(super) struct AskerCounts {
    pub(super) project: String,
    pub(super) asker: Option<String>,
    /// Questions that the person was asked.
    pub(super) asked: u64,
    /// Calls that Claude Code rejected, as they were not what its question tool takes.
    pub(super) rejected: u64,
}

/// The one that asks most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AsksMost {
    /// Its name.
    pub asker: String,
    /// The project that the counts are of; `None` for all that were reported on.
    pub project: Option<String>,
    /// Its questions.
    pub asked: u64,
    /// All questions.
    pub of: u64,
}

/// The one whose calls were rejected most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RejectedCalls {
    /// Its name.
    pub asker: String,
    /// How many calls.
    pub calls: u64,
}

/// The asker of most questions, if it asks a quarter of all; or half of those of one project, where it asks nine of ten of
/// its own there.
pub(super) fn asks_most(found: &[AskerCounts]) -> Option<AsksMost> {
    let (asker, mine) = most(found, |one| one.asked)?;
    let asked = sum(&mine, |one| one.asked);
    let everybody: Vec<&AskerCounts> = found.iter().collect();
    let projects: BTreeSet<&str> = found.iter().map(|one| one.project.as_str()).collect();
    let home = mine.iter().max_by_key(|one| one.asked)?;
    if projects.len() > 1 && home.asked >= LEAST && 10 * home.asked >= 9 * asked {
        let there = found.iter().filter(|one| one.project == home.project);
        let of = sum(&there.collect::<Vec<_>>(), |one| one.asked);
        if 2 * home.asked >= of {
            return Some(AsksMost {
                asker,
                project: Some(home.project.clone()),
                asked: home.asked,
                of,
            });
        }
    }
    let of = sum(&everybody, |one| one.asked);
    (asked >= LEAST && 4 * asked >= of).then_some(AsksMost {
        asker,
        project: None,
        asked,
        of,
    })
}

/// The one whose calls were rejected most, from two on.
pub(super) fn rejected_most(found: &[AskerCounts]) -> Option<RejectedCalls> {
    let (asker, mine) = most(found, |one| one.rejected)?;
    let calls = sum(&mine, |one| one.rejected);
    (calls >= LEAST_REJECTED).then_some(RejectedCalls { asker, calls })
}

fn sum(of: &[&AskerCounts], count: fn(&AskerCounts) -> u64) -> u64 {
    of.iter().map(|one| count(one)).sum()
}

/// The name of the asker with the highest sum of `count`, and its counts. A skill and the command of its name are one
/// asker, which has the command's name.
fn most(
    found: &[AskerCounts],
    count: fn(&AskerCounts) -> u64,
) -> Option<(String, Vec<&AskerCounts>)> {
    let mut askers: BTreeMap<&str, Vec<&AskerCounts>> = BTreeMap::new();
    for one in found {
        if let Some(asker) = one.asker.as_deref() {
            askers.entry(bare(asker)).or_default().push(one);
        }
    }
    let mine = askers.into_values().max_by_key(|mine| sum(mine, count))?;
    let name = mine.iter().filter_map(|one| one.asker.as_ref()).min()?;
    Some((name.clone(), mine))
}

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
    pub parts: Vec<TimelinePart>,
}

/// One part of a period; counts as in [`super::Totals`].
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TimelinePart {
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
    /// Permission prompts.
    pub prompts: u64,
}

impl Timeline {
    /// The empty parts of `days`. A period of more than half a year begins with the first of the days `active` on
    /// which anything came, and ends with the last.
    pub(super) fn of(days: DayRange, active: Option<DayRange>) -> Self {
        let length = |days: DayRange| (days.end - days.start).num_days() + 1;
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
        let parts = starts
            .take_while(|day| *day <= days.end)
            .map(|start| TimelinePart {
                start,
                ..TimelinePart::default()
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
    pub(super) fn part(&mut self, day: NaiveDate) -> Option<&mut TimelinePart> {
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

/// An hour of the week, and how many questions the person was asked in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Hour {
    /// The day of the week in the person's time zone, 1 (Monday) to 7.
    pub weekday: u32,
    /// The hour of that day, 0 to 23.
    pub hour: u32,
    /// How many.
    pub asked: u64,
}

/// How long the person took for their answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AnsweringTimes {
    /// The answers of which it is known.
    pub answers: u64,
    /// How many of these the person was away for: they are in `bins` alone.
    pub away_answers: u64,
    /// The median in seconds; `None` without answers.
    pub median_seconds: Option<f64>,
    /// The seconds that nine of ten answers took at most.
    pub p90_seconds: Option<f64>,
    /// The answers by how long they took, the shortest first, empty bins included.
    pub bins: Vec<TimeBin>,
}

/// The answers that took about as long.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimeBin {
    /// The least time in seconds.
    pub from: f64,
    /// The seconds that they took less than; `None` for any time.
    pub to: Option<f64>,
    /// How many answers.
    pub answers: u64,
}

/// Decisions without the person, by question and answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnsweredForYou {
    /// The key that makes it the same question over time.
    pub question_key: String,
    /// The project's key.
    pub project: String,
    /// The text, as last asked in the period.
    pub question: String,
    /// Its name.
    #[serde(skip_deserializing)]
    pub name: String,
    /// The labels that were answered, as sent; empty if the call was denied.
    #[serde(deserialize_with = "json")]
    pub answer: Vec<String>,
    /// The decider.
    pub decided_by: Decider,
    /// How often.
    pub times: u64,
    /// How often of these they took it back.
    pub undone: u64,
    /// When last.
    #[serde(with = "utc")]
    pub last_at: DateTime<Utc>,
}

/// What decided without the person: the names of `totals.auto_decided_by`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decider {
    /// A preference.
    Preferences,
    /// What the person had answered earlier in the session.
    Session,
    /// The person's reviewer, by an answer.
    Reviewer,
    /// The person's reviewer, who turned it down.
    TurnedDown,
    /// The recommendation, because the person was away.
    Away,
}

/// What the page and the JSON show beside the report: when people are asked, how long they take, and what was answered
/// for them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Details {
    /// When the person was asked in the period: the hours with a question, in order.
    pub hours: Vec<Hour>,
    /// How long they took in the period.
    pub answering_times: AnsweringTimes,
    /// The decisions without them in the period, the most frequent first.
    pub answered_for_you: Vec<AnsweredForYou>,
    /// The period's questions by project.
    pub projects: Vec<QuestionGroup>,
    /// The same by who asked.
    pub askers: Vec<QuestionGroup>,
}
