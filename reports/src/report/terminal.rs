//! The report for a person at a terminal.

use std::io::{self, Write};

use anstyle::Style;

use super::Document;
use super::content::{self, Part};
use crate::Format;
use crate::style::{BOLD, DIM, YELLOW};
use crate::terminal::Terminal as Text;
use crate::text::clean;

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
        let mut text = Text::new(self.width, self.colour);
        text.paragraph(document.heading.title(), BOLD);
        if let Some(project) = &document.heading.project {
            text.paragraph(format!("Project {}", clean(project)), DIM);
        }
        let style = content::Style {
            safe: clean,
            code: |command| format!("`{command}`"),
            top: self.top,
            is_brief: self.is_brief,
        };
        for part in content::parts(document, style) {
            text.line("");
            match &part {
                Part::Text(words) => text.paragraph(words, Style::new()),
                Part::Warning(words) => text.paragraph(words, YELLOW),
                Part::List(lines) => lines.iter().for_each(|line| text.hanging("- ", "  ", line)),
                Part::Table(section) => {
                    text.paragraph(&section.title, BOLD);
                    text.rows(&section.columns, &section.rows);
                    let notes = section.notes.iter();
                    notes.for_each(|note| text.paragraph(note, Style::new()));
                }
            }
        }
        out.write_all(text.into_text().as_bytes())
    }
}
