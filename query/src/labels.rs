//! Lists of labels, which the store keeps as JSON text.

use duckdb::{Row, RowIndex};

/// The labels in the JSON text of a column; none for NULL and for text that is no list of texts.
///
/// # Errors
/// DuckDB's.
pub(crate) fn labels(row: &Row<'_>, column: impl RowIndex) -> duckdb::Result<Vec<String>> {
    Ok(labels_if_any(row, column)?.unwrap_or_default())
}

/// [`labels`], with `None` for NULL.
///
/// # Errors
/// DuckDB's.
pub(crate) fn labels_if_any(
    row: &Row<'_>,
    column: impl RowIndex,
) -> duckdb::Result<Option<Vec<String>>> {
    let json: Option<String> = row.get(column)?;
    Ok(json.map(|json| serde_json::from_str(&json).unwrap_or_default()))
}
