//! What stopped the person to ask for permission: prompts by subject, and one by one.

mod detail;
mod modes;
mod prompt;
mod rows;
mod wanted;

use chrono::NaiveDate;
use duckdb::params;
use plantune_domain::permissions::Reach;

use crate::period::{Days, Request};
use crate::report::By;
use crate::{Error, Store};

pub use detail::{Detail, Repeated};
pub use modes::{Denied, Mode};
pub use prompt::Prompt;
pub use rows::{Permissions, Subject};
pub use wanted::{WantedPrompts, WantedSubjects};

impl Store {
    /// The subjects of the prompts that are `wanted`, the most frequent first.
    ///
    /// # Errors
    /// DuckDB's.
    pub fn prompt_subjects(&self, wanted: &WantedSubjects<'_>) -> Result<Vec<Subject>, Error> {
        self.judge_prompts(wanted.days, wanted.project, wanted.open_from)?;
        self.subjects(wanted)
    }

    /// The prompts that are `wanted`, the latest first.
    ///
    /// # Errors
    /// DuckDB's.
    pub fn prompts(&self, wanted: &WantedPrompts<'_>) -> Result<Vec<Prompt>, Error> {
        self.judge_prompts(wanted.days, wanted.project, wanted.open_from)?;
        self.one_by_one(wanted)
    }

    /// The sums and subjects of the request's period.
    ///
    /// # Errors
    /// DuckDB's.
    pub fn permissions(&self, request: &Request<'_>) -> Result<Permissions, Error> {
        let open_from = Some(request.open_from());
        self.judge_prompts(Some(request.period), request.project, open_from)?;
        let days = self.rows(include_str!("../../sql/permissions/days.sql"), [])?;
        let (denied, auto_calls) =
            self.row(include_str!("../../sql/permissions/unasked.sql"), [])?;
        let detail = || {
            Ok::<_, Error>(Detail {
                modes: self.rows(include_str!("../../sql/permissions/modes.sql"), [])?,
                denied_in_auto_mode: self
                    .rows(include_str!("../../sql/permissions/classifier.sql"), [])?,
                repeated: self.rows(include_str!("../../sql/permissions/repeated.sql"), [])?,
                ..Detail::of(&self.one_by_one(&WantedPrompts::default())?)
            })
        };
        Ok(Permissions {
            denied,
            auto_calls,
            by_day: days.into_iter().collect(),
            detail: request.prompts.then(detail).transpose()?,
            ..Permissions::of(self.subjects(&WantedSubjects::default())?)
        })
    }

    /// Makes the table that the queries below read: the prompts of `days`, with what follows from others.
    fn judge_prompts(
        &self,
        days: Option<Days>,
        project: Option<&str>,
        open_from: Option<NaiveDate>,
    ) -> Result<(), Error> {
        let (start, end) = (days.map(|days| days.start), days.map(|days| days.end));
        self.connection.execute(
            include_str!("../../sql/permissions/request.sql"),
            params![start, end, project, open_from],
        )?;
        let sql = include_str!("../../sql/permissions/judged.sql");
        Ok(self.connection.execute_batch(sql)?)
    }

    fn subjects(&self, wanted: &WantedSubjects<'_>) -> Result<Vec<Subject>, Error> {
        let reach = wanted.reach.map(Reach::name);
        self.rows(
            include_str!("../../sql/permissions/subjects.sql"),
            params![wanted.by.map_or("subject", By::as_str), reach, wanted.tool],
        )
    }

    fn one_by_one(&self, wanted: &WantedPrompts<'_>) -> Result<Vec<Prompt>, Error> {
        let limit = wanted.limit.map_or(i64::MAX, i64::from);
        self.rows(
            include_str!("../../sql/permissions/prompts.sql"),
            params![wanted.id, wanted.subject, wanted.tool, limit],
        )
    }
}
