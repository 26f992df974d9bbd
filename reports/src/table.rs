//! Tables on a terminal that never stand wider than it: texts are cut first, then columns left
//! out.

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};

use crate::text;

/// Columns between two columns of a table.
const GAP: usize = 2;

/// One column.
#[derive(Clone, Copy, Debug)]
pub struct Column<'a> {
    title: &'a str,
    right: bool,
    least: Option<usize>,
    rank: u8,
}

impl<'a> Column<'a> {
    /// A column of numbers, on the right.
    pub fn number(title: &'a str) -> Self {
        Self {
            right: true,
            ..Self::text(title)
        }
    }

    /// A column of texts, on the left.
    pub fn text(title: &'a str) -> Self {
        Self {
            title,
            right: false,
            least: None,
            rank: 0,
        }
    }

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

    /// May be left out; those of the highest rank go first, and together.
    pub fn rank(self, rank: u8) -> Self {
        Self { rank, ..self }
    }
}

/// The lines of a table, the titles first, none of them wider than `width`. Cells are made clean.
pub fn lines(columns: &[Column<'_>], rows: &[Vec<String>], width: usize) -> Vec<String> {
    let rows: Vec<Vec<String>> = rows
        .iter()
        .map(|row| row.iter().map(|cell| indented(cell)).collect())
        .collect();
    let natural = columns.iter().enumerate().map(|(number, column)| {
        let cells = rows.iter().filter_map(|row| row.get(number));
        let widest = cells.map(|cell| text::width(cell)).max().unwrap_or(0);
        widest.max(text::width(column.title))
    });
    let widths = fit(columns, natural.collect(), width);
    let kept = |cells: &mut dyn Iterator<Item = &str>| -> Vec<String> {
        cells
            .zip(&widths)
            .filter(|(_, width)| **width > 0)
            .map(|(cell, width)| cut_indented(cell, *width))
            .collect()
    };
    let mut table = Table::new();
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
fn fit(columns: &[Column<'_>], natural: Vec<usize>, width: usize) -> Vec<usize> {
    let mut widths = natural;
    loop {
        let shown = widths.iter().filter(|width| **width > 0).count();
        let total = widths.iter().sum::<usize>() + GAP * shown.saturating_sub(1);
        let Some(excess) = total.checked_sub(width).filter(|excess| *excess > 0) else {
            return widths;
        };
        if !shrink(columns, &mut widths, excess) && !leave_out(columns, &mut widths) {
            // Nothing may go any more: cut wherever most is.
            match widths.iter_mut().max() {
                Some(widest) if *widest > 1 => *widest -= 1,
                _ => return widths,
            }
        }
    }
}

/// Takes `excess` columns from the widest texts, if they have that much to give.
fn shrink(columns: &[Column<'_>], widths: &mut [usize], excess: usize) -> bool {
    let spare = |column: &Column<'_>, width: usize| {
        column.least.map_or(0, |least| width.saturating_sub(least))
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
fn leave_out(columns: &[Column<'_>], widths: &mut [usize]) -> bool {
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

/// A clean cell that keeps its leading spaces, which show what belongs to what.
fn indented(cell: &str) -> String {
    let indent = cell.len() - cell.trim_start_matches(' ').len();
    " ".repeat(indent) + &text::clean(cell)
}

fn cut_indented(cell: &str, width: usize) -> String {
    let indent = (cell.len() - cell.trim_start_matches(' ').len()).min(width);
    " ".repeat(indent) + &text::cut(cell, width - indent)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(width: usize) -> Vec<String> {
        let columns = [
            Column::number("times"),
            Column::number("median").rank(1),
            Column::text("question").least(10),
        ];
        let row = ["7", "3 min 20 s", "次はどうしますか and then?"];
        lines(&columns, &[row.map(str::to_owned).to_vec()], width)
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
                lines.iter().all(|line| text::width(line) <= width),
                "{width}"
            );
        }
    }
}
