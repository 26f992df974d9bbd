//! The report for a document or a chat.

use std::io::{self, Write};

use super::Document;
use super::content::{self, Part, Style};
use super::section::Section;
use crate::Format;
use crate::markdown::{code, escape, table};
use crate::table::{Column, UNKNOWN};

/// Markdown with tables (GitHub's).
#[derive(Clone, Copy, Debug)]
pub struct Markdown {
    /// How many questions to list.
    pub top: usize,
}

impl Format<Document> for Markdown {
    fn write(&self, document: &Document, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "# Questions: {}\n", escape(&document.heading.title()))?;
        if let Some(project) = &document.heading.project {
            writeln!(out, "Project {}\n", escape(project))?;
        }
        let style = Style {
            safe: escape,
            code,
            top: self.top,
            is_brief: false,
        };
        for part in content::parts(document, style) {
            match &part {
                Part::Text(text) | Part::Warning(text) => writeln!(out, "{text}\n")?,
                Part::List(lines) => {
                    for line in lines {
                        writeln!(out, "- {line}")?;
                    }
                    writeln!(out)?;
                }
                Part::Table(section) => self::section(section, out)?,
            }
        }
        Ok(())
    }
}

/// A table with its heading and notes; its cells are escaped here. A column without a value is left out.
pub(crate) fn section(section: &Section, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "## {}\n", section.title)?;
    let cells = |number: usize| section.rows.iter().filter_map(move |row| row.get(number));
    let is_shown = |number: &usize| cells(*number).any(|cell| !cell.is_empty() && cell != UNKNOWN);
    let shown: Vec<usize> = (0..section.columns.len()).filter(is_shown).collect();
    let columns = || {
        shown
            .iter()
            .filter_map(|number| section.columns.get(*number))
    };
    let titles: Vec<_> = columns().map(Column::title).collect();
    let right: Vec<_> = columns().map(Column::is_number).collect();
    // Markdown drops leading spaces; what belongs to what survives as entities.
    let escaped = |cell: &String| {
        let indent = "&emsp;".repeat(cell.len().abs_diff(cell.trim_start_matches("  ").len()) / 2);
        indent + &escape(cell.trim_start_matches("  "))
    };
    let cells = |row: &Vec<String>| {
        let cells = shown.iter().filter_map(|number| row.get(*number));
        cells.map(escaped).collect()
    };
    let rows: Vec<Vec<String>> = section.rows.iter().map(cells).collect();
    table(out, &titles, &right, &rows)?;
    section
        .notes
        .iter()
        .try_for_each(|note| writeln!(out, "{note}\n"))
}
