//! Behind `plantune report`: what was asked in a period, and how it went. Questions are read by day, so
//! that the cost follows the period and not the log.

mod askers;
mod by;
pub(crate) mod renamed;
mod rows;
mod saved;
mod tally;
mod timeline;

use std::cmp::Reverse;

use chrono::{DateTime, NaiveDate, Utc};
use duckdb::types::Value;
use duckdb::{Row, params};

use crate::families::{Grouping, Name, template_text};
use crate::labels::labels_if_any;
pub use crate::period::{Days, Request, week_name};
use crate::permissions::prompts::{Detail, Permissions};
use crate::store::{AWAY_AFTER, Error, Store};

pub use askers::{AsksMost, RejectedCalls};
use askers::{asks_most, rejected_most};
pub use by::{By, Group, Groups};
pub use renamed::Renamed;
pub use rows::{
    AnswerCount, DecidedBy, ErrorKind, QuestionCounts, Report, SessionKindCounts, Totals,
};
use tally::{Sessions, Tallies, Tally, Waiting};
pub use timeline::{Part, Timeline, Unit};

impl Report {
    /// The report of a store that is not there: zeros and empty lists.
    pub fn empty(request: &Request<'_>) -> Self {
        Self {
            away_after_seconds: AWAY_AFTER,
            totals: Totals::default(),
            previous: Totals::default(),
            history_begins: None,
            timeline: Timeline::of(request.period, None),
            asks_most: None,
            rejected_calls: None,
            questions: Vec::new(),
            question_keys: 0,
            asked_once: 0,
            renamed: Renamed::default(),
            session_kinds: Vec::new(),
            errors: Vec::new(),
            quarantined: 0,
            last_day: None,
            permissions: no_permissions(request),
            has_permissions: false,
        }
    }
}

impl Store {
    /// The report that `request` describes, in a fixed number of queries at most. What is one question is
    /// asked of `grouping` last: another thread may still be at it.
    ///
    /// # Errors
    /// DuckDB's, and those of `grouping`.
    pub fn report<'r>(
        &self,
        request: &Request<'_>,
        grouping: impl FnOnce() -> Result<Grouping<'r>, Error>,
    ) -> Result<Report, Error> {
        self.set_request(request)?;
        let tallies = self.tallies(request)?;
        let (sessions, [before, now]) = match tallies.has_questions(request.both_periods()) {
            true => (self.sessions()?, self.waiting()?),
            false => (Sessions::default(), [Waiting::default(); 2]),
        };
        let mut previous = tallies.totals(request.previous, sessions.previous, before);
        let mut totals = tallies.totals(request.period, sessions.current, now);
        if previous.auto_decided + totals.auto_decided > 0 {
            [previous.seconds_saved, totals.seconds_saved] = self.seconds_saved()?;
        }
        let askers = match totals.asked {
            0 => Vec::new(),
            _ => self.askers()?,
        };
        let wrong = self.went_wrong()?;
        let last_day = if totals.questions == 0 {
            self.last_day()?
        } else {
            None
        };
        let permissions = match wrong.has_permissions {
            true => Permissions {
                approvals_known_since: wrong.approvals_known_since,
                ..self.permissions(request)?
            },
            false => no_permissions(request),
        };
        let renamed = match tallies.has_questions(request.both_periods()) {
            true => Renamed::of(self.unmarked()?, &grouping()?),
            false => Renamed::default(),
        };
        let listed = match totals.questions {
            0 => Listed::default(),
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
            renamed,
            session_kinds: tallies.session_kinds(request.period, sessions),
            errors: tallies.errors(request.period, wrong.hook_errors),
            quarantined: wrong.quarantined,
            last_day,
            permissions,
            has_permissions: wrong.has_permissions,
        })
    }

    /// Sets the variable `request` of the connection, which the queries of a report read.
    pub(crate) fn set_request(&self, request: &Request<'_>) -> Result<(), Error> {
        self.connection.execute(
            include_str!("../sql/report/request.sql"),
            params![
                request.period.start,
                request.period.end,
                request.previous.start,
                request.open_from(),
                request.project,
                request.limit.map_or(i64::MAX, i64::from),
            ],
        )?;
        Ok(())
    }

    /// Every project that had a question, in order.
    ///
    /// # Errors
    /// DuckDB's.
    pub fn projects(&self) -> Result<Vec<String>, Error> {
        self.rows(include_str!("../sql/report/projects.sql"), [], |row| {
            row.get("project")
        })
    }

    /// The keys of the questions asked most, at most a thousand.
    ///
    /// # Errors
    /// DuckDB's.
    pub fn most_asked_keys(&self) -> Result<Vec<String>, Error> {
        self.rows(include_str!("../sql/questions/most_asked.sql"), [], |row| {
            row.get("question_key")
        })
    }

    /// The day of the first question of the request's project, where that lies in the middle of the period before.
    fn history_begins(&self, request: &Request<'_>) -> Result<Option<NaiveDate>, Error> {
        let sql = include_str!("../sql/report/first_day.sql");
        let first: Option<NaiveDate> = self.connection.query_row(sql, [], |row| row.get(0))?;
        let days = request.previous;
        Ok(first.filter(|first| days.start < *first && *first <= days.end))
    }

    /// The last day with anything of the request's project; `None` without any.
    fn last_day(&self) -> Result<Option<NaiveDate>, Error> {
        let sql = include_str!("../sql/report/last_day.sql");
        Ok(self.connection.query_row(sql, [], |row| row.get(0))?)
    }

    /// The questions of both periods, counted by day.
    fn tallies(&self, request: &Request<'_>) -> Result<Tallies, Error> {
        let rows = self.rows(include_str!("../sql/report/tally.sql"), [], |row| {
            Ok(Tally {
                day: row.get("day")?,
                session_kind: row.get("session_kind")?,
                became: row.get("became")?,
                error_kind: row.get("error_kind")?,
                questions: row.get("questions")?,
                calls: row.get("calls")?,
                human_seconds: row.get("human_seconds")?,
                away_answers: row.get("away_answers")?,
                away_seconds: row.get("away_seconds")?,
            })
        })?;
        let open_from = request.open_from();
        Ok(Tallies { rows, open_from })
    }

    fn sessions(&self) -> Result<Sessions, Error> {
        let sql = include_str!("../sql/report/sessions.sql");
        Ok(self.connection.query_row(sql, [], |row| {
            Ok(Sessions {
                previous: row.get("previous")?,
                current: row.get("current")?,
                interactive: row.get("interactive")?,
                headless: row.get("headless")?,
                spawned: row.get("spawned")?,
                unknown: row.get("unknown")?,
            })
        })?)
    }

    /// How long agents waited in the period before, and in the period.
    fn waiting(&self) -> Result<[Waiting; 2], Error> {
        self.define_waits()?;
        let mut waiting = [Waiting::default(); 2];
        self.rows(include_str!("../sql/report/waiting.sql"), [], |row| {
            let is_current: bool = row.get("is_current")?;
            let [before, now] = &mut waiting;
            *(if is_current { now } else { before }) = Waiting {
                seconds: row.get("waiting_seconds")?,
                away_seconds: row.get("away_seconds")?,
            };
            Ok(())
        })?;
        Ok(waiting)
    }

    /// The listed questions, and how many there are in all.
    fn questions(&self, renamed: &Renamed) -> Result<Listed, Error> {
        self.set_renamed(renamed)?;
        let mut listed = Listed::default();
        listed.questions = self.rows(include_str!("../sql/report/questions.sql"), [], |row| {
            listed.keys = row.get("keys")?;
            listed.asked_once = row.get("asked_once")?;
            let mut question = question(row)?;
            if let Some(name) = renamed.name(&question.question_key, &question.project) {
                question.call(name);
            }
            Ok(question)
        })?;
        Ok(listed)
    }

    fn went_wrong(&self) -> Result<WentWrong, Error> {
        let sql = include_str!("../sql/report/went_wrong.sql");
        Ok(self.connection.query_row(sql, [], |row| {
            Ok(WentWrong {
                hook_errors: row.get("hook_errors")?,
                quarantined: row.get("quarantined")?,
                has_permissions: row.get("has_permissions")?,
                approvals_known_since: row.get("approvals_known_since")?,
            })
        })?)
    }

    pub(crate) fn rows<T>(
        &self,
        sql: &str,
        parameters: impl duckdb::Params,
        read: impl FnMut(&Row<'_>) -> duckdb::Result<T>,
    ) -> Result<Vec<T>, Error> {
        let mut statement = self.connection.prepare(sql)?;
        let rows = statement.query_map(parameters, read)?;
        Ok(rows.collect::<duckdb::Result<_>>()?)
    }
}

/// The period's questions as far as they are listed.
#[derive(Default)]
struct Listed {
    questions: Vec<QuestionCounts>,
    /// How many there are.
    keys: u64,
    /// Of these, how many came up once.
    asked_once: u64,
}

/// What else the report has to say of its period, and of prompts for permission altogether.
struct WentWrong {
    /// How often the hook failed.
    hook_errors: u64,
    /// How many lines are no events.
    quarantined: u64,
    /// Whether anything about permissions was ever logged.
    has_permissions: bool,
    /// When the first approval was.
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

    /// What a person calls it: a family's template, else the text.
    pub fn text(&self) -> &str {
        self.template_text.as_deref().unwrap_or(&self.question)
    }

    fn call(&mut self, name: &Name) {
        name.key_source.clone_into(&mut self.key_source);
        self.template.clone_from(&name.template);
        let options = self.options.as_deref().unwrap_or_default();
        let text = |template: &Vec<String>| template_text(template, &self.question, options);
        self.template_text = self.template.as_ref().map(text);
    }
}

fn question(row: &Row<'_>) -> duckdb::Result<QuestionCounts> {
    let answered: u64 = row.get("answered")?;
    let top = top_answer(row.get("answers")?);
    let share = |times: u64| times as f64 / answered as f64;
    Ok(QuestionCounts {
        question_key: row.get("question_key")?,
        key_source: row.get("key_source")?,
        template: None,
        template_text: None,
        project: row.get("project")?,
        question: row.get("question")?,
        header: row.get("header")?,
        options: labels_if_any(row, "options")?,
        door: row.get("door")?,
        asked: row.get("asked")?,
        answered,
        auto_decided: row.get("auto_decided")?,
        failed: row.get("failed")?,
        dismissed: row.get("dismissed")?,
        agreement: row.get("agreement")?,
        agreement_n: row.get("agreement_n")?,
        median_seconds: row.get("median_seconds")?,
        top_answer_share: top.as_ref().map(|(_, times)| share(*times)),
        top_answer: top.map(|(name, _)| name),
        last_at: row.get("last_at")?,
        over_time: Vec::new(),
        answers: Vec::new(),
    })
}

/// The most frequent of `answers` (names with how often each was given), and how often that is; of equally
/// frequent ones the first by name.
fn top_answer(answers: Value) -> Option<(String, u64)> {
    let Value::Map(answers) = answers else {
        return None;
    };
    let answers = answers.iter().filter_map(|answer| match answer {
        (Value::Text(name), Value::UBigInt(times)) => Some((name, *times)),
        _ => None,
    });
    let top = answers.min_by_key(|(name, times)| (Reverse(*times), *name));
    top.map(|(name, times)| (name.clone(), times))
}
