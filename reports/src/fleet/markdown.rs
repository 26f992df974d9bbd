//! The report for a document or a chat.

use std::io::{self, Write};

use plantune_domain::sanitize::markdown as sentence;

use super::document::Document;
use super::parts::{computed, heading, missing, parts, rest, totals};
use crate::Format;
use crate::markdown::escape;
use crate::report::markdown_section;

/// Markdown with tables (GitHub's).
#[derive(Clone, Copy, Debug)]
pub struct Markdown {
    /// How many questions and askers to list.
    pub top: usize,
}

impl Format<Document> for Markdown {
    fn write(&self, document: &Document, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "# Questions of the organisation\n")?;
        for text in [heading(document), totals(document)] {
            writeln!(out, "{}\n", sentence(&text))?;
        }
        for part in parts(document, self.top) {
            markdown_section(&part, out)?;
        }
        let notes = [rest(document), missing(document), computed(&document.lake)];
        for text in notes.into_iter().flatten() {
            writeln!(out, "{}\n", sentence(&text))?;
        }
        for skipped in &document.lake.skipped {
            let (path, why) = (escape(&skipped.path), escape(&skipped.why));
            writeln!(out, "- skipped {path}: {why}")?;
        }
        Ok(())
    }
}
