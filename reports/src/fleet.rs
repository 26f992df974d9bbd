//! An organisation's report: its document, for the terminal and in Markdown. The table for spreadsheets is in
//! [`crate::csv`].

mod document;
mod parts;

use plantune_domain::sanitize::markdown as sentence;

pub use document::{Alike, Document, Group, Lake, Period, SkippedFile, TopAnswer};
pub use parts::answer_in_short;
use parts::{heading, parts, rest, totals};

use crate::markdown::{escape, section};
use crate::terminal::Terminal;
use crate::text::clean;

/// Writes the report to `out`, with `top` questions and askers.
pub fn show(document: &Document, top: usize, out: &mut Terminal) {
    out.hanging("", "  ", heading(document));
    out.hanging("", "  ", totals(document));
    for part in parts(document, top) {
        out.line("");
        out.rows(&part.columns, &part.rows);
        for note in &part.notes {
            out.hanging("", "  ", note);
        }
    }
    if let Some(rest) = rest(document) {
        out.line("");
        out.hanging("", "  ", rest);
    }
    for skipped in &document.lake.skipped {
        let (path, why) = (clean(&skipped.path), clean(&skipped.why));
        out.hanging("", "  ", format!("skipped {path}: {why}"));
    }
}

/// The report in Markdown with tables (GitHub's), which list `top` questions and askers.
pub fn markdown(document: &Document, top: usize) -> String {
    let paragraph = |text: String| format!("{}\n\n", sentence(&text));
    let lead = [heading(document), totals(document)]
        .map(paragraph)
        .concat();
    let tables: String = parts(document, top).iter().map(section).collect();
    let rest = rest(document).map_or_else(String::new, paragraph);
    let skipped = document.lake.skipped.iter().map(|skipped| {
        let (path, why) = (escape(&skipped.path), escape(&skipped.why));
        format!("- skipped {path}: {why}\n")
    });
    let skipped: String = skipped.collect();
    format!("# Questions of the organisation\n\n{lead}{tables}{rest}{skipped}")
}
