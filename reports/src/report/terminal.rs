//! The report for a person at a terminal.

use std::io::{self, Write};

use anstyle::Style;

use super::Document;
use super::content::{self, Part};
use super::section::Section;
use crate::Format;
use crate::style::{BOLD, DIM, YELLOW};
use crate::table;
use crate::text::{clean, hanging, wrap};

/// Text of at most `width` columns.
#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    /// How many columns there are.
    pub width: usize,
    /// True to use colour; nothing is said by colour alone.
    pub colour: bool,
    /// How many questions to list.
    pub top: usize,
    /// True for an overview: nothing is compared, and less is listed.
    pub is_brief: bool,
}

impl Format<Document> for Terminal {
    fn write(&self, document: &Document, out: &mut dyn Write) -> io::Result<()> {
        self.paragraph(out, &document.heading.title(), BOLD)?;
        if let Some(project) = &document.heading.project {
            self.paragraph(out, &format!("Project {}", clean(project)), DIM)?;
        }
        let style = content::Style {
            safe: clean,
            code: |command| format!("`{command}`"),
            top: self.top,
            is_brief: self.is_brief,
        };
        for part in content::parts(document, style) {
            writeln!(out)?;
            match &part {
                Part::Text(text) => self.paragraph(out, text, Style::new())?,
                Part::Warning(text) => self.paragraph(out, text, YELLOW)?,
                Part::List(lines) => {
                    for line in lines {
                        write!(out, "{}", hanging("- ", "  ", line, self.width))?;
                    }
                }
                Part::Table(section) => self.section(section, out)?,
            }
        }
        Ok(())
    }
}

impl Terminal {
    fn line(&self, out: &mut dyn Write, line: &str, style: Style) -> io::Result<()> {
        if self.colour {
            writeln!(out, "{style}{line}{style:#}")
        } else {
            writeln!(out, "{line}")
        }
    }

    fn paragraph(&self, out: &mut dyn Write, text: &str, style: Style) -> io::Result<()> {
        wrap(text, self.width)
            .iter()
            .try_for_each(|line| self.line(out, line, style))
    }

    fn section(&self, section: &Section, out: &mut dyn Write) -> io::Result<()> {
        self.paragraph(out, &section.title, BOLD)?;
        let lines = table::lines(&section.columns, &section.rows, self.width);
        for (number, line) in lines.iter().enumerate() {
            let style = if number == 0 { DIM } else { Style::new() };
            self.line(out, line, style)?;
        }
        let mut notes = section.notes.iter();
        notes.try_for_each(|note| self.paragraph(out, note, Style::new()))
    }
}
