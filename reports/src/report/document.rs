//! The document that every format of the report shows: its heading, its sentences, and what could be answered for the
//! person.

use std::cmp::Reverse;

use chrono::{Datelike as _, NaiveDate, Weekday};
use plantune_domain::preferences::{Level, Scope};
use plantune_query::permissions::prompts::Detail;
use plantune_query::permissions::rules::Tighten;
use plantune_query::report::{
    DayRange, Details, GroupKey, QuestionCounts, QuestionGroups, Report, week_name,
};
use plantune_query::suggest::{RejectReason, Rejected, Suggestion, Suggestions};
use serde::Serialize;
use serde_json::Map;

use crate::humanize::counted;
use crate::standing::StandingPreference;
use crate::text::{clean, four_decimals, shell_word};

/// The report. Serialised, it is the document of `report --json` (docs/json.md), so its fields are frozen.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ReportDocument {
    /// The heading: period and scope.
    #[serde(rename = "period")]
    pub heading: Heading,
    /// The report of the store.
    #[serde(flatten)]
    pub report: Report,
    /// The sentences that sum up the period.
    pub summary: Vec<Sentence>,
    /// The sentences about what the person can change.
    pub stands_out: Vec<Sentence>,
    /// The same questions in groups, where that was asked for.
    #[serde(flatten)]
    pub groups: Option<QuestionGroups>,
    /// The details behind the pictures.
    #[serde(flatten)]
    pub details: Details,
    /// How many proposals would answer something; `None` when that is not known.
    pub suggestions_waiting: Option<u32>,
    /// The preferences that answer for the person, and how they stand.
    pub standing_preferences: Vec<StandingPreference>,
    /// The proposals of all levels; `None` when they are not known.
    pub proposals: Option<Vec<ReportedProposal>>,
    /// Questions that come up again and again and are not proposed, and why.
    pub not_proposed: Vec<NotProposed>,
    /// Until when the person is away (RFC 3339, UTC); `None` when they are not.
    pub away_until: Option<String>,
    /// The same, as a person reads it.
    #[serde(skip)]
    pub away: Option<String>,
    /// When it was made, in words, if that is to be shown.
    #[serde(skip)]
    pub made: Option<String>,
    /// The permission rules that are proposed.
    #[serde(skip)]
    pub rules: RuleSummary,
    /// The person's rules that could be narrower, or that no prompt needed.
    #[serde(skip)]
    pub own_rules: Vec<Tighten>,
    /// True where Claude Code could be told to notify the person, and is not.
    #[serde(skip)]
    pub can_notify: bool,
    /// True to list also what came up once.
    #[serde(skip)]
    pub lists_all: bool,
}

impl ReportDocument {
    /// The proposal by which some of the askings of `question` could be answered, and its number.
    pub(crate) fn proposal_of(
        &self,
        question: &QuestionCounts,
    ) -> Option<(usize, &ReportedProposal)> {
        let mut proposals = self.proposals.iter().flatten().enumerate();
        proposals.find(|(_, one)| {
            let project = one.project.as_ref();
            one.question_key == question.question_key
                && project.is_none_or(|project| *project == question.project)
        })
    }

    /// The period's figures in one line: `166 questions, 112 prompts: 26 Sep – 20 Nov 2026`.
    pub(crate) fn headline(&self) -> String {
        let (questions, prompts) = (self.report.totals.questions, self.report.permissions.asked);
        let questions = counted(questions, "question", "questions");
        let prompts = match prompts {
            0 => String::new(),
            prompts => format!(", {}", counted(prompts, "prompt", "prompts")),
        };
        let DayRange { start, end } = self.heading.period;
        let format = match start.year() == end.year() {
            true => "%-d %b",
            false => "%-d %b %Y",
        };
        let start = match start == end {
            true => String::new(),
            false => format!("{} – ", start.format(format)),
        };
        format!("{questions}{prompts}: {start}{}", end.format("%-d %b %Y"))
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

    /// True when the period has a question or a permission prompt.
    pub fn has_something(&self) -> bool {
        self.report.totals.questions > 0 || self.report.permissions.asked > 0
    }

    /// True when nothing was ever logged.
    pub fn is_empty(&self) -> bool {
        !(self.has_something() || self.report.last_day.is_some() || self.report.has_permissions)
    }

    /// The names of projects in it, so that they can be shortened.
    pub fn project_names(&mut self) -> Vec<&mut String> {
        let report = &mut self.report;
        let questions = report.questions.iter_mut();
        let mut names: Vec<&mut String> = questions.map(|one| &mut one.project).collect();
        let prompts = report.permissions.detail.iter_mut();
        names.extend(prompts.flat_map(Detail::projects));
        let asked_for = self
            .groups
            .iter_mut()
            .filter(|one| one.by == GroupKey::Project);
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

/// A sentence. Serialised, it is an entry of `summary` or `stands_out` in `report --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sentence {
    /// Its subject.
    pub kind: SentenceKind,
    /// The sentence.
    pub text: String,
    /// Its figures by name.
    pub figures: Map<String, serde_json::Value>,
    /// Whom or what it names: an asker, a project, a question.
    pub about: Map<String, serde_json::Value>,
    /// The command that shows more, or does something about it.
    pub show: Option<String>,
    /// The pieces of `text`.
    #[serde(skip)]
    pub(crate) pieces: Vec<Piece>,
}

/// What a sentence is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SentenceKind {
    /// How often agents stopped for the person, and for how long.
    Stopped,
    /// Questions that were answered for the person.
    AnsweredForYou,
    /// Questions that the person's reviewer turned down.
    TurnedDown,
    /// Questions without an answer.
    Unanswered,
    /// Who asks most.
    AsksMost,
    /// What could be answered for the person from now on.
    CouldBeAnswered,
    /// Agents waited while the person was away.
    NobodyThere,
    /// The habit that takes most time.
    AskedAgain,
    /// Whose calls were malformed.
    RejectedCalls,
}

/// A piece of a sentence.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Piece {
    /// Words of plantune's own.
    Words(&'static str),
    /// The text from outside of this name, cut but not yet made safe.
    Text(&'static str, String),
    /// The period of this name in words.
    Date(&'static str, String),
    /// The figure of this name, a count.
    Count(&'static str, u64),
    /// The figure of this name, a time in seconds.
    Seconds(&'static str, f64),
    /// The figure of this name, how often in a week.
    Weekly(&'static str, f64),
}

/// Permission rules that are proposed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RuleSummary {
    /// How many.
    pub rules: u64,
    /// How many prompts a week they would spare.
    pub prompts_per_week: f64,
    /// The subjects of these prompts.
    pub subjects: Vec<String>,
}

/// A proposal with its evidence. Serialised, it is an entry of `report --json`, its fields named as in
/// `suggest --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReportedProposal {
    /// The question.
    pub question_key: String,
    /// Its name.
    pub question: String,
    /// How far it goes.
    pub level: Level,
    /// Where it would hold.
    pub scope: Scope,
    /// The project; `None` everywhere.
    pub project: Option<String>,
    /// The label; `None` for the recommended one.
    pub answer: Option<String>,
    /// The share (0–1) of askings in which this is what the person would say, at least.
    pub confidence: f64,
    /// The expected share (0–1).
    pub expected: f64,
    /// The answers it rests on.
    pub evidence: EvidenceCounts,
    /// How often it is asked in a week, of late.
    pub asked_per_week: f64,
    /// Seconds of the person's time that are spent on it in a week.
    pub seconds_saved_per_week: f64,
}

/// The answers that a proposal rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct EvidenceCounts {
    /// How many.
    pub answers: u64,
    /// Of these, those that the proposal would have given.
    pub agreed: u64,
}

/// A question that comes up again and again and is not proposed. Serialised, it is an entry of `report --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NotProposed {
    /// The question.
    pub question_key: String,
    /// Its name.
    pub question: String,
    /// The project.
    pub project: String,
    /// The answers that were looked at.
    pub answers: u64,
    /// Of these, those that were the same.
    pub agreed: u64,
    /// Why not, in words.
    pub why: String,
}

/// How many answers a question that is not proposed must have to be shown, and how many such questions are shown.
const LEAST_ANSWERS: usize = 3;
const MOST_NOT_PROPOSED: usize = 12;

/// The questions of `found` that are answered often and not proposed, the most frequent first.
pub fn not_proposed(found: &Suggestions) -> Vec<NotProposed> {
    let recurs = |one: &&Rejected| {
        one.evidence.answers >= LEAST_ANSWERS && one.reason != RejectReason::PreferenceInForce
    };
    let mut recurring: Vec<&Rejected> = found.rejected.iter().filter(recurs).collect();
    recurring.sort_by_key(|one| Reverse(one.evidence.answers));
    let recurring = recurring.into_iter().take(MOST_NOT_PROPOSED);
    recurring
        .map(|one| NotProposed {
            question_key: one.asked.question_key.clone(),
            question: one.asked.name.clone(),
            project: one.asked.project.clone(),
            answers: count(one.evidence.answers),
            agreed: count(one.evidence.agreed),
            why: one.reason.to_string(),
        })
        .collect()
}

/// The proposals among `found`.
pub fn proposals(found: &Suggestions) -> Vec<ReportedProposal> {
    found
        .suggestions
        .iter()
        .map(ReportedProposal::from)
        .collect()
}

impl From<&Suggestion> for ReportedProposal {
    fn from(suggestion: &Suggestion) -> Self {
        let asked = &suggestion.asked;
        Self {
            question_key: asked.question_key.clone(),
            question: asked.name.clone(),
            level: suggestion.level,
            scope: suggestion.scope(),
            project: suggestion.project().map(str::to_owned),
            answer: suggestion.answer.clone(),
            confidence: four_decimals(suggestion.confidence),
            expected: four_decimals(suggestion.expected),
            evidence: EvidenceCounts {
                answers: count(suggestion.evidence.answers),
                agreed: count(suggestion.evidence.agreed),
            },
            asked_per_week: four_decimals(suggestion.asked_per_week),
            seconds_saved_per_week: four_decimals(suggestion.seconds_saved_per_week),
        }
    }
}

fn count(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

/// How a period was chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PeriodKind {
    /// The last seven days.
    #[default]
    LastDays,
    /// The latest seven days in which something came up, because in the last seven nothing did.
    Latest,
    /// The latest weeks in which something came up, because in the last eight nothing did.
    LatestWeeks,
    /// A calendar week.
    Week,
    /// A calendar month.
    Month,
    /// Days that the person named.
    Range,
}

/// The period and scope of a report; serialised, its period and the zone of its days.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Heading {
    /// The period.
    #[serde(flatten)]
    pub period: DayRange,
    /// The period it is compared with.
    #[serde(skip)]
    pub previous: DayRange,
    /// How the period was chosen.
    #[serde(skip)]
    pub span: PeriodKind,
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
            PeriodKind::LastDays => format!("Last 7 days, {days}"),
            PeriodKind::Latest => format!("Nothing in the last 7 days. Before that: {days}"),
            PeriodKind::LatestWeeks => {
                format!("Nothing in the last eight weeks. Before that: {days}")
            }
            PeriodKind::Week => format!("{}, {days}", week_name(self.period.start)),
            PeriodKind::Month => self.period.start.format("%B %Y").to_string(),
            PeriodKind::Range => days,
        };
        format!("{title}{}, {}", self.so_far(), self.time_zone)
    }

    /// The words for a week or a month that is not over; other periods end today or before.
    fn so_far(&self) -> &'static str {
        match self.running && matches!(self.span, PeriodKind::Week | PeriodKind::Month) {
            true => " so far",
            false => "",
        }
    }

    /// The title of the comparison: `Compared with Sat 7 – Fri 13 Nov 2026`. Of a week or a month that is not over it
    /// says that as many days are compared.
    pub(crate) fn compared_with(&self) -> String {
        let days = days(self.previous);
        match self.span {
            PeriodKind::Week if self.running => {
                format!("Compared with the same days of the week before: {days}")
            }
            PeriodKind::Month if self.running => {
                format!("Compared with the same days of the month before: {days}")
            }
            _ => format!("Compared with {days}"),
        }
    }

    /// The command that shows this report.
    pub fn command(&self) -> String {
        let mut command = "plantune report".to_owned();
        let DayRange { start, end } = self.period;
        match self.span {
            PeriodKind::LastDays => {}
            PeriodKind::Week => command += &format!(" --week {}", week_name(start)),
            PeriodKind::Month => command += &start.format(" --month %Y-%m").to_string(),
            PeriodKind::Latest | PeriodKind::LatestWeeks | PeriodKind::Range => {
                command += &format!(" --since {start} --until {end}");
            }
        }
        if let Some(project) = &self.project {
            command += &format!(" --project {}", shell_word(&clean(project)));
        }
        command
    }

    /// The command that lists those questions of the period that were asked and for which `condition` holds.
    pub(super) fn asked(&self, condition: &str) -> String {
        let DayRange { start, end } = self.period;
        let mut statement = format!(
            "SELECT asked_at, question, answer FROM questions WHERE outcome <> 'auto_decided' AND {condition} \
             AND day BETWEEN '{start}' AND '{end}'"
        );
        if let Some(project) = &self.project {
            statement += &format!(" AND project = {}", literal(project));
        }
        format!("plantune sql {}", shell_text(&statement))
    }

    /// The period as the end of a sentence: `in the last seven days`. A period that starts before anything was logged is
    /// said to start on the day that the log `begins`.
    pub(super) fn when(&self, begins: Option<NaiveDate>) -> String {
        let start = begins.map_or(self.period.start, |day| day.max(self.period.start));
        let length = (self.period.end - start).num_days() + 1;
        match (self.span, length) {
            (PeriodKind::LastDays, _) => "in the last seven days".to_owned(),
            (PeriodKind::Latest, _) => "in these seven days".to_owned(),
            (PeriodKind::LatestWeeks, ..=7) => "in this week".to_owned(),
            (PeriodKind::LatestWeeks, days) => format!("in these {} weeks", (days + 6) / 7),
            (PeriodKind::Week, _) if self.running => "this week".to_owned(),
            (PeriodKind::Week, _) => format!("in {}", week_name(self.period.start)),
            (PeriodKind::Month, _) if self.running => "this month".to_owned(),
            (PeriodKind::Month, _) => self.period.start.format("in %B %Y").to_string(),
            (PeriodKind::Range, 1) => format!("on {}", day(self.period.end)),
            // Eight weeks, of which the last is not over.
            (PeriodKind::Range, 50..=56) if self.running && start.weekday() == Weekday::Mon => {
                "in eight weeks".to_owned()
            }
            (PeriodKind::Range, days) if self.running => format!("in the last {days} days"),
            (PeriodKind::Range, _) => {
                let days = days(DayRange {
                    start,
                    ..self.period
                });
                format!("from {}", days.replacen('–', "to", 1))
            }
        }
    }
}

/// `text` as a literal of SQL.
fn literal(text: &str) -> String {
    format!("'{}'", clean(text).replace('\'', "''"))
}

/// `text` as one word of a shell. It stands in double quotes, which keep a statement readable, unless something in it has
/// a meaning there.
fn shell_text(text: &str) -> String {
    match text.contains(['"', '$', '`', '\\', '!']) {
        true => shell_word(text),
        false => format!("\"{text}\""),
    }
}

/// `Mon 16 – Sun 22 Nov 2026`; month and year also at the start where they differ.
pub(super) fn days(days: DayRange) -> String {
    let DayRange { start, end } = days;
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
            let period = DayRange {
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
            period: DayRange {
                start: day(start),
                end: day("2026-11-27"),
            },
            span: PeriodKind::Range,
            ..Heading::default()
        };
        let words = |start, begins: &str| heading(start).when(Some(day(begins)));
        assert_eq!(
            words("2020-01-01", "2026-03-01"),
            "from Sun 1 Mar to Fri 27 Nov 2026"
        );
        assert_eq!(words("2020-01-01", "2026-11-27"), "on Fri 27 Nov 2026");
        let running = |start: &str| Heading {
            running: true,
            ..heading(start)
        };
        assert_eq!(running("2026-11-01").when(None), "in the last 27 days");
        assert_eq!(running("2026-10-05").when(None), "in eight weeks");
        assert_eq!(running("2026-10-06").when(None), "in the last 53 days");
    }
}
