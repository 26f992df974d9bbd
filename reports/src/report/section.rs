//! A table with what is said about it.

use crate::table::{self, Cell, Column};

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
    /// A row for each of `items`.
    pub(crate) fn new<'i, T: 'i>(
        title: impl Into<String>,
        items: impl IntoIterator<Item = &'i T>,
        columns: &[(Column<'static>, Cell<'_, T>)],
    ) -> Self {
        let (columns, rows) = table::cells(items, columns);
        Self {
            title: title.into(),
            columns,
            rows,
            notes: Vec::new(),
        }
    }

    /// The first `top` of `items`; the title says so where there are more.
    pub(crate) fn first<T>(
        title: &str,
        items: &[T],
        top: usize,
        columns: &[(Column<'static>, Cell<'_, T>)],
    ) -> Self {
        let title = match items.len() {
            all if all > top => format!("{title} ({top} of {all})"),
            _ => title.to_owned(),
        };
        Self::new(title, items.iter().take(top), columns)
    }

    /// The same with sentences below it.
    pub(crate) fn with_notes(self, notes: Vec<String>) -> Self {
        Self { notes, ..self }
    }
}
