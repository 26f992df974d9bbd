//! The report for a document or a chat.

use super::Document;
use super::content::{self, Part, Style};
use crate::markdown::{code, escape, section};

/// The report in Markdown with tables (GitHub's), which list `top` questions.
pub fn markdown(document: &Document, top: usize) -> String {
    let mut text = format!("# Questions: {}\n\n", escape(&document.heading.title()));
    if let Some(project) = &document.heading.project {
        text += &format!("Project {}\n\n", escape(project));
    }
    let style = Style {
        safe: escape,
        code,
        top,
        is_brief: false,
    };
    for part in content::parts(document, style) {
        text += &match &part {
            Part::Text(words) | Part::Warning(words) => format!("{words}\n\n"),
            Part::List(lines) => format!("- {}\n\n", lines.join("\n- ")),
            Part::Table(table) => section(table),
        };
    }
    text
}
