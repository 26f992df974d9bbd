//! The report for a document or a chat.

use plantune_domain::sanitize::markdown as sentence;

use super::document::Document;
use super::parts::{computed, heading, missing, parts, rest, totals};
use crate::markdown::{escape, section};

/// The report in Markdown with tables (GitHub's), which list `top` questions and askers.
pub fn markdown(document: &Document, top: usize) -> String {
    let paragraph = |text: String| format!("{}\n\n", sentence(&text));
    let lead = [heading(document), totals(document)].map(paragraph);
    let tables = parts(document, top).iter().map(section).collect::<String>();
    let notes = [rest(document), missing(document), computed(&document.lake)];
    let notes: String = notes.into_iter().flatten().map(paragraph).collect();
    let skipped = document.lake.skipped.iter().map(|skipped| {
        let (path, why) = (escape(&skipped.path), escape(&skipped.why));
        format!("- skipped {path}: {why}\n")
    });
    let skipped: String = skipped.collect();
    let lead = lead.concat();
    format!("# Questions of the organisation\n\n{lead}{tables}{notes}{skipped}")
}
