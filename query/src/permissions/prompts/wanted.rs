//! Which prompts a query is about.

use chrono::NaiveDate;
use plantune_domain::permissions::Reach;

use crate::period::Days;
use crate::report::By;

/// Which subjects to list; `None` for any.
#[derive(Clone, Copy, Debug, Default)]
pub struct WantedSubjects<'a> {
    /// What they are counted by, asker or framework; `None` for their subject and tool.
    pub by: Option<By>,
    /// Prompts of these days alone.
    pub days: Option<Days>,
    /// Of this project.
    pub project: Option<&'a str>,
    /// Of this reach.
    pub reach: Option<Reach>,
    /// Of this tool.
    pub tool: Option<&'a str>,
    /// The first day whose prompts without a decision may still get one; those before it count as
    /// unattended.
    pub open_from: Option<NaiveDate>,
}

/// Which prompts to look for; `None` for any.
#[derive(Clone, Copy, Debug, Default)]
pub struct WantedPrompts<'a> {
    /// The prompt of this id, or that about the call of this id.
    pub id: Option<&'a str>,
    /// About this subject.
    pub subject: Option<&'a str>,
    /// Of this tool.
    pub tool: Option<&'a str>,
    /// Of this project.
    pub project: Option<&'a str>,
    /// Of these days.
    pub days: Option<Days>,
    /// The first day whose prompts without a decision may still get one.
    pub open_from: Option<NaiveDate>,
    /// At most so many; `None` for all.
    pub limit: Option<u32>,
}
