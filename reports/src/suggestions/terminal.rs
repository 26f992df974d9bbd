//! How proposals are written for a person: what the table, the evidence and what is left out have in common.

use chrono::NaiveDate;
use plantune_query::permissions::propose::Proposal;
use plantune_query::suggest::{EVERYWHERE, Evidence, Level};

use crate::inert::one_line;
use crate::style::{DIM, GREEN, YELLOW, styled};
use crate::table::Table;
use crate::terminal::Terminal;

/// How much of a rule, a path or a project is shown, in columns: enough to be copied.
pub(super) const SHOWN: usize = 220;

/// Where proposals are shown.
pub struct Screen<'a> {
    /// What was written so far.
    pub out: Terminal,
    /// True to show hints as well, and what is not proposed.
    pub all: bool,
    /// What a project is called.
    pub name: &'a dyn Fn(&str) -> String,
    /// What a day is called.
    pub day: &'a dyn Fn(NaiveDate) -> String,
}

impl Screen<'_> {
    /// A table; what changes has a colour of its own.
    pub(super) fn table<T>(&mut self, table: &Table<'_, '_, T>) {
        let mut lines = table.lines(self.out.width).into_iter();
        let titles = lines.next();
        titles.iter().for_each(|line| self.out.styled(line, DIM));
        for line in lines {
            let at = line.rfind('→').unwrap_or(line.len());
            let (before, change) = line.split_at_checked(at).unwrap_or((&line, ""));
            let style = match change.contains(Level::Standing.word()) {
                true => GREEN,
                false => YELLOW,
            };
            let change = styled(change, style, self.out.colour);
            self.out.line(format!("{before}{change}"));
        }
    }

    /// `in o/r`, or `everywhere`.
    pub(super) fn place(&self, project: &str) -> String {
        match project == EVERYWHERE {
            true => "everywhere".to_owned(),
            false => format!("in {}", self.project(project)),
        }
    }

    /// What `project` is called.
    pub(super) fn project(&self, project: &str) -> String {
        match project == EVERYWHERE {
            true => "everywhere".to_owned(),
            false => one_line(&(self.name)(project), SHOWN),
        }
    }
}

/// The answers that were judged: without those that are left to the person.
pub(super) fn judged(evidence: &Evidence) -> usize {
    evidence
        .answers
        .saturating_sub(evidence.left + evidence.added)
}

pub(super) fn allowed(rule: &Proposal) -> usize {
    rule.prompts - rule.refused.min(rule.prompts)
}
