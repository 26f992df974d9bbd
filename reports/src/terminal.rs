//! Text for a terminal, with colours and weights. Nothing is said by colour alone.

use anstyle::AnsiColor;
pub use anstyle::Style;
use chrono::{DateTime, Utc};

use crate::table::{Table, TableColumn};
use crate::text::hanging;
use crate::{table, text};

/// Shows a moment as a person reads it.
pub type Clock = Box<dyn Fn(DateTime<Utc>) -> String>;

/// A text that will be printed, and for which terminal.
pub struct Terminal {
    /// Columns.
    pub width: usize,
    /// True for styles.
    pub colour: bool,
    clock: Clock,
    text: String,
}

impl Terminal {
    /// An empty text; moments are shown in UTC.
    pub fn new(width: usize, colour: bool) -> Self {
        Self {
            width,
            colour,
            clock: Box::new(|at| at.format("%Y-%m-%d %H:%M").to_string()),
            text: String::new(),
        }
    }

    /// The same with another way to show moments.
    #[must_use]
    pub fn with_clock(self, clock: Clock) -> Self {
        Self { clock, ..self }
    }

    /// The text.
    pub fn into_text(self) -> String {
        self.text
    }

    /// True if nothing is written yet.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// `at`, as a person reads it.
    pub fn moment(&self, at: DateTime<Utc>) -> String {
        (self.clock)(at)
    }

    /// `line` as it is.
    pub fn line(&mut self, line: impl AsRef<str>) {
        self.text += line.as_ref();
        self.text.push('\n');
    }

    /// `line` as it is, in `style`.
    pub fn styled(&mut self, line: &str, style: Style) {
        self.line(styled(line, style, self.colour));
    }

    /// `text` wrapped, behind `first` and then behind `rest`.
    pub fn hanging(&mut self, first: &str, rest: &str, text: impl AsRef<str>) {
        self.text += &hanging(first, rest, text.as_ref(), self.width);
    }

    /// The lines of `text`, each wrapped behind its own indentation, in `style`.
    pub fn paragraph(&mut self, text: impl AsRef<str>, style: Style) {
        let text = text::paragraph(text.as_ref(), self.width);
        text.lines().for_each(|line| self.styled(line, style));
    }

    /// A line for each row of `table`, below the titles.
    pub fn table<T>(&mut self, table: &Table<'_, '_, T>) {
        self.rows(&table.columns, &table.rows);
    }

    /// The same of rows that are made.
    pub fn rows(&mut self, columns: &[TableColumn<'_>], rows: &[Vec<String>]) {
        let mut lines = table::lines(columns, rows, self.width).into_iter();
        if let Some(titles) = lines.next() {
            self.styled(&titles, DIM);
        }
        lines.for_each(|line| self.line(line));
    }

    /// That there is more than was shown, if so.
    pub fn more(&mut self, all: usize, shown: usize) {
        if let more @ 1.. = all.saturating_sub(shown) {
            self.hanging("", "  ", format!("… and {more} more; `--json` lists them"));
        }
    }
}

/// A document that a terminal can show.
pub trait Show {
    /// Writes it to `out`.
    fn show(&self, out: &mut Terminal);
}

/// The subject of a text.
pub const BOLD: Style = Style::new().bold();
/// Words that can be passed over.
pub const DIM: Style = Style::new().dimmed();
/// Something answered or allowed.
pub const GREEN: Style = AnsiColor::Green.on_default();
/// Something that asks for a look.
pub const YELLOW: Style = AnsiColor::Yellow.on_default();
/// For what is worth knowing.
pub const CYAN: Style = AnsiColor::Cyan.on_default();
/// For what does not work.
pub const RED: Style = AnsiColor::Red.on_default().bold();

/// `text` in `style`, where `colour` is wanted.
pub fn styled(text: &str, style: Style, colour: bool) -> String {
    match colour && !text.is_empty() {
        true => format!("{style}{text}{style:#}"),
        false => text.to_owned(),
    }
}
