//! The request for a report: its days, its groups, and the names of its questions.

use std::collections::BTreeSet;

use chrono::{Datelike as _, Days as Span, NaiveDate};
use serde::Serialize;

use crate::habits::{LoggedQuestion, QuestionGrouping, QuestionNames};
use crate::store::{Store, StoreError};

/// Days of the person's calendar, both ends included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DayRange {
    /// The first day.
    pub start: NaiveDate,
    /// The last day.
    pub end: NaiveDate,
}

plantune_domain::named_enum! {
    /// The grouping of questions.
    #[derive(Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum GroupKey {
        /// The command, skill, plugin or sub-agent that asked.
        Asker = "asker",
        /// The framework that it belongs to: `gsd:*` for `/gsd:discuss-phase`.
        Framework = "framework",
        /// The project.
        Project = "project",
        /// The header.
        Header = "header",
        /// The day of the week in the person's time zone.
        Weekday = "weekday",
        /// The session kind.
        SessionKind = "session-kind",
        /// The agent.
        Agent = "agent",
    }
}

/// The scope of a report.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The period.
    pub period: DayRange,
    /// The period it is compared with, which ends before it.
    pub previous: DayRange,
    /// Today in the person's time zone.
    pub today: NaiveDate,
    /// One project's key; `None` for all.
    pub project: Option<&'a str>,
    /// How many questions to list; `None` for all.
    pub limit: Option<u32>,
    /// True to list the permission prompts that need a look.
    pub prompts: bool,
}

impl Request<'_> {
    /// The first day whose open questions count as open. What was asked more than one full day
    /// before today counts as dismissed: no answer comes after that.
    pub(crate) fn open_from(&self) -> NaiveDate {
        before(self.today, 1)
    }

    /// The days of both periods.
    pub(crate) fn both_periods(&self) -> DayRange {
        DayRange {
            start: self.previous.start,
            end: self.period.end,
        }
    }
}

/// The ISO week of `day`, such as `2026-W47`.
pub fn week_name(day: NaiveDate) -> String {
    day.format("%G-W%V").to_string()
}

/// The Monday of the week `day` lies in.
pub(crate) fn monday(day: NaiveDate) -> NaiveDate {
    before(day, u64::from(day.weekday().num_days_from_monday()))
}

/// `days` before `day`; `day` itself at the end of chrono's calendar.
pub(crate) fn before(day: NaiveDate, days: u64) -> NaiveDate {
    day.checked_sub_days(Span::new(days)).unwrap_or(day)
}

/// The names of the questions that are called otherwise than they were logged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RenamedQuestions {
    /// The project and the key of today of each.
    names: BTreeSet<(String, String)>,
    /// The names of questions.
    called: QuestionNames,
    /// Each renamed question's hash and name with a space between, with commas between them.
    pairs: String,
}

impl RenamedQuestions {
    /// True if a rule calls something `key` in `project` that was logged under another key.
    pub(crate) fn has(&self, key: &str, project: &str) -> bool {
        self.names.contains(&(project.to_owned(), key.to_owned()))
    }

    /// The name of the question `key`, whose text was `text` last.
    pub(crate) fn called(&self, key: &str, text: &str) -> String {
        self.called.of(key, text)
    }

    /// The names of `unmarked` questions by `grouping`, each with the hash of its project, key, text and header.
    pub(super) fn of(
        unmarked: Vec<((u64,), LoggedQuestion)>,
        grouping: &QuestionGrouping<'_>,
    ) -> Self {
        let mut renamed = Self {
            called: grouping.names().clone(),
            ..Self::default()
        };
        for ((id,), logged) in unmarked {
            if let Some(key) = grouping.key(&logged) {
                let comma = if renamed.pairs.is_empty() { "" } else { "," };
                renamed.pairs += &format!("{comma}{id} {key}");
                renamed.names.insert((logged.project, key.to_owned()));
            }
        }
        renamed
    }
}

impl Store {
    /// Sets the variables `renamed` and `request` for queries about all questions there are, and returns their names.
    ///
    /// # Errors
    /// The errors of DuckDB.
    pub(crate) fn name_all_questions(
        &self,
        today: NaiveDate,
        grouping: &QuestionGrouping<'_>,
    ) -> Result<RenamedQuestions, StoreError> {
        let all = DayRange {
            start: NaiveDate::from_ymd_opt(1, 1, 1).unwrap_or(today),
            end: NaiveDate::from_ymd_opt(9999, 12, 31).unwrap_or(today),
        };
        self.set_request(&Request {
            period: all,
            previous: all,
            today,
            project: None,
            limit: None,
            prompts: false,
        })?;
        let renamed = RenamedQuestions::of(self.unmarked(grouping)?, grouping);
        self.set_renamed(&renamed)?;
        Ok(renamed)
    }

    /// Sets the names of questions, for the queries that read `named_questions`.
    pub(crate) fn set_renamed(&self, renamed: &RenamedQuestions) -> Result<(), StoreError> {
        let sql = "SET VARIABLE renamed = $1::VARCHAR";
        self.connection.execute(sql, [&renamed.pairs])?;
        let sql = include_str!("../sql/named.sql");
        Ok(self.connection.execute_batch(sql)?)
    }

    /// The unmarked questions of the request's periods as they were logged last, each with the hash of its project and
    /// key. None where no rule of `grouping` could name one: a long log has many texts.
    pub(super) fn unmarked(
        &self,
        grouping: &QuestionGrouping<'_>,
    ) -> Result<Vec<((u64,), LoggedQuestion)>, StoreError> {
        if grouping.is_empty() {
            return Ok(Vec::new());
        }
        self.pairs(include_str!("../sql/report/unmarked.sql"), [])
    }
}
