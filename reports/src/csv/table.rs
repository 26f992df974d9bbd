//! A table with a heading, and what its cells hold.

use std::io::{self, Write};

use chrono::{DateTime, SecondsFormat, Utc};
use csv::{QuoteStyle, Terminator, Writer, WriterBuilder};
use plantune_domain::sanitize::spreadsheet_text;

/// A table with a heading.
pub(super) struct Table<'a>(Writer<&'a mut dyn Write>);

impl<'a> Table<'a> {
    pub(super) fn new(out: &'a mut dyn Write, columns: &[&str]) -> io::Result<Self> {
        let mut writer = WriterBuilder::new()
            // In quotes, a spreadsheet that takes semicolons for separators finds none in a text.
            .quote_style(QuoteStyle::NonNumeric)
            .terminator(Terminator::CRLF)
            .from_writer(out);
        writer.write_record(columns)?;
        Ok(Self(writer))
    }

    pub(super) fn row(&mut self, cells: &[String]) -> io::Result<()> {
        Ok(self.0.write_record(cells)?)
    }

    pub(super) fn end(mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// A text from outside as a cell.
pub(super) fn text(text: &str) -> String {
    spreadsheet_text(text)
}

/// A text that may not be there.
pub(super) fn optional(value: &Option<String>) -> String {
    text(value.as_deref().unwrap_or_default())
}

/// A number, or an empty cell for what is not known.
pub(super) fn number(number: Option<f64>) -> String {
    number.map_or_else(String::new, |number| number.to_string())
}

pub(super) fn moment(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Millis, true)
}
