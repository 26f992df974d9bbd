//! Behind `plantune report`: what was asked in a period, and how it went. Questions are read by day, so
//! that the cost follows the period and not the log.

mod askers;
mod by;
pub(crate) mod renamed;
mod rows;
mod saved;
mod tally;
mod timeline;

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use duckdb::params;
use serde::Deserialize;

use crate::families::{Grouping, Name};
pub use crate::period::{Days, Request, week_name};
use crate::permissions::prompts::{Detail, Permissions};
use crate::rows::any_utc;
use crate::store::{AWAY_AFTER, Error, Store};

pub use askers::{AsksMost, RejectedCalls};
use askers::{asks_most, rejected_most};
pub use by::{By, Group, Groups};
pub use renamed::Renamed;
pub use rows::{
    AnswerCount, DecidedBy, ErrorKind, QuestionCounts, Report, SessionKindCounts, Totals,
};
use tally::{Tallies, of};
pub use timeline::{Part, Timeline, Unit};

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
        let tallies = Tallies {
            rows: self.rows(include_str!("../sql/report/tally.sql"), [])?,
            open_from: request.open_from(),
        };
        let mut previous = tallies.totals(request.previous);
        let mut totals = tallies.totals(request.period);
        let mut sessions = BTreeMap::new();
        if tallies.has_questions(request.both_periods()) {
            let counts = self.rows(include_str!("../sql/report/sessions.sql"), [])?;
            sessions.extend(counts);
            previous.sessions = of(&sessions, "previous");
            totals.sessions = of(&sessions, "current");
            self.define_waits()?;
            let waits = self.rows(include_str!("../sql/report/waiting.sql"), [])?;
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
            _ => self.rows(include_str!("../sql/report/askers.sql"), [])?,
        };
        let wrong: WentWrong = self.row(include_str!("../sql/report/went_wrong.sql"), [])?;
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
        let mut renamed = Renamed::default();
        if tallies.has_questions(request.both_periods()) {
            let grouping = grouping()?;
            renamed = Renamed::of(self.unmarked()?, &grouping);
            self.set_renamed(&renamed)?;
            if previous.auto_decided + totals.auto_decided > 0 {
                [previous.seconds_saved, totals.seconds_saved] = self.seconds_saved(&grouping)?;
            }
        }
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
            session_kinds: tallies.session_kinds(request.period, &sessions),
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

    /// The last day on which a question or a prompt for permission came up, where the period of `request` has neither.
    ///
    /// # Errors
    /// DuckDB's.
    pub fn latest(&self, request: &Request<'_>) -> Result<Option<NaiveDate>, Error> {
        self.set_request(request)?;
        let any = |sql| Ok::<bool, Error>(self.row::<(bool,)>(sql, [])?.0);
        // Prompts take longer to find than questions.
        let has_something = any(include_str!("../sql/report/has_questions.sql"))?
            || any(include_str!("../sql/report/has_prompts.sql"))?;
        match has_something {
            true => Ok(None),
            false => self.last_day(),
        }
    }

    /// The last day on which anything came up in the request's project.
    fn last_day(&self) -> Result<Option<NaiveDate>, Error> {
        let (day,) = self.row(include_str!("../sql/report/last_day.sql"), [])?;
        Ok(day)
    }

    /// Every project that had a question, in order.
    ///
    /// # Errors
    /// DuckDB's.
    pub fn projects(&self) -> Result<Vec<String>, Error> {
        self.texts(include_str!("../sql/report/projects.sql"))
    }

    /// The keys of the questions asked most, at most a thousand.
    ///
    /// # Errors
    /// DuckDB's.
    pub fn most_asked_keys(&self) -> Result<Vec<String>, Error> {
        self.texts(include_str!("../sql/questions/most_asked.sql"))
    }

    /// The day of the first question of the request's project, where that lies in the middle of the period before.
    fn history_begins(&self, request: &Request<'_>) -> Result<Option<NaiveDate>, Error> {
        let sql = include_str!("../sql/report/first_day.sql");
        let (first,) = self.row::<(Option<NaiveDate>,)>(sql, [])?;
        let days = request.previous;
        Ok(first.filter(|first| days.start < *first && *first <= days.end))
    }

    /// The listed questions, and how many there are in all.
    fn questions(&self, renamed: &Renamed) -> Result<Listed, Error> {
        let sql = include_str!("../sql/report/questions.sql");
        let mut listed = Listed::default();
        for (mut question, of) in self.pairs::<QuestionCounts, Counted>(sql, [])? {
            listed.keys = of.keys;
            listed.asked_once = of.asked_once;
            question.name = renamed.called(&question.question_key, &question.question);
            if let Some(name) = renamed.name(&question.question_key, &question.project) {
                question.call(name);
            }
            listed.questions.push(question);
        }
        Ok(listed)
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

/// What else is counted with each listed question.
#[derive(Deserialize)]
struct Counted {
    keys: u64,
    asked_once: u64,
}

/// What else the report has to say of its period, and of prompts for permission altogether.
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

    fn call(&mut self, name: &Name) {
        name.key_source.clone_into(&mut self.key_source);
        self.template.clone_from(&name.template);
        self.template_text = self.template.as_ref().map(|_| self.name.clone());
    }
}
