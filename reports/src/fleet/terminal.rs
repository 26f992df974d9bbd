//! The report for a person at a terminal.

use std::io::{self, Write};

use super::document::Document;
use super::parts::{computed, heading, missing, parts, rest, totals};
use crate::Format;
use crate::terminal::Terminal as Text;
use crate::text::clean;

/// Text of at most `width` columns.
#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    /// How many columns there are.
    pub width: usize,
    /// How many questions and askers to list.
    pub top: usize,
}

impl Format<Document> for Terminal {
    fn write(&self, document: &Document, out: &mut dyn Write) -> io::Result<()> {
        let mut text = Text::new(self.width, false);
        text.hanging("", "  ", heading(document));
        text.hanging("", "  ", totals(document));
        for part in parts(document, self.top) {
            text.line("");
            text.rows(&part.columns, &part.rows);
            part.notes
                .iter()
                .for_each(|note| text.hanging("", "  ", note));
        }
        if let Some(rest) = rest(document) {
            text.line("");
            text.hanging("", "  ", rest);
        }
        missing(document)
            .iter()
            .for_each(|missing| text.hanging("", "  ", missing));
        if let Some(computed) = computed(&document.lake) {
            text.line("");
            text.hanging("", "  ", computed);
        }
        for skipped in &document.lake.skipped {
            let (path, why) = (clean(&skipped.path), clean(&skipped.why));
            text.hanging("", "  ", format!("skipped {path}: {why}"));
        }
        out.write_all(text.into_text().as_bytes())
    }
}
