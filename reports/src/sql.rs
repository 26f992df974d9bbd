//! Rows of a person's own statement, and the views that it may ask, for a terminal.

use plantune_query::sql::{ResultColumn, ViewColumn};
use serde::Serialize;

use crate::humanize::counted;
use crate::table::{Table, UNKNOWN, known, main, number, text};
use crate::terminal::{Show, Terminal};
use crate::text::{clean, one_line, width as width_of};

/// The least width that a text can be read in, in columns.
const READABLE: usize = 12;

/// How much of a cell is shown where each stands in a line of its own.
const SHOWN: usize = 1000;

/// The rows, as a table or, where that is too wide, each as a list; `is_part` where there are more.
pub fn show_rows(
    columns: &[ResultColumn],
    rows: &[Vec<Option<String>>],
    is_part: bool,
    out: &mut Terminal,
) {
    let rows: Vec<Vec<String>> = rows.iter().map(|row| cells(columns, row)).collect();
    let names: Vec<String> = columns.iter().map(|one| clean(&one.name)).collect();
    match fits(columns, &rows, out.width) {
        true => show_table(columns, &names, &rows, out),
        false => show_records(&names, &rows, out),
    }
    let count = counted(rows.len(), "row", "rows");
    out.line(match is_part {
        true => format!("\nThe first {count}; --csv and --json write all."),
        false => format!("\n{count}"),
    });
}

fn cells(columns: &[ResultColumn], row: &[Option<String>]) -> Vec<String> {
    let cell = |(cell, column): (&Option<String>, &ResultColumn)| match cell.as_deref() {
        None => UNKNOWN.to_owned(),
        // A table leaves milliseconds out.
        Some(time) if column.r#type == "TIMESTAMP" => {
            time.split('.').next().unwrap_or(time).to_owned()
        }
        Some(number) if column.r#type == "DOUBLE" => rounded(number),
        Some(text) => clean(text),
    };
    row.iter().zip(columns).map(cell).collect()
}

/// A number to a thousandth.
fn rounded(number: &str) -> String {
    let rounded = |number: f64| ((number * 1000.0).round() / 1000.0).to_string();
    number.parse().map_or_else(|_| number.to_owned(), rounded)
}

/// True where every column of a table can be read.
fn fits(columns: &[ResultColumn], rows: &[Vec<String>], width: usize) -> bool {
    let least = |(number, column): (usize, &ResultColumn)| {
        let cells = rows.iter().filter_map(|row| row.get(number));
        let widest = cells.map(|cell| width_of(cell)).max().unwrap_or(0);
        match column.is_number() {
            true => widest.max(width_of(&column.name)),
            false => widest.min(READABLE).max(width_of(&column.name)),
        }
    };
    let widths = columns.iter().enumerate().map(|one| least(one) + 2);
    widths.sum::<usize>() <= width + 2
}

fn show_table(
    columns: &[ResultColumn],
    names: &[String],
    rows: &[Vec<String>],
    out: &mut Terminal,
) {
    let mut table = Table::of(rows);
    for (at, (column, name)) in columns.iter().zip(names).enumerate() {
        let column = match column.is_number() {
            true => number(name),
            false => text(name).least(READABLE),
        };
        table.add(column, |row| known(row.get(at)));
    }
    out.table(&table);
}

fn show_records(names: &[String], rows: &[Vec<String>], out: &mut Terminal) {
    let widest = names.iter().map(|name| width_of(name)).max().unwrap_or(0);
    for (number, row) in rows.iter().enumerate() {
        if number > 0 {
            out.line("");
        }
        for (name, cell) in names.iter().zip(row) {
            let pad = " ".repeat(widest - width_of(name) + 2);
            let rest = " ".repeat(widest + 2);
            out.hanging(&format!("{name}{pad}"), &rest, one_line(cell, SHOWN));
        }
    }
}

/// The views and what their columns hold.
#[derive(Debug, Serialize)]
pub struct Views {
    /// The time zone of their times.
    pub time_zone: &'static str,
    /// The columns of all views.
    pub columns: Vec<ViewColumn>,
}

impl Show for Views {
    fn show(&self, out: &mut Terminal) {
        let head = format!(
            "Views for `plantune sql \"SELECT …\"`. Times are in {}, durations in seconds.",
            self.time_zone
        );
        out.hanging("", "", head);
        for of_view in self.columns.chunk_by(|one, other| one.view == other.view) {
            let Some(first) = of_view.first() else {
                continue;
            };
            out.line("");
            out.hanging("", "  ", format!("{}: {}", first.view, first.rows));
            let mut table = Table::of(of_view);
            table.add(text("  column"), |one| format!("  {}", one.column));
            table.add(text("type").rank(1), |one| one.r#type.to_lowercase());
            table.add(main("meaning"), |one| &*one.meaning);
            table
                .lines(out.width)
                .iter()
                .skip(1)
                .for_each(|line| out.line(line));
        }
    }
}
