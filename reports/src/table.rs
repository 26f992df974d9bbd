//! Tables with their notes, on a terminal and in Markdown. On a terminal a table is never wider than it: first texts are
//! cut, then columns are left out. The main column keeps nearly half of the width and may take two lines.

use comfy_table as comfy;
use comfy_table::{CellAlignment, ContentArrangement, presets};
use plantune_domain::sanitize;

use crate::{text, text as words};

/// Columns between two columns of a table.
const GAP: usize = 2;

/// The indent of the second line of a cell, which sets it apart from a row.
const INDENT: &str = "  ";

/// The least width that a text can be read in, in columns.
const READABLE: usize = 12;

/// The sign for a value that is not known.
pub const UNKNOWN: &str = "–";

/// One column.
#[derive(Clone, Copy, Debug)]
pub struct TableColumn<'a> {
    title: &'a str,
    right: bool,
    least: Option<usize>,
    rank: u8,
    is_main: bool,
    both_ends: bool,
}

/// A column of numbers.
pub fn number(title: &str) -> TableColumn<'_> {
    TableColumn {
        right: true,
        ..text(title)
    }
}

/// A column of texts.
pub fn text(title: &str) -> TableColumn<'_> {
    TableColumn {
        title,
        right: false,
        least: None,
        rank: 0,
        is_main: false,
        both_ends: false,
    }
}

/// A column that may take two lines, such as the subject of the rows. It keeps nearly half of the width, or as much as
/// [`TableColumn::least`] says.
pub fn main(title: &str) -> TableColumn<'_> {
    TableColumn {
        is_main: true,
        ..text(title)
    }
}

/// A cell of a value that may not be known.
pub fn known(value: Option<impl ToString>) -> String {
    value.map_or_else(|| UNKNOWN.to_owned(), |value| value.to_string())
}

/// A row for each of some items, made column by column.
#[derive(Clone, Debug)]
pub struct Table<'i, 'c, T> {
    items: Vec<&'i T>,
    /// The columns.
    pub columns: Vec<TableColumn<'c>>,
    /// The cells of each row, raw.
    pub rows: Vec<Vec<String>>,
}

impl<'i, 'c, T> Table<'i, 'c, T> {
    /// A table of `items`, without columns yet.
    pub fn of(items: impl IntoIterator<Item = &'i T>) -> Self {
        let items: Vec<&T> = items.into_iter().collect();
        Self {
            columns: Vec::new(),
            rows: vec![Vec::new(); items.len()],
            items,
        }
    }

    /// One more column; it is left out where no row has a value in it.
    pub fn add<C: ToString>(&mut self, column: TableColumn<'c>, cell: impl Fn(&'i T) -> C) {
        let cells: Vec<String> = self.items.iter().map(|one| cell(one).to_string()).collect();
        let is_value = |cell: &String| !matches!(&*words::clean(cell), "" | UNKNOWN);
        if !cells.is_empty() && !cells.iter().any(is_value) {
            return;
        }
        for (row, cell) in self.rows.iter_mut().zip(cells) {
            row.push(cell);
        }
        self.columns.push(column);
    }

    /// Its lines, the titles first, no wider than `width`.
    pub fn lines(&self, width: usize) -> Vec<String> {
        lines(&self.columns, &self.rows, width)
    }
}

impl<'a> TableColumn<'a> {
    /// Its title.
    pub fn title(&self) -> &'a str {
        self.title
    }

    /// True for a column of numbers.
    pub fn is_number(&self) -> bool {
        self.right
    }

    /// May be cut down to `columns`.
    pub fn least(self, columns: usize) -> Self {
        Self {
            least: Some(columns),
            ..self
        }
    }

    /// May be left out; the columns of the highest rank are left out first, all together.
    pub fn rank(self, rank: u8) -> Self {
        Self { rank, ..self }
    }

    /// A cell that is too long is cut in its middle, not at its end.
    pub fn both_ends(self) -> Self {
        Self {
            both_ends: true,
            ..self
        }
    }

    /// How narrow it may become in a table of `width` columns, if it may be cut at all.
    fn least_in(&self, width: usize) -> Option<usize> {
        self.least.or(self.is_main.then_some(width * 9 / 20))
    }

    /// `cell` in a line of at most `width` columns, or in two.
    fn lines(&self, cell: &str, width: usize) -> String {
        match self.is_main && width >= READABLE && words::width(cell) > width {
            true => words::in_two_lines(("", INDENT), cell, width, words::one_line)
                .trim_end()
                .to_owned(),
            false if self.both_ends => words::both_ends(cell, width),
            false => cut_indented(cell, width),
        }
    }
}

/// The lines of a table, the titles first, none of them wider than `width`. Cells are made clean.
pub(crate) fn lines(
    columns: &[TableColumn<'_>],
    rows: &[Vec<String>],
    width: usize,
) -> Vec<String> {
    let rows: Vec<Vec<String>> = rows
        .iter()
        .map(|row| row.iter().map(|cell| indented(cell)).collect())
        .collect();
    let natural = columns.iter().enumerate().map(|(number, column)| {
        let cells = || rows.iter().filter_map(|row| row.get(number));
        let widest = cells().map(|cell| words::width(cell)).max().unwrap_or(0);
        widest.max(words::width(column.title))
    });
    let widths = fit(columns, natural.collect(), width);
    let kept = |cells: &mut dyn Iterator<Item = &str>| -> Vec<String> {
        cells
            .zip(columns.iter().zip(&widths))
            .filter(|(_, (_, width))| **width > 0)
            .map(|(cell, (column, width))| column.lines(cell, *width))
            .collect()
    };
    let mut table = comfy::Table::new();
    table
        .load_preset(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(kept(&mut columns.iter().map(|column| column.title)));
    for row in &rows {
        table.add_row(kept(&mut row.iter().map(String::as_str)));
    }
    let shown: Vec<_> = columns
        .iter()
        .zip(&widths)
        .filter(|(_, width)| **width > 0)
        .map(|(column, _)| column)
        .collect();
    for (number, column) in table.column_iter_mut().enumerate() {
        let last = number + 1 == shown.len();
        column.set_padding((0, if last { 0 } else { GAP as u16 }));
        if shown.get(number).is_some_and(|column| column.right) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
        .lines()
        .map(|line| line.trim_end().to_owned())
        .collect()
}

/// The columns' widths in `width` columns; 0 for one that is left out.
fn fit(columns: &[TableColumn<'_>], natural: Vec<usize>, width: usize) -> Vec<usize> {
    let mut widths = natural;
    loop {
        let shown = widths.iter().filter(|width| **width > 0).count();
        let total = widths.iter().sum::<usize>() + GAP * shown.saturating_sub(1);
        let Some(excess) = total.checked_sub(width).filter(|excess| *excess > 0) else {
            return widths;
        };
        let made_room = shrink(columns, &mut widths, excess, width)
            || leave_out(columns, &mut widths)
            || narrow(columns, &mut widths);
        if !made_room {
            return widths;
        }
    }
}

/// Takes `excess` columns from the widest texts, if they have that much to give in a table of `width`.
fn shrink(columns: &[TableColumn<'_>], widths: &mut [usize], excess: usize, width: usize) -> bool {
    let spare = |column: &TableColumn<'_>, of: usize| {
        let least = column.least_in(width);
        least.map_or(0, |least| of.saturating_sub(least))
    };
    let total: usize = columns
        .iter()
        .zip(&*widths)
        .map(|(column, width)| spare(column, *width))
        .sum();
    if total < excess {
        return false;
    }
    for _ in 0..excess {
        let cuttable = columns
            .iter()
            .zip(&mut *widths)
            .filter(|(column, width)| spare(column, **width) > 0);
        if let Some((_, widest)) = cuttable.max_by_key(|(_, width)| **width) {
            *widest -= 1;
        }
    }
    true
}

/// Leaves out the shown columns of the highest rank; false when only those of rank 0 are left.
fn leave_out(columns: &[TableColumn<'_>], widths: &mut [usize]) -> bool {
    let ranks = columns.iter().zip(&*widths);
    let shown = ranks.filter(|(_, width)| **width > 0);
    let highest = shown.map(|(column, _)| column.rank).max().unwrap_or(0);
    if highest == 0 {
        return false;
    }
    for (column, width) in columns.iter().zip(widths) {
        if column.rank == highest {
            *width = 0;
        }
    }
    true
}

/// Makes the widest column narrower by one, as the last resort: of those that may be cut while they can be read, else of
/// all. False when there is nothing to take.
fn narrow(columns: &[TableColumn<'_>], widths: &mut [usize]) -> bool {
    let cuttable = columns.iter().zip(&mut *widths);
    let cuttable = cuttable
        .filter(|(column, width)| (column.is_main || column.least.is_some()) && **width > READABLE);
    let widest = cuttable.map(|(_, width)| width).max();
    match widest {
        Some(widest) => *widest -= 1,
        None => match widths.iter_mut().max() {
            Some(widest) if *widest > 1 => *widest -= 1,
            _ => return false,
        },
    }
    true
}

/// A clean cell that keeps its leading spaces, which show what belongs to what.
fn indented(cell: &str) -> String {
    let indent = cell.len() - cell.trim_start_matches(' ').len();
    " ".repeat(indent) + &words::clean(cell)
}

fn cut_indented(cell: &str, width: usize) -> String {
    let indent = (cell.len() - cell.trim_start_matches(' ').len()).min(width);
    " ".repeat(indent) + &words::one_line(cell, width - indent)
}

/// A titled table, the same on a terminal and in Markdown. The cells are raw: each format makes them safe.
#[derive(Clone, Debug)]
pub struct Section {
    /// Above the table.
    pub title: String,
    /// Its columns, the first one left.
    pub columns: Vec<TableColumn<'static>>,
    /// A cell for each column.
    pub rows: Vec<Vec<String>>,
    /// Sentences below the table, safe already.
    pub notes: Vec<String>,
}

impl Section {
    /// `table` under the title.
    pub fn new<T>(title: impl Into<String>, table: Table<'_, 'static, T>) -> Self {
        Self {
            title: title.into(),
            columns: table.columns,
            rows: table.rows,
            notes: Vec::new(),
        }
    }

    /// A table of some of `all` items; the title says so.
    pub(crate) fn part<T>(title: &str, table: Table<'_, 'static, T>, all: usize) -> Self {
        let title = match table.rows.len() {
            shown if shown < all => format!("{title} ({shown} of {all})"),
            _ => title.to_owned(),
        };
        Self::new(title, table)
    }

    /// The same with sentences below it.
    pub fn with_notes(self, notes: Vec<String>) -> Self {
        Self { notes, ..self }
    }
}

// Markdown: untrusted texts stay texts, and tables stay tables.

/// The longest text of a cell, in columns.
const CELL_COLUMNS: usize = 200;

/// `text` on one line and cut, such that Markdown finds nothing to act on
/// ([`sanitize::markdown`]).
pub fn escape(text: &str) -> String {
    sanitize::markdown(&text::one_line(text, CELL_COLUMNS))
}

/// `command`, which has one line, as code.
pub fn code(command: &str) -> String {
    if command.contains('`') {
        // No code span may hold it; HTML may.
        format!("<code>{}</code>", escape(command))
    } else {
        format!("`{command}`")
    }
}

/// A table with its heading and notes; its cells are escaped here.
pub fn section(section: &Section) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let columns = section.columns.iter();
    let rule = |column: &TableColumn<'_>| match column.is_number() {
        true => "---:".to_owned(),
        false => "---".to_owned(),
    };
    let rules = columns.clone().map(rule).collect();
    let titles = columns.map(|column| column.title().to_owned()).collect();
    let rows = section.rows.iter();
    let rows = rows.map(|row| row.iter().map(|one| cell(one)).collect());
    let table: String = [titles, rules].into_iter().chain(rows).map(line).collect();
    let notes: String = (section.notes.iter())
        .map(|note| format!("{note}\n\n"))
        .collect();
    format!("## {}\n\n{table}\n{notes}", section.title)
}

/// `text` escaped. Markdown drops leading spaces; what belongs to what survives as entities.
fn cell(text: &str) -> String {
    let words = text.trim_start_matches("  ");
    "&emsp;".repeat((text.len() - words.len()) / 2) + &escape(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(width: usize) -> Vec<String> {
        let columns = [
            number("times"),
            number("median").rank(1),
            text("question").least(10),
        ];
        let row = ["7", "3 min 20 s", "次はどうしますか and then?"];
        lines(&columns, &[row.map(str::to_owned).to_vec()], width)
    }

    /// A table as reports have them, whose question would take all of it.
    fn questions(width: usize) -> Vec<String> {
        let columns = [
            main("question"),
            number("times"),
            number("agreed").rank(2),
            text("usual answer").least(8).rank(1),
            text("project").least(8).rank(3),
        ];
        let rows = [
            [
                "More questions about …, or move to the next area of the interview?",
                "14",
                "–",
                "Next area",
                "acme/shop",
            ],
            ["Which one?", "2", "–", "(typed)", "acme/site"],
        ];
        let mut table = Table::of(&rows);
        for (at, column) in columns.into_iter().enumerate() {
            table.add(column, |row| row[at]);
        }
        table.lines(width)
    }

    #[test]
    fn the_main_column_has_nearly_half_of_the_width_in_two_lines() {
        assert_eq!(
            questions(80),
            [
                "question                                          times  usual answer  project",
                "More questions about …, or move to the next area     14  Next area     acme/shop",
                "  of the interview?",
                "Which one?                                            2  (typed)       acme/site",
            ]
        );
        assert_eq!(
            questions(50),
            [
                "question              times  usual an…  project",
                "More questions about     14  Next area  acme/sh…",
                "  …, or move to the…",
                "Which one?                2  (typed)    acme/si…",
            ]
        );
        for width in 4..120 {
            let lines = questions(width);
            let fits = |line: &String| words::width(line) <= width;
            assert!(lines.iter().all(fits), "{width}: {lines:?}");
        }
        assert_eq!(questions(140).len(), 3);
    }

    #[test]
    fn a_column_without_a_value_is_left_out() {
        assert!(questions(140).iter().all(|line| !line.contains("agreed")));
        let nothing = lines(&[text("a"), text("b")], &[], 80);
        assert_eq!(nothing, ["a  b"]);
    }

    #[test]
    fn texts_are_cut_before_columns_go() {
        assert_eq!(
            shown(80),
            [
                "times      median  question",
                "    7  3 min 20 s  次はどうしますか and then?"
            ]
        );
        assert_eq!(
            shown(30),
            [
                "times      median  question",
                "    7  3 min 20 s  次はどうし…"
            ]
        );
        assert_eq!(shown(20), ["times  question", "    7  次はどうしま…"]);
        for width in 4..60 {
            let lines = shown(width);
            assert!(
                lines.iter().all(|line| words::width(line) <= width),
                "{width}"
            );
        }
    }

    #[test]
    fn hostile_texts_stay_texts() {
        for (text, shown) in [
            (
                "Plain? Yes, 3.5 (ok) - a+b=c",
                "Plain? Yes, 3.5 \\(ok\\) - a+b=c",
            ),
            ("a | b\nc", "a \\| b c"),
            (
                "`code` *b* _i_ ~~s~~",
                "\\`code\\` \\*b\\* \\_i\\_ \\~\\~s\\~\\~",
            ),
            ("<script>&amp;", "&lt;script&gt;&amp;amp;"),
            (
                "[x](javascript:alert(1))",
                "\\[x\\]\\(javascript:alert\\(1\\)\\)",
            ),
            (
                "![x](https://t.example/p.png)",
                "\\!\\[x\\]\\(https\\://t.example/p.png\\)",
            ),
            ("see WWW.example.com", "see WWW\\.example.com"),
            ("=HYPERLINK(1)", "\\=HYPERLINK\\(1\\)"),
            ("+1", "\\+1"),
            ("-1", "\\-1"),
            ("@team", "\\@team"),
            ("\\| already", "\\\\\\| already"),
            ("\u{1b}[31m# not a heading", "\\# not a heading"),
        ] {
            assert_eq!(escape(text), shown, "{text:?}");
        }
    }

    #[test]
    fn commands_stay_commands() {
        assert_eq!(code("plantune report"), "`plantune report`");
        assert_eq!(code("a `b` <i>"), "<code>a \\`b\\` &lt;i&gt;</code>");
    }

    #[test]
    fn long_texts_are_cut() {
        assert!(escape(&"x".repeat(10_000)).ends_with("x…"));
    }
}
