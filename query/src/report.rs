//! Behind `plantune report`: what was asked in a period, and how it went. Questions are read by day, so
//! that the cost follows the period and not the log.

mod rows;
mod saved;
mod weeks;

use chrono::{DateTime, NaiveDate, Utc};
use duckdb::{Row, params};

use crate::labels::labels_if_any;
use crate::permissions::prompts::{Detail, Permissions};
use crate::store::{Error, Store};

pub use rows::{Days, DecidedBy, ErrorKind, Question, Report, SessionKind, Totals, Week};
use weeks::{after, before, fill, monday};

pub use weeks::week_name;

/// How many ISO weeks the trend has.
pub const TREND_WEEKS: u64 = 8;

/// What to report on.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The period.
    pub period: Days,
    /// The period it is compared with, which ends on the day before.
    pub previous: Days,
    /// Today in the person's time zone.
    pub today: NaiveDate,
    /// One project's key; `None` for all.
    pub project: Option<&'a str>,
    /// How many questions to list; `None` for all.
    pub limit: Option<u32>,
    /// True to list the prompts for permission that need a look.
    pub prompts: bool,
}

impl Request<'_> {
    /// The first day whose open questions count as open. What was asked more than one full day
    /// before today counts as dismissed: no answer comes after that.
    pub(crate) fn open_from(&self) -> NaiveDate {
        before(self.today, 1)
    }

    /// The days of the trend: whole ISO weeks.
    fn trend(&self) -> Days {
        let monday = monday(self.period.end);
        Days {
            start: before(monday, 7 * (TREND_WEEKS - 1)),
            end: after(monday, 6),
        }
    }
}

impl Report {
    /// The report of a store that is not there: zeros, empty lists, and a trend of empty weeks.
    pub fn empty(request: &Request<'_>) -> Self {
        Self {
            totals: Totals::default(),
            previous: Totals::default(),
            trend: fill(request.trend(), &[]),
            questions: Vec::new(),
            question_keys: 0,
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
    /// The report that `request` describes, in a fixed number of queries.
    ///
    /// # Errors
    /// DuckDB's.
    pub fn report(&self, request: &Request<'_>) -> Result<Report, Error> {
        let [mut previous, mut totals] = self.totals(request)?;
        if previous.auto_decided + totals.auto_decided > 0 {
            [previous.seconds_saved, totals.seconds_saved] = self.seconds_saved(request)?;
            let others = self.decided_by_others(request)?;
            for (totals, others) in [&mut previous, &mut totals].into_iter().zip(others) {
                let by_others = others.session + others.reviewer + others.turned_down + others.away;
                totals.auto_decided_by = DecidedBy {
                    preferences: totals.auto_decided.saturating_sub(by_others),
                    ..others
                };
            }
        }
        let (questions, question_keys) = self.questions(request)?;
        let last_day = if totals.questions == 0 {
            self.last_day(request.project)?
        } else {
            None
        };
        let (quarantined, has_permissions, approvals_known_since) = self.quarantined(request)?;
        let permissions = match has_permissions {
            true => Permissions {
                approvals_known_since,
                ..self.permissions(request)?
            },
            false => no_permissions(request),
        };
        Ok(Report {
            totals,
            previous,
            trend: self.trend(request)?,
            questions,
            question_keys,
            session_kinds: self.session_kinds(request)?,
            errors: self.errors(request)?,
            quarantined,
            last_day,
            permissions,
            has_permissions,
        })
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

    /// The last day with a question; `None` without any.
    ///
    /// # Errors
    /// DuckDB's.
    pub(crate) fn last_day(&self, project: Option<&str>) -> Result<Option<NaiveDate>, Error> {
        Ok(self.connection.query_row(
            include_str!("../sql/report/last_day.sql"),
            params![project],
            |row| row.get(0),
        )?)
    }

    /// The sums of the period before, and of the period.
    fn totals(&self, request: &Request<'_>) -> Result<[Totals; 2], Error> {
        let rows = self.rows(
            include_str!("../sql/report/totals.sql"),
            params![
                request.previous.start,
                request.period.end,
                request.period.start,
                request.project,
                request.open_from(),
            ],
            |row| {
                let mut totals = Totals {
                    answered: row.get("answered")?,
                    auto_decided: row.get("auto_decided")?,
                    failed: row.get("failed")?,
                    dismissed: row.get("dismissed")?,
                    open: row.get("open")?,
                    calls: row.get("calls")?,
                    sessions: row.get("sessions")?,
                    human_seconds: row.get("human_seconds")?,
                    ..Totals::default()
                };
                totals.asked = totals.answered + totals.failed + totals.dismissed + totals.open;
                totals.questions = totals.asked + totals.auto_decided;
                Ok((row.get::<_, bool>("is_current")?, totals))
            },
        )?;
        Ok(by_period(&rows))
    }

    /// What other than preferences decided in the period before, and in the period.
    fn decided_by_others(&self, request: &Request<'_>) -> Result<[DecidedBy; 2], Error> {
        let rows = self.rows(
            include_str!("../sql/report/decided_by.sql"),
            params![
                request.previous.start,
                request.period.end,
                request.period.start,
                request.project,
            ],
            |row| {
                let others = DecidedBy {
                    preferences: 0,
                    session: row.get("session")?,
                    reviewer: row.get("reviewer")?,
                    turned_down: row.get("turned_down")?,
                    away: row.get("away")?,
                };
                Ok((row.get("is_current")?, others))
            },
        )?;
        Ok(by_period(&rows))
    }

    fn trend(&self, request: &Request<'_>) -> Result<Vec<Week>, Error> {
        let days = request.trend();
        let rows = self.rows(
            include_str!("../sql/report/trend.sql"),
            params![days.start, days.end, request.project],
            |row| {
                let (asked, auto_decided): (u64, u64) =
                    (row.get("asked")?, row.get("auto_decided")?);
                let monday: NaiveDate = row.get("monday")?;
                Ok(Week {
                    week: week_name(monday),
                    questions: asked + auto_decided,
                    asked,
                    auto_decided,
                    human_seconds: row.get("human_seconds")?,
                })
            },
        )?;
        Ok(fill(days, &rows))
    }

    /// The listed questions, and how many keys there are in all.
    fn questions(&self, request: &Request<'_>) -> Result<(Vec<Question>, u64), Error> {
        let rows = self.rows(
            include_str!("../sql/report/questions.sql"),
            params![
                request.period.start,
                request.period.end,
                request.project,
                request.open_from(),
                request.limit.map_or(i64::MAX, i64::from),
            ],
            |row| Ok((question(row)?, row.get("keys")?)),
        )?;
        let keys = rows.first().map_or(0, |(_, keys)| *keys);
        Ok((
            rows.into_iter().map(|(question, _)| question).collect(),
            keys,
        ))
    }

    fn session_kinds(&self, request: &Request<'_>) -> Result<Vec<SessionKind>, Error> {
        self.rows(
            include_str!("../sql/report/session_kinds.sql"),
            params![
                request.period.start,
                request.period.end,
                request.project,
                request.open_from(),
            ],
            |row| {
                let (asked, auto_decided): (u64, u64) =
                    (row.get("asked")?, row.get("auto_decided")?);
                Ok(SessionKind {
                    session_kind: row.get("session_kind")?,
                    sessions: row.get("sessions")?,
                    questions: asked + auto_decided,
                    asked,
                    answered: row.get("answered")?,
                    auto_decided,
                    failed: row.get("failed")?,
                    dismissed: row.get("dismissed")?,
                })
            },
        )
    }

    fn errors(&self, request: &Request<'_>) -> Result<Vec<ErrorKind>, Error> {
        self.rows(
            include_str!("../sql/report/errors.sql"),
            params![request.period.start, request.period.end, request.project],
            |row| {
                Ok(ErrorKind {
                    error_kind: row.get("error_kind")?,
                    times: row.get("times")?,
                })
            },
        )
    }

    /// How many lines are in quarantine, whether anything about permissions was ever logged, and when the
    /// first approval was.
    fn quarantined(
        &self,
        request: &Request<'_>,
    ) -> Result<(u64, bool, Option<DateTime<Utc>>), Error> {
        Ok(self.connection.query_row(
            include_str!("../sql/report/quarantined.sql"),
            params![request.period.start, request.period.end],
            |row| {
                Ok((
                    row.get("quarantined")?,
                    row.get("has_permissions")?,
                    row.get("approvals_known_since")?,
                ))
            },
        )?)
    }

    fn rows<T>(
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

fn no_permissions(request: &Request<'_>) -> Permissions {
    Permissions {
        detail: request.prompts.then(Detail::default),
        ..Permissions::default()
    }
}

fn question(row: &Row<'_>) -> duckdb::Result<Question> {
    Ok(Question {
        question_key: row.get("question_key")?,
        key_source: row.get("key_source")?,
        project: row.get("project")?,
        question: row.get("question")?,
        header: row.get("header")?,
        options: labels_if_any(row, "options")?,
        door: row.get("door")?,
        asked: row.get("asked")?,
        answered: row.get("answered")?,
        auto_decided: row.get("auto_decided")?,
        failed: row.get("failed")?,
        dismissed: row.get("dismissed")?,
        agreement: row.get("agreement")?,
        agreement_n: row.get("agreement_n")?,
        median_seconds: row.get("median_seconds")?,
        top_answer: row.get("top_answer")?,
        top_answer_share: row.get("top_answer_share")?,
        last_at: row.get("last_at")?,
    })
}

/// Rows marked with whether they are the current period's, as [before, current].
fn by_period<T: Copy + Default>(rows: &[(bool, T)]) -> [T; 2] {
    let of = |current| {
        let row = rows.iter().find(|(is_current, _)| *is_current == current);
        row.map_or_else(T::default, |(_, value)| *value)
    };
    [of(false), of(true)]
}
