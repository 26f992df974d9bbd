//! A table of a report, as the terminal and Markdown show it.

use crate::table::Column;

/// A table with its heading, and what is said below it.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    pub(crate) title: String,
    pub(crate) columns: Vec<Column<'static>>,
    pub(crate) rows: Vec<Vec<String>>,
    pub(crate) notes: Vec<String>,
}
