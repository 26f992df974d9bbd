//! The report for a person at a terminal.

use std::io::{self, Write};

use super::document::Document;
use super::parts::{computed, heading, missing, parts, rest, totals};
use crate::Format;
use crate::table::lines;
use crate::text::{clean, hanging};

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
        let said = |text: &str| hanging("", "  ", text, self.width);
        write!(
            out,
            "{}{}",
            said(&heading(document)),
            said(&totals(document))
        )?;
        for part in parts(document, self.top) {
            writeln!(out)?;
            for line in lines(&part.columns, &part.rows, self.width) {
                writeln!(out, "{line}")?;
            }
            for note in &part.notes {
                write!(out, "{}", said(note))?;
            }
        }
        if let Some(rest) = rest(document) {
            write!(out, "\n{}", said(&rest))?;
        }
        if let Some(missing) = missing(document) {
            write!(out, "{}", said(&missing))?;
        }
        if let Some(computed) = computed(&document.lake) {
            write!(out, "\n{}", said(&computed))?;
        }
        for skipped in &document.lake.skipped {
            let (path, why) = (clean(&skipped.path), clean(&skipped.why));
            write!(out, "{}", said(&format!("skipped {path}: {why}")))?;
        }
        Ok(())
    }
}
