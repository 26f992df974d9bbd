//! Which prompts a query is about.

use chrono::NaiveDate;
use plantune_domain::permissions::Reach;

use crate::period::Days;

/// What prompts are counted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Grouping {
    /// Their subject and tool.
    #[default]
    Subject,
    /// The command, skill, plugin or sub-agent at work.
    Asker,
    /// The framework that it belongs to.
    Framework,
}

/// Which subjects to list; `None` for any.
#[derive(Clone, Copy, Debug, Default)]
pub struct WantedSubjects<'a> {
    /// What they are counted by.
    pub by: Grouping,
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
