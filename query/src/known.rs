//! What the store knows about a question by its key.

use duckdb::{OptionalExt as _, params};

use crate::evidence::texts;
use crate::{Error, Store};

/// A question as last put.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownQuestion {
    /// How the key was found.
    pub key_source: String,
    /// The text, marker removed.
    pub question: String,
    /// The header.
    pub header: Option<String>,
    /// The labels as sent.
    pub options: Vec<String>,
    /// Why it was one-way, if it was.
    pub one_way: Option<String>,
}

/// The question `key` as last put in `project`, else as last put anywhere; `None` if it never was.
///
/// # Errors
/// DuckDB's.
pub fn known_question(
    store: &Store,
    key: &str,
    project: Option<&str>,
) -> Result<Option<KnownQuestion>, Error> {
    let found = store.connection.query_row(
        include_str!("../sql/known_question.sql"),
        params![key, project],
        |row| {
            Ok(KnownQuestion {
                key_source: row.get(0)?,
                question: row.get(1)?,
                header: row.get(2)?,
                options: texts(row.get(3)?),
                one_way: row.get(4)?,
            })
        },
    );
    Ok(found.optional()?)
}
