//! What a person's own statement gives.

use std::io::{self, Write};

use plantune_query::sql::Column;

use super::table::{Table, text};

/// A table whose rows come one by one.
pub struct Rows<'a> {
    table: Table<'a>,
    is_number: Vec<bool>,
}

impl<'a> Rows<'a> {
    /// The heading.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn new(columns: &[Column], out: &'a mut dyn Write) -> io::Result<Self> {
        let names: Vec<String> = columns.iter().map(|one| text(&one.name)).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        Ok(Self {
            table: Table::new(out, &names)?,
            is_number: columns.iter().map(Column::is_number).collect(),
        })
    }

    /// Adds a row; texts are no formulas.
    ///
    /// # Errors
    /// Those of the output.
    pub fn row(&mut self, cells: &[Option<&str>]) -> io::Result<()> {
        let cells = cells.iter().zip(&self.is_number);
        let cells = cells.map(|(cell, is_number)| match cell {
            Some(number) if *is_number => (*number).to_owned(),
            cell => text(cell.unwrap_or_default()),
        });
        self.table.row(&cells.collect::<Vec<_>>())
    }

    /// The end of the table.
    ///
    /// # Errors
    /// Those of the output.
    pub fn end(self) -> io::Result<()> {
        self.table.end()
    }
}
