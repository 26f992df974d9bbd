//! What a person's own statement gives, and the views that it may ask, for a terminal.

use std::io::{self, Write};

use plantune_query::sql::{Column, ViewColumn};

use crate::table::{self, Column as TableColumn, UNKNOWN};
use crate::text::{clean, cut, hanging, width as width_of, wrap};

/// What a text can be read in, in columns.
const READABLE: usize = 12;

/// How much of a cell is shown where each stands in a line of its own.
const SHOWN: usize = 1000;

/// Writes the rows of a statement as a table or, where that would not fit `width`, each column in a line of its own;
/// then how many there are, which is the first of more where `is_part`.
///
/// # Errors
/// Those of `out`.
pub fn write_rows(
    columns: &[Column],
    rows: &[Vec<Option<String>>],
    is_part: bool,
    width: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let rows: Vec<Vec<String>> = rows.iter().map(|row| cells(columns, row)).collect();
    match fits(columns, &rows, width) {
        true => write_table(columns, &rows, width, out)?,
        false => write_records(columns, &rows, width, out)?,
    }
    writeln!(out)?;
    let count = match rows.len() {
        1 => "1 row".to_owned(),
        count => format!("{count} rows"),
    };
    match is_part {
        true => writeln!(out, "The first {count}; --csv and --json write all."),
        false => writeln!(out, "{count}"),
    }
}

fn cells(columns: &[Column], row: &[Option<String>]) -> Vec<String> {
    let cell = |(cell, column): (&Option<String>, &Column)| match cell.as_deref() {
        None => UNKNOWN.to_owned(),
        // Nobody reads milliseconds.
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
fn fits(columns: &[Column], rows: &[Vec<String>], width: usize) -> bool {
    let least = |(number, column): (usize, &Column)| {
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

fn write_table(
    columns: &[Column],
    rows: &[Vec<String>],
    width: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let names: Vec<String> = columns.iter().map(|one| clean(&one.name)).collect();
    let columns = columns.iter().zip(&names);
    let columns: Vec<TableColumn<'_>> = columns
        .map(|(column, name)| match column.is_number() {
            true => TableColumn::number(name),
            false => TableColumn::text(name).least(READABLE),
        })
        .collect();
    let lines = table::lines(&columns, rows, width);
    lines.iter().try_for_each(|line| writeln!(out, "{line}"))
}

fn write_records(
    columns: &[Column],
    rows: &[Vec<String>],
    width: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let names: Vec<String> = columns.iter().map(|one| clean(&one.name)).collect();
    let widest = names.iter().map(|name| width_of(name)).max().unwrap_or(0);
    for (number, row) in rows.iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        for (name, cell) in names.iter().zip(row) {
            let pad = " ".repeat(widest - width_of(name) + 2);
            let rest = " ".repeat(widest + 2);
            let first = format!("{name}{pad}");
            write!(out, "{}", hanging(&first, &rest, &cut(cell, SHOWN), width))?;
        }
    }
    Ok(())
}

/// Writes the views with their columns.
///
/// # Errors
/// Those of `out`.
pub fn write_views(
    columns: &[ViewColumn],
    time_zone: &str,
    width: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let about = format!(
        "Views for `plantune sql \"SELECT …\"`; times are those of {time_zone}, durations are in seconds."
    );
    for line in wrap(&about, width) {
        writeln!(out, "{line}")?;
    }
    for of_view in columns.chunk_by(|one, other| one.view == other.view) {
        let Some(first) = of_view.first() else {
            continue;
        };
        writeln!(out)?;
        let title = format!("{}: {}", first.view, first.rows);
        write!(out, "{}", hanging("", "  ", &title, width))?;
        let row = |one: &ViewColumn| {
            let name = format!("  {}", one.column);
            vec![name, one.r#type.to_lowercase(), one.meaning.clone()]
        };
        let rows: Vec<Vec<String>> = of_view.iter().map(row).collect();
        let titles = [
            TableColumn::text("  column"),
            TableColumn::text("type").rank(1),
            TableColumn::main("meaning"),
        ];
        for line in table::lines(&titles, &rows, width).iter().skip(1) {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}
