//! How proposals are written for a person: what the table, the evidence and what is left out have in common.

use std::io::{self, Write};

use chrono::NaiveDate;
use plantune_query::permissions::propose::Proposal;
use plantune_query::suggest::{EVERYWHERE, Level, Suggestion};

use crate::inert::one_line;
use crate::style::{DIM, GREEN, YELLOW, styled};
use crate::table::{self, Column};
use crate::text;

/// How much of a rule, a path or a project is shown, in columns: enough to be copied.
pub(super) const SHOWN: usize = 220;

/// Text for a person, no wider than `width` columns.
#[derive(Clone, Copy)]
pub struct Terminal<'a> {
    /// Columns of the terminal.
    pub width: usize,
    /// True to use colour.
    pub colour: bool,
    /// True to show hints as well, and what is not proposed.
    pub all: bool,
    /// What a project is called.
    pub name: &'a dyn Fn(&str) -> String,
    /// What a day is called.
    pub day: &'a dyn Fn(NaiveDate) -> String,
}

impl Terminal<'_> {
    /// Lines of `text`, each of its own lines broken by itself.
    pub(super) fn paragraph(
        &self,
        text: &str,
        style: anstyle::Style,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        text::paragraph(text, self.width)
            .lines()
            .try_for_each(|line| writeln!(out, "{}", styled(line, style, self.colour)))
    }

    pub(super) fn table(
        &self,
        columns: &[Column<'_>],
        rows: &[Vec<String>],
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let lines = table::lines(columns, rows, self.width);
        for (number, line) in lines.iter().enumerate() {
            match (
                number,
                line.rfind('→').and_then(|at| line.split_at_checked(at)),
            ) {
                (0, _) => writeln!(out, "{}", styled(line, DIM, self.colour))?,
                (_, Some((before, change))) => {
                    let style = match change.contains(Level::Standing.word()) {
                        true => GREEN,
                        false => YELLOW,
                    };
                    writeln!(out, "{before}{}", styled(change, style, self.colour))?;
                }
                (_, None) => writeln!(out, "{line}")?,
            }
        }
        Ok(())
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

/// How often in a week, in few columns.
pub(super) fn a_week(times: f64) -> String {
    match times {
        none if none <= 0.0 => "0".to_owned(),
        few if few < 0.1 => "< 0.1".to_owned(),
        few if few < 9.95 => format!("{few:.1}").trim_end_matches(".0").to_owned(),
        many => format!("{many:.0}"),
    }
}

/// The answers that were judged: without those that are left to the person.
pub(super) fn judged(one: &Suggestion) -> usize {
    let evidence = &one.evidence;
    evidence
        .answers
        .saturating_sub(evidence.left + evidence.added)
}

pub(super) fn allowed(rule: &Proposal) -> usize {
    rule.prompts - rule.refused.min(rule.prompts)
}
