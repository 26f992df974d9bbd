//! A table with what is said about it.

use crate::table::{Column, Table};

/// A titled table, the same on a terminal and in Markdown. The cells are raw: each format makes them safe.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    pub(crate) title: String,
    pub(crate) columns: Vec<Column<'static>>,
    pub(crate) rows: Vec<Vec<String>>,
    /// Sentences below the table, safe already.
    pub(crate) notes: Vec<String>,
}

impl Section {
    pub(crate) fn new<T>(title: impl Into<String>, table: Table<'_, 'static, T>) -> Self {
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
    pub(crate) fn with_notes(self, notes: Vec<String>) -> Self {
        Self { notes, ..self }
    }
}
