//! For `plantune report`: what was asked in a period, and how it went. Questions are read by day, so that the cost grows
//! with the period and not with the log.

mod rows;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use chrono::{DateTime, Datelike as _, NaiveDate, NaiveDateTime, TimeZone, Timelike, Utc};
use duckdb::params;
use plantune_domain::keys::KeySource;
use serde::Deserialize;

pub use self::rows::{
    AnswerCount, AnsweredForYou, AnsweringTimes, AsksMost, DecidedBy, Decider, Details, ErrorKind,
    Hour, QuestionCounts, QuestionGroup, QuestionGroups, RejectedCalls, Report, SessionKindCounts,
    TimeBin, Timeline, TimelinePart, Totals, Unit,
};
use self::rows::{asks_most, rejected_most};
use crate::habits::QuestionGrouping;
use crate::permissions::prompts::{Detail, Permissions};
pub use crate::request::{DayRange, GroupKey, RenamedQuestions, Request, week_name};
use crate::store::{AWAY_AFTER, Store, StoreError, any_utc, to_milliseconds};

impl Report {
    /// The report of a store that is not there: zeros and empty lists.
    pub fn empty(request: &Request<'_>) -> Self {
        Self {
            away_after_seconds: AWAY_AFTER,
            timeline: Timeline::of(request.period, None),
            permissions: no_permissions(request),
            ..Self::default()
        }
    }
}

impl Store {
    /// The report that `request` describes, in a fixed number of queries at most. `grouping` is called last, as another
    /// thread may still be computing it.
    ///
    /// # Errors
    /// DuckDB's, and those of `grouping`.
    pub fn report<'r>(
        &self,
        request: &Request<'_>,
        grouping: impl FnOnce() -> Result<QuestionGrouping<'r>, StoreError>,
    ) -> Result<Report, StoreError> {
        self.set_request(request)?;
        let tallies = Tallies {
            rows: self.rows(include_str!("../../sql/report/tally.sql"), [])?,
            open_from: request.open_from(),
        };
        let mut previous = tallies.totals(request.previous);
        let mut totals = tallies.totals(request.period);
        let mut sessions = BTreeMap::new();
        if tallies.has_questions(request.both_periods()) {
            let counts = self.rows(include_str!("../../sql/report/sessions.sql"), [])?;
            sessions.extend(counts);
            previous.sessions = of(&sessions, "previous");
            totals.sessions = of(&sessions, "current");
            self.define_waits()?;
            let waits = self.rows(include_str!("../../sql/report/waiting.sql"), [])?;
            for (is_current, seconds, away_seconds) in waits {
                let totals = if is_current {
                    &mut totals
                } else {
                    &mut previous
                };
                totals.waiting_seconds = seconds;
                totals.waiting_away_seconds = away_seconds;
            }
        }
        let askers = match totals.asked {
            0 => Vec::new(),
            _ => self.rows(include_str!("../../sql/report/askers.sql"), [])?,
        };
        let wrong: WentWrong = self.row(include_str!("../../sql/report/went_wrong.sql"), [])?;
        let last_day = match totals.questions {
            0 => self.last_day()?,
            _ => None,
        };
        let permissions = match wrong.has_permissions {
            true => Permissions {
                approvals_known_since: wrong.approvals_known_since,
                ..self.permissions(request)?
            },
            false => no_permissions(request),
        };
        let mut renamed = RenamedQuestions::default();
        if tallies.has_questions(request.both_periods()) {
            let grouping = grouping()?;
            renamed = RenamedQuestions::of(self.unmarked(&grouping)?, &grouping);
            self.set_renamed(&renamed)?;
            if previous.auto_decided + totals.auto_decided > 0 {
                [previous.seconds_saved, totals.seconds_saved] = self.seconds_saved(&grouping)?;
            }
        }
        let listed = match totals.questions {
            0 => ListedQuestions::default(),
            _ => self.questions(&renamed)?,
        };
        Ok(Report {
            away_after_seconds: self.away_after_seconds(),
            totals,
            history_begins: match previous.questions {
                0 => None,
                _ => self.history_begins(request)?,
            },
            previous,
            timeline: tallies.timeline(request.period, &permissions.by_day),
            asks_most: asks_most(&askers),
            rejected_calls: rejected_most(&askers),
            questions: listed.questions,
            question_keys: listed.keys,
            asked_once: listed.asked_once,
            in_several_projects: listed.in_several_projects,
            renamed,
            session_kinds: tallies.session_kinds(request.period, &sessions),
            errors: tallies.errors(request.period, wrong.hook_errors),
            quarantined: wrong.quarantined,
            last_day,
            permissions,
            has_permissions: wrong.has_permissions,
        })
    }

    /// The questions of the period that `request` describes, grouped `by`.
    ///
    /// # Errors
    /// The errors of DuckDB.
    pub fn report_by(
        &self,
        request: &Request<'_>,
        by: GroupKey,
    ) -> Result<QuestionGroups, StoreError> {
        self.set_request(request)?;
        self.define_waits()?;
        let sql = include_str!("../../sql/report/by.sql");
        let groups = self.rows(sql, [by.as_str()])?;
        Ok(QuestionGroups { by, groups })
    }

    /// Sets the variable `request` of the connection, which the queries of a report read.
    pub(crate) fn set_request(&self, request: &Request<'_>) -> Result<(), StoreError> {
        self.connection.execute(
            include_str!("../../sql/report/request.sql"),
            params![
                request.period.start,
                request.period.end,
                request.previous.start,
                request.previous.end,
                request.open_from(),
                request.project,
                request.limit.map_or(i64::MAX, i64::from),
            ],
        )?;
        Ok(())
    }

    /// The last day on which a question or a permission prompt came up, where the period of `request` has neither.
    ///
    /// # Errors
    /// The errors of DuckDB.
    pub fn latest(&self, request: &Request<'_>) -> Result<Option<NaiveDate>, StoreError> {
        match self.has_something(request)? {
            true => Ok(None),
            false => self.last_day(),
        }
    }

    /// The latest `weeks` weeks in which a question or a permission prompt came up, from their first Monday to the last
    /// such day, where the period of `request` has neither. Weeks without any lie between them.
    ///
    /// # Errors
    /// The errors of DuckDB.
    pub fn latest_weeks(
        &self,
        request: &Request<'_>,
        weeks: u32,
    ) -> Result<Option<DayRange>, StoreError> {
        if self.has_something(request)? {
            return Ok(None);
        }
        let sql = include_str!("../../sql/report/latest_weeks.sql");
        let (monday, last): (Option<NaiveDate>, Option<NaiveDate>) = self.row(sql, [weeks])?;
        let days = monday.zip(last);
        Ok(days.map(|(start, end)| DayRange { start, end }))
    }

    /// True where the period of `request` has a question or a permission prompt.
    fn has_something(&self, request: &Request<'_>) -> Result<bool, StoreError> {
        self.set_request(request)?;
        let any = |sql| Ok::<bool, StoreError>(self.row::<(bool,)>(sql, [])?.0);
        // Prompts take longer to find than questions.
        Ok(any(include_str!("../../sql/report/has_questions.sql"))?
            || any(include_str!("../../sql/report/has_prompts.sql"))?)
    }

    /// The last day on which anything came up in the request's project.
    fn last_day(&self) -> Result<Option<NaiveDate>, StoreError> {
        let (day,) = self.row(include_str!("../../sql/report/last_day.sql"), [])?;
        Ok(day)
    }

    /// Every project that had a question, in order.
    ///
    /// # Errors
    /// The errors of DuckDB.
    pub fn projects(&self) -> Result<Vec<String>, StoreError> {
        self.texts(include_str!("../../sql/report/projects.sql"))
    }

    /// How many questions came up in `project`, or in all of them.
    ///
    /// # Errors
    /// The errors of DuckDB.
    pub fn count_questions(&self, project: Option<&str>) -> Result<u64, StoreError> {
        let (count,) = self.row(include_str!("../../sql/questions/count.sql"), [project])?;
        Ok(count)
    }

    /// The keys of the questions asked most, at most a thousand.
    ///
    /// # Errors
    /// The errors of DuckDB.
    pub fn most_asked_keys(&self) -> Result<Vec<String>, StoreError> {
        self.texts(include_str!("../../sql/questions/most_asked.sql"))
    }

    /// The day of the first question of the request's project, where that lies in the middle of the period before.
    fn history_begins(&self, request: &Request<'_>) -> Result<Option<NaiveDate>, StoreError> {
        let sql = include_str!("../../sql/report/first_day.sql");
        let (first,) = self.row::<(Option<NaiveDate>,)>(sql, [])?;
        let days = request.previous;
        Ok(first.filter(|first| days.start < *first && *first <= days.end))
    }

    /// All questions of the period of `request`, each once over all projects, the most frequent first. `renamed` are
    /// their names in the report of the same period.
    ///
    /// # Errors
    /// The errors of DuckDB.
    pub fn questions_across(
        &self,
        request: &Request<'_>,
        renamed: &RenamedQuestions,
    ) -> Result<Vec<QuestionCounts>, StoreError> {
        self.set_request(&Request {
            limit: None,
            ..request.clone()
        })?;
        self.set_renamed(renamed)?;
        let sql = include_str!("../../sql/report/across.sql");
        self.connection.execute(sql, [true])?;
        let listed = self.questions(renamed);
        self.connection.execute(sql, [false])?;
        Ok(listed?.questions)
    }

    /// The listed questions, and how many there are in all.
    fn questions(&self, renamed: &RenamedQuestions) -> Result<ListedQuestions, StoreError> {
        let sql = include_str!("../../sql/report/questions.sql");
        let mut listed = ListedQuestions::default();
        for (mut question, of) in self.pairs::<QuestionCounts, ListCounts>(sql, [])? {
            listed.keys = of.keys;
            listed.asked_once = of.asked_once;
            listed.in_several_projects |= of.in_several_projects;
            question.name = renamed.called(&question.question_key, &question.question);
            if renamed.has(&question.question_key, &question.project) {
                KeySource::Registry
                    .as_str()
                    .clone_into(&mut question.key_source);
            }
            listed.questions.push(question);
        }
        Ok(listed)
    }
}

/// The period's questions as far as they are listed.
#[derive(Default)]
struct ListedQuestions {
    questions: Vec<QuestionCounts>,
    /// How many there are.
    keys: u64,
    /// Of these, how many came up once.
    asked_once: u64,
    /// True where one of them came up in another project too.
    in_several_projects: bool,
}

/// What each row of the list says beside the question: totals, and whether another project asked it.
#[derive(Deserialize)]
struct ListCounts {
    keys: u64,
    asked_once: u64,
    in_several_projects: bool,
}

/// Failures of the period, and whether there are permission prompts at all.
#[derive(Deserialize)]
struct WentWrong {
    /// How often the hook failed.
    hook_errors: u64,
    /// How many lines are no events.
    quarantined: u64,
    /// Whether anything about permissions was ever logged.
    has_permissions: bool,
    /// When the first approval was.
    #[serde(with = "any_utc")]
    approvals_known_since: Option<DateTime<Utc>>,
}

fn no_permissions(request: &Request<'_>) -> Permissions {
    Permissions {
        detail: request.prompts.then(Detail::default),
        ..Permissions::default()
    }
}

impl QuestionCounts {
    /// How often it came up, answered by whomever.
    pub fn times(&self) -> u64 {
        self.asked + self.auto_decided
    }
}

/// Questions of one day with the same session kind, the same end and the same kind of error.
#[derive(Deserialize)]
struct DayTally {
    day: NaiveDate,
    session_kind: String,
    became: Became,
    error_kind: Option<String>,
    questions: u64,
    calls: u64,
    human_seconds: f64,
    away_answers: u64,
    away_seconds: f64,
}

/// What became of a question (`tally.sql`): its outcome, or what decided without the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Became {
    Answered,
    Failed,
    Open,
    Dismissed,
    TimedOut,
    Preference,
    Session,
    Reviewer,
    TurnedDown,
    Away,
}

/// How many distinct sessions there were: `previous`, `current`, and by session kind (`sessions.sql`).
type Sessions = BTreeMap<String, u64>;

/// The counts of all days. An open question from before `open_from` counts as dismissed.
struct Tallies {
    rows: Vec<DayTally>,
    open_from: NaiveDate,
}

impl Tallies {
    /// True when a question came up in `days`.
    fn has_questions(&self, days: DayRange) -> bool {
        self.of(days).next().is_some()
    }

    /// The sums of `days`, but for sessions, waits and `seconds_saved`.
    fn totals(&self, days: DayRange) -> Totals {
        let mut totals = self.count(days, |_| ()).remove(&()).unwrap_or_default();
        totals.human_seconds = to_milliseconds(totals.human_seconds);
        totals.away_seconds = to_milliseconds(totals.away_seconds);
        totals
    }

    /// The parts of `days` with their questions, and with as many permission prompts as `prompts` has by day.
    fn timeline(&self, days: DayRange, prompts: &BTreeMap<NaiveDate, u64>) -> Timeline {
        let by_day = self.count(days, |tally| tally.day);
        let active = by_day.keys().chain(prompts.keys()).copied();
        let active = active.clone().min().zip(active.max());
        let active = active.map(|(start, end)| DayRange { start, end });
        let mut timeline = Timeline::of(days, active);
        for (day, counts) in by_day {
            if let Some(part) = timeline.part(day) {
                part.questions += counts.questions;
                part.asked += counts.asked;
                part.answered += counts.answered;
                part.auto_decided += counts.auto_decided;
                part.failed += counts.failed;
                part.dismissed += counts.dismissed;
                part.open += counts.open;
                part.human_seconds += counts.human_seconds;
            }
        }
        for (day, prompts) in prompts {
            if let Some(part) = timeline.part(*day) {
                part.prompts += prompts;
            }
        }
        for part in &mut timeline.parts {
            part.human_seconds = to_milliseconds(part.human_seconds);
        }
        timeline
    }

    /// The session kinds of `days`, the most frequent first.
    fn session_kinds(&self, days: DayRange, sessions: &Sessions) -> Vec<SessionKindCounts> {
        let kinds = self.count(days, |tally| tally.session_kind.as_str());
        let mut kinds: Vec<SessionKindCounts> = kinds
            .into_iter()
            .map(|(kind, counts)| SessionKindCounts {
                session_kind: kind.to_owned(),
                sessions: of(sessions, kind),
                questions: counts.questions,
                asked: counts.asked,
                answered: counts.answered,
                auto_decided: counts.auto_decided,
                failed: counts.failed,
                dismissed: counts.dismissed,
            })
            .collect();
        kinds.sort_by_key(|kind| std::cmp::Reverse(kind.questions));
        kinds
    }

    /// The failures of `days` by kind, `hook_errors` of them the hook's own, the most frequent first.
    fn errors(&self, days: DayRange, hook_errors: u64) -> Vec<ErrorKind> {
        let mut times: BTreeMap<&str, u64> = BTreeMap::new();
        for tally in self.of(days) {
            if let Some(kind) = &tally.error_kind {
                *times.entry(kind).or_default() += tally.questions;
            }
        }
        if hook_errors > 0 {
            times.insert("hook", hook_errors);
        }
        let errors = times.into_iter().map(|(kind, times)| ErrorKind {
            error_kind: kind.to_owned(),
            times,
        });
        let mut errors: Vec<ErrorKind> = errors.collect();
        errors.sort_by_key(|error| std::cmp::Reverse(error.times));
        errors
    }

    fn of(&self, days: DayRange) -> impl Iterator<Item = &DayTally> {
        self.rows
            .iter()
            .filter(move |tally| (days.start..=days.end).contains(&tally.day))
    }

    fn count<'t, K: Ord>(
        &'t self,
        days: DayRange,
        key: impl Fn(&'t DayTally) -> K,
    ) -> BTreeMap<K, Totals> {
        let mut counts: BTreeMap<K, Totals> = BTreeMap::new();
        for tally in self.of(days) {
            let counts = counts.entry(key(tally)).or_default();
            counts.calls += tally.calls;
            counts.human_seconds += tally.human_seconds;
            counts.away_answers += tally.away_answers;
            counts.away_seconds += tally.away_seconds;
            counts.questions += tally.questions;
            let by = &mut counts.auto_decided_by;
            let (asked, decided) = (&mut counts.asked, &mut counts.auto_decided);
            let (all, one) = match tally.became {
                Became::Answered => (asked, &mut counts.answered),
                Became::Failed => (asked, &mut counts.failed),
                Became::Open if tally.day >= self.open_from => (asked, &mut counts.open),
                Became::Open | Became::Dismissed | Became::TimedOut => {
                    (asked, &mut counts.dismissed)
                }
                Became::Preference => (decided, &mut by.preferences),
                Became::Session => (decided, &mut by.session),
                Became::Reviewer => (decided, &mut by.reviewer),
                Became::TurnedDown => (decided, &mut by.turned_down),
                Became::Away => (decided, &mut by.away),
            };
            *all += tally.questions;
            *one += tally.questions;
            if tally.became == Became::TimedOut {
                counts.timed_out += tally.questions;
            }
        }
        counts
    }
}

/// The number of sessions under `what`.
fn of(sessions: &Sessions, what: &str) -> u64 {
    sessions.get(what).copied().unwrap_or_default()
}

impl Store {
    /// The seconds saved in the period before and in the period, to the millisecond. Each decision saves the median of
    /// the person's own times for its question, over their latest answers in its project, else in every project, else 0.
    /// Needs [`Store::set_renamed`] first.
    ///
    /// # Errors
    /// The errors of DuckDB.
    fn seconds_saved(&self, grouping: &QuestionGrouping<'_>) -> Result<[f64; 2], StoreError> {
        let logged_as = serde_json::to_string(grouping.logged_as()).unwrap_or_default();
        let sql = "SET VARIABLE logged_as = $1::VARCHAR";
        self.connection.execute(sql, [logged_as])?;
        let mut saved = [0.0; 2];
        let sql = include_str!("../../sql/report/saved.sql");
        for (is_current, seconds) in self.rows::<(bool, f64)>(sql, [])? {
            let [before, now] = &mut saved;
            *(if is_current { now } else { before }) = to_milliseconds(seconds);
        }
        Ok(saved)
    }
}

impl Store {
    /// The details of `report`, which `request` describes and whose questions are `renamed`. Its questions get their course
    /// over time and their answers. Hours are those of `zone`, in whose days the store counts.
    ///
    /// # Errors
    /// The errors of DuckDB.
    pub fn report_details(
        &self,
        request: &Request<'_>,
        renamed: &RenamedQuestions,
        report: &mut Report,
        zone: &impl TimeZone,
    ) -> Result<Details, StoreError> {
        self.set_request(request)?;
        self.set_renamed(renamed)?;
        self.add_course_and_answers(report)?;
        let sql = include_str!("../../sql/page/answered_for_you.sql");
        let mut answered_for_you: Vec<AnsweredForYou> = self.rows(sql, [])?;
        for one in &mut answered_for_you {
            one.name = renamed.called(&one.question_key, &one.question);
        }
        Ok(Details {
            hours: by_hour(
                &self.rows(include_str!("../../sql/page/asked_at.sql"), [])?,
                zone,
            ),
            answering_times: self.row(include_str!("../../sql/page/answering_times.sql"), [])?,
            answered_for_you,
            projects: self.report_by(request, GroupKey::Project)?.groups,
            askers: self.report_by(request, GroupKey::Asker)?.groups,
        })
    }

    /// Adds to each question of `report` how often it came up in each part of the timeline, and the person's answers.
    fn add_course_and_answers(&self, report: &mut Report) -> Result<(), StoreError> {
        let Report {
            timeline,
            questions,
            ..
        } = report;
        let mut listed: BTreeMap<(String, String), &mut QuestionCounts> = questions
            .iter_mut()
            .map(|one| ((one.question_key.clone(), one.project.clone()), one))
            .collect();
        let sql = include_str!("../../sql/page/question_days.sql");
        for (key, project, day, times) in self.rows::<(_, _, NaiveDate, u64)>(sql, [])? {
            if let Some(question) = listed.get_mut(&(key, project)) {
                question.over_time.resize(timeline.parts.len(), 0);
                let part = timeline.place(day);
                if let Some(part) = part.and_then(|part| question.over_time.get_mut(part)) {
                    *part += times;
                }
            }
        }
        let sql = include_str!("../../sql/page/question_answers.sql");
        for (key, project, answer, times) in self.rows(sql, [])? {
            if let Some(question) = listed.get_mut(&(key, project)) {
                question.answers.push(AnswerCount { answer, times });
            }
        }
        Ok(())
    }
}

/// Counts by quarters of an hour (UTC) as counts by hour of the week in `zone`.
fn by_hour(quarters: &[(NaiveDateTime, u64)], zone: &impl TimeZone) -> Vec<Hour> {
    let mut hours: BTreeMap<(u32, u32), u64> = BTreeMap::new();
    for (quarter, asked) in quarters {
        let local = zone.from_utc_datetime(quarter);
        let hour = (local.weekday().number_from_monday(), local.hour());
        *hours.entry(hour).or_default() += asked;
    }
    let hour = |((weekday, hour), asked)| Hour {
        weekday,
        hour,
        asked,
    };
    hours.into_iter().map(hour).collect()
}
