//! The report for a person at a terminal.

use anstyle::Style;

use super::Document;
use super::content::{self, Part};
use crate::style::{BOLD, DIM, YELLOW};
use crate::terminal::Terminal;
use crate::text::clean;

/// Writes the report to `out`, with `top` questions; of an overview, which `is_brief`, nothing is compared, and less is
/// listed.
pub fn show(document: &Document, top: usize, is_brief: bool, out: &mut Terminal) {
    out.paragraph(document.heading.title(), BOLD);
    if let Some(project) = &document.heading.project {
        out.paragraph(format!("Project {}", clean(project)), DIM);
    }
    let style = content::Style {
        safe: clean,
        code: |command| format!("`{command}`"),
        top,
        is_brief,
    };
    for part in content::parts(document, style) {
        out.line("");
        match &part {
            Part::Text(words) => out.paragraph(words, Style::new()),
            Part::Warning(words) => out.paragraph(words, YELLOW),
            Part::List(lines) => lines.iter().for_each(|line| out.hanging("- ", "  ", line)),
            Part::Table(section) => {
                out.paragraph(&section.title, BOLD);
                out.rows(&section.columns, &section.rows);
                let notes = section.notes.iter();
                notes.for_each(|note| out.paragraph(note, Style::new()));
            }
        }
    }
}
