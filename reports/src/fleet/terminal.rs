//! The report for a person at a terminal.

use super::document::Document;
use super::parts::{computed, heading, missing, parts, rest, totals};
use crate::terminal::Terminal;
use crate::text::clean;

/// Writes the report to `out`, with `top` questions and askers.
pub fn show(document: &Document, top: usize, out: &mut Terminal) {
    out.hanging("", "  ", heading(document));
    out.hanging("", "  ", totals(document));
    for part in parts(document, top) {
        out.line("");
        out.rows(&part.columns, &part.rows);
        part.notes
            .iter()
            .for_each(|note| out.hanging("", "  ", note));
    }
    if let Some(rest) = rest(document) {
        out.line("");
        out.hanging("", "  ", rest);
    }
    missing(document)
        .iter()
        .for_each(|missing| out.hanging("", "  ", missing));
    if let Some(computed) = computed(&document.lake) {
        out.line("");
        out.hanging("", "  ", computed);
    }
    for skipped in &document.lake.skipped {
        let (path, why) = (clean(&skipped.path), clean(&skipped.why));
        out.hanging("", "  ", format!("skipped {path}: {why}"));
    }
}
