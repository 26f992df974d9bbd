//! The weekly report: where the questions came from, who answered them, and what it cost; on a terminal and in Markdown,
//! and the sentences that it begins with in every format.

mod content;
mod document;
mod redact;
mod sentence;
mod tables;

pub use document::Document;
pub(crate) use sentence::Piece;
pub use sentence::{Rules, Sentence};

use self::content::{Block, Formatting};
pub(crate) use self::content::{FIGURES, Figure, Value, incomparable, listing, nothing};
pub use self::document::{
    EvidenceCounts, Heading, NotProposed, Proposal, Span, not_proposed, proposals,
};
pub(crate) use self::tables::group_name;
use crate::table::{code, escape, section};
use crate::terminal::{BOLD, DIM, Style, Terminal, YELLOW};
use crate::text::clean;

/// The report in Markdown with tables (GitHub's), which list `top` questions.
pub fn markdown(document: &Document, top: usize) -> String {
    let mut text = format!(
        "# What agents asked: {}\n\n",
        escape(&document.heading.title())
    );
    if let Some(project) = &document.heading.project {
        text += &format!("Project {}\n\n", escape(project));
    }
    let style = Formatting {
        safe: escape,
        code,
        top,
        is_brief: false,
    };
    for part in content::parts(document, style) {
        text += &match &part {
            Block::Text(words) | Block::Warning(words) => format!("{words}\n\n"),
            Block::List(lines) => format!("- {}\n\n", lines.join("\n- ")),
            Block::Table(table) => section(table),
        };
    }
    text
}

/// Writes the report to `out`, with `top` questions.
pub fn show(document: &Document, top: usize, out: &mut Terminal) {
    out.paragraph(document.heading.title(), BOLD);
    if let Some(project) = &document.heading.project {
        out.paragraph(format!("Project {}", clean(project)), DIM);
    }
    out.line("");
    show_parts(document, top, false, out);
}

/// Writes the sums to `out`, and the first `rows` of the questions and of the prompts. Which weeks they are is said first
/// where they are not the last ones.
pub fn show_overview(document: &Document, rows: usize, out: &mut Terminal) {
    if document.heading.span == Span::LatestWeeks {
        out.paragraph(document.heading.title(), BOLD);
        out.line("");
    }
    show_parts(document, rows, true, out);
}

fn show_parts(document: &Document, top: usize, is_brief: bool, out: &mut Terminal) {
    let style = Formatting {
        safe: clean,
        code: |command| format!("`{command}`"),
        top,
        is_brief,
    };
    for (number, part) in content::parts(document, style).iter().enumerate() {
        if number > 0 {
            out.line("");
        }
        match part {
            Block::Text(words) => out.paragraph(words, Style::new()),
            Block::Warning(words) => out.paragraph(words, YELLOW),
            Block::List(lines) => lines.iter().for_each(|line| out.hanging("- ", "  ", line)),
            Block::Table(section) => {
                // The paragraph of an empty title would be an empty line.
                if !section.title.is_empty() {
                    out.paragraph(&section.title, BOLD);
                }
                out.rows(&section.columns, &section.rows);
                let notes = section.notes.iter();
                notes.for_each(|note| out.paragraph(note, Style::new()));
            }
        }
    }
}
