//! A period's questions in groups: by who asked, where, under which header, when, in which kind of session, and by which agent.

use serde::{Deserialize, Serialize};

use crate::period::Request;
use crate::store::{Error, Store};

plantune_domain::named_enum! {
    /// What questions are grouped by.
    #[derive(Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum By {
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

/// The questions of a period in groups.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Groups {
    /// What they are grouped by.
    pub by: By,
    /// The groups, the most frequent first; days of the week in their order.
    pub groups: Vec<Group>,
}

/// The questions that have a name in common; counts and times as in [`super::Totals`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Group {
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

impl Store {
    /// The questions of the period that `request` describes, grouped `by`.
    ///
    /// # Errors
    /// DuckDB's.
    pub fn report_by(&self, request: &Request<'_>, by: By) -> Result<Groups, Error> {
        self.set_request(request)?;
        self.define_waits()?;
        let sql = include_str!("../../sql/report/by.sql");
        let groups = self.rows(sql, [by.as_str()])?;
        Ok(Groups { by, groups })
    }
}
